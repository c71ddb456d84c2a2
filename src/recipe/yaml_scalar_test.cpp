// YAML scalars against PyYAML 6's safe loader: yaml_scalars.json holds what it made of each (`=` apart, which it
// refuses and we take for text).
// SPDX-License-Identifier: Apache-2.0
#include "recipe/yaml_scalar.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "core/json.h"

namespace noema {
namespace {

TEST(YamlScalar, ReadsWhatPythonReads) {
  const auto text = read_text_file(std::string(NOEMA_SOURCE_DIR) + "/src/recipe/yaml_scalars.json", 1 << 20);
  ASSERT_TRUE(text);
  const auto table = parse_json(*text);
  ASSERT_TRUE(table);
  ASSERT_GT(table->size(), 400u);
  for (const Value& row : table->items()) {
    const std::string& scalar = row[0].string();
    const Value* expected = row[1].find("value");
    const ScalarReading reading = read_plain_scalar(scalar);
    if (expected == nullptr) {
      EXPECT_TRUE(!reading.refusal.empty() || reading.merge) << scalar;
      EXPECT_TRUE(reading.merge || !reading.hint.empty()) << scalar;
      continue;
    }
    EXPECT_EQ(reading.refusal, "") << scalar;
    EXPECT_EQ(canonical_json(reading.value), canonical_json(*expected)) << scalar;
  }
}

TEST(YamlScalar, WarnsOfTraps) {
  for (const char* text : {"1:30", "190:20:30", "1:30.5"})
    EXPECT_EQ(read_plain_scalar(text).trap, ScalarTrap::base_60) << text;
  for (const char* text : {"017", "-010", "0_7"}) EXPECT_EQ(read_plain_scalar(text).trap, ScalarTrap::octal) << text;
  for (const char* text : {"1e3", "1.5e3", "0o17", "08", "-.5", "1E-3"}) {
    EXPECT_EQ(read_plain_scalar(text).trap, ScalarTrap::number_as_text) << text;
  }
  for (const char* text :
       {"0", "-0", "15", "1.5", "1.0e+3", "yes", "a", "1.2.3", "1-2", "12:30 h", "kodim01", "-", "."}) {
    EXPECT_EQ(read_plain_scalar(text).trap, ScalarTrap::none) << text;
  }
}

TEST(YamlScalar, RefusesNumbersThatWouldTakeForever) {
  const std::string digits(5000, '7');
  for (const std::string& text :
       {digits, "0x" + digits, "0" + digits, digits + ".5", digits + ":30", digits + ":30.5"}) {
    EXPECT_NE(read_plain_scalar(text).refusal, "") << text.substr(0, 3);
  }
  EXPECT_NE(read_plain_scalar("1:1:1:1:1:1:1:1:1:1:1:1:1.5").refusal, "");
}

TEST(YamlScalar, FitsTagsToText) {
  EXPECT_EQ(read_tagged_scalar("str", "12").value, Value("12"));
  EXPECT_EQ(read_tagged_scalar("int", "0x1F").value, Value(31));
  EXPECT_EQ(read_tagged_scalar("float", "3").value, Value(3.0));
  EXPECT_EQ(read_tagged_scalar("float", "-1e3").value, Value(-1000.0));
  EXPECT_EQ(read_tagged_scalar("bool", "OFF").value, Value(false));
  EXPECT_TRUE(read_tagged_scalar("null", "x").value.is_null());
  EXPECT_TRUE(read_tagged_scalar("merge", "x").merge);
  const std::pair<const char*, const char*> refused[] = {
      {"int", "1.5"}, {"int", ""},  {"float", "x"}, {"float", ""},      {"float", "1e"}, {"float", ".inf"},
      {"bool", "y"},  {"seq", "x"}, {"map", ""},    {"binary", "aGk="}, {"set", ""},     {"", ""}};
  for (const auto& [tag, text] : refused) {
    const ScalarReading reading = read_tagged_scalar(tag, text);
    EXPECT_NE(reading.refusal, "") << tag << ' ' << text;
    EXPECT_NE(reading.hint, "") << tag << ' ' << text;
  }
}

}  // namespace
}  // namespace noema
