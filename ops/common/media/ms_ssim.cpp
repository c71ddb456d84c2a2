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
#include "ops/common/media/ssim_rows.h"

namespace noema::media {
namespace {

constexpr double sigma = 1.5;
constexpr std::array scale_weights{0.0448, 0.2856, 0.3001, 0.2363, 0.1333};

/// One channel of one picture at one scale, a row at a time: the first scale reads the samples where they lie.
struct Rows {
  std::size_t height = 0;
  std::size_t width = 0;
  std::function<void(std::size_t y, double* out)> read;
};

std::array<double, ssim_taps> gaussian_window() {
  std::array<double, ssim_taps> window{};
  double sum = 0.0;
  for (std::size_t i = 0; i < ssim_taps; ++i) {
    const double x = static_cast<double>(i) - static_cast<double>(ssim_taps / 2);
    window[i] = math::exp(-x * x / (2.0 * sigma * sigma));
    sum += window[i];
  }
  for (double& w : window) w /= sum;
  return window;
}

Rows channel_rows(std::span<const std::uint8_t> samples, const PictureArea& area, std::size_t channel, double range) {
  std::array<double, 256> scaled{};
  for (std::size_t value = 0; value < scaled.size(); ++value) scaled[value] = static_cast<double>(value) / range;
  return {area.height, area.width, [=](std::size_t y, double* out) {
            const std::uint8_t* row = samples.data() + area.offset + y * area.stride + channel;
            for (std::size_t x = 0; x < area.width; ++x) out[x] = scaled[row[x * area.channels]];
          }};
}

Rows channel_rows(std::span<const float> samples, const PictureArea& area, std::size_t channel, double range) {
  return {area.height, area.width, [=](std::size_t y, double* out) {
            const float* row = samples.data() + area.offset + y * area.stride + channel;
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

/// One row of each of four fields: a, b, a^2 + b^2, a b.
using Fields = std::array<std::vector<double>, 4>;

void size_fields(Fields& fields, std::size_t count) {
  for (auto& row : fields) row.resize(count);
}

/// Slides the window over two planes. The last rows, already weighted across, are all that it keeps.
class Window {
 public:
  Window(const Rows& a, const Rows& b) : a_(a), b_(b), width_(a.width - (ssim_taps - 1)) {
    size_fields(raw_, a.width);
    size_fields(means_, width_);
    for (Fields& fields : ring_) size_fields(fields, width_);
  }

  std::size_t width() const { return width_; }
  std::size_t height() const { return a_.height - (ssim_taps - 1); }

  /// Weighted means over the windows whose top row is `top`; to be called for 0, 1, 2 ... in turn.
  const Fields& means(std::size_t top) {
    for (; next_ < top + ssim_taps; ++next_) take_row(next_);
    for (std::size_t f = 0; f < means_.size(); ++f) {
      std::array<const double*, ssim_taps> rows{};
      for (std::size_t k = 0; k < ssim_taps; ++k) rows[k] = ring_[(top + k) % ssim_taps][f].data();
      ssim_rows_simd.down(rows.data(), weights_.data(), means_[f].data(), width_);
    }
    return means_;
  }

 private:
  void take_row(std::size_t y) {
    a_.read(y, raw_[0].data());
    b_.read(y, raw_[1].data());
    ssim_rows_simd.products(raw_[0].data(), raw_[1].data(), raw_[2].data(), raw_[3].data(), a_.width);
    Fields& across = ring_[y % ssim_taps];
    for (std::size_t f = 0; f < raw_.size(); ++f) {
      ssim_rows_simd.across(raw_[f].data(), weights_.data(), across[f].data(), width_);
    }
  }

  const Rows& a_;
  const Rows& b_;
  std::size_t width_;
  std::size_t next_ = 0;
  std::array<double, ssim_taps> weights_ = gaussian_window();
  Fields raw_, means_;
  std::array<Fields, ssim_taps> ring_;
};

/// Sum in an order that no vector width changes: four running sums, then pairwise.
double row_sum(const std::vector<double>& row) {
  std::array<double, 4> sums{};
  std::size_t x = 0;
  for (; x + 4 <= row.size(); x += 4) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += row[x + k];
  }
  for (; x < row.size(); ++x) sums[x % 4] += row[x];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

struct Similarity {
  double structure;  ///< mean of contrast times structure
  double full;       ///< mean with luminance besides
};

Similarity similarity(const Rows& a, const Rows& b) {
  Window window(a, b);
  std::vector<double> structure(window.width()), full(window.width());
  Similarity sums{0.0, 0.0};
  for (std::size_t y = 0; y < window.height(); ++y) {
    const Fields& m = window.means(y);
    ssim_rows_simd.terms(m[0].data(), m[1].data(), m[2].data(), m[3].data(), structure.data(), full.data(),
                         window.width());
    sums.structure += row_sum(structure);
    sums.full += row_sum(full);
  }
  const auto count = static_cast<double>(window.height() * window.width());
  return {sums.structure / count, sums.full / count};
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
