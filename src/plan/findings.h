// Errors of the planner: where they stand in the recipe's document, and in which order they are told.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "noema/error.h"
#include "noema/recipe.h"

namespace noema::planner {

/// Path of a step in the document: `steps.<id>`, or `steps[<index>]` when its author gave it no id.
std::string step_path(const Recipe& recipe, std::size_t index);
/// An error at `path` of the recipe's document.
Error error_at(const Recipe& recipe, const std::string& path, Code code, std::string message, std::string hint = {});
/// Moves an error whose path is relative to a step (`params.factor`, or empty for the step itself), and all that came
/// with it, to its place in the document.
std::vector<Error> placed_in_step(const Recipe& recipe, std::size_t index, Error error);
/// So many errors that checking stops before step `index`; then says so in one more.
bool is_enough(const Recipe& recipe, std::size_t index, std::vector<Error>& errors);
/// Nothing, or all errors as one, in the order in which their places stand in the document.
Result<void> verdict(std::vector<Error> errors);
/// `a`, `b` and `c`, for messages.
std::string listed(const std::vector<std::string>& names, std::string_view last = "and");

}  // namespace noema::planner
