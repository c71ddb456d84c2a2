// Previews of pictures (preview_picture.h).
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/preview_picture.h"

#include <algorithm>
#include <cmath>

#include "ops/common/media/base64.h"
#include "ops/common/media/png_write.h"
#include "ops/common/media/resample.h"

namespace noema::media {
namespace {

/// Half to even; `value` is not negative.
std::uint8_t rounded(double value) {
  const double below = std::floor(value);
  const double rest = value - below;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2.0) == 1.0);
  return static_cast<std::uint8_t>(std::min(below + (up ? 1.0 : 0.0), 255.0));
}

std::uint8_t as_byte(std::uint8_t sample, double) { return sample; }
std::uint8_t as_byte(float sample, double range) {
  return rounded(std::clamp(static_cast<double>(sample) / range, 0.0, 1.0) * 255.0);
}

template <class T>
void copy_area(std::span<const T> samples, const PictureArea& area, double range, Picture& picture) {
  std::size_t at = 0;
  for (std::uint64_t y = 0; y < area.height; ++y) {
    for (std::uint64_t x = 0; x < area.width; ++x) {
      const T* pixel = samples.data() + area.offset + y * area.stride + x * area.channels;
      for (std::uint64_t c = 0; c < 3; ++c) picture.rgb[at++] = as_byte(pixel[area.channels == 1 ? 0 : c], range);
    }
  }
}

}  // namespace

PreviewSize preview_size(std::uint32_t height, std::uint32_t width, std::uint32_t side) {
  const std::uint32_t longer = std::max(height, width), shorter = std::min(height, width);
  if (longer <= side) return {height, width};
  const std::uint64_t scaled = (2 * std::uint64_t{shorter} * side + longer) / (2 * std::uint64_t{longer});
  const auto other = static_cast<std::uint32_t>(std::max<std::uint64_t>(scaled, 1));
  return height >= width ? PreviewSize{side, other} : PreviewSize{other, side};
}

Result<Preview> preview_of(const Array& images, const PictureArea& area, double range, std::uint32_t side) {
  NOEMA_TRY(Picture picture, make_picture(area.height, area.width, "the preview"));
  if (images.dtype() == DType::u8) {
    copy_area(images.span<std::uint8_t>(), area, range, picture);
  } else {
    copy_area(images.span<float>(), area, range, picture);
  }
  const PreviewSize size = preview_size(picture.height, picture.width, side);
  NOEMA_TRY(const Picture small, resize(picture, size.height, size.width, Filter::lanczos));
  return Preview{size.height, size.width,
                 "data:image/png;base64," + base64_encode(encode_png(small, PngCompression::none))};
}

}  // namespace noema::media
