// noema recipe run-matrix: every point of a matrix, then table, CSV, figure and pictures of the sweep.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/context.h"
#include "cli/run_flags.h"
#include "noema/recipe.h"

namespace noema::cli {

/// Runs the sweep and prints its table; gives the exit status. An Error means that no point was run.
Result<int> run_sweep(Context& context, const Recipe& recipe, const RunFlags& flags);

}  // namespace noema::cli
