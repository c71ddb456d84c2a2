// Pixel errors and PSNR (image_quality.h); MS-SSIM stands in ms_ssim.cpp.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/image_quality.h"

#include <algorithm>
#include <cmath>

#include "kernels/math.h"

namespace noema::media {

PixelErrors pixel_errors(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b, const PictureArea& area) {
  // 65536 squares of at most 255^2 stay below 2^32.
  constexpr std::uint64_t block = 65536;
  std::uint64_t squares = 0, sizes = 0;
  for (std::uint64_t y = 0; y < area.height; ++y) {
    const std::uint8_t* left = a.data() + area.offset + y * area.stride;
    const std::uint8_t* right = b.data() + area.offset + y * area.stride;
    for (std::uint64_t begin = 0; begin < area.row_length(); begin += block) {
      const std::uint64_t end = std::min(area.row_length(), begin + block);
      std::uint32_t block_squares = 0, block_sizes = 0;
      for (std::uint64_t x = begin; x < end; ++x) {
        const int difference = left[x] - right[x];
        block_squares += static_cast<std::uint32_t>(difference * difference);
        block_sizes += static_cast<std::uint32_t>(difference < 0 ? -difference : difference);
      }
      squares += block_squares;
      sizes += block_sizes;
    }
  }
  const auto count = static_cast<double>(area.samples());
  return {static_cast<double>(squares) / count, static_cast<double>(sizes) / count};
}

PixelErrors pixel_errors(std::span<const float> a, std::span<const float> b, const PictureArea& area) {
  double squares = 0.0, sizes = 0.0;
  for (std::uint64_t y = 0; y < area.height; ++y) {
    const float* left = a.data() + area.offset + y * area.stride;
    const float* right = b.data() + area.offset + y * area.stride;
    double row_squares = 0.0, row_sizes = 0.0;
    for (std::uint64_t x = 0; x < area.row_length(); ++x) {
      const double difference = static_cast<double>(left[x]) - static_cast<double>(right[x]);
      row_squares += difference * difference;
      row_sizes += std::fabs(difference);
    }
    squares += row_squares;
    sizes += row_sizes;
  }
  const auto count = static_cast<double>(area.samples());
  return {squares / count, sizes / count};
}

double psnr_db(double range, double mse) { return 20.0 * math::log10(range / std::sqrt(mse)); }

double psnr_cap_db(double requested, double range, double step, std::uint64_t samples) {
  // The least error is one sample off by one step: mse = step^2 / samples.
  const double ceiling =
      20.0 * math::log10(range) - 20.0 * math::log10(step) + 10.0 * math::log10(static_cast<double>(samples));
  return std::max(requested, ceiling + std::max(1e-9, 1e-12 * std::fabs(ceiling)));
}

}  // namespace noema::media
