// A sweep as text for people and as CSV for programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweep/columns.h"

namespace noema {

/// Aligned columns: the dimensions, then each column as `value [low, high]`.
std::string sweep_table(const Matrix& matrix, const std::vector<Column>& columns, const std::vector<SweepRow>& rows);
/// One line a point: index, variant and run id, status, each dimension, then <id>, <id>_low, <id>_high of each column
/// (the last two only where the column has intervals). Numbers in round-trip form; RFC 4180 quoting.
std::string sweep_csv(const Matrix& matrix, const std::vector<Column>& columns, const std::vector<SweepRow>& rows);
/// A value of a dimension as people write it.
std::string plain_text(const Value& value);

}  // namespace noema
