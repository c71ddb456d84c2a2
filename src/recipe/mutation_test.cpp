// Thousands of damaged recipes: whatever the damage, reading and compiling end in a recipe or in errors that say where.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "core/json.h"
#include "core/report.h"
#include "core/text.h"
#include "noema/recipe.h"

namespace noema {
namespace {

constexpr std::string_view yaml_recipe =
    "schema_version: 1\n"
    "name: damaged\n"
    "description: >-\n  text that folds\n  over lines\n"
    "execution_profile: {id: custom, version: 1}\n"
    "metadata:\n"
    "  seed: 23\n"
    "  common: &common {channel: awgn}\n"
    "  matrix:\n"
    "    dimensions: {snr: [0.0, 5.5, 10], code: [1, 3]}\n"
    "    step_params:\n"
    "      encode: {factor: {matrix: code}}\n"
    "      link: {snr_db: {matrix: snr}}\n"
    "steps:\n"
    "- id: data\n"
    "  op: source.random_bits\n"
    "  params: {bit_count: 1_000, seed: 0x17}\n"
    "- id: encode\n"
    "  op: channel.repetition_encoder\n"
    "  inputs: {bits: data.bits}\n"
    "- {id: modulator, op: modulation.digital_modulate, inputs: {bits: encode.coded_bits}, params: {modulation: "
    "'qpsk'}}\n"
    "- id: link\n"
    "  op: wireless.channel\n"
    "  inputs: {symbols: \"modulator.symbols\"}\n"
    "  params:\n"
    "    <<: *common\n"
    "    snr_db: 1.0e+1\n";

constexpr std::array<std::string_view, 44> pieces{" ",
                                                  "\n",
                                                  "\n  ",
                                                  ":",
                                                  ": ",
                                                  "- ",
                                                  "? ",
                                                  "[",
                                                  "]",
                                                  "{",
                                                  "}",
                                                  ",",
                                                  "#",
                                                  "&a ",
                                                  "*a",
                                                  "!!str ",
                                                  "!x ",
                                                  "|",
                                                  ">",
                                                  "'",
                                                  "\"",
                                                  "\\",
                                                  "%",
                                                  "@",
                                                  "---\n",
                                                  "...\n",
                                                  "<<: ",
                                                  "~",
                                                  "1.5",
                                                  "yes",
                                                  "1:30",
                                                  "\t",
                                                  "\xC3\xA9",
                                                  "\xFF",
                                                  "\r\n",
                                                  "\r",
                                                  "\xE2\x80\xA8",
                                                  "\x01",
                                                  ".inf",
                                                  "*common",
                                                  "matrix: ",
                                                  "{matrix: code}",
                                                  "steps:\n",
                                                  "null"};

std::string damaged(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t limit) {
    return static_cast<std::size_t>(random() % std::max<std::size_t>(limit, 1));
  };
  for (std::size_t i = 0, times = 1 + below(4); i < times; ++i) {
    const std::size_t at = below(text.size() + 1);
    switch (below(5)) {
      case 0:
        text.insert(at, pieces[below(pieces.size())]);
        break;
      case 1:
        text.erase(at, 1 + below(12));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), 1 + below(60)));
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      default:
        text.resize(at);
        break;
    }
  }
  return text;
}

/// Goes through everything that a recipe can be asked; returns how far it came.
int walked(const Result<Document>& document) {
  if (!document) {
    EXPECT_FALSE(document.error().message.empty());
    EXPECT_TRUE(is_utf8(error_text(document.error())));
    EXPECT_LT(error_text(document.error()).size(), 2000u);
    return 0;
  }
  EXPECT_TRUE(check_json(document->value));
  int reached = 1;
  for (const CompileMode mode : {CompileMode::strict, CompileMode::compat}) {
    const Recipe recipe = compile(*document, builtin_catalog(), mode);
    for (const Diagnostic& one : recipe.diagnostics) EXPECT_TRUE(is_utf8(one.message + one.hint + one.at.source_line));
    if (!recipe.valid()) {
      EXPECT_FALSE(require_valid(recipe));
      continue;
    }
    reached = 2;
    EXPECT_FALSE(canonical_json(recipe.effective).empty());
    EXPECT_TRUE(seed_policy(recipe.effective) || true);
    EXPECT_TRUE(single_run_gate(recipe) || true);
    if (expand_matrix(recipe, builtin_catalog())) reached = 3;
  }
  return reached;
}

TEST(Mutations, OfYamlNeverCrash) {
  std::mt19937 random(20260101);
  std::array<int, 4> reached{};
  for (int i = 0; i < 4000; ++i) {
    ++reached[static_cast<std::size_t>(
        walked(parse_yaml_document({"r.yaml", damaged(std::string(yaml_recipe), random)})))];
  }
  for (const int count : reached) EXPECT_GT(count, 20) << "the damage should end at every stage";
}

TEST(Mutations, OfJsonNeverCrash) {
  const auto whole = parse_yaml_document({"r.yaml", std::string(yaml_recipe)});
  ASSERT_TRUE(whole) << error_text(whole.error());
  const std::string json = pretty_json(whole->value);
  std::mt19937 random(20260102);
  std::array<int, 4> reached{};
  for (int i = 0; i < 3000; ++i) {
    ++reached[static_cast<std::size_t>(walked(parse_json_document({"r.json", damaged(json, random)})))];
  }
  EXPECT_GT(reached[0], 20);
  EXPECT_GT(reached[1], 20);
}

TEST(Mutations, StartFromASoundRecipe) {
  EXPECT_EQ(walked(parse_yaml_document({"r.yaml", std::string(yaml_recipe)})), 3);
}

}  // namespace
}  // namespace noema
