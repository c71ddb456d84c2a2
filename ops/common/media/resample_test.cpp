// Resizing byte for byte against Pillow.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/resample.h"

#include <gtest/gtest.h>

#include "ops/common/media/test_pictures.h"

namespace noema::media {
namespace {

struct Vector {
  Filter filter;
  std::uint32_t height, width;
  std::string_view digest;
};

// Made with Pillow 13; the 24 x 32 rows of the first two filters are published with the specification as well.
constexpr Vector vectors[] = {
    {Filter::bilinear, 24, 32, "5832d83dfb197132"},  {Filter::bilinear, 48, 31, "77577a799a7511ea"},
    {Filter::bilinear, 17, 64, "77c9ca1e8d1d6522"},  {Filter::bilinear, 96, 130, "da99892e4f32b100"},
    {Filter::bilinear, 7, 5, "53d1da40461fef56"},    {Filter::bilinear, 1, 1, "a8abfb1a140e75ca"},
    {Filter::bilinear, 49, 200, "bb8425b0aa6bd937"}, {Filter::bicubic, 24, 32, "065968a4ca1e7959"},
    {Filter::bicubic, 48, 31, "0a31028d27610aca"},   {Filter::bicubic, 17, 64, "864b0d018be00e61"},
    {Filter::bicubic, 96, 130, "deb224c5bdf751f2"},  {Filter::bicubic, 7, 5, "e0fde4837a5d03fd"},
    {Filter::bicubic, 1, 1, "ae7fc1fc26113ee3"},     {Filter::bicubic, 49, 200, "1ba10d80631675eb"},
    {Filter::lanczos, 24, 32, "1c249c354887b01d"},   {Filter::lanczos, 48, 31, "1fa42442d5ebc47b"},
    {Filter::lanczos, 17, 64, "44a4a1cce1cff133"},   {Filter::lanczos, 96, 130, "d174d36b2faa902b"},
    {Filter::lanczos, 7, 5, "f292b55d26e891f1"},     {Filter::lanczos, 1, 1, "0329036bbcb58f0e"},
    {Filter::lanczos, 49, 200, "ccfc29ede0d3f8c8"},
};

TEST(Resample, GivesTheBytesOfPillow) {
  const Picture source = test_picture(48, 64);
  ASSERT_EQ(short_digest(source.rgb), "4f4250765709e69e");
  for (const Vector& vector : vectors) {
    const auto resized = resize(source, vector.height, vector.width, vector.filter);
    ASSERT_TRUE(resized);
    EXPECT_EQ(short_digest(resized->rgb), vector.digest)
        << static_cast<int>(vector.filter) << ' ' << vector.height << 'x' << vector.width;
  }
}

TEST(Resample, KeepsAPictureOfTheSameSize) {
  const Picture source = test_picture(5, 7);
  EXPECT_EQ(resize(source, 5, 7, Filter::lanczos)->rgb, source.rgb);
}

TEST(Resample, RefusesASizeBeyondTheLimit) {
  const auto resized = resize(test_picture(2, 2), 1u << 15, 1u << 15, Filter::bilinear);
  ASSERT_FALSE(resized);
  EXPECT_NE(resized.error().message.find("at most 268435456 pixels"), std::string::npos);
}

}  // namespace
}  // namespace noema::media
