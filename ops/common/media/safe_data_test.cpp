// Safe data: vectors, the one spelling of every value, limits, damage.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/safe_data.h"

#include <gtest/gtest.h>

#include <limits>

#include "ops/common/media/base64.h"
#include "ops/common/media/test_pictures.h"

namespace noema::media {
namespace {

using S = SafeValue;

SafeValue published() {
  return S::dict({{"b", S::tuple({S::integer(2), S::integer(3)})},
                  {"a", S::list({S::integer(1), S::boolean(true), SafeValue(), S::number(1.5), S::string("x\u00e9"),
                                 S::bytes(std::string("\0\xff", 2))})}});
}

std::string wire(std::string_view value, std::string_view rest = R"(,"version":1)") {
  return std::string(safe_data_magic) + R"({"format":"noema.safe_data_json_base64","value":)" + std::string(value) +
         std::string(rest) + "}";
}

std::string refusal(const std::string& bytes) {
  const auto value = read_safe_data(bytes);
  return value ? "read" : value.error().message;
}

TEST(SafeData, MatchesThePublishedVector) {
  const auto bytes = write_safe_data(published());
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->size(), 333u);
  EXPECT_EQ(sha256_hex(*bytes), "1d5d270a7404a3adab2f9711a1be64e4cf488c36519468f8455c6607c87ecc32");
  const auto back = read_safe_data(*bytes);
  ASSERT_TRUE(back);
  EXPECT_TRUE(*back == published());
}

TEST(SafeData, SpellsFloatsInOneWay) {
  const std::pair<double, std::string_view> vectors[] = {
      {0.1, "0x1.999999999999ap-4"},
      {0.18215, "0x1.750b0f27bb2ffp-3"},
      {1e300, "0x1.7e43c8800759cp+996"},
      {5e-324, "0x0.0000000000001p-1022"},
      {0.0, "0x0.0p+0"},
      {-0.0, "-0x0.0p+0"},
      {-1.0, "-0x1.0000000000000p+0"},
      {std::numeric_limits<double>::max(), "0x1.fffffffffffffp+1023"}};
  for (const auto& [value, text] : vectors) {
    EXPECT_EQ(hex_float(value), text);
    const auto back = read_safe_data(wire(R"({"t":"float","v":")" + std::string(text) + "\"}"));
    ASSERT_TRUE(back) << text;
    EXPECT_TRUE(*back == S::number(value));
  }
  for (const std::string_view text :
       {"0x1p+0", "0x1.0p+0", "0X1.8000000000000p+0", "0x1.8000000000000P+0", "0x1.8000000000000p0",
        "0x2.0000000000000p+0", "0x1.999999999999AP-4", "1.5", "inf", "nan", "-inf", "", "0x1.0000000000000p+1024",
        "0x0.0000000000001p-1021", " 0x0.0p+0", "--0x0.0p+0"}) {
    EXPECT_EQ(refusal(wire(R"({"t":"float","v":")" + std::string(text) + "\"}")).find("safe data: not a float"), 0u)
        << text;
  }
}

TEST(SafeData, SpellsIntegersInOneWay) {
  for (const std::string_view text : {"-0", "01", "+1", "", "-", "1.0", "1e3", " 1", "0x1"}) {
    EXPECT_NE(refusal(wire(R"({"t":"int","v":")" + std::string(text) + "\"}")), "read") << text;
  }
  const std::string longest(128, '9');
  EXPECT_EQ(refusal(wire(R"({"t":"int","v":"-)" + longest + "\"}")), "read");
  EXPECT_EQ(refusal(wire(R"({"t":"int","v":"1)" + longest + "\"}")), "safe data: more than 128 digits in one integer");
  EXPECT_FALSE(write_safe_data(S::integer_text("1" + longest)));
  EXPECT_TRUE(write_safe_data(S::integer_text("-" + longest)));
}

TEST(SafeData, RefusesEveryBrokenForm) {
  const std::string good = *write_safe_data(published());
  const std::pair<std::string, std::string_view> broken[] = {
      {good.substr(1), "magic word"},
      {"noema_safe_data" + good.substr(15), "magic word"},
      {std::string(safe_data_magic), "no document"},
      {good + "x", "not valid JSON"},
      {wire(R"({"t":"null"})", ""), "exactly the keys"},
      {wire(R"({"t":"null"})", R"(,"version":1,"more":1)"), "exactly the keys"},
      {wire(R"({"t":"null"})", R"(,"version":1.0)"), "unknown version"},
      {wire(R"({"t":"null"})", R"(,"version":true)"), "unknown version"},
      {wire(R"({"t":"null"})", R"(,"version":1,"version":1)"), "twice"},
      {std::string(safe_data_magic) + R"({"format":"pickle","value":{"t":"null"},"version":1})", "unknown format"},
      {wire(R"({"t":"null","v":null})"), "more than its tag"},
      {wire(R"({"t":"int"})"), "exactly the keys"},
      {wire(R"({"t":"int","v":"1","w":1})"), "exactly the keys"},
      {wire(R"({"t":"int","v":1})"), "must be text"},
      {wire(R"({"t":"bool","v":1})"), "neither true nor false"},
      {wire(R"({"t":"object","v":"x"})"), "unknown tag"},
      {wire(R"({"v":"x"})"), "without a tag"},
      {wire("[1]"), "without a tag"},
      {wire(R"({"t":"list","v":{}})"), "must be an array"},
      {wire(R"({"t":"dict","v":[["a"]]})"), "pair"},
      {wire(R"({"t":"dict","v":[[1,{"t":"null"}]]})"), "pair"},
      {wire(R"({"t":"dict","v":[["b",{"t":"null"}],["a",{"t":"null"}]]})"), "not above"},
      {wire(R"({"t":"dict","v":[["a",{"t":"null"}],["a",{"t":"null"}]]})"), "not above"},
      {wire(R"({"t":"bytes","v":"AP9="})"), "base64"},
      {wire(R"({"t":"bytes","v":"AP8"})"), "base64"},
      {wire(R"({"t":"str","v":"\ud800"})"), "not valid JSON"},
      {wire(R"({"t":"int","v":NaN})"), "not valid JSON"},
      {wire("{\"t\":\"str\",\"v\":\"\xff\"}"), "not valid JSON"},
  };
  for (const auto& [bytes, words] : broken) {
    EXPECT_NE(refusal(bytes).find(words), std::string::npos) << bytes << " -> " << refusal(bytes);
  }
}

TEST(SafeData, KeepsItsLimits) {
  SafeValue deep;
  for (std::size_t i = 1; i < safe_limits::depth; ++i) deep = S::dict({{"k", std::move(deep)}});
  const auto at_limit = write_safe_data(deep);
  ASSERT_TRUE(at_limit);
  EXPECT_TRUE(read_safe_data(*at_limit));
  deep = S::list({std::move(deep)});
  EXPECT_FALSE(write_safe_data(deep));
  std::string beyond = R"({"t":"null"})";
  for (std::size_t i = 0; i < safe_limits::depth; ++i) beyond = R"({"t":"list","v":[)" + beyond + "]}";
  EXPECT_EQ(refusal(wire(beyond)), "safe data: more than 64 levels");

  EXPECT_TRUE(write_safe_data(S::list(S::Items(safe_limits::nodes - 1))));
  EXPECT_FALSE(write_safe_data(S::list(S::Items(safe_limits::nodes))));
  EXPECT_TRUE(write_safe_data(S::string(std::string(safe_limits::text_bytes, 'x'))));
  EXPECT_FALSE(write_safe_data(S::string(std::string(safe_limits::text_bytes + 1, 'x'))));
  EXPECT_EQ(refusal(wire(R"({"t":"str","v":")" + std::string(safe_limits::text_bytes + 1, 'x') + "\"}")),
            "safe data: more than 16777216 bytes in one text");
  EXPECT_FALSE(write_safe_data(S::bytes(std::string(safe_limits::binary_bytes + 1, 'x'))));
}

TEST(SafeData, ReadsManyNodesBelowALongKeyInLinearTime) {
  std::string nodes = R"({"t":"null"})";
  for (int i = 0; i < 100'000; ++i) nodes += R"(,{"t":"null"})";
  const std::string key(safe_limits::text_bytes, 'k');
  EXPECT_EQ(refusal(wire(R"({"t":"dict","v":[[")" + key + R"(",{"t":"list","v":[)" + nodes + "]}]]}")), "read");
  const auto value = read_safe_data(wire(R"({"t":"dict","v":[["a",{"t":"list","v":[{"t":"null"},1]}]]})"));
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().at.path, "value.a[1]");
}

TEST(SafeData, RefusesToWriteWhatItCouldNotRead) {
  EXPECT_FALSE(write_safe_data(S::number(std::numeric_limits<double>::infinity())));
  EXPECT_FALSE(write_safe_data(S::string("\xff")));
  EXPECT_FALSE(write_safe_data(S::dict({{"a", S()}, {"a", S()}})));
}

TEST(SafeData, EscapesTextLikeEveryOtherWriter) {
  const auto bytes = write_safe_data(S::string("\"\\/\b\f\n\r\t\x01\x7f\u20ac\U0001F600"));
  ASSERT_TRUE(bytes);
  EXPECT_NE(bytes->find(R"("\"\\/\b\f\n\r\t\u0001)"
                        "\x7f"
                        R"(\u20ac\ud83d\ude00")"),
            std::string::npos)
      << *bytes;
  EXPECT_TRUE(read_safe_data(*bytes));
}

TEST(SafeData, SurvivesDamage) {
  TestRandom random(7);
  const std::string good = *write_safe_data(published());
  for (int i = 0; i < 20000; ++i) {
    const auto value = read_safe_data(damaged(good, random));
    if (!value) continue;
    EXPECT_TRUE(write_safe_data(*value));
  }
}

}  // namespace
}  // namespace noema::media
