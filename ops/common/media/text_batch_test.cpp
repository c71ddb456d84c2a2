// Text payloads and UTF-8 replacement against published vectors and Python.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/text_batch.h"

#include <gtest/gtest.h>

#include "core/text.h"
#include "ops/common/media/test_pictures.h"

namespace noema::media {
namespace {

TEST(TextPayload, MatchesThePublishedVector) {
  const std::string payload = text_payload({{"a", "Caf\u00e9 [MASK]"}});
  EXPECT_EQ(payload,
            "{\"ids\":[\"a\"],\"payload_format\":\"json_utf8\",\"schema_version\":1,\"texts\":[\"Caf\u00e9 [MASK]\"]}");
  EXPECT_EQ(payload.size(), 86u);
}

TEST(TextPayload, ReadsBackWhatItWrote) {
  const auto read = read_text_payload(text_payload({{"a", "one \"two\"\n"}, {"b", ""}}));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].text, "one \"two\"\n");
  EXPECT_EQ((*read)[1].id, "b");
}

TEST(TextPayload, NamesTextsThatHaveNoId) {
  const auto read = read_text_payload(R"({"ids":["a"],"texts":["x","y"]})");
  ASSERT_TRUE(read);
  EXPECT_EQ((*read)[0].id, "a");
  EXPECT_EQ((*read)[1].id, "decoded_1");
}

TEST(TextPayload, RefusesWhatIsNoTextPayload) {
  for (const std::string_view payload :
       {"", "[]", "{}", R"({"texts":"x"})", R"({"texts":[1]})", R"({"texts":["x"],"ids":["a","b"]})",
        R"({"texts":["x"],"ids":[1]})", R"({"texts":["x"],"texts":["x"]})",
        R"({"texts":["x"]} )"
        "x",
        R"({"texts":["x"],"n":NaN})", R"({"texts":["x"],"n":1e999})"}) {
    EXPECT_FALSE(read_text_payload(payload)) << payload;
  }
}

// Expected texts from Python's bytes.decode("utf-8", "replace").
TEST(Utf8WithReplacement, ReplacesEachMaximalPiece) {
  const std::pair<std::string, std::string> vectors[] = {
      {"plain caf\xc3\xa9", "plain caf\u00e9"},
      {"\x80", "\uFFFD"},
      {"\xc3", "\uFFFD"},
      {"\xc3\x28", "\uFFFD("},
      {"\xe2\x82\x41", "\uFFFD\x41"},
      {"\xe2\x28\xa1", "\uFFFD(\uFFFD"},
      {"\xf0\x9f\x98", "\uFFFD"},
      {"\xf0\x9f\x98\x80", "\U0001F600"},
      {"\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xc0\xaf", "\uFFFD\uFFFD"},
      {"\xf4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"\xff\xfe", "\uFFFD\uFFFD"},
      {"\xe0\x9f\x80", "\uFFFD\uFFFD\uFFFD"},
  };
  for (const auto& [bytes, text] : vectors) EXPECT_EQ(utf8_with_replacement(bytes), text);
}

TEST(Utf8WithReplacement, AlwaysGivesUtf8) {
  TestRandom random(5);
  for (int i = 0; i < 5000; ++i) {
    std::string bytes(random.below(40), '\0');
    for (char& c : bytes) c = static_cast<char>(static_cast<unsigned char>(random.below(256)));
    const std::string text = utf8_with_replacement(bytes);
    EXPECT_TRUE(is_utf8(text));
    if (is_utf8(bytes)) {
      EXPECT_EQ(text, bytes);
    }
    static_cast<void>(read_text_payload(text));
  }
}

}  // namespace
}  // namespace noema::media
