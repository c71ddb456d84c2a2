// Compiled recipes: places in the authored text, and findings as errors.
// SPDX-License-Identifier: Apache-2.0
#include "noema/recipe.h"

#include <algorithm>
#include <array>

#include "core/report.h"
#include "recipe/codes.h"

namespace noema {
namespace {

constexpr std::string_view prefix = "recipe.";
constexpr std::array codes{code::recipe_unknown_field,    code::recipe_unknown_step_field,
                           code::recipe_implicit_step_id, code::recipe_top_level,
                           code::recipe_json_value,       code::recipe_structure,
                           code::recipe_operation,        code::recipe_schema,
                           code::recipe_legacy_sweep,     code::recipe_legacy_sweep_ignored,
                           code::recipe_ofdm_link,        code::recipe_yaml_base_60,
                           code::recipe_yaml_octal,       code::recipe_yaml_number_as_text};

Code code_of(std::string_view diagnostic) {
  const auto found =
      std::ranges::find(codes, diagnostic, [](const Code& code) { return code.text.substr(prefix.size()); });
  return found == codes.end() ? code::recipe_structure : *found;
}

}  // namespace

bool Recipe::valid() const {
  return std::ranges::none_of(diagnostics,
                              [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::error; });
}

Place Recipe::place(std::string_view path) const {
  if (path.starts_with("$")) path.remove_prefix(1);
  if (path.starts_with(".")) path.remove_prefix(1);
  std::string shown_path(path);
  std::string known_path(path);
  constexpr std::string_view by_id = "steps.";
  for (std::size_t i = 0, longest = 0; i < steps.size(); ++i) {
    const std::string index = "steps[" + std::to_string(i) + "]";
    const std::string& id = steps[i].id;
    if (path.starts_with(index)) {
      shown_path = std::string(by_id) + id + shown_path.substr(index.size());
      break;
    }
    // Ids may hold dots, so one may be the beginning of another: the longest that fits is meant.
    if (!path.starts_with(by_id) || !path.substr(by_id.size()).starts_with(id) || id.size() < longest) continue;
    const std::string_view rest = path.substr(by_id.size() + id.size());
    if (!rest.empty() && rest[0] != '.' && rest[0] != '[') continue;
    longest = id.size();
    known_path = index + std::string(rest);
  }
  Place place;
  if (document != nullptr) place = document->place(known_path);
  place.path = shown_path;
  return place;
}

Result<Recipe> require_valid(Recipe recipe) {
  std::vector<Error> errors;
  for (Diagnostic& one : recipe.diagnostics) {
    if (one.severity != Diagnostic::Severity::error) continue;
    errors.push_back({code_of(one.code), one.at, one.message, one.hint, {}});
  }
  if (errors.empty()) return recipe;
  return combined(std::move(errors));
}

}  // namespace noema
