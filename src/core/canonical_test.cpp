// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "core/digest.h"
#include "core/files.h"
#include "core/json.h"
#include "core/report.h"

namespace noema {
namespace {

Value parsed(std::string_view text) {
  auto value = parse_json(text);
  EXPECT_TRUE(value) << (value ? "" : error_text(value.error()));
  return value ? *value : Value();
}

TEST(Canonical, KeepsTheVectorOfTheCoreSpecification) {
  const Value value = parsed("{\"b\":[1,1.0,true,null,\"\xC3\xA9\\n\"],\"a\":{\"x\":1e-5,\"y\":1e16}}");
  EXPECT_EQ(canonical_json(value), "{\"a\":{\"x\":1e-05,\"y\":1e+16},\"b\":[1,1.0,true,null,\"\xC3\xA9\\n\"]}");
  EXPECT_EQ(sha256_of(value), "28216b5b9e4d07fb78ab0e0b8018eef25b49aeca60b040699f024f046db67a34");
}

TEST(Canonical, KeepsTheSharedVectors) {
  const std::string file = std::string(NOEMA_SHARED_DIR) + "/data/reference/canonical_json_vectors.json";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "the shared vectors are not here";
  const auto text = read_text_file(file, 1 << 20);
  ASSERT_TRUE(text);
  const Value vectors = parsed(*text);
  ASSERT_GT(vectors.at("canonical_json").size(), 20u);
  for (const Value& vector : vectors.at("canonical_json").items()) {
    EXPECT_EQ(canonical_json(vector.at("value")), vector.at("canonical").string());
    EXPECT_EQ(sha256_of(vector.at("value")), vector.at("sha256").string());
  }
}

TEST(Canonical, WritesPrettyAndSpacedForms) {
  const Value value =
      Value::object({{"b", Value::array()}, {"a", "\xF0\x9F\x98\x80"}, {"c", Value(Value::Items{1, 2})}});
  EXPECT_EQ(pretty_json(value), "{\n  \"a\": \"\\ud83d\\ude00\",\n  \"b\": [],\n  \"c\": [\n    1,\n    2\n  ]\n}\n");
  EXPECT_EQ(spaced_json(value), "{\"a\": \"\\ud83d\\ude00\", \"b\": [], \"c\": [1, 2]}");
}

struct Refusal {
  const char* text;
  Code code;
  int line;
  int column;
};

TEST(ReadJson, RefusesWithPlace) {
  const Refusal refusals[] = {
      {"{\"a\":1,\n \"a\":2}", code::document_duplicate_key, 2, 2},
      {"{\"a\":1e999}", code::document_value, 1, 6},
      {"[1,]", code::document_syntax, 1, 4},
      {"[NaN]", code::document_syntax, 1, 2},
      {"", code::document_syntax, 1, 1},
      {"{\"a\":[", code::document_syntax, 1, 6},
      {"[1] 2", code::document_syntax, 1, 5},
      {"\"\xFF\"", code::document_syntax, 1, 2},
  };
  for (const Refusal& refusal : refusals) {
    const auto value = parse_json(refusal.text);
    ASSERT_FALSE(value) << refusal.text;
    EXPECT_EQ(value.error().code, refusal.code) << refusal.text << "\n" << error_text(value.error());
    EXPECT_EQ(value.error().at.line, refusal.line) << refusal.text;
    EXPECT_EQ(value.error().at.column, refusal.column) << refusal.text;
  }
}

TEST(ReadJson, KeepsItsLimits) {
  EXPECT_EQ(parse_json(std::string(1'000'000, '[')).error().code, code::document_limit);
  EXPECT_EQ(parse_json("[1,2,3]", "x", {.bytes = 100, .depth = 4, .nodes = 3}).error().code, code::document_limit);
  EXPECT_EQ(parse_json("[1,2,3]", "x", {.bytes = 3, .depth = 4, .nodes = 3}).error().code, code::document_limit);
}

TEST(ReadJson, TellsWhereNodesStood) {
  JsonPositions positions;
  const std::string text = "{\"n\": 12,\n\"steps\" : [ {\"id\": \"a\\n\", \"x\":[[1],-2.5e3 ,null]}], \"t\":true }";
  ASSERT_TRUE(parse_json(text, "x", {}, &positions));
  const auto stands_at = [&](const char* path, std::string_view node, std::string_view key) {
    ASSERT_TRUE(positions.contains(path)) << path;
    EXPECT_EQ(text.substr(positions[path].node, node.size()), node) << path;
    EXPECT_EQ(text.substr(positions[path].key, key.size()), key) << path;
  };
  stands_at("", "{\"n\"", "{\"n\"");
  stands_at("n", "12", "\"n\"");
  stands_at("steps", "[ {", "\"steps\"");
  stands_at("steps[0]", "{\"id\"", "{\"id\"");
  stands_at("steps[0].id", "\"a\\n\"", "\"id\"");
  stands_at("steps[0].x", "[[1]", "\"x\"");
  stands_at("steps[0].x[0]", "[1]", "[1]");
  stands_at("steps[0].x[0][0]", "1]", "1]");
  stands_at("steps[0].x[1]", "-2.5e3 ", "-2.5e3 ");
  stands_at("steps[0].x[2]", "null", "null");
  stands_at("t", "true }", "\"t\"");
}

TEST(CheckJson, NamesThePlaceOfANonFiniteNumber) {
  const Value value = Value::object({{"a", Value(Value::Items{1.0, 1.0 / 0.0})}});
  const auto checked = check_json(value);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().at.path, "a[1]");
}

}  // namespace
}  // namespace noema
