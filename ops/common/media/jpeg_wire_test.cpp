// JPEG payloads in both wire formats: vectors, round trips, damage.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/jpeg_wire.h"

#include <gtest/gtest.h>

#include "ops/common/media/base64.h"
#include "ops/common/media/safe_data.h"
#include "ops/common/media/test_pictures.h"

namespace noema::media {
namespace {

const std::string stub = "\xff\xd8\xff\xd9";

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    text += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

std::string refusal(std::string_view payload) {
  const auto items = unwrap_jpeg(payload);
  return items ? "read" : items.error().message;
}

TEST(JpegWire, MatchesThePublishedVectors) {
  const auto compact = wrap_jpeg(stub, {1, 1}, {}, "420", JpegWire::compact_binary);
  EXPECT_EQ(hex(*compact), "4e4f454d414a500100000004ffd8ffd9");
  const auto safe = wrap_jpeg(std::string(3000, 'x'), {512, 768}, {}, "420", JpegWire::safe_data);
  EXPECT_EQ(safe->size(), 4495u);
}

TEST(JpegWire, GivesBackWhatItWrapped) {
  const auto safe = unwrap_jpeg(*wrap_jpeg(stub, {512, 768}, {}, "420", JpegWire::safe_data));
  ASSERT_TRUE(safe);
  ASSERT_EQ(safe->size(), 1u);
  EXPECT_EQ(safe->front().file, stub);
  EXPECT_EQ(safe->front().declared->height, 512u);
  EXPECT_EQ(safe->front().declared->width, 768u);
  const auto compact = unwrap_jpeg(*wrap_jpeg(stub, {512, 768}, {}, "420", JpegWire::compact_binary));
  ASSERT_TRUE(compact);
  EXPECT_EQ(compact->front().file, stub);
  EXPECT_FALSE(compact->front().declared);
}

TEST(JpegWire, ReadsTheOlderBatchForm) {
  const auto entry = [](std::string data) { return SafeValue::dict({{"data", SafeValue::bytes(std::move(data))}}); };
  const auto tree = SafeValue::dict({{"payload_version", SafeValue::integer(1)},
                                     {"codec", SafeValue::string("jpeg")},
                                     {"entries", SafeValue::list({entry("one"), entry("two")})}});
  const auto items = unwrap_jpeg(*write_safe_data(tree));
  ASSERT_TRUE(items);
  ASSERT_EQ(items->size(), 2u);
  EXPECT_EQ((*items)[1].file, "two");
}

TEST(JpegWire, RefusesWhatIsNotAJpegPayload) {
  const std::string compact = *wrap_jpeg(stub, {1, 1}, {}, "420", JpegWire::compact_binary);
  EXPECT_EQ(refusal(compact.substr(0, 10)), "the JPEG payload ends within its head of 12 bytes");
  EXPECT_EQ(refusal(compact.substr(0, 15)), "the JPEG payload declares 4 bytes; 3 follow its head");
  EXPECT_EQ(refusal(compact + "x"), "the JPEG payload declares 4 bytes; 5 follow its head");
  EXPECT_NE(refusal("NOEMAJP\x02").find("magic word"), std::string::npos);
  const auto tree = [](SafeValue::Members members) { return *write_safe_data(SafeValue::dict(std::move(members))); };
  const auto jpeg = SafeValue::string("jpeg");
  EXPECT_NE(refusal(tree({{"codec", SafeValue::string("webp")}})).find("not of the codec jpeg"), std::string::npos);
  EXPECT_NE(refusal(tree({{"codec", jpeg}})).find("neither `entry`"), std::string::npos);
  EXPECT_NE(refusal(tree({{"codec", jpeg}, {"entry", SafeValue::dict({})}})).find("unknown version"),
            std::string::npos);
  EXPECT_NE(refusal(tree({{"codec", jpeg}, {"entry", SafeValue::dict({})}, {"payload_version", SafeValue::integer(2)}}))
                .find("without the bytes `data`"),
            std::string::npos);
  const auto shape =
      SafeValue::list({SafeValue::integer(1), SafeValue::integer(-4), SafeValue::integer(4), SafeValue::integer(3)});
  const auto entry = SafeValue::dict({{"data", SafeValue::bytes("x")}, {"original_shape", shape}});
  EXPECT_NE(refusal(tree({{"codec", jpeg}, {"entry", entry}, {"payload_version", SafeValue::integer(2)}}))
                .find("not [1, H, W, 3]"),
            std::string::npos);
}

TEST(JpegWire, SurvivesDamage) {
  TestRandom random(11);
  for (const JpegWire form : {JpegWire::safe_data, JpegWire::compact_binary}) {
    const std::string good = *wrap_jpeg(stub, {512, 768}, {}, "420", form);
    for (int i = 0; i < 5000; ++i) static_cast<void>(unwrap_jpeg(damaged(good, random)));
  }
}

}  // namespace
}  // namespace noema::media
