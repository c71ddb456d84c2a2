// What stands between the quotes of a YAML scalar: escapes, and lines folded into one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace noema {

struct QuotedReading {
  std::string text;
  std::size_t problem_at = 0;  ///< offset of what is wrong, from the opening quote
  std::string problem;         ///< empty when the scalar is well-formed
  std::string hint;
};

/// Reads the quoted scalar at the start of `node`; line ends are LF. yaml-cpp does this too, but turns the escapes \N
/// and
/// \_ into bytes that are not UTF-8, folds some empty lines wrongly and takes the end of the text for a closing quote.
QuotedReading read_quoted(std::string_view node);

}  // namespace noema
