// Writing JSON: the canonical form that digests cover, the pretty form of files on disk, the spaced form inside NPZ
// members; and reading strict JSON without positions (documents with positions: recipe/).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "noema/error.h"
#include "noema/value.h"

namespace noema {

/// Finds what JSON can't carry: a NaN or infinite number, or text that is not UTF-8. `at.path` names the place.
Result<void> check_json(const Value& value);

/// Keys sorted by UTF-8 bytes, no spaces, raw UTF-8, shortest round-trip doubles that always show they are doubles
/// (`1.0`, `1e-05`). Asserts what check_json checks.
std::string canonical_json(const Value& value);
/// Two-space indent, sorted keys, non-ASCII as \uXXXX, final newline.
std::string pretty_json(const Value& value);
/// One line with `, ` and `: `, keys sorted, non-ASCII as \uXXXX.
std::string spaced_json(const Value& value);
/// The text of a double in all three forms.
std::string number_text(double value);

/// Limits that every reader of ours keeps.
struct JsonLimits {
  std::size_t bytes = std::size_t{16} << 20;
  std::size_t depth = 256;
  std::size_t nodes = 1'000'000;
};

/// Strict JSON: one value, no duplicate keys, no NaN, no overflow to infinity, valid UTF-8. Errors carry line, column
/// and source line in `at`, with `name` as the file.
/// `positions`, if given, receives the byte offsets of each node's and its key's first character by the node's path:
/// `steps[2].params.snr_db`. Beyond 100,000 nodes, and for paths beyond 512 bytes, nothing is kept.
struct JsonOffset {
  std::size_t node = 0;
  std::size_t key = 0;  ///< equal to `node` where there is no key
};
using JsonPositions = std::map<std::string, JsonOffset, std::less<>>;
constexpr std::size_t most_positions = 100'000;
constexpr std::size_t longest_position_path = 512;
Result<Value> parse_json(std::string_view text, std::string_view name = "<memory>", const JsonLimits& limits = {},
                         JsonPositions* positions = nullptr);
/// File, line, column and source line of a byte offset.
Place place_in_text(std::string_view text, std::string_view name, std::size_t offset);

}  // namespace noema
