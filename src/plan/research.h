// What a recipe studies: its dataset, task, metrics and benchmark, declared by the author or inferred from the steps,
// and checked against the research catalogue (core 8.3).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/recipe.h"
#include "noema/value.h"

namespace noema {

struct ResearchFinding {
  enum class Level { error, warning, information };
  Level level = Level::error;
  Code code;  ///< of an error
  std::string message;
  std::string path;  ///< in the recipe's document
};

struct Research {
  Value document;  ///< {schema_version, source, dataset?, task?, metrics?, benchmark?, catalog_validation}
  std::vector<ResearchFinding> findings;
};

/// The catalogue: research_areas, datasets, tasks, metrics, and which operations tell which task.
const Value& research_catalog();
/// With `contracts`, metrics are also compared with those that the recipe's operations emit.
Research inspect_research(const Recipe& recipe, const Catalog* contracts = nullptr);
/// The manifest's `recipe.research` object.
Value infer_research(const Recipe& recipe, const Catalog* contracts = nullptr);
/// What blocks planning, at its places. Only what an author declared can contradict anything.
std::vector<Error> research_errors(const Recipe& recipe);

}  // namespace noema
