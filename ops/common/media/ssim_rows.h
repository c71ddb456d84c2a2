// The row operations that MS-SSIM spends its time in. The vector version gives the bits of the plain one: the same
// operations on each sample in the same order, nothing fused.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "kernels/implementation.h"

namespace noema::media {

/// Length of the window.
inline constexpr std::size_t ssim_taps = 11;

struct SsimRows {
  /// squares = a^2 + b^2, product = a b, over `count` samples.
  void (*products)(const double* a, const double* b, double* squares, double* product, std::size_t count);
  /// out[x] = sum of weights[k] in[x + k] over the taps, k ascending.
  void (*across)(const double* in, const double* weights, double* out, std::size_t count);
  /// out[x] = sum of weights[k] rows[k][x] over the taps, k ascending.
  void (*down)(const double* const* rows, const double* weights, double* out, std::size_t count);
  /// From the windows' means of a, b, a^2 + b^2 and a b: `structure` (contrast times structure) and `full` (with
  /// luminance besides).
  void (*terms)(const double* mean_a, const double* mean_b, const double* squares, const double* product,
                double* structure, double* full, std::size_t count);
};

extern const SsimRows ssim_rows_reference;
extern const SsimRows ssim_rows_simd;

inline const std::array ssim_rows_implementations{
    kernels::Implementation<const SsimRows*>{"reference", &ssim_rows_reference},
    kernels::Implementation<const SsimRows*>{"simd", &ssim_rows_simd},
};

// (K L)^2 with K = 0.01 and 0.03 on samples scaled to L = 1.
inline constexpr double ssim_c1 = 0.01 * 0.01;
inline constexpr double ssim_c2 = 0.03 * 0.03;

}  // namespace noema::media
