// Every scan for samples that are not finite equals its definition.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/finite.h"

#include <limits>

#include "kernels/kernel_test.h"

namespace noema::kernels {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

class FirstNotFiniteTest : public testing::TestWithParam<Implementation<FirstNotFinite>> {};

TEST_P(FirstNotFiniteTest, FindsItAtEveryPlace) {
  for_each_target([&] {
    for (const std::size_t size : std::vector<std::size_t>{0, 1, 3, 4, 5, 16, 17, 63, 64, 65, 130}) {
      std::vector<float> values(size, std::numeric_limits<float>::max());
      ASSERT_EQ(GetParam().function(values), size);
      for (std::size_t at = 0; at < size; ++at) {
        for (const float wrong : {infinity, -infinity, nan, -nan}) {
          values[at] = wrong;
          ASSERT_EQ(GetParam().function(values), at) << size;
        }
        values[at] = -std::numeric_limits<float>::denorm_min();
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, FirstNotFiniteTest, testing::ValuesIn(first_not_finite_implementations),
                         implementation_name<FirstNotFinite>);

TEST(FirstNotFinite, WorksForDoublesAndSamples) {
  std::vector<double> doubles(9, 1e308);
  EXPECT_EQ(first_not_finite(std::span<const double>(doubles)), 9u);
  doubles[7] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(first_not_finite(std::span<const double>(doubles)), 7u);
  std::vector<Complex> samples(9, Complex(1, 2));
  EXPECT_EQ(first_not_finite(std::span<const Complex>(samples)), 9u);
  samples[5] = {0.0f, nan};
  EXPECT_EQ(first_not_finite(std::span<const Complex>(samples)), 5u);
  samples[4] = {-infinity, 0.0f};
  EXPECT_EQ(first_not_finite(std::span<const Complex>(samples)), 4u);
}

}  // namespace
}  // namespace noema::kernels
