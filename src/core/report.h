// How an Error is shown: text with file, line and caret for people, a value for `--json`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "noema/error.h"
#include "noema/value.h"

namespace noema {

/// `file:line:column: error[code]: message`, the place, the source line with a caret, the hint; then each further
/// error.
std::string error_text(const Error& error);
/// {code, message, hint, at, path, line, column}; absent parts are null.
Value error_value(const Error& error);
/// The error and all in `also`, in order, each without its own `also`.
std::vector<Error> flattened(Error error);
/// One Error from several (at least one): the first, with the rest in `also`.
Error combined(std::vector<Error> errors);

}  // namespace noema
