// What source.image_dataset does to a picture after it was decoded: an optional resize, then an optional crop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "noema/error.h"
#include "noema/value.h"
#include "ops/common/media/picture.h"

namespace noema::source {

struct ImageTransform {
  std::uint64_t shorter_side = 0;  ///< pixels; 0 keeps the size
  std::uint64_t crop = 0;          ///< side of the centred square, in pixels; 0 keeps all

  /// The shorter side becomes `shorter_side`, the longer one follows, rounded down; bilinear. Then the middle is cut
  /// out; an odd rest goes below and to the right. A picture smaller than the crop is an error.
  Result<media::Picture> apply(media::Picture picture, std::string_view name) const;
  /// The object whose canonical digest is the transform's fingerprint.
  Value description() const;
};

}  // namespace noema::source
