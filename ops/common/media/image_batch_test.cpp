// Stacking pictures, their true areas, tensor identities, and the Kodak table.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/image_batch.h"

#include <gtest/gtest.h>

#include <numeric>

#include "core/digest.h"
#include "ops/common/media/kodak.h"

namespace noema::media {
namespace {

TEST(TensorIdentity, MatchesThePublishedVector) {
  std::vector<std::uint8_t> values(18);
  std::iota(values.begin(), values.end(), std::uint8_t{0});
  EXPECT_EQ(tensor_identity(DType::u8, {2, 3, 3}, std::as_bytes(std::span(values))),
            "b596042c6485139878461472a28d76c7fdcae77ab6e46c9f2fa100162bff4c7e");
  EXPECT_EQ(sha256_of(Value::object({{"name", "identity"}})),
            "d909b2e06e7240c7f43019510aeba65a1146d79811fd321c1ca2de30257732e3");
}

Picture filled(std::uint32_t height, std::uint32_t width, std::uint8_t value) {
  return {height, width, std::vector<std::uint8_t>(std::size_t{height} * width * 3, value)};
}

TEST(Stack, PutsSmallerPicturesIntoTheTopLeftCorner) {
  const auto stacked = stack_pictures({filled(1, 2, 5), filled(2, 1, 7)}, 2);
  ASSERT_TRUE(stacked);
  EXPECT_EQ(stacked->images.shape(), (Shape{4, 2, 2, 3}));
  EXPECT_TRUE(stacked->padded);
  const std::vector<std::uint8_t> once{5, 5, 5, 5, 5, 5, 0, 0, 0, 0, 0, 0, 7, 7, 7, 0, 0, 0, 7, 7, 7, 0, 0, 0};
  std::vector<std::uint8_t> twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  const auto images = stacked->images.span<std::uint8_t>();
  EXPECT_EQ(std::vector<std::uint8_t>(images.begin(), images.end()), twice);
  EXPECT_EQ(stacked->original_shapes.size(), 4u);
  EXPECT_TRUE(stacked->original_shapes[3] == shape_value({1, 2, 1, 3}));
}

TEST(Stack, RefusesABatchBeyondItsLimit) {
  const auto stacked = stack_pictures({filled(1, 1, 0)}, max_batch_bytes);
  ASSERT_FALSE(stacked);
  EXPECT_EQ(stacked.error().message, "the batch would take more than 68719476736 bytes");
}

TEST(PictureAreas, FollowTheDeclaredSizes) {
  const Array images = Array::make(DType::u8, {2, 4, 5, 3});
  const auto metadata = [](Value shapes) { return Value::object({{"original_shapes", std::move(shapes)}}); };
  const Value good(Value::Items{shape_value({1, 4, 5, 3}), shape_value({1, 2, 3, 3})});
  const auto areas = picture_areas(images, metadata(good), "images");
  ASSERT_TRUE(areas);
  EXPECT_EQ((*areas)[1].offset, 60u);
  EXPECT_EQ((*areas)[1].stride, 15u);
  EXPECT_EQ((*areas)[1].samples(), 18u);
  const Value bad(Value::Items{shape_value({1, 4, 5, 3}), shape_value({1, 5, 3, 3})});
  const auto refused = picture_areas(images, metadata(bad), "images");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().at.path, "inputs.images");
  EXPECT_FALSE(picture_areas(images, Value::object(), "images"));
  EXPECT_TRUE(picture_areas(images, Value::object({{"shape", shape_value({2, 4, 5, 3})}}), "images"));
}

TEST(Kodak, TheTableIsWhole) {
  ASSERT_EQ(kodak_files.size(), 24u);
  for (std::size_t i = 0; i < kodak_files.size(); ++i) {
    EXPECT_EQ(kodak_files[i].id, "kodim" + std::string(i < 9 ? "0" : "") + std::to_string(i + 1));
    EXPECT_TRUE(is_sha256_hex(kodak_files[i].sha256));
  }
  EXPECT_EQ(find_kodak("kodim24"), &kodak_files[23]);
  EXPECT_EQ(find_kodak("kodim25"), nullptr);
}

}  // namespace
}  // namespace noema::media
