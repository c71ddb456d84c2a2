// What Python makes of text where the reference's rules lean on it: stripping, and whole numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "noema/value.h"

namespace noema {

/// `str.strip()`: white space as Unicode has it.
std::string_view python_stripped(std::string_view text);

/// The decimal text of what `int()` makes of an integer, of text like ` 1_000 `, or of a double without fraction; empty
/// for everything else. (Python also truncates fractions and takes booleans for numbers; both hide a mistake.)
std::optional<std::string> python_integer(const Value& value);

}  // namespace noema
