// The edges of a recipe: does each input get an output that exists, of a kind and with the metadata that it takes?
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/recipe.h"

namespace noema::planner {

/// What the wiring checks look at.
struct Wiring {
  Wiring(const Recipe& planned, const Catalog& known);
  const Recipe& recipe;
  const Catalog& catalog;
  std::vector<const Contract*> contracts;  ///< beside the recipe's steps; null where the operation is unknown
  std::unordered_map<std::string_view, std::size_t> index;  ///< of the first step of each id
};

/// Checks the inputs of one step; its contract must be known. Errors are appended with their places.
void check_inputs(const Wiring& wiring, std::size_t step, std::vector<Error>& errors);

}  // namespace noema::planner
