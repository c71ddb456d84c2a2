// The plan as a document (core 3.8): one object per step, the contracts used, and the digests over both.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/plan.h"
#include "noema/recipe.h"
#include "noema/value.h"
#include "plan/overrides.h"
#include "plan/rows.h"

namespace noema::planner {

inline constexpr const char* plan_kind = "noema.execution_plan";

/// `<operation>@<runner>/<backend>/<implementation>`.
std::string materialization_id(const std::string& operation, const std::string& runner, const std::string& backend,
                               const std::string& implementation);
/// `noema::channel::repetition_encoder`, and `.torch` behind it for any other backend than `cpp`.
std::string implementation_identity(const Contract& contract, const std::string& backend);
/// The step object with its `binding_sha256`.
Value step_binding(const std::string& step, const Contract& contract, const Choice& choice, const Overrides& overrides,
                   const KernelSource& source);
/// What the caller demanded, where it differs from the default; an empty object when it demanded nothing.
Value policy_record(const Policy& policy);
/// The whole document with its `sha256`.
Value plan_document(const Recipe& recipe, const Policy& policy,
                    const std::map<std::string, Contract, std::less<>>& contracts, Value steps);

}  // namespace noema::planner
