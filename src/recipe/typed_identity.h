// Typed identity of values: what tells two values of a matrix dimension apart.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/value.h"

namespace noema {

/// ["integer","1"], ["float","1.0"], ["boolean",true], ["string","1"]: four values, in nested ones too.
Value typed_identity(const Value& value);

}  // namespace noema
