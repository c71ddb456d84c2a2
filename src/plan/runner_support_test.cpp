// Support of runners for operations, steps and recipes.
// SPDX-License-Identifier: Apache-2.0
#include "plan/runner_support.h"

#include <gtest/gtest.h>

#include "core/json.h"
#include "plan/test_catalog.h"

namespace noema {
namespace {

const planner::MemoryCatalog& catalog() {
  static const planner::MemoryCatalog made = [] {
    planner::MemoryCatalog all = planner::test_catalog();
    all.add(planner::operation(
        "radio.soft", R"("inputs": {}, "outputs": {"symbols": ["symbols"]})", "",
        {planner::row(planner::bench, "cpp", "default"), planner::row(planner::torch_export, "torch", "module")},
        "implemented", R"("differentiability": {"framework": "torch", "gradient": "full", "exportable": true})"));
    return all;
  }();
  return made;
}

std::string status(const Value& support, const char* runner) { return support.at(runner).at("status").string(); }

TEST(RunnerSupport, Operation) {
  const Value soft = operation_runner_support(*catalog().find("radio.soft"));
  EXPECT_EQ(status(soft, "benchmark_run"), "implemented");
  EXPECT_EQ(status(soft, "dataset_capture"), "unsupported");
  EXPECT_EQ(status(soft, "differentiable_export"), "implemented");
  EXPECT_EQ(canonical_json(soft.at("differentiable_export").at("materializations")),
            R"(["radio.soft@differentiable_export/torch/module"])");
  // A row for the export is not enough without a gradient.
  const Value hard = operation_runner_support(*catalog().find("radio.channel"));
  EXPECT_EQ(status(hard, "differentiable_export"), "not_applicable");
  EXPECT_EQ(status(operation_runner_support(*catalog().find("codec.future")), "benchmark_run"), "planned");
}

TEST(RunnerSupport, Step) {
  const RecipeStep step{"mod", "modem.modulate", Value::object({{"modulation", "qam16"}}), {}, {}};
  const Value found = step_runner_support(*catalog().find("modem.modulate"), step);
  EXPECT_EQ(status(found, "benchmark_run"), "planned");
  EXPECT_EQ(canonical_json(found.at("benchmark_run").at("selected_materializations")),
            R"(["modem.modulate@benchmark_run/cpp/qam16"])");
  EXPECT_EQ(canonical_json(found.at("benchmark_run").at("selected_params")), R"({"modulation":"qam16"})");
  // A selector bound by a row rules nothing out.
  const RecipeStep air{"air", "radio.channel", Value::object({{"wireless_backend", "sionna"}}), {}, {}};
  EXPECT_EQ(step_runner_support(*catalog().find("radio.channel"), air)
                .at("differentiable_export")
                .at("selected_materializations")
                .size(),
            2u);
}

TEST(RunnerSupport, Recipe) {
  Recipe recipe;
  recipe.steps = {{"data", "source.bits", Value::object(), {}, {}},
                  {"mod", "modem.modulate", Value::object({{"modulation", "qpsk"}}), {}, {}},
                  {"odd", "no.such", Value::object(), {}, {}}};
  Value found = recipe_runner_support(recipe, catalog());
  EXPECT_EQ(status(found, "benchmark_run"), "unsupported");
  EXPECT_EQ(canonical_json(found.at("benchmark_run").at("unsupported_steps")), R"(["odd"])");
  recipe.steps.pop_back();
  found = recipe_runner_support(recipe, catalog());
  EXPECT_EQ(status(found, "benchmark_run"), "supported");
  EXPECT_EQ(status(found, "dataset_capture"), "unsupported");
  EXPECT_EQ(status(found, "differentiable_export"), "not_applicable");
  EXPECT_EQ(found.at("differentiable_export").at("not_applicable_step_count"), Value(2));
}

}  // namespace
}  // namespace noema
