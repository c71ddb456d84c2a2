// Static checks of a recipe against the contracts (core 3.2), all of them in one pass.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "core/report.h"
#include "core/text.h"
#include "noema/plan.h"
#include "plan/codes.h"
#include "plan/findings.h"
#include "plan/profiles.h"
#include "plan/research.h"
#include "plan/rows.h"
#include "plan/wiring.h"

namespace noema {
namespace {

/// Did compiling already say that this step's operation is unknown?
bool reported_unknown(const Recipe& recipe, std::size_t step) {
  const std::string prefix = "$.steps[" + std::to_string(step) + "]";
  return std::ranges::any_of(recipe.diagnostics, [&](const Diagnostic& diagnostic) {
    return diagnostic.code == "operation_defaults_unavailable" && diagnostic.path.starts_with(prefix);
  });
}

/// Implemented operations that give the same kinds as a planned one, those of its own family first.
std::vector<std::string> stand_ins(const Catalog& catalog, const Contract& planned) {
  const std::string family = planned.id.substr(0, planned.id.find('.') + 1);
  std::vector<std::string> near;
  std::vector<std::string> far;
  for (const std::string& id : catalog.ids()) {
    const Contract* other = catalog.find(id);
    if (other == nullptr || !other->implemented()) continue;
    const bool gives_all = std::ranges::all_of(planned.outputs, [&](const OutputPort& output) {
      return std::ranges::any_of(other->outputs, [&](const OutputPort& have) { return have.kind == output.kind; });
    });
    if (!gives_all || other->inputs.empty() != planned.inputs.empty()) continue;
    (id.starts_with(family) ? near : far).push_back(id);
  }
  near.insert(near.end(), far.begin(), far.end());
  if (near.size() > 4) near.resize(4);
  return near;
}

Error planned_operation(const Catalog& catalog, const Contract& contract) {
  const std::vector<std::string> near = stand_ins(catalog, contract);
  Error error{code::operation_planned, {}, contract.id + " is declared, but this version has no kernel for it", {}, {}};
  error.at.path = "op";
  error.hint = near.empty() ? "`noema ops list` shows which operations have one"
                            : "operations with a kernel that give the same: " + planner::listed(near);
  return error;
}

void check_step(const planner::Wiring& wiring, std::size_t index, std::vector<Error>& errors) {
  const Recipe& recipe = wiring.recipe;
  const RecipeStep& step = recipe.steps[index];
  const auto add = [&](Error error) {
    for (Error& one : planner::placed_in_step(recipe, index, std::move(error))) errors.push_back(std::move(one));
  };
  const Contract* contract = wiring.contracts[index];
  if (contract == nullptr) {
    if (reported_unknown(recipe, index)) return;
    Error error = wiring.catalog.get(step.operation).error();
    error.at.path = "op";
    add(std::move(error));
    return;
  }
  if (!contract->implemented()) add(planned_operation(wiring.catalog, *contract));
  if (Result<void> checked = check_parameters(*contract, step.params); !checked) {
    add(std::move(checked).error());
  } else {
    std::vector<std::string> connected;
    for (const RecipeStep::Input& input : step.inputs) connected.push_back(input.name);
    if (Result<void> passed = preflight(*contract, step.params, connected); !passed) add(std::move(passed).error());
  }
  if (Result<planner::StepDemand> demand = planner::step_demand(step.materialization); !demand) add(std::move(demand).error());
  planner::check_inputs(wiring, index, errors);
}

}  // namespace

Result<void> validate(const Recipe& recipe, const Catalog& catalog, bool enforce_execution_profile) {
  std::vector<Error> errors;
  if (!recipe.valid()) errors = flattened(require_valid(recipe).error());
  if (recipe.effective.is_object()) {
    for (Error& error : research_errors(recipe)) errors.push_back(std::move(error));
    if (Result<SeedPolicy> seeds = seed_policy(recipe.effective); !seeds) {
      Error error = std::move(seeds).error();
      errors.push_back(planner::error_at(recipe, error.at.path.empty() ? "metadata" : error.at.path, error.code,
                                std::move(error.message), std::move(error.hint)));
    }
  }
  std::vector<const Contract*> contracts;
  for (const RecipeStep& step : recipe.steps) contracts.push_back(catalog.find(step.operation));
  const planner::Wiring wiring{recipe, catalog, contracts};
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) check_step(wiring, i, errors);
  if (enforce_execution_profile && recipe.effective.is_object()) {
    for (Error& error : profile_errors(recipe)) errors.push_back(std::move(error));
  }
  return planner::verdict(std::move(errors));
}

}  // namespace noema
