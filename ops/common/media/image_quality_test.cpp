// Pixel errors, PSNR and MS-SSIM against published vectors and an independent computation.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/image_quality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "ops/common/media/test_pictures.h"

namespace noema::media {
namespace {

using Samples = std::vector<std::uint8_t>;

/// A = round(127.5 + 60 sin(2 pi x / 37 + c) + 50 cos(2 pi y / 23 - c)), B = clip(A + ((x + 2y + c) mod 7) - 3).
std::pair<Samples, Samples> published_pair(std::size_t height, std::size_t width) {
  Samples a, b;
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        const double value = std::round(
            127.5 + 60 * std::sin(2 * std::numbers::pi * static_cast<double>(x) / 37 + static_cast<double>(c)) +
            50 * std::cos(2 * std::numbers::pi * static_cast<double>(y) / 23 - static_cast<double>(c)));
        a.push_back(static_cast<std::uint8_t>(value));
        const double moved = value + static_cast<double>((x + 2 * y + c) % 7) - 3;
        b.push_back(static_cast<std::uint8_t>(std::clamp(moved, 0.0, 255.0)));
      }
    }
  }
  return {a, b};
}

PictureArea whole(std::size_t height, std::size_t width) { return {0, width * 3, height, width, 3}; }

TEST(Quality, MatchesThePublishedVectors) {
  const auto [a, b] = published_pair(161, 176);
  const PictureArea area = whole(161, 176);
  const PixelErrors errors = pixel_errors(a, b, area);
  EXPECT_DOUBLE_EQ(errors.mse, 4.0);
  EXPECT_NEAR(errors.mae, 1.714286, 5e-7);
  EXPECT_NEAR(psnr_db(255, errors.mse), 42.110204, 5e-7);
  EXPECT_NEAR(ms_ssim(a, b, area, 255), 0.9995225, 2e-6);  // published in float32
  const auto [c, d] = published_pair(256, 192);
  EXPECT_NEAR(pixel_errors(c, d, whole(256, 192)).mse, 3.99998, 5e-6);
  EXPECT_NEAR(ms_ssim(c, d, whole(256, 192), 255), 0.9995226, 2e-6);
}

// The same definition in double with NumPy and SciPy.
TEST(Quality, MatchesAnIndependentMsSsimInDouble) {
  const auto [a, b] = published_pair(161, 176);
  EXPECT_NEAR(ms_ssim(a, b, whole(161, 176), 255), 0.99952251672871573, 1e-12);
  const auto [c, d] = published_pair(177, 165);  // odd at several scales
  EXPECT_NEAR(ms_ssim(c, d, whole(177, 165), 255), 0.99952262032748918, 1e-12);
}

TEST(Quality, MsSsimOfFloatsEqualsThatOfTheSameBytes) {
  const auto [a, b] = published_pair(161, 165);
  std::vector<float> x, y;
  for (const std::uint8_t v : a) x.push_back(static_cast<float>(v));
  for (const std::uint8_t v : b) y.push_back(static_cast<float>(v));
  EXPECT_EQ(ms_ssim(a, b, whole(161, 165), 255), ms_ssim(x, y, whole(161, 165), 255));
  EXPECT_EQ(ms_ssim(a, a, whole(161, 165), 255), 1.0);
  const PixelErrors bytes = pixel_errors(a, b, whole(161, 165)), floats = pixel_errors(x, y, whole(161, 165));
  EXPECT_DOUBLE_EQ(bytes.mse, floats.mse);
  EXPECT_DOUBLE_EQ(bytes.mae, floats.mae);
}

TEST(Quality, LooksAtTheTrueAreaOnly) {
  const Samples a{1, 2, 3, 9, 9, 9, 4, 5, 6, 9, 9, 9}, b{1, 2, 4, 0, 0, 0, 4, 5, 6, 0, 0, 0};
  const PixelErrors errors = pixel_errors(a, b, PictureArea{0, 6, 2, 1, 3});
  EXPECT_DOUBLE_EQ(errors.mse, 1.0 / 6);
}

TEST(Quality, SumsTheLargestErrorsWithoutOverflow) {
  const std::size_t width = 70000;
  const Samples a(width * 3, 0), b(width * 3, 255);
  EXPECT_DOUBLE_EQ(pixel_errors(a, b, whole(1, width)).mse, 65025.0);
}

// Published with the specification (media 12.6).
TEST(PsnrCap, StandsAboveEveryInexactPicture) {
  EXPECT_NEAR(psnr_cap_db(99, 255, 1, 512 * 768 * 3), 108.848328, 5e-7);
  EXPECT_EQ(psnr_cap_db(99, 255, 1, 16 * 16 * 3), 99.0);
  EXPECT_NEAR(psnr_cap_db(70, 255, 1, 16 * 16 * 3), 76.984, 5e-4);
  EXPECT_NEAR(psnr_cap_db(99, 1, std::numeric_limits<float>::denorm_min(), 512 * 768 * 3), 957.787, 5e-4);
  const double least = psnr_db(255, 1.0 / (512 * 768 * 3));
  EXPECT_GT(psnr_cap_db(99, 255, 1, 512 * 768 * 3), least);
}

}  // namespace
}  // namespace noema::media
