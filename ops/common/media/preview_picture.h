// Small copies of pictures for reports, as text that a browser shows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ops/common/media/image_batch.h"

namespace noema::media {

struct Preview {
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::string data_uri;  ///< `data:image/png;base64,...`
};

/// The area with its longer side brought down to `side` pixels (Lanczos), never enlarged. float32 samples of 0 to
/// `range` become 0 to 255, rounded half to even; one channel becomes grey, a fourth is dropped.
Result<Preview> preview_of(const Array& images, const PictureArea& area, double range, std::uint32_t side);

/// Size of a picture whose longer side is to be at most `side`: the other one in proportion, rounded, at least 1.
struct PreviewSize {
  std::uint32_t height = 0;
  std::uint32_t width = 0;
};
PreviewSize preview_size(std::uint32_t height, std::uint32_t width, std::uint32_t side);

}  // namespace noema::media
