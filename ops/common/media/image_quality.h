// How far apart two pictures are: squared and absolute error, PSNR, and multi-scale structural similarity.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ops/common/media/image_batch.h"

namespace noema::media {

struct PixelErrors {
  double mse = 0.0;  ///< mean squared difference
  double mae = 0.0;  ///< mean absolute difference
};

/// Errors between the same area of two arrays of one type. Integer sums for 8 bits, so that no order matters; doubles
/// summed row by row for float32.
PixelErrors pixel_errors(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b, const PictureArea& area);
PixelErrors pixel_errors(std::span<const float> a, std::span<const float> b, const PictureArea& area);

/// 20 log10(range / sqrt(mse)) in dB; `mse` above 0.
double psnr_db(double range, double mse);

/// What an exact picture scores: `requested`, raised where some inexact picture of up to `samples` samples could score
/// as much. `step` is the smallest difference of two samples.
double psnr_cap_db(double requested, double range, double step, std::uint64_t samples);

/// Shorter side that five scales and a window of 11 need.
inline constexpr std::uint64_t ms_ssim_min_side = 161;

/// MS-SSIM of an area whose sides reach `ms_ssim_min_side`, per channel and then averaged; 1 for equal pictures.
double ms_ssim(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b, const PictureArea& area, double range);
double ms_ssim(std::span<const float> a, std::span<const float> b, const PictureArea& area, double range);

}  // namespace noema::media
