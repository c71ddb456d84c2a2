// Choosing the row that runs a step: an explicit demand, then the step's `materialization`, then parameter bindings,
// then the primary selector, then the order in which the contract declares its rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/plan.h"
#include "noema/value.h"

namespace noema::planner {

/// A step's `materialization` field. Empty parts demand nothing.
struct StepDemand {
  std::string backend;
  std::string implementation;
  bool any() const { return !backend.empty() || !implementation.empty(); }
};
/// Reads the field (null when absent); errors stand at `materialization` of the step.
Result<StepDemand> step_demand(const Value& materialization);

/// The row that runs a step, and why.
struct Choice {
  const Row* row = nullptr;
  std::size_t candidate_index = 0;       ///< among the runner's implemented rows, in declared order
  std::string source;                    ///< `selection.source` of the plan document
  bool demanded = false;                 ///< by the caller's policy or by the step's `materialization`
  std::string requested_implementation;  ///< empty when none was named
};

/// Chooses for effective parameters and a policy whose names are normal. Errors stand at a path of the step.
Result<Choice> choose_row(const Contract& contract, const Value& params, const StepDemand& demand,
                          const Policy& policy);

/// What a parameter is worth to the planner: as given, else its default, else null.
const Value& effective_value(const Contract& contract, const Value& params, std::string_view name);
/// Does the row want no other values than these parameters have? Types count: 1 is not 1.0.
bool activated(const Contract& contract, const Row& row, const Value& params);
/// The backend that a concrete selector value asks for; with `native`, `cpp` in place of `sionna` and `numpy` when
/// `cpp_exists`. Empty when the value is automatic, absent or maps to nothing.
std::string requested_backend(const Selector& selector, const Value& value, bool native, bool cpp_exists);
/// `cpp/default, numpy/default`.
std::string row_list(const std::vector<const Row*>& rows);

}  // namespace noema::planner
