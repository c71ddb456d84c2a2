// YAML documents: against PyYAML 6 (yaml_documents.json holds what its safe loader made of each, with duplicate and
// non-text keys refused), our errors with their places, limits.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/files.h"
#include "core/json.h"
#include "core/report.h"
#include "noema/recipe.h"

namespace noema {
namespace {

Result<Document> parsed(std::string text) { return parse_yaml_document({"f.yaml", std::move(text)}); }

std::string canonical(const std::string& text) {
  const auto document = parsed(text);
  return document ? canonical_json(document->value) : error_text(document.error());
}

TEST(Yaml, ReadsWhatPythonReads) {
  const auto text = read_text_file(std::string(NOEMA_SOURCE_DIR) + "/src/recipe/yaml_documents.json", 1 << 20);
  ASSERT_TRUE(text);
  const auto table = parse_json(*text);
  ASSERT_TRUE(table);
  ASSERT_GT(table->size(), 380u);
  for (const Value& row : table->items()) {
    const auto document = parsed(row[0].string());
    const Value* expected = row[1].find("value");
    ASSERT_EQ(document.has_value(), expected != nullptr) << row[0].string();
    if (expected != nullptr) {
      EXPECT_EQ(canonical_json(document->value), canonical_json(*expected)) << row[0].string();
    } else {
      EXPECT_GT(document.error().at.line, 0) << row[0].string();
      EXPECT_NE(document.error().hint, "") << row[0].string() << "\n" << error_text(document.error());
    }
  }
}

struct Refusal {
  const char* text;
  Code code;
  int line;
  int column;
};

TEST(Yaml, RefusesWithPlaceAndHint) {
  const Refusal refusals[] = {
      {"a: 1\nb: 2\na: 3\n", code::document_duplicate_key, 3, 1},
      {"a: &x {p: 1}\nb:\n  <<: *x\n  p: 2\n", code::document_duplicate_key, 4, 3},
      {"a: &x {p: 1}\nb:\n  p: 2\n  <<: *x\n", code::document_duplicate_key, 3, 3},
      {"a: &x {p: 1}\nb:\n  <<: [*x, *x]\n", code::document_duplicate_key, 3, 3},
      {"b:\n  <<: 1\n", code::document_value, 2, 7},
      {"\xC3\xA9: .nan\n", code::document_value, 1, 4},
      {"a:\n  - .inf\n", code::document_value, 2, 5},
      {"a: 1.0e+999\n", code::document_value, 1, 4},
      {"a: 2020-01-01\n", code::document_value, 1, 4},
      {"a: !!binary aGk=\n", code::document_value, 1, 4},
      {"a: !thing {}\n", code::document_value, 1, 4},
      {"a: ! x\n", code::document_value, 1, 4},
      {"1: x\n", code::document_value, 1, 1},
      {"a:\n  on: x\n", code::document_value, 2, 3},
      {"[a]: x\n", code::document_value, 1, 1},
      {"a: &x\n  b: *x\n", code::document_value, 2, 6},
      {"a: *x\n", code::document_syntax, 1, 4},
      {"a: &x 1\nb: &x 2\n", code::document_syntax, 2, 4},
      {"a: &x:y 1\n", code::document_syntax, 1, 4},
      {"a: 1\n---\nb: 2\n", code::document_syntax, 2, 1},
      {"\"a\" \"b\"\n", code::document_syntax, 1, 5},
      {"a: 'x\n", code::document_syntax, 1, 4},
      {"a: \"x", code::document_syntax, 1, 6},
      {"a: 1\nb\n", code::document_syntax, 2, 1},
      {"a: [1, 2\nb: 3\n", code::document_syntax, 2, 2},
      {"a: b: c\n", code::document_syntax, 1, 5},
      {"a: [0, , 5]\n", code::document_syntax, 1, 8},
      {"a: [, 5]\n", code::document_syntax, 1, 5},
      {"a:\n\t- b\n\tc: d\n", code::document_syntax, 2, 2},
      {"a: 1\n%b: 2\n", code::document_syntax, 2, 1},
      {"%FOO\n---\na: 1\n", code::document_syntax, 1, 1},
      {"%YAML 1.1\na: 1\n", code::document_syntax, 2, 1},
      {"a: >+\n  x\n", code::document_value, 1, 4},
      {"a: |\n  x\n   ", code::document_syntax, 3, 1},
      {"a: \"\\q\"\n", code::document_syntax, 1, 7},
      {"a: \"x \\'\"\n", code::document_syntax, 1, 7},
      {"a: \x01\n", code::document_syntax, 1, 4},
      {"a: \xE2\x80\xA8\n", code::document_syntax, 1, 4},
      {"a: 1\rb: 2\n", code::document_syntax, 1, 5},
      {"a: \xFF\n", code::document_syntax, 1, 4},
      {"- !!int x\n", code::document_value, 1, 3},
      {"- <<\n", code::document_value, 1, 3},
  };
  for (const Refusal& refusal : refusals) {
    const auto document = parsed(refusal.text);
    ASSERT_FALSE(document) << refusal.text;
    const Error& error = document.error();
    EXPECT_EQ(error.code, refusal.code) << refusal.text << error_text(error);
    EXPECT_EQ(error.at.line, refusal.line) << refusal.text << error_text(error);
    EXPECT_EQ(error.at.column, refusal.column) << refusal.text << error_text(error);
    EXPECT_EQ(error.at.file, "f.yaml");
    EXPECT_NE(error.message, "");
    EXPECT_NE(error.hint, "");
  }
}

TEST(Yaml, ShowsTheLineWithACaret) {
  const auto document = parsed("steps:\n  - id: a\n    id: b\n");
  ASSERT_FALSE(document);
  EXPECT_EQ(error_text(document.error()),
            "f.yaml:3:5: error[document.duplicate_key]: the key 'id' stands twice in one mapping, first on line 2\n"
            "    3 |     id: b\n"
            "      |     ^\n"
            "  hint: keep one of the two\n");
}

TEST(Yaml, NeverEchoesWholeTokens) {
  for (const std::string& text : {"a: *" + std::string(100'000, 'x'), "a: \"\\q" + std::string(100'000, 'x') + "\"",
                                  "a: !" + std::string(100'000, 'x') + " 1",
                                  std::string(100'000, 'x') + ": 1\n" + std::string(100'000, 'x') + ": 1"}) {
    const auto document = parsed(text);
    ASSERT_FALSE(document);
    EXPECT_LT(error_text(document.error()).size(), 600u);
  }
}

TEST(Yaml, PlacesNodesAndKeys) {
  const auto document = parsed(
      "\xEF\xBB\xBFname: x\r\n"
      "steps:\r\n"
      "- id: data\r\n"
      "  params: {\"\xC3\xA9\": 1, snr_db: [0, 5.0]}\r\n"
      "- op: b\r\n"
      "  note:\r\n"
      "  id: &n 'next'\r\n");
  ASSERT_TRUE(document) << error_text(document.error());
  struct Expected {
    const char* path;
    int line, column, key_line, key_column;
  };
  const Expected expected[] = {
      {"", 1, 1, 1, 1},
      {"name", 1, 7, 1, 1},
      {"steps", 3, 1, 2, 1},
      {"steps.data", 3, 3, 3, 3},
      {"steps.data.id", 3, 7, 3, 3},
      {"steps[0].id", 3, 7, 3, 3},
      {"$.steps[0].params", 4, 11, 4, 3},
      {"steps.data.params.\xC3\xA9", 4, 17, 4, 12},
      {"steps.data.params.snr_db", 4, 28, 4, 20},
      {"steps.data.params.snr_db[1]", 4, 32, 4, 32},
      {"steps.data.params.snr_db[1].absent", 4, 32, 4, 32},
      {"steps.next.op", 5, 7, 5, 3},
      {"steps.next.note", 6, 3, 6, 3},
      {"steps[1].id", 7, 7, 7, 3},
  };
  for (const Expected& one : expected) {
    const Place value = document->place(one.path);
    const Place key = document->key_place(one.path);
    EXPECT_EQ(value.line, one.line) << one.path;
    EXPECT_EQ(value.column, one.column) << one.path;
    EXPECT_EQ(key.line, one.key_line) << one.path;
    EXPECT_EQ(key.column, one.key_column) << one.path;
    EXPECT_EQ(value.file, "f.yaml");
  }
  EXPECT_EQ(document->place("name").source_line, "name: x");
  EXPECT_EQ(document->place("steps.next.id").source_line, "  id: &n 'next'");
}

TEST(Yaml, RemarksOnTraps) {
  const auto document = parsed("a: 1:30\nb: [017, 1e3]\nc: '1e3'\nd: 08\n");
  ASSERT_TRUE(document);
  ASSERT_EQ(document->remarks.size(), 4u);
  EXPECT_EQ(document->remarks[0].code, "yaml_base_60");
  EXPECT_EQ(document->remarks[0].path, "$.a");
  EXPECT_EQ(document->remarks[1].code, "yaml_octal");
  EXPECT_EQ(document->remarks[1].at.column, 5);
  EXPECT_EQ(document->remarks[2].code, "yaml_number_as_text");
  EXPECT_EQ(document->remarks[2].path, "$.b[1]");
  EXPECT_EQ(document->remarks[3].at.line, 4);
  for (const Diagnostic& remark : document->remarks) EXPECT_EQ(remark.severity, Diagnostic::Severity::warning);
}

TEST(Yaml, RefusesDeepNestingBeforeTheStackEnds) {
  std::string indented;
  for (int i = 0; i < 3000; ++i) indented += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  std::string properties;
  for (int i = 0; i < 100'000; ++i) properties += "!!seq [";
  std::string repeated[5];
  for (int i = 0; i < 500'000; ++i) {
    repeated[0] += "- ";
    repeated[1] += "? ";
    repeated[2] += "{a: ";
    repeated[3] += "[\n";
    repeated[4] += ": ";
  }
  std::vector<std::string> texts{std::string(1'000'000, '['), std::string(1'000'000, '{'), indented, properties};
  texts.insert(texts.end(), std::begin(repeated), std::end(repeated));
  for (const std::string& text : texts) {
    const auto document = parsed(text);
    ASSERT_FALSE(document) << text.substr(0, 20);
    EXPECT_EQ(document.error().code, code::document_limit) << text.substr(0, 20) << error_text(document.error());
  }
  std::string deep = std::string(256, '[') + std::string(256, ']');
  EXPECT_TRUE(parsed(deep));
  EXPECT_EQ(parsed("[" + deep + "]").error().code, code::document_limit);
}

TEST(Yaml, RefusesAliasBombsEarly) {
  std::string wide = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  std::string tall = "a0: &a0 []\n";
  for (int i = 1; i < 400; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    const std::string head = "a" + std::to_string(i) + ": &a" + std::to_string(i) + " ";
    std::string list = before;
    for (int k = 1; k < 10; ++k) list += ", " + before;
    wide += head + "[" + list + "]\n";
    tall += head + "[" + before + "]\n";
  }
  std::string text = "a: &a '" + std::string(1'000'000, 'x') + "'\nb: [*a";
  std::string keys = "a: &a\n  ? '" + std::string(1'000'000, 'x') + "'\n  : 1\nb:\n";
  for (int i = 0; i < 100; ++i) {
    text += ", *a";
    keys += "  - <<: *a\n";
  }
  for (const std::string& bomb : {wide, tall, text + "]\n", keys}) {
    const auto document = parsed(bomb);
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().code, code::document_limit) << error_text(document.error());
  }
}

TEST(Yaml, CountsMergedLevelsOnce) {
  std::string text = "a0: &a0 {k0: 1}\n";
  for (int i = 1; i < 600; ++i) {
    const std::string number = std::to_string(i);
    text += "a" + number + ": &a" + number + " {<<: *a" + std::to_string(i - 1) + ", k" + number + ": 1}\n";
  }
  const auto document = parsed(text);
  ASSERT_TRUE(document) << error_text(document.error());
  EXPECT_EQ(document->value.at("a599").size(), 600u);
}

TEST(Yaml, KeepsSizeAndNodeLimits) {
  EXPECT_EQ(parsed(std::string((16 << 20) + 1, ' ')).error().code, code::document_limit);
  std::string items;
  for (int i = 0; i < 1'000'000; ++i) items += "-\n";
  const auto document = parsed(items);
  ASSERT_FALSE(document) << "the list is a value too";
  EXPECT_EQ(document.error().code, code::document_limit);
  EXPECT_GE(document.error().at.line, 1'000'000);
  EXPECT_TRUE(parsed("\n\n")->value.is_null());
}

TEST(Yaml, SharesAliases) {
  EXPECT_EQ(canonical("a: &x {p: [1, 2]}\nb: *x\nc: {<<: *x, q: *x}\n"),
            R"({"a":{"p":[1,2]},"b":{"p":[1,2]},"c":{"p":[1,2],"q":{"p":[1,2]}}})");
}

}  // namespace
}  // namespace noema
