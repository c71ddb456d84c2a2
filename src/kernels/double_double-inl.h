// Numbers of about 100 bits as two doubles, on vectors: exact sums and products (after Dekker, Knuth and Moller)
// without fused operations, which not every CPU has.
// SPDX-License-Identifier: Apache-2.0

#if defined(NOEMA_KERNELS_DOUBLE_DOUBLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef NOEMA_KERNELS_DOUBLE_DOUBLE_INL_H_
#undef NOEMA_KERNELS_DOUBLE_DOUBLE_INL_H_
#else
#define NOEMA_KERNELS_DOUBLE_DOUBLE_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace noema::math::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using V = hn::Vec<D>;

/// An unevaluated sum, |lo| at most half a unit in the last place of hi.
template <class D>
struct Pair {
  V<D> hi;
  V<D> lo;
};

// ---- exact sums and products --------------------------------------------------------------------------------------

/// a + b when |a| >= |b| or a is 0.
template <class D>
HWY_INLINE Pair<D> quick_sum(D, V<D> a, V<D> b) {
  const auto sum = a + b;
  return {sum, b - (sum - a)};
}

template <class D>
HWY_INLINE Pair<D> exact_sum(D, V<D> a, V<D> b) {
  const auto sum = a + b;
  const auto other = sum - a;
  return {sum, (a - (sum - other)) + (b - other)};
}

/// a in a half of 26 bits and the rest. Overflows beyond 2^996.
template <class D>
HWY_INLINE Pair<D> halves(D d, V<D> a) {
  const auto scaled = a * hn::Set(d, 134217729.0);
  const auto high = scaled - (scaled - a);
  return {high, a - high};
}

template <class D>
HWY_INLINE Pair<D> exact_product(D d, V<D> a, V<D> b) {
  const auto product = a * b;
  const auto x = halves(d, a);
  const auto y = halves(d, b);
  return {product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

template <class D>
HWY_INLINE Pair<D> pair_product(D d, Pair<D> a, Pair<D> b) {
  const auto product = exact_product(d, a.hi, b.hi);
  return quick_sum(d, product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

/// |a| is not much below |b|.
template <class D>
HWY_INLINE Pair<D> pair_sum(D d, Pair<D> a, Pair<D> b) {
  const auto sum = exact_sum(d, a.hi, b.hi);
  return quick_sum(d, sum.hi, sum.lo + (a.lo + b.lo));
}

template <class D>
HWY_INLINE Pair<D> constant(D d, double hi, double lo) {
  return {hn::Set(d, hi), hn::Set(d, lo)};
}

}  // namespace noema::math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // NOEMA_KERNELS_DOUBLE_DOUBLE_INL_H_
