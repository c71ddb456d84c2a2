// Compiling: every diagnostic in both modes, the three forms, places in the text.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/digest.h"
#include "core/json.h"
#include "core/report.h"
#include "noema/recipe.h"

namespace noema {
namespace {

Recipe compiled(const std::string& yaml, CompileMode mode = CompileMode::strict,
                std::string_view runner = "benchmark_run") {
  auto document = parse_yaml_document({"r.yaml", yaml});
  EXPECT_TRUE(document) << (document ? "" : error_text(document.error()));
  return compile(document ? *std::move(document) : Document{}, builtin_catalog(), mode, runner);
}

/// `line:column severity code path`, one a line.
std::string findings(const Recipe& recipe) {
  std::string out;
  for (const Diagnostic& one : recipe.diagnostics) {
    out += std::to_string(one.at.line) + ":" + std::to_string(one.at.column) +
           (one.severity == Diagnostic::Severity::error ? " error " : " warning ") + one.code + " " + one.path + "\n";
    EXPECT_NE(one.message, "");
  }
  return out;
}

std::string findings(const std::string& yaml, CompileMode mode = CompileMode::strict) {
  return findings(compiled(yaml, mode));
}

/// Hints of all findings, one a line.
std::string hints(const std::string& yaml) {
  std::string out;
  for (const Diagnostic& one : compiled(yaml).diagnostics) out += one.hint + "\n";
  return out;
}

const std::string head = "name: r\n";
const std::string data = "steps:\n- {id: data, op: source.random_bits}\n";

TEST(Compile, LeavesAGoodRecipeAlone) {
  const Recipe recipe = compiled(head + data);
  EXPECT_TRUE(recipe.valid());
  EXPECT_EQ(findings(recipe), "");
  EXPECT_EQ(recipe.name, "r");
  EXPECT_EQ(canonical_json(recipe.normalized),
            R"({"execution_profile":{"id":"custom","version":1},"metadata":{},"name":"r","schema_version":1,)"
            R"("steps":[{"id":"data","inputs":{},"op":"source.random_bits","params":{}}]})");
  EXPECT_EQ(recipe.authored_sha256, sha256_of(recipe.normalized));
  EXPECT_EQ(recipe.effective_sha256, sha256_of(recipe.effective));
  EXPECT_GT(recipe.effective.at("steps")[0].at("params").size(), 0u);
  ASSERT_EQ(recipe.steps.size(), 1u);
  EXPECT_EQ(recipe.steps[0].params, recipe.effective.at("steps")[0].at("params"));
}

TEST(Compile, NormalisesByTheKeyRules) {
  const Recipe recipe = compiled(
      "zeta: {a: 1}\n"
      "schema_version: 1\n"
      "name: r\n"
      "description: ''\n"
      "execution_profile: {id: custom, version: '2', based_on: {id: layered_digital}}\n"
      "metadata: ~\n"
      "suite: {}\n"
      "dataset_capture: {split: train}\n"
      "steps:\n"
      "- {id: '', op: source.random_bits, params: ~, inputs: ~, description: 0, note: kept, materialization: {backend: "
      "cpp}}\n"
      "- {op: channel.identity_encoder, inputs: {bits: step_1.bits}, description: d}\n",
      CompileMode::compat);
  EXPECT_TRUE(recipe.valid());
  EXPECT_EQ(
      canonical_json(recipe.normalized),
      R"({"dataset_capture":{"split":"train"},)"
      R"("execution_profile":{"based_on":{"id":"layered_digital","version":1},"id":"custom","version":2},)"
      R"("metadata":{},"name":"r","schema_version":1,"steps":[)"
      R"({"id":"step_1","inputs":{},"materialization":{"backend":"cpp"},"note":"kept","op":"source.random_bits","params":{}},)"
      R"({"description":"d","id":"step_2","inputs":{"bits":"step_1.bits"},"op":"channel.identity_encoder","params":{}}],)"
      R"("zeta":{"a":1}})");
  EXPECT_EQ(recipe.raw.at("description"), Value(""));
  EXPECT_EQ(recipe.steps[0].materialization, Value::object({{"backend", "cpp"}}));
  EXPECT_TRUE(recipe.steps[1].materialization.is_null());
  ASSERT_EQ(recipe.steps[1].inputs.size(), 1u);
  EXPECT_EQ(recipe.steps[1].inputs[0].name, "bits");
  EXPECT_EQ(recipe.steps[1].inputs[0].step, "step_1");
  EXPECT_EQ(recipe.steps[1].inputs[0].output, "bits");
}

TEST(Compile, SpeaksByMode) {
  const std::string yaml = "nam: x\nname: r\nsteps:\n- {op: source.random_bits, parms: {}}\n";
  EXPECT_EQ(findings(yaml),
            "1:1 error unknown_recipe_field $.nam\n"
            "4:3 error implicit_recipe_step_id $.steps[0].id\n"
            "4:28 error unknown_recipe_step_field $.steps[0].parms\n");
  EXPECT_EQ(findings(yaml, CompileMode::compat),
            "1:1 warning unknown_recipe_field $.nam\n"
            "4:3 warning implicit_recipe_step_id $.steps[0].id\n"
            "4:28 warning unknown_recipe_step_field $.steps[0].parms\n");
  EXPECT_TRUE(compiled(yaml, CompileMode::compat).valid());
  EXPECT_EQ(hints(yaml), "did you mean 'name'?\nwrite `id: step_1`\ndid you mean 'params'?\n");
}

TEST(Compile, KnowsWhatARecipeIs) {
  EXPECT_EQ(findings("[1]\n"), "1:1 error recipe_top_level_type $\n");
  EXPECT_EQ(findings("text\n", CompileMode::compat), "1:1 error recipe_top_level_type $\n");
  EXPECT_EQ(findings("\n"), "1:1 error recipe_top_level_type $\n") << "an empty file is null";
  const Recipe recipe =
      compile(Value::object({{"name", "r"}, {"metadata", Value::object({{"x", Value(Value::Items{1.0 / 0.0})}})}}),
              builtin_catalog(), CompileMode::compat);
  EXPECT_EQ(findings(recipe), "0:0 error recipe_json_value_invalid $.metadata.x[0]\n");
}

TEST(Compile, FindsEveryStructuralErrorInDocumentOrder) {
  EXPECT_EQ(findings("schema_version: 1.0\n"
                     "name: 7\n"
                     "execution_profile: {id: layered_digital, versoin: 1, version: x, based_on: {version: 1}}\n"
                     "metadata: [1]\n"
                     "suite: x\n"
                     "steps:\n"
                     "- {id: a b, op: 1}\n"
                     "- {id: c, op: '', params: [1], inputs: 1}\n"
                     "- {id: c, op: source.random_bit}\n"
                     "- {id: 12, op: source.random_bits}\n"
                     "- x\n"
                     "- id: d\n"
                     "  op: channel.identity_encoder\n"
                     "  inputs: {a: c, b: c.x.y, c: '.x', d: e.bits, e: d.bits, f: zz.bits, g: 1.5, h: cc.bits}\n"
                     "- {id: e, op: channel.identity_encoder, inputs: {bits: 12.x}}\n"),
            "1:17 error recipe_validation_error $.schema_version\n"
            "2:7 error recipe_validation_error $.name\n"
            "3:42 error recipe_validation_error $.execution_profile.versoin\n"
            "3:63 error recipe_validation_error $.execution_profile.version\n"
            "3:66 error recipe_validation_error $.execution_profile.based_on\n"
            "3:76 error recipe_validation_error $.execution_profile.based_on.id\n"
            "4:11 error recipe_validation_error $.metadata\n"
            "5:8 error recipe_validation_error $.suite\n"
            "7:8 error recipe_validation_error $.steps[0].id\n"
            "7:17 error recipe_validation_error $.steps[0].op\n"
            "8:15 error recipe_validation_error $.steps[1].op\n"
            "8:27 error recipe_validation_error $.steps[1].params\n"
            "8:40 error recipe_validation_error $.steps[1].inputs\n"
            "9:8 error recipe_validation_error $.steps[2].id\n"
            "9:15 error operation_defaults_unavailable $.steps[2].op\n"
            "10:8 error recipe_validation_error $.steps[3].id\n"
            "11:3 error recipe_validation_error $.steps[4]\n"
            "14:15 error recipe_validation_error $.steps[5].inputs.a\n"
            "14:21 error recipe_validation_error $.steps[5].inputs.b\n"
            "14:31 error recipe_validation_error $.steps[5].inputs.c\n"
            "14:40 error recipe_validation_error $.steps[5].inputs.d\n"
            "14:51 error recipe_validation_error $.steps[5].inputs.e\n"
            "14:62 error recipe_validation_error $.steps[5].inputs.f\n"
            "14:74 error recipe_validation_error $.steps[5].inputs.g\n"
            "14:82 error recipe_validation_error $.steps[5].inputs.h\n");
  EXPECT_EQ(findings("description: x\n"),
            "1:1 error recipe_validation_error $.name\n"
            "1:1 error recipe_validation_error $.steps\n");
  EXPECT_EQ(findings(head + "steps: []\n"), "2:8 error recipe_validation_error $.steps\n");
  EXPECT_EQ(findings(head + "steps: {}\n"), "2:8 error recipe_validation_error $.steps\n");
  EXPECT_EQ(findings("schema_version: true\nname: r\n" + data),
            "1:17 error recipe_validation_error $.schema_version\n");
  EXPECT_EQ(findings("schema_version: 2\nname: ''\n" + data),
            "1:17 error recipe_validation_error $.schema_version\n2:7 error recipe_validation_error $.name\n");
}

TEST(Compile, HintsAtNearMisses) {
  const std::string encoder = "- {id: encode, op: channel.identity_encoder, inputs: {bits: dta.bits}}\n";
  EXPECT_EQ(hints(head + data + encoder), "did you mean 'data'?\n");
  EXPECT_EQ(hints(head + "steps:\n- {id: data, op: sorce.random_bits}\n"), "did you mean 'source.random_bits'?\n");
  const Recipe dotted = compiled(head + "steps:\n- {id: a.b, op: source.random_bits}\n" +
                                 "- {id: c, op: channel.identity_encoder, inputs: {bits: a.b.bits}}\n");
  ASSERT_EQ(dotted.diagnostics.size(), 1u);
  EXPECT_EQ(dotted.diagnostics[0].message, "the input 'a.b.bits' can't be told apart: the id 'a.b' has a dot");
  EXPECT_EQ(dotted.diagnostics[0].at.path, "steps.c.inputs.bits");
}

TEST(Compile, FillsDefaultsOnlyWhereNothingStands) {
  const Recipe recipe =
      compiled(head + "steps:\n- {id: data, op: source.random_bits, params: {bit_count: 8, seed: ~}}\n");
  ASSERT_TRUE(recipe.valid()) << findings(recipe);
  const Value& params = recipe.effective.at("steps")[0].at("params");
  EXPECT_EQ(params.at("bit_count"), Value(8));
  EXPECT_TRUE(params.at("seed").is_null());
  EXPECT_TRUE(params.find("batch_size") != nullptr);
  EXPECT_EQ(recipe.normalized.at("steps")[0].at("params").size(), 2u) << "the normalised form stays sparse";
}

TEST(Compile, DropsDefaultedSeedsOfCaptures) {
  const std::string yaml =
      head +
      "steps:\n- {id: a, op: source.random_bits}\n- {id: b, op: source.random_bits, params: {seed: ~}}\n"
      "- {id: c, op: source.random_bits, params: {seed: 0}}\n";
  const auto seeds = [&](std::string_view runner) {
    std::string out;
    for (const RecipeStep& step : compiled(yaml, CompileMode::strict, runner).steps) {
      const Value* seed = step.params.find("seed");
      out += seed == nullptr ? "-" : canonical_json(*seed);
      out += ' ';
    }
    return out;
  };
  EXPECT_EQ(seeds("benchmark_run"), "0 null 0 ");
  EXPECT_EQ(seeds("dataset_capture"), "- - 0 ");
}

TEST(Compile, RefusesWhatItCannotReadYet) {
  const std::string ofdm = head + data +
                           "- {id: modulator, op: modulation.digital_modulate, inputs: {bits: data.bits}}\n"
                           "- {id: state, op: wireless.ofdm_channel_state, inputs: {symbols: modulator.symbols}}\n"
                           "- id: link\n  op: wireless.channel\n  params: {channel: ofdm_tdl}\n"
                           "  inputs: {symbols: modulator.symbols, channel_state: state.state}\n";
  EXPECT_EQ(findings(ofdm), "9:55 error ofdm_link_unsupported $.steps[3].inputs.channel_state\n");
  const std::string sweeps = "name: r\nmetadata:\n  sweeps: {link.snr_db: '0:5:20'}\n";
  EXPECT_EQ(findings(sweeps + data), "3:3 warning legacy_sweep_unsupported $.metadata.sweeps\n");
  EXPECT_EQ(findings(sweeps + "  matrix: {}\n" + data), "3:3 warning legacy_sweep_ignored $.metadata.sweeps\n");
  EXPECT_EQ(findings("name: r\nmetadata: {sweeps: {}, ui_sweeps: ~}\n" + data), "");
}

TEST(Compile, CarriesTheReadersRemarks) {
  const Recipe recipe = compiled("name: r\nmetadata: {at: 1:30}\n" + data);
  EXPECT_TRUE(recipe.valid());
  EXPECT_EQ(findings(recipe), "2:16 warning yaml_base_60 $.metadata.at\n");
}

TEST(Compile, StopsListingAtSomePoint) {
  std::string yaml = "name: r\nsteps:\n";
  for (int i = 0; i < 1000; ++i) yaml += "- {id: data, op: source.random_bits, inputs: {x: nothing.y}}\n";
  const Recipe recipe = compiled(yaml);
  EXPECT_EQ(recipe.diagnostics.size(), 201u);
  EXPECT_EQ(recipe.diagnostics.back().message, "1799 further findings are not shown");
  EXPECT_FALSE(recipe.valid());
}

TEST(Compile, GivesErrorsWithPlaces) {
  const auto valid =
      require_valid(compiled("name: r\nsteps:\n- id: data\n  op: source.random_bit\n- {id: data, op: x.y}\n"));
  ASSERT_FALSE(valid);
  const std::vector<Error> errors = flattened(valid.error());
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_EQ(error_text(errors[0]),
            "r.yaml:4:7: error[recipe.operation_defaults_unavailable]: there is no operation 'source.random_bit'\n"
            "  at steps[0].op\n"
            "    4 |   op: source.random_bit\n"
            "      |       ^\n"
            "  hint: did you mean 'source.random_bits'?\n");
  EXPECT_EQ(errors[1].code.text, "recipe.recipe_validation_error");
  EXPECT_EQ(errors[1].at.path, "steps[1].id");
}

TEST(Compile, PlacesPathsByIdAndByIndex) {
  const Recipe recipe =
      compiled(head +
                   "steps:\n- {id: a, op: source.random_bits}\n- {id: a.b, op: source.random_bits, params: {seed: 1}}\n"
                   "- {op: source.random_bits}\n",
               CompileMode::compat);
  ASSERT_TRUE(recipe.valid()) << findings(recipe);
  EXPECT_EQ(recipe.place("$.steps[1].params.seed").path, "steps.a.b.params.seed");
  EXPECT_EQ(recipe.place("$.steps[1].params.seed").line, 4);
  EXPECT_EQ(recipe.place("steps.a.b.params.seed").column, 52);
  EXPECT_EQ(recipe.place("steps.a.op").line, 3);
  EXPECT_EQ(recipe.place("steps.a.params.seed").line, 3);
  EXPECT_EQ(recipe.place("steps.step_3.op").line, 5);
  EXPECT_EQ(recipe.place("steps.nothing").line, 3) << "the list itself";
  EXPECT_EQ(recipe.place("$").line, 1);
  const Recipe longer_first = compiled(head +
                                       "steps:\n- {id: a.b, op: source.random_bits, params: {seed: 1}}\n"
                                       "- {id: a, op: source.random_bits}\n");
  EXPECT_EQ(longer_first.place("steps.a.b.params.seed").line, 3);
  EXPECT_EQ(longer_first.place("steps.a.op").line, 4);
}

}  // namespace
}  // namespace noema
