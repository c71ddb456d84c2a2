// Channels on baseband samples: the definitions, and sums in a fixed order.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/channel.h"

#include <algorithm>
#include <cmath>

#include "kernels/math.h"

namespace noema::kernels {

double noise_variance_from_snr_db(double snr_db) { return 1.0 / std::max(math::from_db(snr_db), 1e-12); }

float noise_amplitude(double noise_variance) { return static_cast<float>(std::sqrt(noise_variance / 2.0)); }

void add_noise_reference(std::span<const Complex> x, std::span<const float> noise_real,
                         std::span<const float> noise_imag, float amplitude, std::span<Complex> y) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = {x[i].real() + amplitude * noise_real[i], x[i].imag() + amplitude * noise_imag[i]};
  }
}

Complex fading_gain(float re, float im) {
  constexpr float least = 1e-6f;
  const Complex gain(re, im);
  return math::magnitude(gain) < least ? Complex(least, 0.0f) : gain;
}

void fading_gains_reference(std::span<const float> real, std::span<const float> imag, std::span<Complex> gains) {
  for (std::size_t i = 0; i < gains.size(); ++i) gains[i] = fading_gain(real[i], imag[i]);
}

Complex multiply(Complex h, Complex x) {
  const float hr = h.real(), hi = h.imag(), xr = x.real(), xi = x.imag();
  return {hr * xr - hi * xi, hr * xi + hi * xr};
}

Complex divide(Complex y, Complex h) {
  const float hr = h.real(), hi = h.imag(), yr = y.real(), yi = y.imag();
  if (std::abs(hr) >= std::abs(hi)) {
    const float ratio = hi / hr;
    const float scale = 1.0f / (hr + hi * ratio);
    return {(yr + yi * ratio) * scale, (yi - yr * ratio) * scale};
  }
  const float ratio = hr / hi;
  const float scale = 1.0f / (hi + hr * ratio);
  return {(yr * ratio + yi) * scale, (yi * ratio - yr) * scale};
}

void multiply_reference(std::span<const Complex> h, std::span<const Complex> x, std::span<Complex> y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = multiply(h[i], x[i]);
}

void divide_reference(std::span<const Complex> y, std::span<const Complex> h, std::span<Complex> z) {
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = divide(y[i], h[i]);
}

void scale(std::span<const Complex> x, float factor, std::span<Complex> y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = {factor * x[i].real(), factor * x[i].imag()};
}

}  // namespace noema::kernels
