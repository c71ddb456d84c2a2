// The span forms of kernels/math.h.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "kernels/math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/math_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace noema::math::HWY_NAMESPACE {

// The last, partial vector is padded with ones, at which every function is harmless.
template <class Function>
HWY_INLINE void map(const double* x, std::size_t size, double* out, Function function) {
  const hn::ScalableTag<double> d;
  const std::size_t n = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + n <= size; i += n) hn::StoreU(function(d, hn::LoadU(d, x + i)), d, out + i);
  if (i == size) return;
  alignas(64) double rest[hn::MaxLanes(hn::ScalableTag<double>())];
  hn::Store(hn::Set(d, 1.0), d, rest);
  for (std::size_t k = i; k < size; ++k) rest[k - i] = x[k];
  hn::Store(function(d, hn::Load(d, rest)), d, rest);
  for (std::size_t k = i; k < size; ++k) out[k] = rest[k - i];
}

#define NOEMA_MAP(name, expression)                                        \
  void name(const double* x, std::size_t size, double* out) {              \
    map(x, size, out, [](auto d, auto v) HWY_ATTR { return expression; }); \
  }
NOEMA_MAP(map_log, log(d, v))
NOEMA_MAP(map_log2, log2(d, v))
NOEMA_MAP(map_log10, log10(d, v))
NOEMA_MAP(map_exp, exp(d, v))
NOEMA_MAP(map_exp10, exp10(d, v))
NOEMA_MAP(map_sin, sincos(d, v).sin)
NOEMA_MAP(map_cos, sincos(d, v).cos)
#undef NOEMA_MAP

// Returns how many it has done.
std::size_t map_phasors(const double* angles, std::size_t size, float* out) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= size; i += n) {
    const auto both = sincos(d, hn::LoadU(d, angles + i));
    hn::StoreInterleaved2(hn::DemoteTo(df, both.cos), hn::DemoteTo(df, both.sin), df, out + 2 * i);
  }
  return i;
}

}  // namespace noema::math::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace noema::math {
namespace {
HWY_EXPORT(map_log);
HWY_EXPORT(map_log2);
HWY_EXPORT(map_log10);
HWY_EXPORT(map_exp);
HWY_EXPORT(map_exp10);
HWY_EXPORT(map_sin);
HWY_EXPORT(map_cos);
HWY_EXPORT(map_phasors);
}  // namespace

void log(std::span<const double> x, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(map_log)(x.data(), x.size(), out.data());
}
void log2(std::span<const double> x, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(map_log2)(x.data(), x.size(), out.data());
}
void log10(std::span<const double> x, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(map_log10)(x.data(), x.size(), out.data());
}
void exp(std::span<const double> x, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(map_exp)(x.data(), x.size(), out.data());
}
void exp10(std::span<const double> x, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(map_exp10)(x.data(), x.size(), out.data());
}
void sin(std::span<const double> x, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(map_sin)(x.data(), x.size(), out.data());
}
void cos(std::span<const double> x, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(map_cos)(x.data(), x.size(), out.data());
}

void unit_phasors(std::span<const double> angles, std::span<Complex> out) {
  const std::size_t done =
      HWY_DYNAMIC_DISPATCH(map_phasors)(angles.data(), angles.size(), reinterpret_cast<float*>(out.data()));
  for (std::size_t i = done; i < angles.size(); ++i) out[i] = unit_phasor(angles[i]);
}

}  // namespace noema::math
#endif
