// How alike two texts are: edit distance over code points, words as multisets, and a single-reference unigram BLEU.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace noema::media {

/// Maximal runs of word code points, in lower case.
std::vector<std::string> word_tokens(std::string_view text);

/// Least number of insertions, deletions and substitutions of code points that turn one text into the other.
std::uint64_t edit_distance(std::string_view a, std::string_view b);

/// 1 - distance / longer length; 1 for two empty texts.
double edit_similarity(std::string_view a, std::string_view b);

/// Harmonic mean of precision and recall of the candidate's words; 1 when both have none, 0 when only one has.
double token_f1(const std::vector<std::string>& candidate, const std::vector<std::string>& reference);

/// Clipped unigram precision times the brevity penalty, without smoothing.
double unigram_bleu(const std::vector<std::string>& candidate, const std::vector<std::string>& reference);

}  // namespace noema::media
