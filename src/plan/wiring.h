// The edges of a recipe: does each input get an output that exists, of a kind and with the metadata that it takes?
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/recipe.h"

namespace noema::planner {

/// What the wiring checks look at. `contracts` runs beside the recipe's steps; null where the operation is unknown.
struct Wiring {
  const Recipe& recipe;
  const Catalog& catalog;
  const std::vector<const Contract*>& contracts;
};

/// Checks the inputs of one step; its contract must be known. Errors are appended with their places.
void check_inputs(const Wiring& wiring, std::size_t step, std::vector<Error>& errors);

}  // namespace noema::planner
