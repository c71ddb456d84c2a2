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

// An angle as a sum.
struct Octant {
  double head;
  double tail;
};

// arctan(small/large) for 0 <= small <= large: a table entry and a small rest.
Octant octant_angle(double small, double large) {
  if (small == 0.0) return {0.0, 0.0};
  const double ratio = small / large;
  if (ratio < 0x1p-100) return {ratio, 0.0};  // arctan is the identity, and scaling below would underflow
  int exponent = 0;
  large = std::frexp(large, &exponent);
  small = std::ldexp(small, -exponent);
  const auto index = static_cast<std::size_t>(std::nearbyint(ratio * 64.0));
  const double near = static_cast<double>(index) / 64.0;
  const One d;
  // small - near * large: `near` has few bits, so both products are exact, and so is the first difference.
  const auto half = lane::halves(d, hn::Set(d, large));
  const double above = (small - near * hn::GetLane(half.hi)) - near * hn::GetLane(half.lo);
  const double added = near * small;
  const double below = large + added;
  const double below_lost = added - (below - large);
  const double rest = above / below;
  // What the division and its divisor left.
  const auto product = lane::exact_product(d, hn::Set(d, rest), hn::Set(d, below));
  const double left = (((above - hn::GetLane(product.hi)) - hn::GetLane(product.lo)) - rest * below_lost) / below;
  const double r2 = rest * rest;
  const double bend =
      rest * r2 * (-tables::third_hi + r2 * (tables::fifth_hi + r2 * (-tables::seventh_hi + r2 * (1.0 / 9.0))));
  const double head = tables::atan_hi[index] + rest;
  const double lost = rest - (head - tables::atan_hi[index]);
  return {head, lost + (tables::atan_lo[index] + (bend + left))};
}

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
  const Octant octant = octant_angle(std::min(rise, run), std::max(rise, run));
  double head = octant.head;
  double tail = octant.tail;
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
