// Planning: a valid recipe, bound step by step to the rows that will run it (noema/plan.h).
// SPDX-License-Identifier: Apache-2.0
#include "noema/plan.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/text.h"
#include "plan/codes.h"
#include "plan/document.h"
#include "plan/findings.h"
#include "plan/names.h"
#include "plan/overrides.h"
#include "plan/rows.h"

namespace noema {
namespace {

/// The policy with its names in their normal spelling.
Result<Policy> normal(const Policy& policy) {
  Policy out = policy;
  NOEMA_TRY(out.runner, planner::runner_named(policy.runner));
  if (!policy.backend.empty()) {
    NOEMA_TRY(out.backend, planner::backend_named(policy.backend));
  }
  return out;
}

/// A demanded implementation that concerns no step is a slip of the caller, most often in the operation's name.
void check_demands(const Recipe& recipe, const Catalog& catalog, const Policy& policy, std::vector<Error>& errors) {
  for (const auto& [operation, implementation] : policy.implementations) {
    if (implementation.empty()) {
      errors.push_back({code::plan_implementation_undeclared,
                        {},
                        "the implementation demanded for " + shown(operation) + " has no name",
                        "write OPERATION=IMPLEMENTATION",
                        {}});
      continue;
    }
    if (std::ranges::any_of(recipe.steps, [&](const RecipeStep& step) { return step.operation == operation; }))
      continue;
    if (Result<const Contract*> known = catalog.get(operation); !known) {
      errors.push_back(std::move(known).error());
      continue;
    }
    std::vector<std::string> operations;
    for (const RecipeStep& step : recipe.steps) operations.push_back(step.operation);
    errors.push_back({code::plan_implementation_unused,
                      {},
                      "an implementation is demanded for " + operation + ", which no step of the recipe uses",
                      did_you_mean(operation, operations),
                      {}});
  }
}

/// Injected values must satisfy the contract like authored ones.
Result<void> check_merged(const Contract& contract, const RecipeStep& step, const Value& params) {
  if (params == step.params) return {};
  NOEMA_CHECK(check_parameters(contract, params));
  std::vector<std::string> connected;
  for (const RecipeStep::Input& input : step.inputs) connected.push_back(input.name);
  return preflight(contract, params, connected);
}

Result<PlannedStep> plan_step(const RecipeStep& step, const Contract& contract, const Catalog& catalog,
                              const Policy& policy) {
  NOEMA_TRY(const planner::StepDemand demand, planner::step_demand(step.materialization));
  NOEMA_TRY(const planner::Choice choice, planner::choose_row(contract, step.params, demand, policy));
  NOEMA_TRY(planner::Overrides overrides, planner::overrides_for(contract, step.params, choice, policy));
  NOEMA_CHECK(check_merged(contract, step, overrides.params));
  const KernelSource* source = catalog.source(contract.id, choice.row->backend);
  if (source == nullptr) {
    Error error{code::contract_invalid, {}, {}, {}, {}};
    error.message = "the row " + choice.row->backend + "/" + choice.row->implementation + " of " + contract.id +
                    " is declared as implemented, but this build knows no source file for it";
    error.hint = "declare the row as planned, or list its source in the build";
    error.at.path = "op";
    return error;
  }
  return PlannedStep{step.id,
                     step.operation,
                     choice.row->backend,
                     choice.row->implementation,
                     overrides.params,
                     step.inputs,
                     planner::step_binding(step.id, contract, choice, overrides, *source)};
}

}  // namespace

Result<Plan> plan(const Recipe& recipe, const Catalog& catalog, const Policy& requested) {
  NOEMA_TRY(const Policy policy, normal(requested));
  NOEMA_CHECK(validate(recipe, catalog, policy.enforce_execution_profile));
  std::vector<Error> errors;
  check_demands(recipe, catalog, policy, errors);

  Plan plan;
  Value steps = Value::array();
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    if (planner::is_enough(recipe, i, errors)) break;
    const RecipeStep& step = recipe.steps[i];
    const Contract& contract = **catalog.get(step.operation);
    Result<PlannedStep> planned = plan_step(step, contract, catalog, policy);
    if (!planned) {
      for (Error& error : planner::placed_in_step(recipe, i, std::move(planned).error()))
        errors.push_back(std::move(error));
      continue;
    }
    steps.push(planned->binding);
    plan.contracts.try_emplace(contract.id, contract);
    plan.steps.push_back(*std::move(planned));
  }
  NOEMA_CHECK(planner::verdict(std::move(errors)));
  plan.document = planner::plan_document(recipe, policy, plan.contracts, std::move(steps));
  plan.sha256 = plan.document.at("sha256").string();
  plan.recipe = recipe;
  NOEMA_TRY(plan.seeds, seed_policy(recipe.effective));
  return plan;
}

}  // namespace noema
