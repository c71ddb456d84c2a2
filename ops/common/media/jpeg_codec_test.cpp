// JPEG byte for byte against published vectors and Pillow, and what the decoder refuses.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/jpeg_codec.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/files.h"
#include "ops/common/media/test_pictures.h"

namespace noema::media {
namespace {

std::string encode(const Picture& picture, const JpegSettings& settings) {
  const auto bytes = encode_jpeg(picture.rgb, std::size_t{picture.width} * 3, picture.height, picture.width, settings);
  EXPECT_TRUE(bytes);
  return bytes ? *bytes : std::string();
}

struct Vector {
  JpegSettings settings;
  std::size_t size;
  std::string_view file, pixels;
};

// Published with the specification (media 12.6): libjpeg-turbo 2.1 on the 48 x 64 test picture.
const Vector vectors[] = {
    {{75, Subsampling::s420, false, false}, 1466, "dabca2192333eb19", "57aea1de6c9d585e"},
    {{75, Subsampling::s444, false, false}, 1968, "92683fd38dbfb064", "47c87d8861dd14c6"},
    {{75, Subsampling::s422, false, false}, 1638, "2911c3b891aa826b", "10cfc8540cf177d3"},
    {{75, Subsampling::s420, true, false}, 1130, "d5e1ef3b34bdec54", "57aea1de6c9d585e"},
    {{75, Subsampling::s420, false, true}, 1354, "39fb78e46675d70d", "57aea1de6c9d585e"},
    {{95, Subsampling::s444, false, false}, 3728, "997cc26ac7ffeb2a", ""},
    {{1, Subsampling::s420, false, false}, 716, "d2fdf3d4286a7ef9", ""},
};

TEST(Jpeg, MatchesThePublishedVectors) {
  for (const Vector& vector : vectors) {
    const std::string bytes = encode(test_picture(48, 64), vector.settings);
    EXPECT_EQ(bytes.size(), vector.size);
    EXPECT_EQ(short_digest(bytes), vector.file);
    const auto decoded = decode_jpeg(bytes, "vector", max_picture_pixels);
    ASSERT_TRUE(decoded);
    if (!vector.pixels.empty()) {
      EXPECT_EQ(short_digest(decoded->picture.rgb), vector.pixels);
    }
  }
  EXPECT_EQ(subsampling_named("keep"), Subsampling::s420);
}

TEST(Jpeg, ReadsRowsWithAGapBetweenThem) {
  const Picture wide = test_picture(48, 64);
  Picture narrow{48, 40, {}};
  for (std::size_t y = 0; y < 48; ++y) {
    narrow.rgb.insert(narrow.rgb.end(), wide.rgb.begin() + static_cast<std::ptrdiff_t>(y * 192),
                      wide.rgb.begin() + static_cast<std::ptrdiff_t>(y * 192 + 120));
  }
  EXPECT_EQ(*encode_jpeg(wide.rgb, 192, 48, 40, {}), encode(narrow, {}));
}

TEST(Jpeg, HandlesOnePixel) {
  const auto decoded = decode_jpeg(encode(test_picture(1, 1), {}), "one", 1);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->picture.pixels(), 1u);
}

TEST(Jpeg, ClampsTheQuality) {
  EXPECT_EQ(clamped_quality(-5), 1);
  EXPECT_EQ(clamped_quality(0), 1);
  EXPECT_EQ(clamped_quality(96), 95);
  EXPECT_EQ(clamped_quality(INT64_MAX), 95);
}

TEST(Jpeg, RefusesASideThatTheFormatLacks) {
  const std::vector<std::uint8_t> row(65501 * 3);
  const auto bytes = encode_jpeg(row, row.size(), 1, 65501, {});
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message, "the picture is 65501 x 1 pixels; JPEG allows at most 65500 a side");
}

TEST(Jpeg, ComparesTheDeclaredSize) {
  const std::string bytes = encode(test_picture(16, 24), {});
  EXPECT_TRUE(decode_jpeg(bytes, "j", max_picture_pixels, JpegSize{16, 24}));
  const auto wrong = decode_jpeg(bytes, "j", max_picture_pixels, JpegSize{24, 16});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "'j': the JPEG declares 24 x 16 pixels; 16 x 24 were sent");
  EXPECT_FALSE(decode_jpeg(bytes, "j", 16 * 24 - 1));
}

TEST(Jpeg, CountsWhatTheDecoderNoticesAndGoesOn) {
  std::string bytes = encode(test_picture(48, 64), {});
  std::size_t warned = 0;
  for (std::size_t at = bytes.size() - 600; at < bytes.size() - 300; at += 7) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    const auto decoded = decode_jpeg(flipped, "flipped", max_picture_pixels);
    if (decoded && decoded->facts.warnings > 0) ++warned;
  }
  EXPECT_GT(warned, 0u);
}

// The first Kodak picture; sizes and digests from Pillow 13 with its own libjpeg-turbo 3.
TEST(Jpeg, AgreesWithPillowOnAPhotograph) {
  const std::string path = std::string(NOEMA_SHARED_DIR) + "/data/kodak/kodim01.png";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the Kodak pictures are not here";
  const auto picture = decode_picture(*read_text_file(path, 1 << 24), "kodim01");
  ASSERT_TRUE(picture);
  EXPECT_EQ(short_digest(picture->picture.rgb), "a002107433535944");
  const std::string bytes = encode(picture->picture, {75, Subsampling::s420, false, false});
  EXPECT_EQ(bytes.size(), 92491u);
  EXPECT_EQ(short_digest(bytes), "8aa0023902420398");
  EXPECT_EQ(short_digest(decode_jpeg(bytes, "kodim01", max_picture_pixels)->picture.rgb), "9a6d814540de12f4");
}

}  // namespace
}  // namespace noema::media
