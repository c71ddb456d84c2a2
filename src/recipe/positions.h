// Where the nodes of a document stand: byte offsets gathered while reading, lines and columns when all are known.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "core/json.h"
#include "noema/recipe.h"

namespace noema {

/// Lines and columns of all offsets in one sweep of the text, and for each element of `steps` that has an id of its own
/// a second path with the id in place of the index.
std::map<std::string, Position, std::less<>> positions_of(std::string_view text, const JsonPositions& offsets,
                                                          const Value& root);

/// The offset of the first byte that is not UTF-8; npos when there is none.
std::size_t first_bad_utf8(std::string_view text);

}  // namespace noema
