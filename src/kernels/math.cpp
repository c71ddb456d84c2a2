// The scalar forms of kernels/math.h: one lane of the vector forms; and functions that have no vector form.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/math.h"

#include <algorithm>
#include <limits>

#include "kernels/math-inl.h"

namespace noema::math {
namespace {

namespace lane = HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;
using One = hn::CappedTag<double, 1>;

template <class Function>
double with_one(double x, Function function) {
  const One d;
  return hn::GetLane(function(d, hn::Set(d, x)));
}

bool is_odd_integer(double y) { return std::fmod(y, 2.0) == 1.0 || std::fmod(y, 2.0) == -1.0; }

}  // namespace

double log(double x) {
  return with_one(x, [](One d, auto v) { return lane::log(d, v); });
}
double log2(double x) {
  return with_one(x, [](One d, auto v) { return lane::log2(d, v); });
}
double log10(double x) {
  return with_one(x, [](One d, auto v) { return lane::log10(d, v); });
}
double exp(double x) {
  return with_one(x, [](One d, auto v) { return lane::exp(d, v); });
}
double exp10(double x) {
  return with_one(x, [](One d, auto v) { return lane::exp10(d, v); });
}
double sin(double x) {
  return with_one(x, [](One d, auto v) { return lane::sincos(d, v).sin; });
}
double cos(double x) {
  return with_one(x, [](One d, auto v) { return lane::sincos(d, v).cos; });
}

SinCos sincos(double x) {
  const One d;
  const auto both = lane::sincos(d, hn::Set(d, x));
  return {hn::GetLane(both.sin), hn::GetLane(both.cos)};
}

double pow(double x, double y) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (y == 0.0 || x == 1.0) return 1.0;
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
  const double size = std::abs(x);
  const bool whole = std::isinf(y) || std::trunc(y) == y;
  const bool negative = std::signbit(x) && !std::isinf(y) && is_odd_integer(y);
  double result = 0.0;
  if (std::isinf(y)) {
    result = size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? infinity : 0.0;
  } else if (size == 0.0 || std::isinf(size)) {
    result = (size == 0.0) == (y > 0.0) ? 0.0 : infinity;
  } else if (x < 0.0 && !whole) {
    return std::numeric_limits<double>::quiet_NaN();
  } else {
    const One d;
    result = hn::GetLane(lane::pow_of_positive(d, hn::Set(d, size), hn::Set(d, y)));
  }
  return negative ? -result : result;
}

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
  double rise = std::abs(y);
  double run = std::abs(x);
  if (std::isinf(rise) || std::isinf(run)) {  // as if only the endless ones counted
    rise = std::isinf(rise) ? 1.0 : 0.0;
    run = std::isinf(run) ? 1.0 : 0.0;
  }
  // The angle of the first octant: arctan of the ratio, as a table entry and a small rest.
  double large = std::max(rise, run);
  double small = std::min(rise, run);
  if (large > 0x1p1000) {
    large *= 0.25;
    small *= 0.25;
  }
  double head = 0.0;
  double tail = 0.0;
  if (small != 0.0) {
    const auto index = static_cast<std::size_t>(std::nearbyint(small / large * 64.0));
    const double near = static_cast<double>(index) / 64.0;
    const double rest = (small - near * large) / (large + near * small);
    const double r2 = rest * rest;
    // arctan(rest) - rest
    const double bend =
        rest * r2 * (-tables::third_hi + r2 * (tables::fifth_hi + r2 * (-tables::seventh_hi + r2 * (1.0 / 9.0))));
    head = tables::atan_hi[index] + rest;
    tail = (rest - (head - tables::atan_hi[index])) + (tables::atan_lo[index] + bend);
  }
  if (rise > run) {
    const double turned = tables::half_pi_hi - head;
    tail = ((tables::half_pi_hi - turned) - head) + (tables::half_pi_lo - tail);
    head = turned;
  }
  if (std::signbit(x)) {
    const double turned = tables::whole_pi_hi - head;
    tail = ((tables::whole_pi_hi - turned) - head) + (tables::whole_pi_lo - tail);
    head = turned;
  }
  return std::copysign(head + tail, y);
}

float magnitude(Complex value) { return static_cast<float>(std::sqrt(power(value))); }

float phase(Complex value) { return static_cast<float>(atan2(value.imag(), value.real())); }

Complex unit_phasor(double angle) {
  const SinCos both = sincos(angle);
  return {static_cast<float>(both.cos), static_cast<float>(both.sin)};
}

}  // namespace noema::math
