// Which code points make words and what their lower case is: tables made from the Unicode character database.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace noema::media {

/// Version of the database behind the tables.
extern const std::string_view unicode_version;

/// Both ends belong to it.
struct CodePointRange {
  std::uint32_t first;
  std::uint32_t last;
};

/// Every `step`-th code point from `first` to `last` has its lower case `delta` further on.
struct LowerRun {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t step;
  std::int32_t delta;
};

inline constexpr std::size_t word_range_count = 734;
inline constexpr std::size_t lower_run_count = 182;
extern const std::array<CodePointRange, word_range_count> word_ranges;  ///< ascending
extern const std::array<LowerRun, lower_run_count> lower_runs;          ///< ascending

/// Letters, digits, code points with a numeric value, and the underscore.
bool is_word_code_point(std::uint32_t point);
/// The simple lower case: one code point for one. (The full mapping differs for U+0130 and for a sigma that ends a
/// word.)
std::uint32_t lower_code_point(std::uint32_t point);

}  // namespace noema::media
