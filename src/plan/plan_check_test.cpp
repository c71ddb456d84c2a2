// Checks of a stored plan: every digest and link, each against one planted change; and taking a plan up again.
// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/digest.h"
#include "core/json.h"
#include "noema/plan.h"
#include "plan/codes.h"
#include "plan/test_catalog.h"
#include "plan/test_recipe.h"

namespace noema {
namespace {

const planner::MemoryCatalog& catalog() {
  static const planner::MemoryCatalog made = planner::test_catalog();
  return made;
}

const Plan& stored() {
  static const Plan made = [] {
    const Recipe recipe = planner::recipe_of(R"(name: chain
steps:
  - {id: data, op: source.bits, params: {count: 16}}
  - {id: mod, op: modem.modulate, inputs: {bits: data.bits}}
)",
                                             catalog());
    return *plan(recipe, catalog());
  }();
  return made;
}

std::vector<std::string> failures(const std::vector<PlanCheck>& checks) {
  std::vector<std::string> ids;
  for (const PlanCheck& check : checks) {
    if (!check.passed && std::ranges::find(ids, check.id) == ids.end()) ids.push_back(check.id);
  }
  return ids;
}

/// Recomputes every digest, as a forger would.
Value redigested(Value document) {
  for (std::size_t i = 0; i < document.at("steps").size(); ++i) {
    Value& step = document.edit("steps").edit(i);
    const Value* contract = document.at("operation_contracts").at("operations").find(step.at("operation_id").string());
    if (contract != nullptr) step.set("operation_contract_sha256", sha256_of(*contract));
    step.erase("binding_sha256");
    step.set("binding_sha256", sha256_of(step));
  }
  Value& contracts = document.edit("operation_contracts");
  contracts.set("sha256", sha256_of(contracts.at("operations")));
  document.erase("sha256");
  document.set("sha256", sha256_of(document));
  return document;
}

/// Which checks fail after one change, with all digests made good again?
std::vector<std::string> forged(const std::function<void(Value&)>& change) {
  Value document = stored().document;
  change(document);
  return failures(check_plan_document(redigested(std::move(document))));
}

Value& metadata(Value& document, std::size_t step) {
  return document.edit("steps").edit(step).edit("implementation_metadata");
}

using Ids = std::vector<std::string>;

TEST(PlanCheck, GoodPlanPasses) {
  EXPECT_EQ(failures(check_plan_document(stored().document)), Ids{});
  EXPECT_EQ(failures(check_plan_recipe(stored().document, stored().recipe.effective)), Ids{});
  // Reading it back from its text keeps every digest.
  EXPECT_EQ(failures(check_plan_document(*parse_json(pretty_json(stored().document)))), Ids{});
}

TEST(PlanCheck, EachDigestIsRecomputed) {
  const auto touched = [](const std::function<void(Value&)>& change) {
    Value document = stored().document;
    change(document);
    return failures(check_plan_document(document));
  };
  EXPECT_EQ(touched([](Value& d) { d.edit("recipe").set("name", "other"); }), Ids{"execution_plan.sha256"});
  EXPECT_EQ(touched([](Value& d) { metadata(d, 0).set("notes", "x"); }),
            (Ids{"execution_plan.sha256", "execution_plan.execution-plan_binding_sha256"}));
  EXPECT_EQ(
      touched([](Value& d) { d.edit("operation_contracts").edit("operations").edit("source.bits").set("note", 1); }),
      (Ids{"execution_plan.sha256", "execution_plan.operation_contracts_sha256",
           "execution_plan.execution-plan_operation_contract_sha256"}));
}

TEST(PlanCheck, RedoneDigestsDoNotHideContradictions) {
  const std::string step = "execution_plan.execution-plan_";
  EXPECT_EQ(forged([](Value& d) { d.edit("steps").edit(1).set("backend", "numpy"); }),
            (Ids{step + "materialization_id", step + "materialization_contract"}));
  EXPECT_EQ(forged([](Value& d) {
              Value& one = d.edit("steps").edit(1);
              one.set("implementation", "qam16");
              one.set("materialization_id", "modem.modulate@benchmark_run/cpp/qam16");
            }),
            (Ids{step + "materialization_status", step + "materialization_metadata",
                 step + "materialization_parameter_bindings", step + "materialization_parameter_overrides"}));
  EXPECT_EQ(forged([](Value& d) { metadata(d, 1).edit("selection").set("candidate_index", 0); }),
            Ids{step + "materialization_metadata"});
  EXPECT_EQ(forged([](Value& d) {
              metadata(d, 1).edit("selection").set("parameter_bindings", Value::object({{"modulation", "bpsk"}}));
            }),
            Ids{step + "materialization_parameter_bindings"});
  EXPECT_EQ(forged([](Value& d) { metadata(d, 1).edit("parameter_overrides").set("modulation", "bpsk"); }),
            Ids{step + "materialization_parameter_overrides"});
  EXPECT_EQ(forged([](Value& d) { metadata(d, 1).erase("parameter_overrides"); }),
            Ids{step + "materialization_parameter_overrides"});
  EXPECT_EQ(forged([](Value& d) { d.edit("steps").edit(0).set("step_id", "mod"); }), Ids{"execution_plan.step_id"});
  EXPECT_EQ(forged([](Value& d) { d.edit("steps").edit(0).set("schema_version", 1.0); }),
            Ids{step + "step_schema_version"});
  EXPECT_EQ(forged([](Value& d) { d.set("kind", "noema.plan"); }), Ids{"execution_plan.kind"});
  EXPECT_EQ(forged([](Value& d) { d.edit("recipe").set("step_count", 3); }), Ids{"execution_plan.steps_count"});
  EXPECT_EQ(forged([](Value& d) { d.edit("operation_contracts").edit("operations").erase("source.bits"); }),
            Ids{step + "operation_contract"});
}

TEST(PlanCheck, MalformedDocumentsAreRefusedWithoutHarm) {
  EXPECT_EQ(failures(check_plan_document({})), Ids{"execution_plan.schema"});
  EXPECT_FALSE(failures(check_plan_document(Value::object())).empty());
  for (const char* key : {"schema_version", "kind", "runner", "recipe", "operation_contracts", "steps", "sha256"}) {
    for (const Value& odd : {Value(), Value(1), Value("x"), Value::array(), Value::object()}) {
      Value document = stored().document;
      document.set(key, odd);
      if (odd == stored().document.at(key)) continue;
      EXPECT_FALSE(failures(check_plan_document(document)).empty()) << key << " " << canonical_json(odd);
    }
  }
  const Value& step = stored().document.at("steps")[0];
  for (const auto& [key, value] : step.members()) {
    Value document = stored().document;
    document.edit("steps").edit(0).set(key, Value::array());
    EXPECT_FALSE(failures(check_plan_document(document)).empty()) << key;
  }
}

TEST(PlanCheck, RecipeLinks) {
  Value recipe = stored().recipe.effective;
  recipe.set("name", "other");
  EXPECT_EQ(failures(check_plan_recipe(stored().document, recipe)),
            (Ids{"execution_plan.recipe_sha256", "execution_plan.recipe_name"}));
  recipe = stored().recipe.effective;
  recipe.edit("steps").edit(0).set("id", "date");
  EXPECT_EQ(failures(check_plan_recipe(stored().document, recipe)),
            (Ids{"execution_plan.recipe_sha256", "execution_plan.recipe_steps"}));
  EXPECT_FALSE(failures(check_plan_recipe(stored().document, Value())).empty());
}

TEST(PlanCheck, CopiesOfBindings) {
  const Value& operations = stored().document.at("operation_contracts").at("operations");
  Value binding = stored().document.at("steps")[1];
  EXPECT_EQ(failures(check_step_binding(binding, operations, "manifest_runtime")), Ids{});
  binding.set("backend", "numpy");
  EXPECT_EQ(failures(check_step_binding(binding, operations, "manifest_runtime")),
            Ids{"execution_plan.manifest_runtime_binding_sha256"});
}

TEST(LoadPlan, KeepsTheDigestItWasSavedWith) {
  const Value document = *parse_json(pretty_json(stored().document));
  const Result<Plan> loaded = load_plan(document, stored().recipe, catalog());
  ASSERT_TRUE(loaded) << error_text(loaded.error());
  EXPECT_EQ(loaded->sha256, stored().sha256);
  ASSERT_EQ(loaded->steps.size(), stored().steps.size());
  for (std::size_t i = 0; i < loaded->steps.size(); ++i) {
    EXPECT_EQ(loaded->steps[i].params, stored().steps[i].params);
    EXPECT_EQ(loaded->steps[i].backend, stored().steps[i].backend);
  }
}

TEST(LoadPlan, RefusesDriftAndDamage) {
  Value document = stored().document;
  document.edit("recipe").set("name", "other");
  EXPECT_EQ(load_plan(document, stored().recipe, catalog()).error().code, code::plan_document_invalid);

  const auto with_contract = [](const std::function<void(Value&)>& change) {
    Value changed = stored().document;
    change(changed.edit("operation_contracts").edit("operations").edit("source.bits"));
    return load_plan(redigested(std::move(changed)), stored().recipe, catalog());
  };
  EXPECT_EQ(with_contract([](Value& contract) { contract.edit("output_kinds").set("bits", "symbols"); }).error().code,
            code::plan_contract_drift);
  // A description is wording: the contract means the same.
  EXPECT_TRUE(with_contract([](Value& contract) {
    contract.edit("params_schema").edit("properties").edit("count").set("description", "how many");
  }));
}

}  // namespace
}  // namespace noema
