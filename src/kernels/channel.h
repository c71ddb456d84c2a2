// Channels on baseband samples: noise, flat fading, equalisation, and mean power with a fixed order of summation.
// Every product and sum is rounded to float32 in the stated order, so that all versions give the same samples.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/implementation.h"
#include "noema/value.h"

namespace noema::kernels {

/// sigma^2 = 1 / max(10^(snr_db/10), 1e-12): noise power of both parts at unit signal power.
double noise_variance_from_snr_db(double snr_db);
/// float32(sqrt(noise_variance / 2)): deviation of one part of the noise.
float noise_amplitude(double noise_variance);

/// y = x + amplitude * (noise_real + j noise_imag); all of one length, y may be x.
using AddNoise = void (*)(std::span<const Complex> x, std::span<const float> noise_real,
                          std::span<const float> noise_imag, float amplitude, std::span<Complex> y);
void add_noise_reference(std::span<const Complex> x, std::span<const float> noise_real,
                         std::span<const float> noise_imag, float amplitude, std::span<Complex> y);
void add_noise_simd(std::span<const Complex> x, std::span<const float> noise_real, std::span<const float> noise_imag,
                    float amplitude, std::span<Complex> y);
inline constexpr std::array add_noise_implementations{
    Implementation<AddNoise>{"reference", add_noise_reference},
    Implementation<AddNoise>{"simd", add_noise_simd},
};
inline void add_noise(std::span<const Complex> x, std::span<const float> noise_real, std::span<const float> noise_imag,
                      float amplitude, std::span<Complex> y) {
  add_noise_simd(x, noise_real, noise_imag, amplitude, y);
}

/// The factor 1/sqrt 2 that makes two unit normals one CN(0, 1) gain: pass it as `scale` to fill_normals.
inline constexpr double fading_scale = 0x1.6a09e667f3bccp-1;

/// h = (re, im), except that a gain of magnitude below 1e-6 becomes 1e-6.
Complex fading_gain(float re, float im);
/// Interleaves parts into gains by that rule.
using FadingGains = void (*)(std::span<const float> real, std::span<const float> imag, std::span<Complex> gains);
void fading_gains_reference(std::span<const float> real, std::span<const float> imag, std::span<Complex> gains);
void fading_gains_simd(std::span<const float> real, std::span<const float> imag, std::span<Complex> gains);
inline constexpr std::array fading_gains_implementations{
    Implementation<FadingGains>{"reference", fading_gains_reference},
    Implementation<FadingGains>{"simd", fading_gains_simd},
};
inline void fading_gains(std::span<const float> real, std::span<const float> imag, std::span<Complex> gains) {
  fading_gains_simd(real, imag, gains);
}

/// y = h x with plain float32 products: (hr xr - hi xi, hr xi + hi xr). y may be x.
using Multiply = void (*)(std::span<const Complex> h, std::span<const Complex> x, std::span<Complex> y);
void multiply_reference(std::span<const Complex> h, std::span<const Complex> x, std::span<Complex> y);
void multiply_simd(std::span<const Complex> h, std::span<const Complex> x, std::span<Complex> y);
inline constexpr std::array multiply_implementations{
    Implementation<Multiply>{"reference", multiply_reference},
    Implementation<Multiply>{"simd", multiply_simd},
};
inline void multiply(std::span<const Complex> h, std::span<const Complex> x, std::span<Complex> y) {
  multiply_simd(h, x, y);
}

/// z = y / h by Smith's division in float32 (scaled by the larger part of h; h is not 0). z may be y.
using Divide = void (*)(std::span<const Complex> y, std::span<const Complex> h, std::span<Complex> z);
void divide_reference(std::span<const Complex> y, std::span<const Complex> h, std::span<Complex> z);
void divide_simd(std::span<const Complex> y, std::span<const Complex> h, std::span<Complex> z);
inline constexpr std::array divide_implementations{
    Implementation<Divide>{"reference", divide_reference},
    Implementation<Divide>{"simd", divide_simd},
};
inline void divide(std::span<const Complex> y, std::span<const Complex> h, std::span<Complex> z) {
  divide_simd(y, h, z);
}

/// The same two for one gain: whole items that fade together.
Complex multiply(Complex h, Complex x);
Complex divide(Complex y, Complex h);

/// y = factor * x, each part; y may be x.
void scale(std::span<const Complex> x, float factor, std::span<Complex> y);

/// A sum in double that depends on the sequence alone, not on how it arrived in chunks or on vector width. Blocks of
/// 4096 elements are summed in 8 interleaved lanes (element i of a block goes to lane i mod 8; the lanes are added as
/// ((0+4)+(2+6)) + ((1+5)+(3+7))), and the blocks pairwise as a binary counter carries.
class BlockSum {
 public:
  void add_power(std::span<const Complex> samples);  ///< |s|^2 of each, in double
  void add(std::span<const float> values);
  void add(std::span<const double> values);
  void add(double value) { add(std::span<const double>(&value, 1)); }
  double total() const;
  std::uint64_t count() const { return count_; }
  double mean() const { return count_ == 0 ? 0.0 : total() / static_cast<double>(count_); }

  static constexpr std::size_t block = 4096;
  static constexpr std::size_t lanes = 8;

 private:
  template <class T>
  void feed(std::span<const T> values);
  void close_block();
  std::array<double, lanes> lane_{};
  std::vector<double> level_;  // level_[k]: sum of 2^k whole blocks, where bit k of the block count is set
  std::uint64_t count_ = 0;
};

/// Mean of |s|^2; 0 for no samples.
double mean_power(std::span<const Complex> samples);

}  // namespace noema::kernels
