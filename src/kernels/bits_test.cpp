// Every scan over bits equals its definition, at all small lengths and with the odd value at every place.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/bits.h"

#include "kernels/kernel_test.h"

namespace noema::kernels {
namespace {

class FirstNotBitTest : public testing::TestWithParam<Implementation<FirstNotBit>> {};

TEST_P(FirstNotBitTest, FindsTheFirstAtEveryPlace) {
  for_each_target([&] {
    for (const std::size_t size : std::vector<std::size_t>{0, 1, 2, 15, 16, 17, 63, 64, 65, 255, 256, 257, 300, 513}) {
      std::vector<std::uint8_t> values = random_bits(size, size);
      ASSERT_EQ(GetParam().function(values), size);
      for (std::size_t at = 0; at < size; ++at) {
        const std::uint8_t kept = values[at];
        for (const std::uint8_t wrong : std::vector<std::uint8_t>{2, 3, 128, 255}) {
          values[at] = wrong;
          ASSERT_EQ(GetParam().function(values), at) << size;
        }
        values[at] = kept;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, FirstNotBitTest, testing::ValuesIn(first_not_bit_implementations),
                         implementation_name<FirstNotBit>);

TEST(FindNotBits, ReturnsTheFirstFew) {
  std::vector<std::uint8_t> values(1000, 1);
  for (const std::size_t at : {3u, 4u, 500u, 998u, 999u}) values[at] = 7;
  std::size_t positions[4] = {};
  EXPECT_EQ(find_not_bits(values, positions), 4u);
  EXPECT_EQ(std::vector(positions, positions + 4), (std::vector<std::size_t>{3, 4, 500, 998}));
  std::size_t room[9] = {};
  EXPECT_EQ(find_not_bits(values, room), 5u);
  EXPECT_EQ(room[4], 999u);
  EXPECT_EQ(find_not_bits({}, room), 0u);
  EXPECT_TRUE(all_bits(std::span(values).first(3)));
  EXPECT_FALSE(all_bits(values));
}

class CountOnesTest : public testing::TestWithParam<Implementation<CountOnes>> {};

TEST_P(CountOnesTest, EqualsTheDefinition) {
  std::vector<Bit> bits = random_bits(900, 5);
  bits[8] = 255;
  for_each_target([&] {
    for (std::size_t offset = 0; offset < 9; ++offset) {
      for (std::size_t length = 0; length <= 800; length += length < 200 ? 1 : 37) {
        const std::span<const Bit> part = std::span<const Bit>(bits).subspan(offset, length);
        ASSERT_EQ(GetParam().function(part), count_ones_reference(part)) << offset << '+' << length;
      }
    }
  });
  EXPECT_EQ(GetParam().function(std::vector<Bit>{0, 1, 1, 0, 1}), 3u);
}

INSTANTIATE_TEST_SUITE_P(Every, CountOnesTest, testing::ValuesIn(count_ones_implementations),
                         implementation_name<CountOnes>);

class CountDifferencesTest : public testing::TestWithParam<Implementation<CountDifferences>> {};

TEST_P(CountDifferencesTest, EqualsTheDefinition) {
  const std::vector<Bit> a = random_bits(900, 5);
  const std::vector<Bit> b = random_bits(900, 6);
  for_each_target([&] {
    for (std::size_t offset = 0; offset < 9; ++offset) {
      for (std::size_t length = 0; length <= 800; length += length < 200 ? 1 : 37) {
        const auto left = std::span<const Bit>(a).subspan(offset, length);
        const auto right = std::span<const Bit>(b).subspan(8 - offset, length);
        ASSERT_EQ(GetParam().function(left, right), count_differences_reference(left, right))
            << offset << '+' << length;
      }
    }
  });
  EXPECT_EQ(GetParam().function(std::vector<Bit>{0, 1, 1}, std::vector<Bit>{1, 1, 0}), 2u);
}

INSTANTIATE_TEST_SUITE_P(Every, CountDifferencesTest, testing::ValuesIn(count_differences_implementations),
                         implementation_name<CountDifferences>);

class FirstDifferenceTest : public testing::TestWithParam<Implementation<FirstDifference>> {};

TEST_P(FirstDifferenceTest, FindsItAtEveryPlace) {
  for_each_target([&] {
    for (const std::size_t size : std::vector<std::size_t>{0, 1, 2, 15, 16, 17, 63, 64, 65, 129, 300}) {
      const std::vector<Bit> a = random_bits(size, 3);
      std::vector<Bit> b = a;
      ASSERT_EQ(GetParam().function(a, b), size);
      for (std::size_t at = 0; at < size; ++at) {
        b[at] ^= 1;
        ASSERT_EQ(GetParam().function(a, b), at);
        b[size - 1] ^= 1;  // a later one changes nothing
        ASSERT_EQ(GetParam().function(a, b), at + 1 < size ? at : size);
        b = a;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, FirstDifferenceTest, testing::ValuesIn(first_difference_implementations),
                         implementation_name<FirstDifference>);

}  // namespace
}  // namespace noema::kernels
