// The `execution_profile` of a recipe: {id, version, based_on?}. Which profiles there are is the planner's to know.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recipe/findings.h"

namespace noema {

/// The declaration in its typed form; `custom` in version 1 when the recipe has none.
Value read_profile_reference(const Value& raw_recipe, Findings& findings);

}  // namespace noema
