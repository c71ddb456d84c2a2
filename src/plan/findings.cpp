// Errors of the planner (plan/findings.h).
// SPDX-License-Identifier: Apache-2.0
#include "plan/findings.h"

#include <algorithm>

#include "core/report.h"
#include "plan/codes.h"

namespace noema::planner {
namespace {

/// Is the name itself what is wrong, and not the value beside it?
bool is_about_the_key(Code code) { return code == code::parameter_unknown || code == code::plan_input_unknown; }

}  // namespace

std::string step_path(const Recipe& recipe, std::size_t index) {
  const Value* steps = recipe.raw.find("steps");
  if (steps != nullptr && steps->is_array() && index < steps->size()) {
    const Value* id = (*steps)[index].find("id");
    if (id == nullptr || !id->is_string() || id->string().empty()) return "steps[" + std::to_string(index) + "]";
  }
  return "steps." + recipe.steps[index].id;
}

Error error_at(const Recipe& recipe, const std::string& path, Code code, std::string message, std::string hint) {
  Place place =
      is_about_the_key(code) && recipe.document != nullptr ? recipe.document->key_place(path) : recipe.place(path);
  place.path = path;
  return Error{code, std::move(place), std::move(message), std::move(hint), {}};
}

std::vector<Error> placed_in_step(const Recipe& recipe, std::size_t index, Error error) {
  const std::string step = step_path(recipe, index);
  std::vector<Error> placed;
  for (Error& one : flattened(std::move(error))) {
    const std::string path = one.at.path.empty() ? step : step + "." + one.at.path;
    placed.push_back(error_at(recipe, path, one.code, std::move(one.message), std::move(one.hint)));
  }
  return placed;
}

bool is_enough(const Recipe& recipe, std::size_t index, std::vector<Error>& errors) {
  constexpr std::size_t enough = 200;
  if (errors.size() < enough) return false;
  errors.push_back(
      error_at(recipe, step_path(recipe, index), code::plan_unchecked,
               "this step and those below are unchecked, after " + std::to_string(errors.size()) + " errors",
               "mend the errors above first"));
  return true;
}

Result<void> verdict(std::vector<Error> errors) {
  if (errors.empty()) return {};
  // Positions order the errors of one text. A recipe without text keeps the order in which it was walked.
  if (std::ranges::all_of(errors, [](const Error& error) { return error.at.line > 0; })) {
    std::ranges::stable_sort(errors, [](const Error& a, const Error& b) {
      return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
    });
  }
  return combined(std::move(errors));
}

std::string listed(const std::vector<std::string>& names, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " " + std::string(last) + " " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace noema::planner
