// The form of a contract that digests cover, and what its semantic digest leaves out.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/value.h"

namespace noema::contract {

/// Authored (fragments expanded) -> hashed. Absent parts get their defaults; backends come from the rows.
Value hashed_form(const Value& authored);

/// The hashed form without wording (name, description, title, notes, reason), status and x-noema-ui, at every depth;
/// names of properties, defaults, choices and bindings are kept whatever they are called.
Value semantic_form(const Value& hashed);

}  // namespace noema::contract
