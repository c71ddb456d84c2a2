// Resizing pictures by convolution in fixed point: weights of 22 fractional bits, first across, then down, rounded to
// 8 bits in between. Integer arithmetic after the weights makes the result the same everywhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/common/media/picture.h"

namespace noema::media {

enum class Filter {
  bilinear,  ///< triangle, support 1
  bicubic,   ///< Keys' cubic with a = -0.5, support 2
  lanczos    ///< sinc windowed by a wider sinc, support 3
};

/// The picture at `height` x `width` pixels, both at least 1. A direction whose size stays is left alone.
Result<Picture> resize(const Picture& picture, std::uint32_t height, std::uint32_t width, Filter filter);

}  // namespace noema::media
