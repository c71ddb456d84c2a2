// Multi-scale structural similarity in double precision: five scales, an 11-tap Gaussian window of sigma 1.5 over whole
// windows only, means of 2 x 2 between scales.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/math.h"
#include "ops/common/media/image_quality.h"

namespace noema::media {
namespace {

constexpr std::size_t taps = 11;
constexpr double sigma = 1.5;
constexpr std::array scale_weights{0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
// (K L)^2 with K = 0.01 and 0.03 on samples scaled to L = 1.
constexpr double c1 = 0.01 * 0.01;
constexpr double c2 = 0.03 * 0.03;

/// One channel of one picture at one scale, a row at a time: the first scale reads the samples where they lie.
struct Rows {
  std::size_t height = 0;
  std::size_t width = 0;
  std::function<void(std::size_t y, double* out)> read;
};

std::array<double, taps> gaussian_window() {
  std::array<double, taps> window{};
  double sum = 0.0;
  for (std::size_t i = 0; i < taps; ++i) {
    const double x = static_cast<double>(i) - static_cast<double>(taps / 2);
    window[i] = math::exp(-x * x / (2.0 * sigma * sigma));
    sum += window[i];
  }
  for (double& w : window) w /= sum;
  return window;
}

template <class T>
Rows channel_rows(std::span<const T> samples, const PictureArea& area, std::size_t channel, double range) {
  return {area.height, area.width, [=](std::size_t y, double* out) {
            const T* row = samples.data() + area.offset + y * area.stride + channel;
            for (std::size_t x = 0; x < area.width; ++x) out[x] = static_cast<double>(row[x * area.channels]) / range;
          }};
}

/// Means of 2 x 2 samples. An odd side gets a row or column of zeros on both ends first, and they count.
Rows halved(const Rows& rows) {
  const std::size_t pad_y = rows.height % 2, pad_x = rows.width % 2;
  const std::size_t height = (rows.height + pad_y) / 2, width = (rows.width + pad_x) / 2;
  auto samples = std::make_shared<std::vector<double>>(height * width);
  std::vector<double> upper(rows.width + 2), lower(rows.width + 2);
  const auto fetch = [&](std::size_t padded_y, std::vector<double>& row) {
    std::ranges::fill(row, 0.0);
    if (padded_y >= pad_y && padded_y - pad_y < rows.height) rows.read(padded_y - pad_y, row.data() + pad_x);
  };
  for (std::size_t y = 0; y < height; ++y) {
    fetch(2 * y, upper);
    fetch(2 * y + 1, lower);
    double* out = samples->data() + y * width;
    for (std::size_t x = 0; x < width; ++x) {
      out[x] = (upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]) / 4.0;
    }
  }
  return {height, width,
          [samples, width](std::size_t y, double* out) { std::copy_n(samples->data() + y * width, width, out); }};
}

/// The five fields x, y, x^2, y^2, xy, one row of each.
using Fields = std::array<std::vector<double>, 5>;

/// Slides the window over two planes. The last 11 rows, already weighted across, are all that it keeps.
class Window {
 public:
  Window(const Rows& a, const Rows& b) : a_(a), b_(b), width_(a.width - (taps - 1)) {
    for (auto& row : raw_) row.resize(a.width);
    for (auto& row : means_) row.resize(width_);
    for (Fields& fields : ring_) {
      for (auto& row : fields) row.resize(width_);
    }
  }

  std::size_t width() const { return width_; }
  std::size_t height() const { return a_.height - (taps - 1); }

  /// Weighted means over the windows whose top row is `top`; to be called for 0, 1, 2 ... in turn.
  const Fields& means(std::size_t top) {
    for (; next_ < top + taps; ++next_) take_row(next_);
    for (std::size_t f = 0; f < means_.size(); ++f) {
      std::ranges::fill(means_[f], 0.0);
      for (std::size_t k = 0; k < taps; ++k) accumulate(ring_[(top + k) % taps][f].data(), weights_[k], means_[f]);
    }
    return means_;
  }

 private:
  static void accumulate(const double* in, double weight, std::vector<double>& out) {
    for (std::size_t x = 0; x < out.size(); ++x) out[x] += weight * in[x];
  }

  void take_row(std::size_t y) {
    a_.read(y, raw_[0].data());
    b_.read(y, raw_[1].data());
    for (std::size_t x = 0; x < raw_[0].size(); ++x) {
      raw_[2][x] = raw_[0][x] * raw_[0][x];
      raw_[3][x] = raw_[1][x] * raw_[1][x];
      raw_[4][x] = raw_[0][x] * raw_[1][x];
    }
    Fields& across = ring_[y % taps];
    for (std::size_t f = 0; f < raw_.size(); ++f) {
      std::ranges::fill(across[f], 0.0);
      for (std::size_t k = 0; k < taps; ++k) accumulate(raw_[f].data() + k, weights_[k], across[f]);
    }
  }

  const Rows& a_;
  const Rows& b_;
  std::size_t width_;
  std::size_t next_ = 0;
  std::array<double, taps> weights_ = gaussian_window();
  Fields raw_, means_;
  std::array<Fields, taps> ring_;
};

struct Similarity {
  double structure;  ///< mean of contrast times structure
  double full;       ///< mean with luminance besides
};

Similarity similarity(const Rows& a, const Rows& b) {
  Window window(a, b);
  double structure = 0.0, full = 0.0;
  for (std::size_t y = 0; y < window.height(); ++y) {
    const Fields& m = window.means(y);
    double row_structure = 0.0, row_full = 0.0;
    for (std::size_t x = 0; x < window.width(); ++x) {
      const double mean_a = m[0][x], mean_b = m[1][x];
      const double variance_a = m[2][x] - mean_a * mean_a, variance_b = m[3][x] - mean_b * mean_b;
      const double covariance = m[4][x] - mean_a * mean_b;
      const double cs = (2.0 * covariance + c2) / (variance_a + variance_b + c2);
      row_structure += cs;
      row_full += cs * ((2.0 * mean_a * mean_b + c1) / (mean_a * mean_a + mean_b * mean_b + c1));
    }
    structure += row_structure;
    full += row_full;
  }
  const auto count = static_cast<double>(window.height() * window.width());
  return {structure / count, full / count};
}

double channel_ms_ssim(Rows a, Rows b) {
  double product = 1.0;
  for (std::size_t scale = 0; scale < scale_weights.size(); ++scale) {
    const bool last = scale + 1 == scale_weights.size();
    const Similarity s = similarity(a, b);
    product *= math::pow(std::max(last ? s.full : s.structure, 0.0), scale_weights[scale]);
    if (last) break;
    a = halved(a);
    b = halved(b);
  }
  return product;
}

template <class T>
double batch_ms_ssim(std::span<const T> a, std::span<const T> b, const PictureArea& area, double range) {
  NOEMA_ASSERT(std::min(area.height, area.width) >= ms_ssim_min_side, "five scales fit");
  double sum = 0.0;
  for (std::size_t c = 0; c < area.channels; ++c) {
    sum += channel_ms_ssim(channel_rows(a, area, c, range), channel_rows(b, area, c, range));
  }
  return sum / static_cast<double>(area.channels);
}

}  // namespace

double ms_ssim(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b, const PictureArea& area,
               double range) {
  return batch_ms_ssim(a, b, area, range);
}

double ms_ssim(std::span<const float> a, std::span<const float> b, const PictureArea& area, double range) {
  return batch_ms_ssim(a, b, area, range);
}

}  // namespace noema::media
