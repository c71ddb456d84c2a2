// SPDX-License-Identifier: Apache-2.0
#include "sweep/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace noema {
namespace {

TEST(Statistics, QuantilesOfStudentsTAgreeWithPublishedTables) {
  const struct {
    double p, degrees, quantile;
  } rows[] = {{0.975, 1, 12.706}, {0.975, 2, 4.303},   {0.975, 5, 2.571}, {0.975, 10, 2.228}, {0.975, 23, 2.069},
              {0.975, 30, 2.042}, {0.975, 120, 1.980}, {0.95, 7, 1.895},  {0.995, 4, 4.604},  {0.025, 3, -3.182}};
  for (const auto& row : rows) EXPECT_NEAR(student_t_quantile(row.p, row.degrees), row.quantile, 6e-4) << row.degrees;
}

TEST(Statistics, WilsonAgreesWithItsWorkedValues) {
  // 0 of 10 and 5 of 10: closed forms z^2/(n+z^2) and the symmetric interval.
  const Estimate none = wilson(0, 10);
  EXPECT_EQ(none.value, 0);
  EXPECT_EQ(*none.low, 0);
  EXPECT_NEAR(*none.high, 0.27753, 1e-5);
  const Estimate half = wilson(5, 10);
  EXPECT_NEAR(*half.low, 0.23659, 1e-5);
  EXPECT_NEAR(*half.high, 0.76341, 1e-5);
  EXPECT_EQ(*wilson(10, 10).high, 1);
}

TEST(Statistics, MeanOfOneSampleHasNoInterval) {
  EXPECT_FALSE(student_t(std::vector<double>{3.0}).low.has_value());
  const Estimate three = student_t(std::vector<double>{1.0, 2.0, 3.0});
  EXPECT_DOUBLE_EQ(three.value, 2.0);
  EXPECT_NEAR(*three.high - 2.0, 4.30265 / std::sqrt(3.0), 1e-5);
}

}  // namespace
}  // namespace noema
