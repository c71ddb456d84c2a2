// Documents: the reader that a suffix asks for, JSON with places, limits.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/json.h"
#include "core/report.h"
#include "noema/recipe.h"

namespace noema {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "noema_document.XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string written(const std::string& name, std::string_view text) {
    const std::string file = folder_ + "/" + name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  std::string folder_;
};

TEST_F(Files, AreReadByTheirSuffix) {
  // `yes` is text in no JSON and true in YAML; a comment is no JSON.
  EXPECT_EQ(read_document(written("a.yaml", "a: yes # c\n"))->value.at("a"), Value(true));
  EXPECT_EQ(read_document(written("a.yml", "{\"a\": 1}"))->value.at("a"), Value(1));
  EXPECT_EQ(read_document(written("plain", "a: 1"))->value.at("a"), Value(1));
  EXPECT_EQ(read_document(written("a.json", "{\"a\": 1.0}"))->value.at("a"), Value(1.0));
  EXPECT_FALSE(read_document(written("b.JsOn", "a: yes")));
  EXPECT_EQ(read_document(written("b.json", "a: yes")).error().code, code::document_syntax);
}

TEST_F(Files, ThatCannotBeReadSayWhy) {
  EXPECT_EQ(read_document(folder_ + "/absent.yaml").error().code, code::io_read);
  EXPECT_EQ(read_document(folder_).error().code, code::io_read);
  EXPECT_EQ(read_document("").error().code, code::io_read);
  const std::string large = written("large.yaml", "");
  std::filesystem::resize_file(large, (16 << 20) + 1);
  EXPECT_EQ(read_document(large).error().code, code::document_limit);
}

TEST(JsonDocument, PlacesNodesAndKeys) {
  const auto document = parse_json_document({"f.json",
                                             "{\"name\": \"\xC3\xA9\", \"x\": 1,\r\n"
                                             " \"steps\": [\r\n"
                                             "  {\"id\": \"a.b\", \"params\": {\"f\": [1, 2.5]}},\r\n"
                                             "  {\"params\": null}]}"});
  ASSERT_TRUE(document) << error_text(document.error());
  EXPECT_EQ(document->place("x").line, 1);
  EXPECT_EQ(document->place("x").column, 20);
  EXPECT_EQ(document->key_place("x").column, 15);
  EXPECT_EQ(document->place("steps.a.b.params.f[1]").line, 3);
  EXPECT_EQ(document->place("steps.a.b.params.f[1]").column, 37);
  EXPECT_EQ(document->place("steps[0].params.f[1]").column, 37);
  EXPECT_EQ(document->place("steps[0].params.f[1]").source_line, "  {\"id\": \"a.b\", \"params\": {\"f\": [1, 2.5]}},");
  EXPECT_EQ(document->place("$.steps[1].params").line, 4);
  EXPECT_EQ(document->place("$").line, 1);
  EXPECT_EQ(document->place("steps[7].params.x").line, 2) << "the nearest ancestor that is known";
}

TEST(JsonDocument, RefusesWhatJsonCannotBe) {
  struct Refusal {
    const char* text;
    Code code;
    int line;
    int column;
  };
  const Refusal refusals[] = {
      {"{\"a\": 1,\n\"a\": 2}", code::document_duplicate_key, 2, 1},
      {"{\"a\": NaN}", code::document_syntax, 1, 7},
      {"{\"a\": -1e999}", code::document_value, 1, 7},
      {"\n\n \xC0", code::document_syntax, 3, 2},
      {"\xEF\xBB\xBF{}", code::document_syntax, 1, 1},
      {"{} {}", code::document_syntax, 1, 4},
  };
  for (const Refusal& refusal : refusals) {
    const auto document = parse_json_document({"f.json", refusal.text});
    ASSERT_FALSE(document) << refusal.text;
    EXPECT_EQ(document.error().code, refusal.code) << refusal.text;
    EXPECT_EQ(document.error().at.line, refusal.line) << refusal.text << error_text(document.error());
    EXPECT_EQ(document.error().at.column, refusal.column) << refusal.text << error_text(document.error());
  }
  EXPECT_EQ(parse_json_document({"f", std::string(1'000'000, '[')}).error().code, code::document_limit);
  EXPECT_EQ(parse_json_document({"f", std::string((16 << 20) + 1, ' ')}).error().code, code::document_limit);
}

TEST(JsonDocument, KeepsFewPositionsOfHugeDocuments) {
  std::string text = "{\"" + std::string(1'000'000, 'k') + "\": [0";
  for (int i = 0; i < 300'000; ++i) text += ",0";
  const auto document = parse_json_document({"f", text + "], \"z\": 1}"});
  ASSERT_TRUE(document);
  EXPECT_LE(document->positions.size(), 100'000u);
  std::size_t bytes = 0;
  for (const auto& [path, position] : document->positions) bytes += path.size();
  EXPECT_LT(bytes, 60'000'000u);
  EXPECT_EQ(document->place("z").line, 1);
}

}  // namespace
}  // namespace noema
