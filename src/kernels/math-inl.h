// Elementary functions on vectors of doubles, one text for every vector width; the scalar forms are the one-lane case.
// Only +, -, *, /, comparisons and bit operations in a fixed order, so all widths give the same bits. Methods: a table
// of 128 intervals leaves an argument below 2^-7, a Taylor polynomial does the rest, and head and tail of the result
// are added last. The names with `pair` carry about 100 bits in two doubles (double_double-inl.h).
// SPDX-License-Identifier: Apache-2.0

#if defined(NOEMA_KERNELS_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef NOEMA_KERNELS_MATH_INL_H_
#undef NOEMA_KERNELS_MATH_INL_H_
#else
#define NOEMA_KERNELS_MATH_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/double_double-inl.h"
#include "kernels/math_reduction.h"
#include "kernels/math_tables.h"

HWY_BEFORE_NAMESPACE();
namespace noema::math::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace t = noema::math::tables;

// ---- logarithms ---------------------------------------------------------------------------------------------------

/// A positive normal number taken apart: x = 2^exponent * mantissa, mantissa in [0.6875, 1.375) and in `interval`.
template <class D>
struct LogParts {
  V<D> exponent;
  V<D> mantissa;
  hn::Vec<hn::RebindToSigned<D>> interval;
};

template <class D>
HWY_INLINE LogParts<D> take_apart(D d, V<D> x) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  constexpr std::uint64_t bias = std::uint64_t{1023} << 52;
  const auto bits = hn::BitCast(du, x);
  const auto shifted = bits - hn::Set(du, 0x3FE6000000000000u - bias);
  const auto biased = hn::ShiftRight<52>(shifted);  // exponent + 1023
  // An integer below 2^52 becomes a double by way of its bits.
  const auto exponent = hn::BitCast(d, hn::Or(biased, hn::Set(du, 0x4330000000000000u))) - hn::Set(d, 0x1p52 + 1023.0);
  const auto mantissa = hn::BitCast(d, bits - hn::ShiftLeft<52>(biased) + hn::Set(du, bias));
  const auto interval = hn::BitCast(di, hn::And(hn::ShiftRight<45>(shifted), hn::Set(du, 127u)));
  return {exponent, mantissa, interval};
}

/// mantissa * inverse - 1, exactly: the inverse has few bits.
template <class D>
HWY_INLINE Pair<D> log_rest(D d, const LogParts<D>& parts) {
  const auto inverse = hn::GatherIndex(d, t::log_inverse, parts.interval);
  const auto half = halves(d, parts.mantissa);
  return quick_sum(d, half.hi * inverse - hn::Set(d, 1.0), half.lo * inverse);
}

/// Natural logarithm of positive normal numbers: 0.52 ulp.
template <class D>
HWY_INLINE V<D> log_of_normal(D d, V<D> x) {
  const auto parts = take_apart(d, x);
  const auto rest = log_rest(d, parts);
  const auto r = rest.hi;
  const auto r2 = r * r;
  // log(1+r) - r = r^2 (-1/2 + r (1/3 - r/4 + ... - r^6/9))
  const auto p34 = hn::Set(d, t::third_hi) - r * hn::Set(d, 0.25);
  const auto p56 = hn::Set(d, t::fifth_hi) - r * hn::Set(d, t::sixth_hi);
  const auto p78 = hn::Set(d, t::seventh_hi) - r * hn::Set(d, 0.125);
  const auto p9 = hn::Set(d, t::third_hi * t::third_hi);
  const auto tail = p34 + r2 * (p56 + r2 * (p78 + r2 * p9));
  const auto bend = r2 * hn::Set(d, -0.5) + r2 * (r * tail);
  const auto head = parts.exponent * hn::Set(d, t::ln2_1) + hn::GatherIndex(d, t::log_1, parts.interval);
  const auto sum = quick_sum(d, head, r);
  const auto low = parts.exponent * hn::Set(d, t::ln2_tail) + hn::GatherIndex(d, t::log_tail, parts.interval);
  return sum.hi + (sum.lo + (bend + (low + rest.lo)));
}

/// log(1 + r) for |r| < 2^-7.
template <class D>
HWY_INLINE Pair<D> log_near_one(D d, Pair<D> r) {
  const auto h = r.hi;
  // Terms 9 to 15 in one double.
  auto q = hn::Set(d, 1.0 / 15.0);
  q = hn::Set(d, -1.0 / 14.0) + h * q;
  q = hn::Set(d, 1.0 / 13.0) + h * q;
  q = hn::Set(d, -1.0 / 12.0) + h * q;
  q = hn::Set(d, 1.0 / 11.0) + h * q;
  q = hn::Set(d, -1.0 / 10.0) + h * q;
  q = hn::Set(d, 1.0 / 9.0) + h * q;
  auto s = pair_sum(d, constant(d, -0.125, 0.0), pair_product(d, r, Pair<D>{q, hn::Zero(d)}));
  s = pair_sum(d, constant(d, t::seventh_hi, t::seventh_lo), pair_product(d, r, s));
  s = pair_sum(d, constant(d, -t::sixth_hi, -t::sixth_lo), pair_product(d, r, s));
  s = pair_sum(d, constant(d, t::fifth_hi, t::fifth_lo), pair_product(d, r, s));
  s = pair_sum(d, constant(d, -0.25, 0.0), pair_product(d, r, s));
  s = pair_sum(d, constant(d, t::third_hi, t::third_lo), pair_product(d, r, s));
  s = pair_sum(d, constant(d, -0.5, 0.0), pair_product(d, r, s));
  return pair_sum(d, r, pair_product(d, pair_product(d, r, r), s));
}

/// Natural logarithm of a positive number in two doubles; subnormal numbers too.
template <class D>
HWY_INLINE Pair<D> log_pair(D d, V<D> x) {
  const auto tiny = hn::Lt(x, hn::Set(d, 0x1p-1022));
  auto parts = take_apart(d, hn::IfThenElse(tiny, x * hn::Set(d, 0x1p54), x));
  parts.exponent = parts.exponent - hn::IfThenElseZero(tiny, hn::Set(d, 54.0));
  const auto near = log_near_one(d, log_rest(d, parts));
  // The first two parts of both constants lie on common grids, so these products and sums are exact.
  const auto first = parts.exponent * hn::Set(d, t::ln2_1) + hn::GatherIndex(d, t::log_1, parts.interval);
  const auto second = parts.exponent * hn::Set(d, t::ln2_2) + hn::GatherIndex(d, t::log_2, parts.interval);
  const auto third = parts.exponent * hn::Set(d, t::ln2_3) + hn::GatherIndex(d, t::log_3, parts.interval);
  const auto high = exact_sum(d, first, near.hi);
  const auto middle = exact_sum(d, second, high.lo);
  const auto sum = quick_sum(d, high.hi, middle.hi);
  return quick_sum(d, sum.hi, sum.lo + (middle.lo + (near.lo + third)));
}

/// What every logarithm gives at 0, infinity, NaN and below 0, else `value`.
template <class D>
HWY_INLINE V<D> log_limits(D d, V<D> x, V<D> value) {
  const auto infinity = hn::Inf(d);
  value = hn::IfThenElse(hn::Eq(x, infinity), infinity, value);
  value = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(infinity), value);
  value = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::NaN(d), value);
  return hn::IfThenElse(hn::IsNaN(x), x, value);
}

template <class D>
HWY_INLINE V<D> log(D d, V<D> x) {
  const auto tiny = hn::Lt(x, hn::Set(d, 0x1p-1022));
  // A subnormal number is scaled by 2^54, whose logarithm is subtracted: exactly in its head.
  const auto scaled = hn::IfThenElse(tiny, x * hn::Set(d, 0x1p54), x);
  auto value = log_of_normal(d, scaled);
  if (!hn::AllFalse(d, tiny)) value = hn::IfThenElse(tiny, log_pair(d, x).hi, value);
  return log_limits(d, x, value);
}

template <class D>
HWY_INLINE V<D> log10(D d, V<D> x) {
  return log_limits(d, x, pair_product(d, log_pair(d, x), constant(d, t::per_ln10_hi, t::per_ln10_lo)).hi);
}

template <class D>
HWY_INLINE V<D> log2(D d, V<D> x) {
  const auto tiny = hn::Lt(x, hn::Set(d, 0x1p-1022));
  auto parts = take_apart(d, hn::IfThenElse(tiny, x * hn::Set(d, 0x1p54), x));
  const auto exponent = parts.exponent - hn::IfThenElseZero(tiny, hn::Set(d, 54.0));
  // Powers of two must come out whole: the exponent stays outside the multiplication by 1/ln 2.
  const auto rest = pair_product(d, log_pair(d, parts.mantissa), constant(d, t::per_ln2_hi, t::per_ln2_lo));
  const auto sum = exact_sum(d, exponent, rest.hi);
  return log_limits(d, x, sum.hi + (sum.lo + rest.lo));
}

// ---- exponentials -------------------------------------------------------------------------------------------------

/// A multiple n of (ln 2)/128: its place in the table, and the power of two 2^exponent left beside it.
template <class D>
struct ExpParts {
  V<D> multiple;
  V<D> exponent;
  hn::Vec<hn::RebindToSigned<D>> index;
};

/// x is within -1000..1000 or so.
template <class D>
HWY_INLINE ExpParts<D> exp_parts(D d, V<D> x) {
  const hn::RebindToSigned<D> di;
  const auto magic = hn::Set(d, 0x1.8p52);  // adding it rounds to an integer, which then stands in the low bits
  const auto rounded = x * hn::Set(d, t::per_ln2_128) + magic;
  const auto multiple = rounded - magic;
  const auto index = hn::And(hn::BitCast(di, rounded), hn::Set(di, 127));
  // index < 128 as a double by way of its bits, as above.
  const auto place = hn::BitCast(d, hn::Or(index, hn::Set(di, 0x4330000000000000))) - hn::Set(d, 0x1p52);
  return {multiple, (multiple - place) * hn::Set(d, 0x1p-7), index};
}

/// 2^exponent for a whole exponent within -1022..1023.
template <class D>
HWY_INLINE V<D> power_of_two(D d, V<D> exponent) {
  const hn::RebindToUnsigned<D> du;
  return hn::BitCast(d, hn::ShiftLeft<52>(hn::BitCast(du, exponent + hn::Set(d, 0x1.8p52 + 1023.0))));
}

/// value * 2^exponent for exponents within -2000..2000, in two steps so that limits are met as late as can be.
template <class D>
HWY_INLINE V<D> scaled_by(D d, V<D> value, V<D> exponent) {
  const auto least = hn::Set(d, -1000.0);
  const auto most = hn::Set(d, 1000.0);
  auto first = hn::IfThenElse(hn::Gt(exponent, most), most, exponent);
  first = hn::IfThenElse(hn::Lt(first, least), least, first);
  return value * power_of_two(d, first) * power_of_two(d, exponent - first);
}

/// x where |x| <= limit, else the limit with x's sign; NaN becomes the limit.
template <class D>
HWY_INLINE V<D> clamped(D d, V<D> x, double limit) {
  const auto most = hn::Set(d, limit);
  const auto least = hn::Set(d, -limit);
  return hn::IfThenElse(hn::Le(x, least), least, hn::IfThenElse(hn::Lt(x, most), x, most));
}

template <class D>
HWY_INLINE V<D> exp(D d, V<D> x) {
  const auto y = clamped(d, x, 800.0);
  const auto parts = exp_parts(d, y);
  const auto high = y - parts.multiple * hn::Set(d, t::ln2_128_1);  // exact
  const auto r = high - parts.multiple * hn::Set(d, t::ln2_128_tail);
  const auto r2 = r * r;
  // exp(r) - 1
  const auto p = r + r2 * (hn::Set(d, 0.5) + r * hn::Set(d, t::sixth_hi) +
                           r2 * (hn::Set(d, t::per_24_hi) + r * hn::Set(d, t::per_120_hi) +
                                 r2 * hn::Set(d, t::sixth_hi * t::per_120_hi)));
  const auto head = hn::GatherIndex(d, t::exp2_hi, parts.index);
  const auto tail = hn::GatherIndex(d, t::exp2_lo, parts.index);
  const auto value = scaled_by(d, head + (tail + head * p), parts.exponent);
  return hn::IfThenElse(hn::IsNaN(x), x, value);
}

/// exp(x) rounded once, subnormal results too; |x.hi| at most 1000.
template <class D>
HWY_INLINE V<D> exp_of_pair(D d, Pair<D> x) {
  const auto parts = exp_parts(d, x.hi);
  const auto first = x.hi - parts.multiple * hn::Set(d, t::ln2_128_1);     // exact
  const auto second = hn::Neg(parts.multiple * hn::Set(d, t::ln2_128_2));  // exact
  const auto third = x.lo - parts.multiple * hn::Set(d, t::ln2_128_3);
  const auto sum = exact_sum(d, first, second);
  const auto r = quick_sum(d, sum.hi, sum.lo + third);
  // exp(r) = 1 + r + r^2 (1/2 + r (1/6 + r (1/24 + r (1/120 + r (...))))), the last bracket in one double.
  auto q = hn::Set(d, 1.0 / 3628800.0);
  q = hn::Set(d, 1.0 / 362880.0) + r.hi * q;
  q = hn::Set(d, 1.0 / 40320.0) + r.hi * q;
  q = hn::Set(d, 1.0 / 5040.0) + r.hi * q;
  q = hn::Set(d, 1.0 / 720.0) + r.hi * q;
  auto s = pair_sum(d, constant(d, t::per_120_hi, t::per_120_lo), pair_product(d, r, Pair<D>{q, hn::Zero(d)}));
  s = pair_sum(d, constant(d, t::per_24_hi, t::per_24_lo), pair_product(d, r, s));
  s = pair_sum(d, constant(d, t::sixth_hi, t::sixth_lo), pair_product(d, r, s));
  s = pair_sum(d, constant(d, 0.5, 0.0), pair_product(d, r, s));
  s = pair_sum(d, r, pair_product(d, pair_product(d, r, r), s));
  const Pair<D> power{hn::GatherIndex(d, t::exp2_hi, parts.index), hn::GatherIndex(d, t::exp2_lo, parts.index)};
  const auto value = pair_sum(d, power, pair_product(d, power, s));
  // A subnormal result is rounded at its own last place, 2^-1074, before the exact scaling. With the exponent -1022 the
  // value may be just below 1; if it is not, that place is its ordinary one.
  const auto least = hn::Set(d, -1100.0);
  const auto floor = hn::IfThenElse(hn::Lt(parts.exponent, least), least, parts.exponent);
  const auto low = hn::IfThenElse(hn::Lt(floor, hn::Set(d, -1021.0)), floor, hn::Set(d, -1023.0));
  const auto unit = power_of_two(d, hn::Set(d, -1074.0) - low);
  const auto magic = unit * hn::Set(d, 0x1.8p52);
  const auto rounded = (value.hi + magic) - magic;
  const auto left = (value.hi - rounded) + value.lo;
  const auto half = unit * hn::Set(d, 0.5);
  const auto up = hn::IfThenElseZero(hn::Gt(left, half), unit);
  const auto down = hn::IfThenElseZero(hn::Lt(left, hn::Neg(half)), unit);
  const auto subnormal = hn::Lt(parts.exponent, hn::Set(d, -1021.0));
  return scaled_by(d, hn::IfThenElse(subnormal, rounded + up - down, value.hi), parts.exponent);
}

template <class D>
HWY_INLINE V<D> exp10(D d, V<D> x) {
  const auto y = clamped(d, x, 330.0);
  const auto first = exact_product(d, y, hn::Set(d, t::ln10_1));
  const auto second = exact_product(d, y, hn::Set(d, t::ln10_2));
  const auto middle = exact_sum(d, first.lo, second.hi);
  const auto sum = quick_sum(d, first.hi, middle.hi);
  const auto rest = sum.lo + (middle.lo + (second.lo + y * hn::Set(d, t::ln10_3)));
  auto value = exp_of_pair(d, quick_sum(d, sum.hi, rest));
  // 10^23 alone of all powers lies midway between two doubles; the even one is below.
  value = hn::IfThenElse(hn::Eq(x, hn::Set(d, 23.0)), hn::Set(d, 0x1.52d02c7e14af6p+76), value);
  return hn::IfThenElse(hn::IsNaN(x), x, value);
}

/// x^y for finite x > 0 and finite y.
template <class D>
HWY_INLINE V<D> pow_of_positive(D d, V<D> x, V<D> y) {
  const auto log = log_pair(d, x);
  // Beyond these limits the result overflows or underflows anyway; inside them no product overflows.
  const auto most = hn::Set(d, 0x1p70);
  const auto exponent =
      hn::IfThenElse(hn::Gt(y, most), most, hn::IfThenElse(hn::Lt(y, hn::Neg(most)), hn::Neg(most), y));
  const auto product = pair_product(d, log, Pair<D>{exponent, hn::Zero(d)});
  const auto inside = hn::Lt(hn::Abs(product.hi), hn::Set(d, 800.0));
  const auto high = hn::IfThenElse(inside, product.hi, hn::CopySign(hn::Set(d, 800.0), product.hi));
  return exp_of_pair(d, Pair<D>{high, hn::IfThenElseZero(inside, product.lo)});
}

// ---- sine and cosine ----------------------------------------------------------------------------------------------

template <class D>
struct SinCosOf {
  V<D> sin;
  V<D> cos;
};

/// An angle as a multiple of pi/64, known modulo 128, and a rest of at most pi/128.
template <class D>
struct Reduced {
  hn::Vec<hn::RebindToSigned<D>> multiple;
  Pair<D> rest;
};

template <class D>
HWY_INLINE Reduced<D> reduced(D d, V<D> x) {
  const hn::RebindToSigned<D> di;
  const auto magic = hn::Set(d, 0x1.8p52);
  const auto rounded = x * hn::Set(d, t::per_pi_64) + magic;
  const auto n = rounded - magic;
  const auto first = exact_product(d, n, hn::Set(d, t::pi_64_1));
  const auto second = exact_product(d, n, hn::Set(d, t::pi_64_2));
  const auto high = exact_sum(d, x - first.hi, hn::Neg(first.lo));
  const auto middle = exact_sum(d, high.hi, hn::Neg(second.hi));
  const auto rest = quick_sum(d, middle.hi, middle.lo + (high.lo - (second.lo + n * hn::Set(d, t::pi_64_3))));
  Reduced<D> found{hn::BitCast(di, rounded), rest};
  const auto large = hn::Gt(hn::Abs(x), hn::Set(d, largest_simple_angle));
  if (HWY_UNLIKELY(!hn::AllFalse(d, large))) {
    constexpr std::size_t lanes = hn::MaxLanes(D());
    alignas(64) double angle[lanes], hi[lanes], lo[lanes];
    alignas(64) std::int64_t multiple[lanes];
    hn::Store(x, d, angle);
    hn::Store(found.rest.hi, d, hi);
    hn::Store(found.rest.lo, d, lo);
    hn::Store(found.multiple, di, multiple);
    for (std::size_t i = 0; i < lanes; ++i) reduce_large_angle(angle[i], multiple[i], hi[i], lo[i]);
    found = {hn::Load(di, multiple), {hn::Load(d, hi), hn::Load(d, lo)}};
  }
  return found;
}

/// a + b*c + more, where |b*c| may be as large as |a|.
template <class D>
HWY_INLINE V<D> sum_with_product(D d, V<D> a, V<D> b, V<D> c, V<D> more) {
  const auto product = exact_product(d, b, c);
  const auto sum = exact_sum(d, a, product.hi);
  return sum.hi + (sum.lo + (product.lo + more));
}

template <class D>
HWY_INLINE SinCosOf<D> sincos(D d, V<D> x) {
  const hn::RebindToSigned<D> di;
  const auto angle = reduced(d, x);
  const auto mask = hn::Set(di, 127);
  const auto sin_index = hn::And(angle.multiple, mask);
  const auto cos_index = hn::And(angle.multiple + hn::Set(di, 32), mask);
  const auto s = hn::GatherIndex(d, t::sin_hi, sin_index);
  const auto s_low = hn::GatherIndex(d, t::sin_lo, sin_index);
  const auto c = hn::GatherIndex(d, t::sin_hi, cos_index);
  const auto c_low = hn::GatherIndex(d, t::sin_lo, cos_index);
  const auto r = angle.rest.hi;
  const auto r2 = r * r;
  // sin r - r and cos r - 1; the terms left out are below 2^-70.
  const auto bend =
      r * (r2 * (hn::Set(d, -t::sixth_hi) + r2 * (hn::Set(d, t::per_120_hi) +
                                                  r2 * (hn::Set(d, -1.0 / 5040.0) + r2 * hn::Set(d, 1.0 / 362880.0)))));
  const auto drop = r2 * (hn::Set(d, -0.5) + r2 * (hn::Set(d, t::per_24_hi) +
                                                   r2 * (hn::Set(d, -1.0 / 720.0) + r2 * hn::Set(d, 1.0 / 40320.0))));
  const auto turn = bend + angle.rest.lo;
  auto sin = sum_with_product(d, s, c, r, s * drop + (c * turn + (s_low + c_low * r)));
  auto cos = sum_with_product(d, c, hn::Neg(s), r, c * drop - (s * turn - (c_low - s_low * r)));
  sin = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, sin);  // keeps the sign of zero
  const auto endless = hn::Not(hn::IsFinite(x));
  const auto nan = hn::NaN(d);
  return {hn::IfThenElse(endless, nan, sin), hn::IfThenElse(endless, nan, cos)};
}

}  // namespace noema::math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // NOEMA_KERNELS_MATH_INL_H_
