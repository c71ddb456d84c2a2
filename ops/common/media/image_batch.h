// Batches of pictures as artifacts hold them: [N, H, W, C] with smaller pictures in the top left corner and zeros
// around them, true sizes in the metadata.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "noema/backend.h"
#include "noema/error.h"
#include "noema/value.h"
#include "ops/common/media/picture.h"

namespace noema::media {

/// One picture inside a batch: `height` rows of `width` pixels of `channels` samples.
struct PictureArea {
  std::uint64_t offset = 0;  ///< of its first sample in the array
  std::uint64_t stride = 0;  ///< samples from row to row
  std::uint64_t height = 0;
  std::uint64_t width = 0;
  std::uint64_t channels = 0;

  std::uint64_t row_length() const { return width * channels; }
  std::uint64_t samples() const { return height * width * channels; }
  Shape shape() const { return {1, height, width, channels}; }
};

/// The images of an input: [N, H, W, C] of uint8, or of float32 where `allow_float`. Anything else is an error.
Result<Array> image_array(const Call& call, std::string_view port, bool allow_float);

/// The true areas of a batch's pictures: `original_shapes`, else `original_shape`, else `shape` of the metadata; each
/// must lie within the stored plane.
Result<std::vector<PictureArea>> picture_areas(const Array& images, const Value& metadata, std::string_view port);

/// A batch of pictures and what is to be said of it.
struct StackedPictures {
  Array images;           ///< uint8 [N, Hmax, Wmax, 3]
  Value original_shapes;  ///< [[1, H, W, 3], ...]
  bool padded = false;    ///< whether any picture is smaller than the plane
};

/// Bytes of one batch at most.
inline constexpr std::uint64_t max_batch_bytes = std::uint64_t{1} << 36;

/// `repeats` copies of all pictures, one after the other. At least one picture.
Result<StackedPictures> stack_pictures(const std::vector<Picture>& pictures, std::uint64_t repeats = 1);

/// Identity of an array: SHA-256 over the hex digest of its canonical {dtype, shape}, then its bytes.
std::string tensor_identity(DType dtype, const Shape& shape, std::span<const std::byte> bytes);

}  // namespace noema::media
