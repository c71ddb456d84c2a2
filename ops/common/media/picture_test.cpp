// Every form of PNG, JPEG and WebP against known pixels; truncated, damaged and hostile files.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/picture.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "ops/common/media/png_write.h"
#include "ops/common/media/test_pictures.h"

namespace noema::media {
namespace {

const std::string folder = std::string(NOEMA_SOURCE_DIR) + "/ops/source/fixtures/forms/";

std::string file(const std::string& name) {
  auto bytes = read_text_file(folder + name, 1 << 20);
  EXPECT_TRUE(bytes) << name;
  return bytes ? *bytes : std::string();
}

std::string refusal(std::string_view bytes) {
  const auto decoded = decode_picture(bytes, "picture");
  return decoded ? "decoded" : decoded.error().message;
}

struct Form {
  std::string name;
  std::string_view digest;  ///< of the RGB samples
};

// The files hold 9 x 13 pixels (one_pixel: 1). PNG files and their samples were made by a writer of our own in Python,
// which states each colour type in closed form; JPEG and lossy WebP were made and decoded by Pillow 13.
const Form forms[] = {
    {"alpha.webp", "ff399562e36bb6f9"},
    {"described.webp", "ff399562e36bb6f9"},
    {"grey.jpg", "432bf3ae4c0a59bd"},
    {"grey1.png", "3cd5aba249e363e7"},
    {"grey16.png", "60f8d33e12c74f59"},
    {"grey1_interlaced.png", "3cd5aba249e363e7"},
    {"grey2.png", "8874e1a0e75f173c"},
    {"grey4.png", "2a9ed6c36a5ad2a0"},
    {"grey8.png", "12835a3f8c761e76"},
    {"grey_alpha16.png", "64609093e64eb035"},
    {"grey_alpha8.png", "64609093e64eb035"},
    {"lossless.webp", "ff399562e36bb6f9"},
    {"lossy.webp", "aca1399629bfad79"},
    {"one_pixel.png", "35057cc477b26ea4"},
    {"orientation.jpg", "7e776bec8699c812"},
    {"palette1.png", "975a034ce15e8eeb"},
    {"palette2.png", "75afbb926c20f287"},
    {"palette4.png", "f336a3a16771a637"},
    {"palette4_transparent.png", "c462b95c102261f6"},
    {"palette8.png", "f336a3a16771a637"},
    {"profile_and_orientation.png", "ff399562e36bb6f9"},
    {"rgb16.png", "ff399562e36bb6f9"},
    {"rgb420.jpg", "7e776bec8699c812"},
    {"rgb444_progressive.jpeg", "1afa2cc082775c92"},
    {"rgb8.png", "ff399562e36bb6f9"},
    {"rgb8_colour_key.png", "d91381b4f64634c1"},
    {"rgb8_interlaced.png", "ff399562e36bb6f9"},
    {"rgba16.png", "74c72673ac7cd526"},
    {"rgba8.png", "74c72673ac7cd526"},
};

TEST(Picture, DecodesEveryForm) {
  for (const Form& form : forms) {
    const auto decoded = decode_picture(file(form.name), form.name);
    ASSERT_TRUE(decoded) << decoded.error().message;
    EXPECT_EQ(short_digest(decoded->picture.rgb), form.digest) << form.name;
    EXPECT_EQ(decoded->facts.warnings, 0u) << form.name;
    const bool one = form.name == "one_pixel.png";
    EXPECT_EQ(decoded->picture.height, one ? 1u : 9u);
    EXPECT_EQ(decoded->picture.width, one ? 1u : 13u);
  }
}

TEST(Picture, RecordsWhatItDoesNotApply) {
  const auto facts = [](const std::string& name) { return decode_picture(file(name), name)->facts; };
  const PictureFacts png = facts("profile_and_orientation.png");
  EXPECT_TRUE(png.icc_profile);
  EXPECT_EQ(png.exif_orientation, 6);
  const PictureFacts jpeg = facts("orientation.jpg");
  EXPECT_TRUE(jpeg.icc_profile);
  EXPECT_EQ(jpeg.exif_orientation, 8);
  const PictureFacts webp = facts("described.webp");
  EXPECT_TRUE(webp.icc_profile);
  EXPECT_EQ(webp.exif_orientation, 6);
  EXPECT_FALSE(facts("rgb8.png").icc_profile);
  EXPECT_EQ(facts("rgb420.jpg").exif_orientation, 0);
  EXPECT_TRUE(facts("alpha.webp").alpha);
  EXPECT_TRUE(facts("rgb8_colour_key.png").alpha);
  EXPECT_FALSE(facts("rgb16.png").alpha);
  EXPECT_EQ(facts("rgb16.png").bit_depth, 16);
  EXPECT_EQ(facts("palette2.png").colour, "palette");
  EXPECT_EQ(facts("grey.jpg").colour, "grey");
}

TEST(Picture, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(refusal(""), "'picture': the file is empty");
  EXPECT_EQ(refusal("GIF89a"), "'picture': this is not a PNG, JPEG or WebP file");
  EXPECT_NE(refusal(file("cmyk.jpg")).find("CMYK or YCCK"), std::string::npos);
  EXPECT_NE(refusal(file("animated.webp")).find("an animation"), std::string::npos);
}

TEST(Picture, RefusesAnyTruncation) {
  for (const std::string name : {"rgb8.png", "rgb8_interlaced.png", "rgba8.png", "rgb420.jpg",
                                 "rgb444_progressive.jpeg", "grey.jpg", "lossy.webp", "lossless.webp", "alpha.webp"}) {
    const std::string bytes = file(name);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      EXPECT_NE(refusal(std::string_view(bytes).substr(0, length)), "decoded") << name << ' ' << length;
    }
  }
  EXPECT_EQ(refusal(std::string_view(file("rgb8.png")).substr(0, 250)),
            "'picture': the PNG ends before its picture does");
  EXPECT_EQ(refusal(std::string_view(file("rgb420.jpg")).substr(0, 640)),
            "'picture': the JPEG ends before its picture does");
}

TEST(Picture, RefusesAHugeHeaderBeforeAllocating) {
  std::string png = file("rgb8.png");
  png.replace(16, 8, std::string("\x80\0\0\0\x80\0\0\0", 8));
  EXPECT_EQ(refusal(png),
            "'picture': the picture declares 2147483648 x 2147483648 pixels; at most 268435456 pixels are allowed");
  std::string jpeg = file("rgb420.jpg");
  const std::size_t frame = jpeg.find("\xff\xc0");
  jpeg.replace(frame + 5, 4, "\xff\xdc\xff\xdc");
  EXPECT_EQ(refusal(jpeg),
            "'picture': the picture declares 65500 x 65500 pixels; at most 268435456 pixels are allowed");
}

TEST(Picture, ChecksEveryChecksumOfAPng) {
  const std::string whole = file("profile_and_orientation.png");
  for (const std::string_view type : {"IHDR", "iCCP", "eXIf", "IDAT", "IEND"}) {
    std::string bytes = whole;
    const std::size_t at = bytes.find(type);
    ASSERT_NE(at, std::string::npos);
    bytes[type == "IEND" ? at + 5 : at + 6] ^= 1;
    EXPECT_NE(refusal(bytes), "decoded") << type;
  }
}

TEST(Picture, SurvivesDamage) {
  TestRandom random(20240607);
  std::size_t decoded = 0;
  for (const Form& form : forms) {
    const std::string whole = file(form.name);
    for (int i = 0; i < 400; ++i) {
      const auto got = decode_picture(damaged(whole, random), "damaged", 1 << 16);
      if (!got) continue;
      ++decoded;
      EXPECT_LE(got->picture.pixels(), 1u << 16);
    }
  }
  EXPECT_GT(decoded, 0u);  // some damage does no harm, such as a byte repeated behind the end
}

TEST(PngWriter, WritesWhatTheReaderReads) {
  for (const auto compression : {PngCompression::none, PngCompression::deflate}) {
    for (const auto& [height, width] : {std::pair{1u, 1u}, {9u, 13u}, {200u, 301u}}) {
      const Picture picture = test_picture(height, width);
      const auto decoded = decode_picture(encode_png(picture, compression), "written");
      ASSERT_TRUE(decoded) << decoded.error().message;
      EXPECT_EQ(decoded->picture.rgb, picture.rgb);
    }
  }
  // Without compression the bytes depend on no library; these are those of a few lines of Python.
  EXPECT_EQ(short_digest(encode_png(test_picture(48, 64), PngCompression::none)), "bb5b27f31eb86795");
}

TEST(Exif, FindsTheOrientation) {
  EXPECT_EQ(exif_orientation(""), 0);
  EXPECT_EQ(exif_orientation("MM"), 0);
  const std::string_view big("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\0\0\0\0", 26);
  EXPECT_EQ(exif_orientation(big), 3);
  EXPECT_EQ(exif_orientation(big.substr(0, 20)), 0);
}

}  // namespace
}  // namespace noema::media
