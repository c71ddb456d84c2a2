// Recipes from text, for the planner's tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/report.h"
#include "noema/contract.h"
#include "noema/recipe.h"

namespace noema::planner {

/// Compiles YAML text under the file name `test.yaml`.
inline Recipe recipe_of(std::string_view yaml, const Catalog& catalog, std::string_view runner = "benchmark_run") {
  Result<Document> document = parse_yaml_document({"test.yaml", std::string(yaml)});
  NOEMA_ASSERT(document.has_value(), "a test recipe must be well-formed YAML");
  return compile(*std::move(document), catalog, CompileMode::strict, runner);
}

/// `line: code` of each error, in the order in which they are told.
inline std::vector<std::string> lines_of(const Result<void>& result) {
  std::vector<std::string> lines;
  if (result) return lines;
  for (const Error& error : flattened(result.error())) {
    lines.push_back(std::to_string(error.at.line) + ": " + std::string(error.code.text));
  }
  return lines;
}

}  // namespace noema::planner
