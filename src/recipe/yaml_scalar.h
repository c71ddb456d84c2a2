// What a YAML scalar means under YAML 1.1's safe schema, as Python's safe loader reads it. Knows no YAML library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "noema/value.h"

namespace noema {

/// A scalar that looks like one thing and is another: worth a warning, never an error.
enum class ScalarTrap {
  none,
  base_60,         ///< `1:30` is the number 90
  octal,           ///< `017` is the number 15
  number_as_text,  ///< `1e3`, `0o17` and `08` are text
};

struct ScalarReading {
  Value value;
  bool merge = false;  ///< a plain `<<`: a merge key where a key stands, an error elsewhere
  ScalarTrap trap = ScalarTrap::none;
  std::string refusal;  ///< why the scalar can't be a JSON value; empty when it can
  std::string hint;
};

/// An unquoted scalar without a tag.
ScalarReading read_plain_scalar(std::string_view text);
/// A scalar with one of the core tags (`int` for `!!int`); refuses text that does not fit, and every other tag.
ScalarReading read_tagged_scalar(std::string_view tag, std::string_view text);

}  // namespace noema
