// SPDX-License-Identifier: Apache-2.0
#include "sweep/statistics.h"

#include <algorithm>
#include <cmath>

#include "noema/error.h"

namespace noema {
namespace {

constexpr double z95 = 1.959963984540054;  // standard normal quantile of 0.975

/// Regularised incomplete beta function by its continued fraction (Lentz), for 0 < x < 1.
double incomplete_beta(double a, double b, double x) {
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x)) / a;
  constexpr double tiny = 1e-300;
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < tiny ? tiny : d);
  double value = d;
  for (int m = 1; m < 500; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 + even * d;
    c = 1 + even / c;
    d = 1 / (std::abs(d) < tiny ? tiny : d);
    c = std::abs(c) < tiny ? tiny : c;
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + odd * d;
    c = 1 + odd / c;
    d = 1 / (std::abs(d) < tiny ? tiny : d);
    c = std::abs(c) < tiny ? tiny : c;
    value *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return front * value;
}

double student_t_cdf(double t, double degrees) {
  if (t == 0) return 0.5;
  const double tail = 0.5 * incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t));
  return t > 0 ? 1 - tail : tail;
}

}  // namespace

Estimate wilson(std::uint64_t count, std::uint64_t total) {
  NOEMA_ASSERT(total > 0 && count <= total, "a share needs a total");
  const double n = static_cast<double>(total);
  const double p = static_cast<double>(count) / n;
  const double square = z95 * z95;
  const double centre = (p + square / (2 * n)) / (1 + square / n);
  const double half = z95 / (1 + square / n) * std::sqrt(p * (1 - p) / n + square / (4 * n * n));
  // Rounding must not put the estimate outside its own interval.
  return {p, std::clamp(centre - half, 0.0, p), std::clamp(centre + half, p, 1.0)};
}

double student_t_quantile(double p, double degrees) {
  NOEMA_ASSERT(p > 0 && p < 1 && degrees >= 1, "no such quantile");
  if (p < 0.5) return -student_t_quantile(1 - p, degrees);
  double low = 0;
  double high = 1;
  while (student_t_cdf(high, degrees) < p) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-14 * high; ++i) {
    const double middle = (low + high) / 2;
    (student_t_cdf(middle, degrees) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

Estimate student_t(std::span<const double> samples) {
  NOEMA_ASSERT(!samples.empty(), "a mean needs a sample");
  const double n = static_cast<double>(samples.size());
  double sum = 0;
  for (const double sample : samples) sum += sample;
  const double mean = sum / n;
  if (samples.size() == 1) return {mean, std::nullopt, std::nullopt};
  double squares = 0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  const double half = student_t_quantile(0.975, n - 1) * std::sqrt(squares / (n - 1) / n);
  return {mean, mean - half, mean + half};
}

}  // namespace noema
