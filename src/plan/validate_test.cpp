// Static checks: each mistake with its place and hint, several in one pass, in document order.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "noema/plan.h"
#include "plan/codes.h"
#include "plan/test_catalog.h"
#include "plan/test_recipe.h"

namespace noema {
namespace {

using planner::lines_of;
using planner::recipe_of;
using Lines = std::vector<std::string>;

const planner::MemoryCatalog& catalog() {
  static const planner::MemoryCatalog made = planner::test_catalog();
  return made;
}

Result<void> checked(std::string_view yaml) { return validate(recipe_of(yaml, catalog()), catalog()); }

/// The only error of a recipe.
Error error_of(std::string_view yaml) {
  const Result<void> result = checked(yaml);
  EXPECT_FALSE(result) << yaml;
  if (result) return {};
  EXPECT_TRUE(result.error().also.empty()) << error_text(result.error());
  return result.error();
}

constexpr std::string_view good = R"(name: good
steps:
  - {id: data, op: source.bits}
  - {id: mod, op: modem.modulate, inputs: {bits: data.bits}}
  - {id: air, op: radio.channel, inputs: {symbols: mod.symbols}}
)";

TEST(Validate, GoodRecipe) {
  const Result<void> result = checked(good);
  EXPECT_TRUE(result) << error_text(result.error());
}

TEST(Validate, UnknownOperationHasANearMiss) {
  const Error error = error_of("name: r\nsteps:\n  - {id: data, op: source.bit}\n");
  EXPECT_EQ(error.at.line, 3);
  EXPECT_EQ(error.hint, "did you mean 'source.bits'?");
}

TEST(Validate, UnknownOperationIsSaidOnceAndDoesNotHideTheRest) {
  const Result<void> result = checked(R"(name: r
steps:
  - {id: data, op: source.bit}
  - {id: mod, op: modem.modulate, inputs: {bits: data.bits}, params: {modulatoin: qpsk}}
)");
  ASSERT_FALSE(result);
  const std::vector<Error> errors = flattened(result.error());
  ASSERT_EQ(errors.size(), 2u) << error_text(result.error());
  EXPECT_EQ(errors[0].at.line, 3);
  EXPECT_EQ(errors[1].at.line, 4);
  EXPECT_EQ(errors[1].code, code::parameter_unknown);
}

TEST(Validate, PlannedOperationNamesWhatIsNear) {
  const Error error = error_of(R"(name: r
steps:
  - {id: data, op: source.bits}
  - {id: late, op: codec.future, inputs: {bits: data.bits}}
)");
  EXPECT_EQ(error.code, code::operation_planned);
  EXPECT_EQ(error.at.path, "steps.late.op");
  EXPECT_EQ(error.at.line, 4);
  EXPECT_NE(error.hint.find("codec.decode"), std::string::npos) << error.hint;
}

TEST(Validate, ParametersStandAtTheirPlace) {
  const Error error = error_of(R"(name: r
steps:
  - id: data
    op: source.bits
    params:
      count: 0
)");
  EXPECT_EQ(error.code, code::parameter_out_of_range);
  EXPECT_EQ(error.at.path, "steps.data.params.count");
  EXPECT_EQ(error.at.line, 6);
  EXPECT_EQ(error.at.column, 14);
  EXPECT_NE(error_text(error).find("test.yaml:6:14: error[parameter.out_of_range]"), std::string::npos)
      << error_text(error);
}

TEST(Validate, MissingInputSaysWhatFits) {
  const Error error = error_of("name: r\nsteps:\n  - {id: data, op: source.bits}\n  - {id: mod, op: modem.modulate}\n");
  EXPECT_EQ(error.code, code::plan_input_missing);
  EXPECT_EQ(error.at.path, "steps.mod.inputs.bits");
  EXPECT_EQ(error.at.line, 4);
  EXPECT_NE(error.hint.find("data.bits"), std::string::npos);
}

TEST(Validate, UnknownInputAndOutput) {
  const Error input = error_of(R"(name: r
steps:
  - {id: data, op: source.bits}
  - {id: mod, op: modem.modulate, inputs: {bits: data.bits, bit: data.bits}}
)");
  EXPECT_EQ(input.code, code::plan_input_unknown);
  EXPECT_EQ(input.hint, "did you mean 'bits'?");
  EXPECT_EQ(input.at.column, 61);  // the name, not what it is set to
  const Error output = error_of(R"(name: r
steps:
  - {id: data, op: source.bits}
  - {id: mod, op: modem.modulate, inputs: {bits: data.bit}}
)");
  EXPECT_EQ(output.code, code::plan_output_unknown);
  EXPECT_EQ(output.hint, "did you mean 'bits'?");
}

TEST(Validate, WrongKindSaysWhatIsTakenAndWhatFits) {
  const Error error = error_of(R"(name: r
steps:
  - {id: data, op: source.bits}
  - {id: mod, op: modem.modulate, inputs: {bits: data.bits}}
  - {id: air, op: radio.channel, inputs: {symbols: data.bits}}
)");
  EXPECT_EQ(error.code, code::plan_kind_mismatch);
  EXPECT_EQ(error.message, "radio.channel takes symbols at 'symbols', but data.bits is bits");
  EXPECT_NE(error.hint.find("mod.symbols"), std::string::npos);
}

TEST(Validate, WrongKindSuggestsAConversion) {
  const Error error = error_of(R"(name: r
steps:
  - {id: data, op: source.bits}
  - {id: air, op: radio.channel, inputs: {symbols: data.bits}}
)");
  EXPECT_EQ(error.hint, "a step with modem.modulate in between would convert it");
}

TEST(Validate, MetadataMustBeGuaranteed) {
  // The channel does not guarantee `modulation` or `scheme`; the modulator guarantees the first.
  const Error any = error_of(R"(name: r
steps:
  - {id: data, op: source.bits}
  - {id: mod, op: modem.modulate, inputs: {bits: data.bits}}
  - {id: air, op: radio.channel, inputs: {symbols: mod.symbols}}
  - {id: demod, op: modem.demodulate, inputs: {rx: air.rx}}
)");
  EXPECT_EQ(any.code, code::plan_metadata_unmet);
  EXPECT_NE(any.message.find("modulation or scheme"), std::string::npos) << any.message;
  const Error all = error_of(R"(name: r
steps:
  - {id: data, op: source.bits}
  - {id: mod, op: modem.modulate, inputs: {bits: data.bits}}
  - {id: slice, op: modem.slice, inputs: {symbols: mod.symbols}}
)");
  EXPECT_EQ(all.code, code::plan_metadata_unmet);
  EXPECT_NE(all.message.find("reads metadata power at"), std::string::npos) << all.message;
  const Result<void> met = checked(R"(name: r
steps:
  - {id: data, op: source.bits}
  - {id: mod, op: modem.modulate, inputs: {bits: data.bits}}
  - {id: demod, op: modem.demodulate, inputs: {rx: mod.symbols}}
)");
  EXPECT_TRUE(met) << error_text(met.error());
}

TEST(Validate, AllIndependentErrorsInDocumentOrder) {
  const Result<void> result = checked(R"(name: r
execution_profile: {id: layered_digital, version: 1}
metadata:
  seed: -3
steps:
  - id: data
    op: source.bits
    params: {count: 0, data_plane_backend: gpu}
  - id: mod
    op: modem.modulate
    inputs:
      bits: data.bitz
      extra: data.bits
  - id: late
    inputs: {bits: data.bits}
    materialization: {implementation: 3}
    op: codec.future
)");
  const Lines lines = lines_of(result);
  const Lines expected{"2: profile.required_step_missing", "4: recipe.seed_invalid",
                       "8: parameter.out_of_range",        "8: parameter.choice",
                       "12: plan.output_unknown",          "13: plan.input_unknown",
                       "16: plan.materialization_invalid", "17: operation.planned"};
  // The recipe lacks all seven steps of its profile.
  Lines without_repeats;
  for (const std::string& line : lines) {
    if (without_repeats.empty() || without_repeats.back() != line) without_repeats.push_back(line);
  }
  EXPECT_EQ(without_repeats, expected) << error_text(result.error());
}

TEST(Validate, FloodsAreCutShort) {
  std::string yaml = "name: r\nsteps:\n";
  for (int i = 0; i < 3000; ++i) yaml += "  - {id: s" + std::to_string(i) + ", op: source.bits, params: {count: 0}}\n";
  const Lines lines = lines_of(checked(yaml));
  ASSERT_EQ(lines.size(), 201u);
  EXPECT_EQ(lines.front(), "3: parameter.out_of_range");
  EXPECT_EQ(lines.back(), "203: plan.unchecked");
}

TEST(Validate, ProfileCanBeLeftUnenforced) {
  const Recipe recipe = recipe_of(
      "name: r\nexecution_profile: {id: task_evaluation, version: 1}\nsteps:\n  - {id: bits, op: source.bits}\n",
      catalog());
  EXPECT_FALSE(validate(recipe, catalog()));
  EXPECT_TRUE(validate(recipe, catalog(), false));
}

TEST(Validate, InvalidRecipeIsRefusedWithItsOwnErrors) {
  const Recipe recipe =
      recipe_of("name: r\nsetps: 3\nsteps:\n  - {id: data, op: source.bits, params: {count: 0}}\n", catalog());
  const Result<void> result = validate(recipe, catalog());
  EXPECT_EQ(lines_of(result), (Lines{"2: recipe.unknown_recipe_field", "4: parameter.out_of_range"}));
  EXPECT_FALSE(plan(recipe, catalog()));
}

}  // namespace
}  // namespace noema
