// Channels on baseband samples, a vector at a time.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "kernels/block_sum_lanes.h"
#include "kernels/channel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/channel_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace noema::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Each returns how many samples it has done. Outputs may be inputs: a vector is read before it is written.

std::size_t add_noise(const float* x, const float* noise_real, const float* noise_imag, std::size_t size,
                      float amplitude, float* y) {
  const hn::ScalableTag<float> d;
  const auto a = hn::Set(d, amplitude);
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= size; i += n) {
    hn::Vec<decltype(d)> re, im;
    hn::LoadInterleaved2(d, x + 2 * i, re, im);
    re = hn::Add(re, hn::Mul(a, hn::LoadU(d, noise_real + i)));
    im = hn::Add(im, hn::Mul(a, hn::LoadU(d, noise_imag + i)));
    hn::StoreInterleaved2(re, im, d, y + 2 * i);
  }
  return i;
}

// Stops before a vector that holds a gain with both parts small: the caller looks closer.
std::size_t fading_gains(const float* real, const float* imag, std::size_t size, float* gains) {
  const hn::ScalableTag<float> d;
  const auto least = hn::Set(d, 1e-6f);
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= size; i += n) {
    const auto re = hn::LoadU(d, real + i);
    const auto im = hn::LoadU(d, imag + i);
    if (!hn::AllFalse(d, hn::Lt(hn::Max(hn::Abs(re), hn::Abs(im)), least))) break;
    hn::StoreInterleaved2(re, im, d, gains + 2 * i);
  }
  return i;
}

std::size_t multiply(const float* h, const float* x, std::size_t size, float* y) {
  const hn::ScalableTag<float> d;
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= size; i += n) {
    hn::Vec<decltype(d)> hr, hi, xr, xi;
    hn::LoadInterleaved2(d, h + 2 * i, hr, hi);
    hn::LoadInterleaved2(d, x + 2 * i, xr, xi);
    hn::StoreInterleaved2(hn::Sub(hn::Mul(hr, xr), hn::Mul(hi, xi)), hn::Add(hn::Mul(hr, xi), hn::Mul(hi, xr)), d,
                          y + 2 * i);
  }
  return i;
}

std::size_t divide(const float* y, const float* h, std::size_t size, float* z) {
  const hn::ScalableTag<float> d;
  std::size_t i = 0;
  for (const std::size_t n = hn::Lanes(d); i + n <= size; i += n) {
    hn::Vec<decltype(d)> hr, hi, yr, yi;
    hn::LoadInterleaved2(d, h + 2 * i, hr, hi);
    hn::LoadInterleaved2(d, y + 2 * i, yr, yi);
    // By the larger part. With the parts of both exchanged the two cases are one but for the sign of the result's
    // imaginary part.
    const auto upright = hn::Ge(hn::Abs(hr), hn::Abs(hi));
    const auto large = hn::IfThenElse(upright, hr, hi);
    const auto small = hn::IfThenElse(upright, hi, hr);
    const auto p = hn::IfThenElse(upright, yr, yi);
    const auto q = hn::IfThenElse(upright, yi, yr);
    const auto ratio = hn::Div(small, large);
    const auto scale = hn::Div(hn::Set(d, 1.0f), hn::Add(large, hn::Mul(small, ratio)));
    const auto re = hn::Mul(hn::Add(p, hn::Mul(q, ratio)), scale);
    const auto product = hn::Mul(p, ratio);
    const auto im = hn::Mul(hn::IfThenElse(upright, hn::Sub(q, product), hn::Sub(product, q)), scale);
    hn::StoreInterleaved2(re, im, d, z + 2 * i);
  }
  return i;
}

void power_lanes(const float* parts, std::size_t groups, double* lanes) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < 8 * groups; ++i) {
    const double re = parts[2 * i];
    const double im = parts[2 * i + 1];
    lanes[i % 8] += re * re + im * im;
  }
#else
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> df;
  constexpr std::size_t n = hn::MaxLanes(hn::CappedTag<double, 8>());
  constexpr std::size_t count = 8 / n;
  hn::Vec<decltype(d)> sums[count];
  for (std::size_t k = 0; k < count; ++k) sums[k] = hn::LoadU(d, lanes + k * n);
  for (std::size_t g = 0; g < groups; ++g, parts += 16) {
    for (std::size_t k = 0; k < count; ++k) {
      auto low = hn::PromoteTo(d, hn::LoadU(df, parts + 2 * k * n));
      auto high = hn::PromoteTo(d, hn::LoadU(df, parts + (2 * k + 1) * n));
      low = hn::Mul(low, low);
      high = hn::Mul(high, high);
      const auto re = hn::ConcatEven(d, high, low);
      const auto im = hn::ConcatOdd(d, high, low);
      sums[k] = hn::Add(sums[k], hn::Add(re, im));
    }
  }
  for (std::size_t k = 0; k < count; ++k) hn::StoreU(sums[k], d, lanes + k * n);
#endif
}

}  // namespace noema::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace noema::kernels {
namespace {

HWY_EXPORT(add_noise);
HWY_EXPORT(fading_gains);
HWY_EXPORT(multiply);
HWY_EXPORT(divide);
HWY_EXPORT(power_lanes);

const float* parts_of(std::span<const Complex> samples) { return reinterpret_cast<const float*>(samples.data()); }
float* parts_of(std::span<Complex> samples) { return reinterpret_cast<float*>(samples.data()); }

}  // namespace

void add_noise_simd(std::span<const Complex> x, std::span<const float> noise_real, std::span<const float> noise_imag,
                    float amplitude, std::span<Complex> y) {
  const std::size_t done = HWY_DYNAMIC_DISPATCH(add_noise)(parts_of(x), noise_real.data(), noise_imag.data(), x.size(),
                                                           amplitude, parts_of(y));
  add_noise_reference(x.subspan(done), noise_real.subspan(done), noise_imag.subspan(done), amplitude, y.subspan(done));
}

void fading_gains_simd(std::span<const float> real, std::span<const float> imag, std::span<Complex> gains) {
  for (std::size_t at = 0; at < gains.size();) {
    at += HWY_DYNAMIC_DISPATCH(fading_gains)(real.data() + at, imag.data() + at, gains.size() - at,
                                             parts_of(gains.subspan(at)));
    // The rest of a vector that holds a small gain, or the tail.
    const std::size_t part = gains.size() - at < 64 ? gains.size() - at : 64;
    fading_gains_reference(real.subspan(at, part), imag.subspan(at, part), gains.subspan(at, part));
    at += part;
  }
}

void multiply_simd(std::span<const Complex> h, std::span<const Complex> x, std::span<Complex> y) {
  const std::size_t done = HWY_DYNAMIC_DISPATCH(multiply)(parts_of(h), parts_of(x), y.size(), parts_of(y));
  multiply_reference(h.subspan(done), x.subspan(done), y.subspan(done));
}

void divide_simd(std::span<const Complex> y, std::span<const Complex> h, std::span<Complex> z) {
  const std::size_t done = HWY_DYNAMIC_DISPATCH(divide)(parts_of(y), parts_of(h), z.size(), parts_of(z));
  divide_reference(y.subspan(done), h.subspan(done), z.subspan(done));
}

void add_power_lanes(const Complex* samples, std::size_t groups, double* lanes) {
  HWY_DYNAMIC_DISPATCH(power_lanes)(reinterpret_cast<const float*>(samples), groups, lanes);
}

}  // namespace noema::kernels
#endif
