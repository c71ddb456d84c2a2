// Which runners could take an operation, a step or a whole recipe (core 2.6): for lint, graphs and listings. Nothing is
// chosen here; the planner alone chooses.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/contract.h"
#include "noema/recipe.h"
#include "noema/value.h"

namespace noema {

/// runner -> {runner, label, path, applicable, status, supported, reason, materializations,
/// implemented_materializations}.
Value operation_runner_support(const Contract& contract);
/// The same for one step: rows that its parameters rule out do not count, and each runner's object gains
/// `selected_materializations` and `selected_params`.
Value step_runner_support(const Contract& contract, const RecipeStep& step);
/// runner -> {applicable, status, supported, relevant_steps, unsupported_steps, not_applicable_steps, and their
/// counts}. Steps of unknown operations count as unsupported.
Value recipe_runner_support(const Recipe& recipe, const Catalog& catalog);

}  // namespace noema
