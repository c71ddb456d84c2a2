// Resizing (resample.h).
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/resample.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/math.h"

namespace noema::media {
namespace {

constexpr int fraction_bits = 22;

double sinc(double x) {
  if (x == 0.0) return 1.0;
  const double angle = std::numbers::pi * x;
  return math::sin(angle) / angle;
}

double weight(Filter filter, double x) {
  x = std::fabs(x);
  switch (filter) {
    case Filter::bilinear:
      return x < 1.0 ? 1.0 - x : 0.0;
    case Filter::bicubic: {
      constexpr double a = -0.5;
      if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
      if (x < 2.0) return (((x - 5.0) * x + 8.0) * x - 4.0) * a;
      return 0.0;
    }
    case Filter::lanczos:
      return x < 3.0 ? sinc(x) * sinc(x / 3.0) : 0.0;
  }
  return 0.0;
}

double support_of(Filter filter) {
  switch (filter) {
    case Filter::bilinear:
      return 1.0;
    case Filter::bicubic:
      return 2.0;
    case Filter::lanczos:
      return 3.0;
  }
  return 0.0;
}

/// Which input samples make an output sample, and with what weights.
struct Taps {
  std::size_t first = 0;
  std::vector<std::int32_t> weights;
};

std::int32_t to_fixed(double value) {
  const double scaled = value * (1 << fraction_bits);
  return static_cast<std::int32_t>(scaled < 0.0 ? scaled - 0.5 : scaled + 0.5);  // half away from zero
}

std::vector<Taps> taps_for(std::uint32_t in, std::uint32_t out, Filter filter) {
  const double scale = static_cast<double>(in) / static_cast<double>(out);
  const double stretch = std::max(scale, 1.0);
  const double support = support_of(filter) * stretch;
  std::vector<Taps> taps(out);
  std::vector<double> raw;
  for (std::uint32_t i = 0; i < out; ++i) {
    const double centre = (i + 0.5) * scale;
    const auto begin = static_cast<std::int64_t>(std::max(centre - support + 0.5, 0.0));
    const auto end = std::min(static_cast<std::int64_t>(centre + support + 0.5), std::int64_t{in});
    raw.clear();
    double sum = 0.0;
    for (std::int64_t x = begin; x < end; ++x) {
      raw.push_back(weight(filter, (static_cast<double>(x) - centre + 0.5) * (1.0 / stretch)));
      sum += raw.back();
    }
    taps[i].first = static_cast<std::size_t>(begin);
    for (const double w : raw) taps[i].weights.push_back(to_fixed(sum != 0.0 ? w / sum : w));
  }
  return taps;
}

std::uint8_t to_sample(std::int64_t sum) {
  return static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> fraction_bits, 0, 255));
}

constexpr std::int64_t half = std::int64_t{1} << (fraction_bits - 1);

Result<Picture> resize_across(const Picture& picture, std::uint32_t width, Filter filter) {
  NOEMA_TRY(Picture out, make_picture(picture.height, width, "the resized picture"));
  const std::vector<Taps> taps = taps_for(picture.width, width, filter);
  for (std::size_t y = 0; y < picture.height; ++y) {
    const std::uint8_t* row = picture.rgb.data() + y * picture.width * 3;
    std::uint8_t* target = out.rgb.data() + y * width * 3;
    for (const Taps& tap : taps) {
      std::int64_t sums[3] = {half, half, half};
      const std::uint8_t* pixel = row + tap.first * 3;
      for (const std::int32_t w : tap.weights) {
        for (std::size_t c = 0; c < 3; ++c) sums[c] += std::int64_t{pixel[c]} * w;
        pixel += 3;
      }
      for (const std::int64_t sum : sums) *target++ = to_sample(sum);
    }
  }
  return out;
}

Result<Picture> resize_down(const Picture& picture, std::uint32_t height, Filter filter) {
  NOEMA_TRY(Picture out, make_picture(height, picture.width, "the resized picture"));
  const std::vector<Taps> taps = taps_for(picture.height, height, filter);
  const std::size_t row_size = std::size_t{picture.width} * 3;
  std::vector<std::int64_t> sums(row_size);
  for (std::size_t y = 0; y < height; ++y) {
    std::ranges::fill(sums, half);
    const std::uint8_t* row = picture.rgb.data() + taps[y].first * row_size;
    for (const std::int32_t w : taps[y].weights) {
      for (std::size_t x = 0; x < row_size; ++x) sums[x] += std::int64_t{row[x]} * w;
      row += row_size;
    }
    std::ranges::transform(sums, out.rgb.data() + y * row_size, to_sample);
  }
  return out;
}

}  // namespace

Result<Picture> resize(const Picture& picture, std::uint32_t height, std::uint32_t width, Filter filter) {
  if (width == picture.width) {
    if (height == picture.height) return picture;
    return resize_down(picture, height, filter);
  }
  NOEMA_TRY(Picture across, resize_across(picture, width, filter));
  if (height == picture.height) return across;
  return resize_down(across, height, filter);
}

}  // namespace noema::media
