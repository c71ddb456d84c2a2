// Resize and crop of source pictures (image_transform.h).
// SPDX-License-Identifier: Apache-2.0
#include "ops/source/image_transform.h"

#include <algorithm>

#include "ops/common/media/resample.h"

namespace noema::source {
namespace {

Result<media::Picture> resize_shorter(media::Picture picture, std::uint64_t side, std::string_view name) {
  const std::uint64_t shorter = std::min(picture.height, picture.width),
                      longer = std::max(picture.height, picture.width);
  if (side == 0 || shorter == side) return picture;
  const std::uint64_t other = std::max<std::uint64_t>(1, side * longer / shorter);
  if (other > media::max_picture_pixels / side) {
    return media::picture_error(name, "resized to a shorter side of " + std::to_string(side) + " it would have " +
                                          std::to_string(side) + " x " + std::to_string(other) + " pixels; at most " +
                                          std::to_string(media::max_picture_pixels) + " are allowed");
  }
  const auto small = static_cast<std::uint32_t>(side), large = static_cast<std::uint32_t>(other);
  const bool upright = picture.height >= picture.width;
  return media::resize(picture, upright ? large : small, upright ? small : large, media::Filter::bilinear);
}

Result<media::Picture> crop_middle(media::Picture picture, std::uint64_t side, std::string_view name) {
  if (side == 0) return picture;
  if (side > picture.height || side > picture.width) {
    return media::picture_error(name,
                                "the picture has " + std::to_string(picture.width) + " x " +
                                    std::to_string(picture.height) + " pixels; a crop of " + std::to_string(side) +
                                    " x " + std::to_string(side) + " does not fit",
                                "lower crop_size or raise resize_shorter_side");
  }
  NOEMA_TRY(media::Picture middle, media::make_picture(side, side, name));
  const std::size_t top = (picture.height - side) / 2, left = (picture.width - side) / 2;
  for (std::size_t y = 0; y < side; ++y) {
    const std::uint8_t* row = picture.rgb.data() + ((top + y) * picture.width + left) * 3;
    std::copy_n(row, side * 3, middle.rgb.data() + y * side * 3);
  }
  return middle;
}

}  // namespace

Result<media::Picture> ImageTransform::apply(media::Picture picture, std::string_view name) const {
  NOEMA_TRY(media::Picture resized, resize_shorter(std::move(picture), shorter_side, name));
  return crop_middle(std::move(resized), crop, name);
}

Value ImageTransform::description() const {
  if (shorter_side == 0 && crop == 0) return Value::object({{"name", "identity"}});
  Value steps = Value::object({{"name", "resize_then_centre_crop"}});
  if (shorter_side > 0) steps.set("resize_shorter_side", shorter_side).set("resize_filter", "bilinear");
  if (crop > 0) steps.set("crop_size", crop);
  return steps;
}

}  // namespace noema::source
