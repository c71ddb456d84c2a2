// Recipe test files: a recipe, and what planning and running it gives (see recipes/README.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace noema::conformance {

/// One part of a case: `---- name argument`, and the lines below it.
struct Section {
  std::string name;
  std::string argument;
  std::vector<std::string> lines;
};

struct RecipeCase {
  std::string file;  ///< name of the .test file without folder and suffix
  std::string name;
  std::vector<Section> sections;
  const Section* find(const std::string& section) const;
};

/// For GoogleTest, which would print bytes.
inline void PrintTo(const RecipeCase& one, std::ostream* out) { *out << one.file << ": " << one.name; }

/// The cases of one file, in order. Throws std::runtime_error for a file that breaks the format.
std::vector<RecipeCase> read_recipe_cases(const std::string& path);
/// All files of conformance/recipes, in order of their names.
std::vector<RecipeCase> all_recipe_cases();

/// What the sections of a case say now: the same sections with the lines that the program gives. Sections that describe
/// the input come back unchanged. `skipped` says why the case can't run here, when it can't.
struct RecipeReport {
  std::vector<Section> sections;
  std::string skipped;
};
RecipeReport report_of(const RecipeCase& one);

}  // namespace noema::conformance
