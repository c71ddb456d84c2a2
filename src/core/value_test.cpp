// SPDX-License-Identifier: Apache-2.0
#include "noema/value.h"

#include <gtest/gtest.h>

namespace noema {
namespace {

TEST(Value, KeepsIntegersAndDoublesApart) {
  EXPECT_FALSE(Value(1) == Value(1.0));
  EXPECT_FALSE(Value(true) == Value(1));
  EXPECT_TRUE(Value(1) == Value(std::int64_t{1}));
}

TEST(Value, KeepsIntegersBeyond64Bits) {
  const Value big = Value::integer_text("18446744073709551616");
  EXPECT_TRUE(big.is_integer());
  EXPECT_FALSE(big.int64().has_value());
  EXPECT_EQ(big.integer_text(), "18446744073709551616");
  EXPECT_EQ(Value(std::uint64_t{18446744073709551615u}).integer_text(), "18446744073709551615");
}

TEST(Value, CopiesShareUntilOneIsChanged) {
  Value first = Value::object({{"a", 1}});
  Value second = first;
  EXPECT_EQ(first.identity(), second.identity());
  second.set("b", 2);
  EXPECT_EQ(first.size(), 1u);
  EXPECT_EQ(second.size(), 2u);
}

TEST(Value, ObjectsAreEqualInAnyOrder) {
  EXPECT_TRUE(Value::object({{"a", 1}, {"b", 2}}) == Value::object({{"b", 2}, {"a", 1}}));
}

TEST(Array, RefusesToEditSharedContent) {
  Array array = Array::make(DType::u8, {3});
  array.edit<std::uint8_t>()[0] = 7;
  const Array other = array;
  EXPECT_DEATH(array.edit<std::uint8_t>(), "shared");
  EXPECT_EQ(other.span<std::uint8_t>()[0], 7);
}

TEST(Array, CountsElementsWithoutOverflow) {
  EXPECT_EQ(element_count({}), 1u);
  EXPECT_EQ(element_count({2, 3}), 6u);
  EXPECT_FALSE(element_count({std::uint64_t{1} << 62, 4}).has_value());
}

}  // namespace
}  // namespace noema
