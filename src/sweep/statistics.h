// Interval estimates for error rates and means.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace noema {

/// An estimate with its 95 % interval. `low` and `high` are absent where no interval exists (one sample).
struct Estimate {
  double value = 0;
  std::optional<double> low;
  std::optional<double> high;
};

/// Share of `count` in `total` (> 0) with the Wilson score interval (E. B. Wilson, JASA 22, 1927), 95 %.
Estimate wilson(std::uint64_t count, std::uint64_t total);
/// Mean of samples (at least one) with Student's t interval, 95 %.
Estimate student_t(std::span<const double> samples);
/// Quantile of Student's t distribution with `degrees` >= 1 of freedom, for 0 < p < 1.
double student_t_quantile(double p, double degrees);

}  // namespace noema
