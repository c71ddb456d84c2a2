// What a stored plan must agree with: its own digests, the contracts it carries, and the recipe it was made for
// (the planner's part of core 7.2). Nothing here plans again or asks which operations this program has.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "noema/value.h"

namespace noema {

/// One check of a stored plan, under the id that verification reports it by.
struct PlanCheck {
  std::string id;  ///< such as `execution_plan.sha256`
  bool passed = false;
  std::string message;
  Value details;  ///< null when there are none
};

/// Checks an execution-plan.json by itself. Ends early where the document's shape leaves nothing to check.
std::vector<PlanCheck> check_plan_document(const Value& document);
/// Checks that a plan belongs to an effective recipe (the content of recipe.json).
std::vector<PlanCheck> check_plan_recipe(const Value& document, const Value& recipe);
/// Checks one step binding, for the copies that manifest and summary keep. `scope` opens the ids: `manifest_runtime`
/// gives `execution_plan.manifest_runtime_step_binding_sha256`. `contracts` is the plan's `operations` object.
std::vector<PlanCheck> check_step_binding(const Value& binding, const Value& contracts, const std::string& scope);

}  // namespace noema
