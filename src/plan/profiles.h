// Execution profiles: named shapes that a recipe can promise to have, such as a layered digital link (core 8.4).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "noema/error.h"
#include "noema/recipe.h"
#include "noema/value.h"

namespace noema {

/// One way in which a recipe differs from its profile.
struct ProfileIssue {
  Code code;  ///< `profile.<issue code>`
  std::string message;
  std::string hint;
  std::string step;                ///< id of the step concerned; empty when there is none
  std::string path;                ///< in the recipe's document
  std::string issue_code() const;  ///< without `profile.`, as reports show it
};

struct ProfileInspection {
  Value reference;                         ///< the declaration: {id, version, based_on?}
  std::string status;                      ///< custom, conformant or invalid
  Value profile;                           ///< the catalogue's entry; null when unknown
  Value stage_bindings = Value::object();  ///< role -> step id
  std::vector<ProfileIssue> issues;
  Value document() const;
};

/// The catalogue: {schema_version, profiles: [...]}.
const Value& profile_catalog();
ProfileInspection inspect_profile(const Recipe& recipe);
/// The issues as errors at their places.
std::vector<Error> profile_errors(const Recipe& recipe);

}  // namespace noema
