// Static checks of a recipe against the contracts (core 3.2), all of them in one pass.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "core/json.h"
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

/// The steps of a recipe that compiling refused, as far as they can be read, so that what is wrong with them is told in
/// the same pass. What compiling reported itself is left blank: an empty operation, null parameters, a nameless
/// producer.
std::vector<RecipeStep> readable_steps(const Value& raw, const Catalog& catalog) {
  std::vector<RecipeStep> steps;
  const Value* list = raw.find("steps");
  if (list == nullptr || !list->is_array()) return steps;
  const auto text = [](const Value* member) {
    return member != nullptr && member->is_string() ? member->string() : std::string{};
  };
  for (const Value& authored : list->items()) {
    RecipeStep& step = steps.emplace_back();
    step.id = text(authored.find("id"));
    if (step.id.empty()) step.id = "step_" + std::to_string(steps.size());
    step.operation = text(authored.find("op"));
    const Value* params = authored.find("params");
    const bool none = params == nullptr || params->is_null();
    if (none || params->is_object()) {
      step.params = none ? Value::object() : *params;
      if (const Contract* contract = catalog.find(step.operation)) step.params = with_defaults(*contract, step.params);
    }
    if (const Value* materialization = authored.find("materialization")) step.materialization = *materialization;
    const Value* inputs = authored.find("inputs");
    if (inputs == nullptr || !inputs->is_object()) continue;
    for (const auto& [name, reference] : inputs->members()) {
      std::vector<std::string> parts = split(text(&reference), '.');
      if (parts.size() != 2) parts = {"", ""};
      step.inputs.push_back({name, std::move(parts[0]), std::move(parts[1])});
    }
  }
  return steps;
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

/// Schema first; rules between parameters only where each of them is sound.
Result<void> checked_parameters(const Contract& contract, const RecipeStep& step) {
  if (!step.params.is_object()) return {};  // compiling has said so
  NOEMA_CHECK(check_parameters(contract, step.params));
  std::vector<std::string> connected;
  for (const RecipeStep::Input& input : step.inputs) connected.push_back(input.name);
  return preflight(contract, step.params, connected);
}

void check_step(const planner::Wiring& wiring, std::size_t index, std::vector<Error>& errors) {
  const Recipe& recipe = wiring.recipe;
  const RecipeStep& step = recipe.steps[index];
  const auto add = [&](Error error) {
    for (Error& one : planner::placed_in_step(recipe, index, std::move(error))) errors.push_back(std::move(one));
  };
  const Contract* contract = wiring.contracts[index];
  if (contract == nullptr) {
    if (!recipe.valid()) return;  // compiling has said so
    Error error = wiring.catalog.get(step.operation).error();
    error.at.path = "op";
    add(std::move(error));
    return;
  }
  if (!contract->implemented()) add(planned_operation(wiring.catalog, *contract));
  if (Result<void> checked = checked_parameters(*contract, step); !checked) add(std::move(checked).error());
  if (Result<planner::StepDemand> demand = planner::step_demand(step.materialization); !demand)
    add(std::move(demand).error());
  planner::check_inputs(wiring, index, errors);
}

void check_metadata(const Recipe& recipe, std::vector<Error>& errors) {
  for (Error& error : research_errors(recipe)) errors.push_back(std::move(error));
  Result<SeedPolicy> seeds = seed_policy(recipe.effective);
  if (seeds) return;
  Error error = std::move(seeds).error();
  const std::string path = error.at.path.empty() ? "metadata" : error.at.path;
  errors.push_back(planner::error_at(recipe, path, error.code, std::move(error.message), std::move(error.hint)));
}

/// Everything but the execution profile.
std::vector<Error> findings(const Recipe& recipe, const Catalog& catalog) {
  std::vector<Error> errors;
  check_metadata(recipe, errors);
  const planner::Wiring wiring(recipe, catalog);
  for (std::size_t i = 0; i < recipe.steps.size(); ++i) {
    if (planner::is_enough(recipe, i, errors)) break;
    check_step(wiring, i, errors);
  }
  return errors;
}

}  // namespace

Result<void> validate(const Recipe& recipe, const Catalog& catalog, bool enforce_execution_profile) {
  if (recipe.valid()) {
    std::vector<Error> errors = findings(recipe, catalog);
    if (enforce_execution_profile) {
      for (Error& error : profile_errors(recipe)) errors.push_back(std::move(error));
    }
    return planner::verdict(std::move(errors));
  }
  std::vector<Error> errors = flattened(require_valid(recipe).error());
  if (recipe.raw.is_object() && check_json(recipe.raw)) {
    Recipe readable = recipe;
    readable.effective = recipe.raw;
    readable.steps = readable_steps(recipe.raw, catalog);
    for (Error& error : findings(readable, catalog)) errors.push_back(std::move(error));
  }
  return planner::verdict(std::move(errors));
}

}  // namespace noema
