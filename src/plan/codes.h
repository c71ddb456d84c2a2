// The codes of the planner's refusals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/error.h"

namespace noema::code {

// Wiring: what core 3.2 checks at the inputs of a step.
inline constexpr Code plan_input_missing{"plan.input_missing"};    ///< a required input is not connected
inline constexpr Code plan_input_unknown{"plan.input_unknown"};    ///< the operation has no such input
inline constexpr Code plan_output_unknown{"plan.output_unknown"};  ///< the producer has no such output
inline constexpr Code plan_kind_mismatch{"plan.kind_mismatch"};    ///< the input does not accept the output's kind
inline constexpr Code plan_metadata_unmet{"plan.metadata_unmet"};  ///< the producer does not promise required metadata

inline constexpr Code plan_unchecked{"plan.unchecked"};  ///< checking stopped after too many errors

// The caller's policy.
inline constexpr Code plan_runner_unknown{"plan.runner_unknown"};                ///< no runner of this name
inline constexpr Code plan_backend_unknown{"plan.backend_unknown"};              ///< no backend of this name
inline constexpr Code plan_implementation_unused{"plan.implementation_unused"};  ///< demanded for an absent operation

// Choosing a row.
inline constexpr Code plan_runner_undeclared{"plan.runner_undeclared"};    ///< the operation has no row for the runner
inline constexpr Code plan_backend_undeclared{"plan.backend_undeclared"};  ///< no row on the backend that was asked for
inline constexpr Code plan_implementation_undeclared{"plan.implementation_undeclared"};  ///< no row of that name
inline constexpr Code plan_bindings_unmatched{"plan.bindings_unmatched"};  ///< no row is bound to these parameters
inline constexpr Code plan_row_planned{"plan.row_planned"};                ///< the row that fits has no kernel yet
inline constexpr Code plan_row_unnamed{"plan.row_unnamed"};                ///< what is left wants to be chosen by name
inline constexpr Code plan_row_ambiguous{"plan.row_ambiguous"};  ///< several rows that only a name can tell apart
inline constexpr Code plan_materialization_invalid{"plan.materialization_invalid"};  ///< a step's field is malformed
inline constexpr Code plan_selector_value{"plan.selector_value"};        ///< a selector's value names no backend
inline constexpr Code plan_override_conflict{"plan.override_conflict"};  ///< two injected values for one parameter

// A stored plan.
inline constexpr Code plan_document_invalid{"plan.document_invalid"};  ///< contradicts itself or its own digests
inline constexpr Code plan_contract_drift{"plan.contract_drift"};      ///< made with other contracts than those here

// Research metadata (core 8.3).
inline constexpr Code research_invalid{"research.invalid"};                    ///< a specification is malformed
inline constexpr Code research_task_conflict{"research.task_conflict"};        ///< two statements of the task disagree
inline constexpr Code research_catalog_conflict{"research.catalog_conflict"};  ///< contradicts the research catalogue

// Execution profiles (core 8.4).
inline constexpr Code profile_unknown{"profile.execution_profile_unknown"};
inline constexpr Code profile_step_missing{"profile.required_step_missing"};
inline constexpr Code profile_stage_ambiguous{"profile.execution_profile_stage_ambiguous"};
inline constexpr Code profile_step_op_invalid{"profile.required_step_op_invalid"};
inline constexpr Code profile_step_param_invalid{"profile.required_step_param_invalid"};
inline constexpr Code profile_stage_order_invalid{"profile.execution_profile_stage_order_invalid"};
inline constexpr Code profile_fused_stage_exposed{"profile.execution_profile_fused_stage_exposed"};

}  // namespace noema::code
