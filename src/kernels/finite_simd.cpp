// Finds NaN and infinite samples, four vectors at a time.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "kernels/finite.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/finite_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace noema::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// How many leading values are known to be finite. A magnitude's bits compare like integers; infinity and NaN are last.
std::size_t skip_finite(const float* HWY_RESTRICT values, std::size_t size) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t n = hn::Lanes(d);
  const auto bits = [&](std::size_t at) HWY_ATTR {
    return hn::And(hn::BitCast(di, hn::LoadU(d, values + at)), hn::Set(di, 0x7FFFFFFF));
  };
  const auto infinity = hn::Set(di, 0x7F800000);
  std::size_t i = 0;
  for (; i + 4 * n <= size; i += 4 * n) {
    const auto most = hn::Max(hn::Max(bits(i), bits(i + n)), hn::Max(bits(i + 2 * n), bits(i + 3 * n)));
    if (!hn::AllTrue(di, hn::Lt(most, infinity))) break;
  }
  return i;
}

}  // namespace noema::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace noema::kernels {
namespace {
HWY_EXPORT(skip_finite);
}  // namespace

std::size_t first_not_finite_simd(std::span<const float> values) {
  const std::size_t done = HWY_DYNAMIC_DISPATCH(skip_finite)(values.data(), values.size());
  return done + first_not_finite_reference(values.subspan(done));
}

}  // namespace noema::kernels
#endif
