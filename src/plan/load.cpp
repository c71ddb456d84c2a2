// Taking up a stored plan again (noema/plan.h), for a replay.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "contract/hashed.h"
#include "core/digest.h"
#include "core/report.h"
#include "noema/plan.h"
#include "plan/codes.h"
#include "plan/plan_check.h"

namespace noema {
namespace {

Result<void> all_passed(const std::vector<PlanCheck>& checks) {
  std::vector<Error> errors;
  for (const PlanCheck& check : checks) {
    if (!check.passed) errors.push_back({code::plan_document_invalid, {}, check.id + ": " + check.message, {}, {}});
  }
  if (errors.empty()) return {};
  return combined(std::move(errors));
}

/// The catalog's contract of an operation, if it means what the embedded one means; wording may have changed.
Result<const Contract*> same_contract(const Value& embedded, const std::string& id, const Catalog& catalog) {
  NOEMA_TRY(const Contract* contract, catalog.get(id));
  if (contract->sha256 == sha256_of(embedded)) return contract;
  if (contract->semantic_sha256 == sha256_of(contract::semantic_form(embedded))) return contract;
  return Error{code::plan_contract_drift,
               {},
               "the plan was made with another contract of " + id + " than this program has",
               "plan the recipe again, or use the version of the program that made the plan",
               {}};
}

}  // namespace

Result<Plan> load_plan(const Value& document, const Recipe& recipe, const Catalog& catalog) {
  NOEMA_CHECK(all_passed(check_plan_document(document)));
  NOEMA_CHECK(all_passed(check_plan_recipe(document, recipe.effective)));
  Plan plan;
  plan.document = document;
  plan.sha256 = document.at("sha256").string();
  plan.recipe = recipe;
  NOEMA_TRY(plan.seeds, seed_policy(recipe.effective));
  for (const auto& [id, embedded] : document.at("operation_contracts").at("operations").members()) {
    NOEMA_TRY(const Contract* contract, same_contract(embedded, id, catalog));
    plan.contracts.try_emplace(id, *contract);
  }
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    const RecipeStep& step = recipe.steps[i];
    const Value& binding = document.at("steps")[i];
    Value params = step.params;
    const Value& metadata = binding.at("implementation_metadata");
    if (const Value* injected = metadata.find("parameter_overrides"); injected != nullptr && injected->is_object()) {
      for (const auto& [name, value] : injected->members()) params.set(name, value);
    }
    plan.steps.push_back({step.id, step.operation, binding.at("backend").string(),
                          binding.at("implementation").string(), std::move(params), step.inputs, binding});
  }
  return plan;
}

}  // namespace noema
