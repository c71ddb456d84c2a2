// ops/channel/accounting.h: pixels behind a payload, strictly.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/json.h"
#include "core/text.h"
#include "ops/channel/accounting.h"
#include "ops/common/bits.h"

namespace noema::channel {
namespace {

using Shape4 = std::array<std::uint64_t, 4>;

const Value* present(const Value& metadata, std::string_view key) {
  const Value* value = metadata.find(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

/// [N,H,W,C] with positive axes whose product stays far from overflow.
Result<Shape4> picture_axes(const Value& shape, std::string_view key, std::string_view port) {
  constexpr std::int64_t longest = 1 << 20;
  Shape4 axes{};
  bool valid = shape.is_array() && shape.size() == axes.size();
  for (std::size_t i = 0; valid && i < axes.size(); ++i) {
    const std::optional<std::int64_t> axis = shape[i].int64();
    valid = axis && *axis >= 1 && *axis <= longest;
    axes[i] = valid ? static_cast<std::uint64_t>(*axis) : 0;
  }
  if (valid) return axes;
  return ops::metadata_error(port, "metadata '" + std::string(key) + "' holds the picture shape " +
                                       shown(canonical_json(shape)) +
                                       "; [N,H,W,C] with axes from 1 to 1048576 is allowed");
}

Error disagreement(std::string_view port, std::string_view a, std::string_view b) {
  return ops::metadata_error(port,
                             "metadata '" + std::string(a) + "' and '" + std::string(b) +
                                 "' describe different pixels, so no rate a pixel can be trusted",
                             "remove the one that is wrong");
}

/// The canvas of a batch: as many pictures as `shapes`, at least as high and as wide as the largest of them.
bool encloses(const Shape4& canvas, const std::vector<Shape4>& shapes) {
  std::uint64_t height = 0;
  std::uint64_t width = 0;
  for (const Shape4& shape : shapes) {
    height = std::max(height, shape[1]);
    width = std::max(width, shape[2]);
  }
  return canvas[0] == shapes.size() && canvas[1] >= height && canvas[2] >= width;
}

/// `original_shapes`, one [1,H,W,C] for each item, repeated as `repeat_count` says where `items` asks for it.
Result<std::vector<Shape4>> item_shapes(const Value& metadata, std::optional<std::uint64_t> items,
                                        std::string_view port) {
  std::vector<Shape4> shapes;
  const Value* listed = present(metadata, "original_shapes");
  if (listed == nullptr) return shapes;
  if (!listed->is_array()) return ops::metadata_error(port, "metadata 'original_shapes' is not a list");
  for (const Value& shape : listed->items()) {
    NOEMA_TRY(const Shape4 axes, picture_axes(shape, "original_shapes", port));
    if (axes[0] != 1) {
      return ops::metadata_error(port, "an entry of metadata 'original_shapes' holds " + std::to_string(axes[0]) +
                                           " pictures; one picture each is allowed");
    }
    shapes.push_back(axes);
  }
  NOEMA_TRY(const std::uint64_t repeat, ops::count_or(metadata, "repeat_count", 1, port));
  const std::size_t once = shapes.size();
  if (items && once > 0 && *items != once && *items / once == repeat && *items % once == 0) {
    for (std::uint64_t round = 1; round < repeat; ++round) {
      for (std::size_t i = 0; i < once; ++i) shapes.push_back(shapes[i]);
    }
  }
  return shapes;
}

}  // namespace

Result<PixelAccount> account_pixels(const Value& metadata, std::string_view port) {
  NOEMA_TRY(const std::optional<ops::ItemCounts> declared,
            ops::item_counts(metadata, "source_item_pixel_counts", port));
  PixelAccount account;
  account.items = declared;
  std::string_view source = "source_item_pixel_counts";

  const Value* canvas = present(metadata, "original_shape");
  std::optional<std::uint64_t> expected;
  if (declared) {
    expected = declared->size();
  } else if (canvas != nullptr && canvas->is_array() && canvas->size() == 4) {
    if (const auto count = (*canvas)[0].int64(); count && *count >= 1) expected = static_cast<std::uint64_t>(*count);
  }
  NOEMA_TRY(const std::vector<Shape4> shapes, item_shapes(metadata, expected, port));
  if (!shapes.empty()) {
    ops::ItemCounts pixels;
    for (const Shape4& shape : shapes) pixels.push_back(shape[1] * shape[2]);
    if (account.items && *account.items != pixels) return disagreement(port, source, "original_shapes");
    if (!account.items) source = "original_shapes";
    account.items = std::move(pixels);
  }

  for (const std::string_view key : {"original_shape", "shape"}) {
    const Value* shape = present(metadata, key);
    if (shape == nullptr || (key == "shape" && shape->size() != 4)) continue;  // a flat array's own shape says nothing
    NOEMA_TRY(const Shape4 axes, picture_axes(*shape, key, port));
    if (!shapes.empty()) {
      if (!encloses(axes, shapes)) return disagreement(port, "original_shapes", key);
      continue;
    }
    ops::ItemCounts pixels(axes[0], axes[1] * axes[2]);
    if (account.items && *account.items != pixels) return disagreement(port, source, key);
    if (!account.items) source = key;
    account.items = std::move(pixels);
  }

  if (account.items) {
    NOEMA_TRY(account.total, ops::total_of(*account.items, port));
  }
  if (const Value* stated = present(metadata, "pixel_count")) {
    const std::optional<std::int64_t> count = stated->int64();
    const bool agrees =
        count && *count >= 1 && (!account.total || static_cast<std::uint64_t>(*count) == *account.total);
    if (!agrees) {
      return ops::metadata_error(
          port, "metadata 'pixel_count' is " + shown(canonical_json(*stated)) +
                    (account.total ? ", but '" + std::string(source) + "' gives " + std::to_string(*account.total)
                                   : std::string("; a positive integer is allowed")));
    }
    account.total = static_cast<std::uint64_t>(*count);
  }
  return account;
}

}  // namespace noema::channel
