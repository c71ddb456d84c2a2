// Batches of pictures (image_batch.h).
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/image_batch.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/digest.h"
#include "ops/common/items.h"

namespace noema::media {

Result<Array> image_array(const Call& call, std::string_view port, bool allow_float) {
  NOEMA_TRY(const Array images, call.array(port, "images"));
  const auto refuse = [&](std::string message) { return refuse_input(port, code::input_invalid, std::move(message)); };
  if (images.dtype() != DType::u8 && !(allow_float && images.dtype() == DType::f32)) {
    return refuse("images are " + std::string(dtype_name(images.dtype())) + "; " +
                  (allow_float ? "uint8 and float32 are allowed" : "uint8 is allowed"));
  }
  const Shape& shape = images.shape();
  if (shape.size() != 4) {
    return refuse("images have " + std::to_string(shape.size()) + " axes; the four axes [N, H, W, C] are needed");
  }
  if (std::ranges::find(shape, std::uint64_t{0}) != shape.end()) return refuse("images hold no pixels");
  if (shape[3] != 1 && shape[3] != 3 && shape[3] != 4) {
    return refuse("images have " + std::to_string(shape[3]) + " channels; 1, 3 and 4 are allowed");
  }
  return images;
}

Result<std::vector<PictureArea>> picture_areas(const Array& images, const Value& metadata, std::string_view port) {
  const std::uint64_t height = images.shape()[1], width = images.shape()[2], channels = images.shape()[3];
  std::vector<PictureArea> areas;
  areas.reserve(images.shape()[0]);
  for (std::uint64_t i = 0; i < images.shape()[0]; ++i) {
    const auto declared = ops::picture_shape(metadata, i);
    if (!declared) {
      return refuse_input(port, code::input_metadata, "the size of picture " + std::to_string(i) + " is not declared",
                          "a source of pictures writes original_shapes");
    }
    const auto [count, h, w, c] = *declared;
    if (h == 0 || w == 0 || h > height || w > width || c != channels) {
      return refuse_input(port, code::input_metadata,
                          "picture " + std::to_string(i) + " is declared as " + std::to_string(h) + " x " +
                              std::to_string(w) + " x " + std::to_string(c) + "; it must lie within the stored " +
                              std::to_string(height) + " x " + std::to_string(width) + " x " +
                              std::to_string(channels));
    }
    areas.push_back({i * height * width * channels, width * channels, h, w, c});
  }
  return areas;
}

Result<StackedPictures> stack_pictures(const std::vector<Picture>& pictures, std::uint64_t repeats) {
  NOEMA_ASSERT(!pictures.empty() && repeats > 0, "there is something to stack");
  std::uint64_t height = 0, width = 0;
  for (const Picture& picture : pictures) {
    height = std::max<std::uint64_t>(height, picture.height);
    width = std::max<std::uint64_t>(width, picture.width);
  }
  const auto refuse = [](std::string message) { return Error{code::kernel_failed, {}, std::move(message), {}, {}}; };
  if (repeats > max_batch_bytes / pictures.size() || height > max_batch_bytes / width / 3 ||
      repeats * pictures.size() > max_batch_bytes / (height * width * 3)) {
    return refuse("the batch would take more than " + std::to_string(max_batch_bytes) + " bytes");
  }
  StackedPictures stacked;
  const std::uint64_t plane = height * width * 3;
  try {
    stacked.images = Array::make(DType::u8, {repeats * pictures.size(), height, width, 3});
  } catch (const std::bad_alloc&) {
    return refuse("there is not enough memory for the batch of " + std::to_string(plane * repeats * pictures.size()) +
                  " bytes");
  }
  const std::span<std::uint8_t> out = stacked.images.edit<std::uint8_t>();
  Value::Items shapes;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const Picture& picture = pictures[i];
    const std::size_t row = std::size_t{picture.width} * 3;
    const bool smaller = picture.height < height || picture.width < width;
    stacked.padded = stacked.padded || smaller;
    std::uint8_t* target = out.data() + i * plane;
    if (smaller) std::memset(target, 0, plane);
    for (std::size_t y = 0; y < picture.height; ++y) {
      std::memcpy(target + y * width * 3, picture.rgb.data() + y * row, row);
    }
    shapes.push_back(shape_value({1, picture.height, picture.width, 3}));
  }
  const std::size_t base = pictures.size() * plane;
  for (std::uint64_t r = 1; r < repeats; ++r) std::memcpy(out.data() + r * base, out.data(), base);
  Value::Items all;
  all.reserve(repeats * shapes.size());
  for (std::uint64_t r = 0; r < repeats; ++r) all.insert(all.end(), shapes.begin(), shapes.end());
  stacked.original_shapes = Value(std::move(all));
  return stacked;
}

std::string tensor_identity(DType dtype, const Shape& shape, std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(sha256_of(Value::object({{"dtype", dtype_name(dtype)}, {"shape", shape_value(shape)}})));
  hash.update(bytes);
  return hash.hex();
}

}  // namespace noema::media
