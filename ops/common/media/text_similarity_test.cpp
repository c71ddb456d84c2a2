// Words, lower case, edit distance and scores against Python.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/text_similarity.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

#include "core/text.h"
#include "ops/common/media/test_pictures.h"
#include "ops/common/media/unicode_tables.h"

namespace noema::media {
namespace {

struct Vector {
  std::string candidate, reference;
  std::uint64_t distance;
  double edit, f1, bleu;
};

// From Python 3.11: re.findall(r"\w+"), str.lower, collections.Counter, and a plain distance table.
const Vector vectors[] = {
    {"kitten", "sitting", 3, 0.5714285714285714, 0, 0},
    {"", "", 0, 1, 1, 1},
    {"", "abc", 3, 0, 0, 0},
    {"abc", "", 3, 0, 0, 0},
    {"The cat sat.", "the CAT sat", 5, 0.58333333333333326, 1, 1},
    {"Stra\u00dfe \u00c4rger", "stra\u00dfe \u00e4rger", 2, 0.83333333333333337, 1, 1},
    {"a a a b", "a b b c", 3, 0.5714285714285714, 0.5, 0.5},
    {"na\u00efve caf\u00e9 \u6f22\u5b57 42", "naive cafe \u6f22\u5b57 42", 2, 0.875, 0.5, 0.5},
    {"one two three", "one two three four five", 10, 0.56521739130434789, 0.74999999999999989, 0.51341711903259202},
    {"\u0414\u043e\u0431\u0440\u044b\u0439 \u0414\u0415\u041d\u042c",
     "\u0434\u043e\u0431\u0440\u044b\u0439 \u0434\u0435\u043d\u044c", 5, 0.54545454545454541, 1, 1},
    {"x_1-y\u0663", "X_1 Y\u0663", 3, 0.5, 1, 1},
    {"!!!", "???", 3, 0, 1, 1},
};

TEST(TextSimilarity, MatchesPython) {
  for (const Vector& v : vectors) {
    const auto candidate = word_tokens(v.candidate), reference = word_tokens(v.reference);
    EXPECT_EQ(edit_distance(v.candidate, v.reference), v.distance) << v.candidate;
    EXPECT_DOUBLE_EQ(edit_similarity(v.candidate, v.reference), v.edit) << v.candidate;
    EXPECT_DOUBLE_EQ(token_f1(candidate, reference), v.f1) << v.candidate;
    EXPECT_DOUBLE_EQ(unigram_bleu(candidate, reference), v.bleu) << v.candidate;
  }
}

// CRC-32 over one byte, and over four little-endian bytes, for every code point: the same sums from Python 3.11's
// str.isalnum, re and str.lower (U+0130 set to its simple mapping there).
TEST(UnicodeTables, MatchPythonOnEveryCodePoint) {
  ASSERT_EQ(unicode_version, "14.0.0");
  std::string words, lower;
  for (std::uint32_t point = 0; point <= 0x10FFFF; ++point) {
    words += static_cast<char>(is_word_code_point(point) ? 1 : 0);
    const std::uint32_t to = lower_code_point(point);
    for (unsigned shift = 0; shift < 32; shift += 8)
      lower += static_cast<char>(static_cast<unsigned char>(to >> shift));
  }
  const auto sum = [](const std::string& text) {
    return crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  };
  EXPECT_EQ(sum(words), 0xe7789185u);
  EXPECT_EQ(sum(lower), 0x51648037u);
}

std::uint64_t plain_distance(const std::string& a, const std::string& b) {
  std::vector<std::uint64_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::uint64_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint64_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

TEST(EditDistance, EqualsThePlainTableAcrossBlockBorders) {
  TestRandom random(3);
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t letters = 1 + random.below(5);
    const auto draw = [&] {
      std::string text(random.below(i % 10 == 0 ? 300 : 70), 'a');
      for (char& c : text) c = static_cast<char>('a' + random.below(letters));
      return text;
    };
    const std::string a = draw(), b = draw();
    ASSERT_EQ(edit_distance(a, b), plain_distance(a, b)) << a << ' ' << b;
  }
  for (const std::size_t length : {63u, 64u, 65u, 127u, 128u, 129u}) {
    const std::string a(length, 'a'), b(length + 1, 'b');
    EXPECT_EQ(edit_distance(a, b), length + 1);
  }
}

TEST(WordTokens, EndAtWhatIsNoWord) {
  EXPECT_EQ(word_tokens("Don't stop_2 \u00bd!"), (std::vector<std::string>{"don", "t", "stop_2", "\u00bd"}));
  EXPECT_TRUE(word_tokens("... --").empty());
}

}  // namespace
}  // namespace noema::media
