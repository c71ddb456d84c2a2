// Plans: a recipe bound, step by step, to the rows that will run it. The same recipe, contracts and policy give the
// same bytes on every machine: planning touches no disk, clock, CPU flag or installed package.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/recipe.h"
#include "noema/value.h"

namespace noema {

/// What the caller of the planner demands; part of the plan where it changes a choice.
struct Policy {
  std::string runner = "benchmark_run";
  std::string backend;                                 ///< strict, for every step; empty when not demanded
  std::map<std::string, std::string> implementations;  ///< operation -> implementation
  bool native = false;  ///< map authored `sionna` and `python_numpy` to `cpp` where a cpp row exists
  bool enforce_execution_profile = true;
};

/// One planned step.
struct PlannedStep {
  std::string id;
  std::string operation;
  std::string backend;
  std::string implementation;
  Value params;  ///< effective parameters with injected overrides laid over them
  std::vector<RecipeStep::Input> inputs;
  Value binding;  ///< the step object of the plan document, with `binding_sha256`
};

struct Plan {
  Value document;      ///< execution-plan.json
  std::string sha256;  ///< of the document
  Recipe recipe;       ///< what was planned
  SeedPolicy seeds;
  std::vector<PlannedStep> steps;                          ///< in recipe order
  std::map<std::string, Contract, std::less<>> contracts;  ///< those used
};

/// Checks a compiled recipe against the contracts without choosing rows (core 3.2). All independent errors are found.
Result<void> validate(const Recipe& recipe, const Catalog& catalog, bool enforce_execution_profile = true);

/// Plans a valid recipe. Names in the policy may be aliases (`native`, `ort`, `dataset-capture`).
Result<Plan> plan(const Recipe& recipe, const Catalog& catalog, const Policy& policy = {});

/// The plan that a document states, without planning again: its digests must hold, it must have been made for this
/// recipe, and the contracts it carries must mean what the catalog's mean. It keeps the digest it was saved with.
Result<Plan> load_plan(const Value& document, const Recipe& recipe, const Catalog& catalog);

}  // namespace noema
