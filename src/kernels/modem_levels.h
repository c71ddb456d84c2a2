// Constants of the 16-QAM axis and of the LLR, shared by the versions of the modem kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "kernels/modem.h"

namespace noema::kernels {

/// The largest float32 that is nearer to the inner level than to the outer one (their midpoint is no float32).
inline constexpr float qam16_last_inner = 0x1.43d136p-1f;

// All exact in double.
inline constexpr double qam16_inner = qam16_inner_level;
inline constexpr double qam16_outer = qam16_outer_level;
inline constexpr double qam16_step = qam16_outer - qam16_inner;
inline constexpr double qam16_midpoint = (qam16_inner + qam16_outer) / 2.0;

/// What an LLR is multiplied by.
struct SoftScale {
  explicit SoftScale(double noise_variance) {
    const double variance = std::max(noise_variance, 1e-12);
    bpsk = static_cast<float>(4.0 / variance);
    qpsk = static_cast<float>(2.0 * 0x1.6a09e667f3bcdp+0 / variance);
    qam16 = 1.0 / variance;
  }
  float bpsk;
  float qpsk;
  double qam16;
};

}  // namespace noema::kernels
