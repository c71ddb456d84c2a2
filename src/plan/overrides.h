// What the planner writes over a step's parameters so that they activate the chosen row: the row's bindings, and the
// concrete values of selectors (core 3.5, 3.6).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/plan.h"
#include "noema/value.h"
#include "plan/rows.h"

namespace noema::planner {

struct Overrides {
  Value injected = Value::object();  ///< parameter -> value
  Value params;                      ///< the effective parameters with `injected` laid over them
  Value selector;                    ///< {name, value, effective_value, target_backend} of the primary one; else null
  Value subordinate = Value::object();  ///< parameter -> evidence
};

/// Errors stand at a path of the step.
Result<Overrides> overrides_for(const Contract& contract, const Value& params, const Choice& choice,
                                const Policy& policy);

}  // namespace noema::planner
