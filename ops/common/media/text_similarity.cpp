// Text similarity (text_similarity.h). The edit distance is Myers' bit-parallel one in blocks of 64 rows (G. Myers
// 1999, H. Hyyro 2003): a word of the matrix at a time.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/text_similarity.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

#include "core/text.h"
#include "kernels/math.h"
#include "ops/common/media/unicode_tables.h"

namespace noema::media {
namespace {

std::vector<std::uint32_t> code_points(std::string_view text) {
  std::vector<std::uint32_t> points;
  points.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) points.push_back(next_code_point(text, i));
  return points;
}

using Points = std::span<const std::uint32_t>;

/// Drops what both begin and end with; it costs nothing in any best alignment.
void trim_common(Points& a, Points& b) {
  const auto ahead = std::ranges::mismatch(a, b);
  const auto prefix = static_cast<std::size_t>(ahead.in1 - a.begin());
  a = a.subspan(prefix);
  b = b.subspan(prefix);
  std::size_t suffix = 0;
  while (suffix < a.size() && suffix < b.size() && a[a.size() - 1 - suffix] == b[b.size() - 1 - suffix]) ++suffix;
  a = a.first(a.size() - suffix);
  b = b.first(b.size() - suffix);
}

/// Vertical differences of one column of the distance matrix, 64 rows a block.
struct Block {
  std::uint64_t plus = ~std::uint64_t{0};
  std::uint64_t minus = 0;

  /// Moves one column on. `equal` marks the rows whose symbol is the column's; `carry` is the horizontal difference
  /// above the block. Returns the horizontal difference at row `last`.
  int advance(std::uint64_t equal, int carry, unsigned last) {
    const std::uint64_t vertical = equal | minus;
    if (carry < 0) equal |= 1;
    const std::uint64_t horizontal = (((equal & plus) + plus) ^ plus) | equal;
    std::uint64_t up = minus | ~(horizontal | plus);
    std::uint64_t down = plus & horizontal;
    const int out = static_cast<int>((up >> last) & 1) - static_cast<int>((down >> last) & 1);
    up = (up << 1) | (carry > 0 ? 1u : 0u);
    down = (down << 1) | (carry < 0 ? 1u : 0u);
    plus = down | ~(vertical | up);
    minus = up & vertical;
    return out;
  }
};

std::uint64_t distance(Points rows, Points columns) {
  if (rows.empty() || columns.empty()) return std::max(rows.size(), columns.size());
  const std::size_t count = (rows.size() + 63) / 64;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> places;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto& bits = places[rows[i]];
    if (bits.empty()) bits.resize(count);
    bits[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  const std::vector<std::uint64_t> nowhere(count);
  std::vector<Block> blocks(count);
  const auto last = static_cast<unsigned>((rows.size() - 1) % 64);
  std::int64_t result = static_cast<std::int64_t>(rows.size());
  for (const std::uint32_t symbol : columns) {
    const auto found = places.find(symbol);
    const std::vector<std::uint64_t>& equal = found == places.end() ? nowhere : found->second;
    int carry = 1;  // the top row counts insertions
    for (std::size_t k = 0; k < count; ++k) carry = blocks[k].advance(equal[k], carry, k + 1 == count ? last : 63);
    result += carry;
  }
  return static_cast<std::uint64_t>(result);
}

/// Words that both hold, as often as both hold them.
std::uint64_t overlap(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::map<std::string_view, std::int64_t> left;
  for (const std::string& word : b) ++left[word];
  std::uint64_t shared = 0;
  for (const std::string& word : a) {
    const auto found = left.find(word);
    if (found != left.end() && found->second-- > 0) ++shared;
  }
  return shared;
}

}  // namespace

bool is_word_code_point(std::uint32_t point) {
  const auto next = std::ranges::upper_bound(word_ranges, point, {}, &CodePointRange::first);
  return next != word_ranges.begin() && point <= std::prev(next)->last;
}

std::uint32_t lower_code_point(std::uint32_t point) {
  const auto next = std::ranges::upper_bound(lower_runs, point, {}, &LowerRun::first);
  if (next == lower_runs.begin()) return point;
  const LowerRun& run = *std::prev(next);
  if (point > run.last || (point - run.first) % run.step != 0) return point;
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(point) + run.delta);
}

std::vector<std::string> word_tokens(std::string_view text) {
  std::vector<std::string> tokens;
  bool inside = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::uint32_t point = next_code_point(text, i);
    const bool word = is_word_code_point(point);
    if (word && !inside) tokens.emplace_back();
    if (word) append_utf8(tokens.back(), lower_code_point(point));
    inside = word;
  }
  return tokens;
}

std::uint64_t edit_distance(std::string_view a, std::string_view b) {
  const std::vector<std::uint32_t> left = code_points(a), right = code_points(b);
  Points rows(left), columns(right);
  trim_common(rows, columns);
  // Fewer blocks when the shorter text stands upright.
  return rows.size() <= columns.size() ? distance(rows, columns) : distance(columns, rows);
}

double edit_similarity(std::string_view a, std::string_view b) {
  const std::size_t longest = std::max(code_point_count(a), code_point_count(b));
  if (longest == 0) return 1.0;
  return 1.0 - static_cast<double>(edit_distance(a, b)) / static_cast<double>(longest);
}

double token_f1(const std::vector<std::string>& candidate, const std::vector<std::string>& reference) {
  if (candidate.empty() && reference.empty()) return 1.0;
  if (candidate.empty() || reference.empty()) return 0.0;
  const auto shared = static_cast<double>(overlap(candidate, reference));
  if (shared == 0.0) return 0.0;
  const double precision = shared / static_cast<double>(candidate.size());
  const double recall = shared / static_cast<double>(reference.size());
  return 2.0 * precision * recall / (precision + recall);
}

double unigram_bleu(const std::vector<std::string>& candidate, const std::vector<std::string>& reference) {
  if (candidate.empty()) return reference.empty() ? 1.0 : 0.0;
  const auto length = static_cast<double>(candidate.size());
  const double precision = static_cast<double>(overlap(candidate, reference)) / length;
  if (candidate.size() > reference.size()) return precision;
  return math::exp(1.0 - static_cast<double>(reference.size()) / length) * precision;
}

}  // namespace noema::media
