// ops/common/items.h: source items, capture records and pixels.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/items.h"

#include <utility>

#include "core/json.h"
#include "core/text.h"
#include "ops/common/bits.h"

namespace noema::ops {
namespace {

constexpr std::uint64_t largest_count = INT64_MAX;

/// a * b within 63 bits.
std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > largest_count / a) return std::nullopt;
  return a * b;
}

std::optional<std::uint64_t> sum(std::uint64_t a, std::uint64_t b) {
  if (b > largest_count - a) return std::nullopt;
  return a + b;
}

/// The value as a count; nothing unless it is an integer of at least `minimum`.
std::optional<std::uint64_t> as_count(const Value& value, std::int64_t minimum) {
  const std::optional<std::int64_t> integer = value.int64();
  if (!integer || *integer < minimum) return std::nullopt;
  return static_cast<std::uint64_t>(*integer);
}

const Value* present(const Value& metadata, std::string_view key) {
  const Value* value = metadata.find(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

Error overflow(std::string_view key, std::string_view port) {
  return metadata_error(port, "metadata '" + std::string(key) + "' describes more elements than 63 bits can count");
}

/// Axes of a shape, or an error that names the first bad one.
Result<std::vector<std::uint64_t>> axes(const Value& shape, std::string_view key, std::string_view port) {
  std::vector<std::uint64_t> counts;
  counts.reserve(shape.size());
  for (const Value& axis : shape.items()) {
    const std::optional<std::uint64_t> count = as_count(axis, 0);
    if (!count) {
      return metadata_error(port, "metadata '" + std::string(key) + "' has the axis " + shown(canonical_json(axis)) +
                                      "; integers of 0 or more are allowed");
    }
    counts.push_back(*count);
  }
  return counts;
}

/// N*H*W of the first three of four or more axes, with N = 0 counting as 1.
Result<std::uint64_t> pixels_of(const std::vector<std::uint64_t>& shape, std::string_view key, std::string_view port) {
  const std::optional<std::uint64_t> plane = product(shape[1], shape[2]);
  const std::optional<std::uint64_t> pixels = plane ? product(*plane, shape[0] == 0 ? 1 : shape[0]) : std::nullopt;
  if (!pixels) return overflow(key, port);
  return *pixels;
}

/// How often a list of `length` entries must be repeated to serve `items` items: 1 when it fits as it is,
/// `repeat_count` when that closes the gap, 0 when neither does.
std::uint64_t repeats(const Value& metadata, std::uint64_t length, std::uint64_t items) {
  if (length == items) return 1;
  const Value* repeat = present(metadata, "repeat_count");
  const std::optional<std::uint64_t> count = repeat == nullptr ? std::nullopt : as_count(*repeat, 1);
  if (!count) return 0;
  const std::optional<std::uint64_t> reached = product(length, *count);
  return reached && *reached == items ? *count : 0;
}

/// Texts under `key` if it is a list of `items` non-empty texts, repeated where allowed. Integer names count as texts.
std::optional<std::vector<std::string>> names_under(const Value& metadata, std::string_view key, std::uint64_t items,
                                                    bool repeat) {
  const Value* list = present(metadata, key);
  if (list == nullptr || !list->is_array() || list->size() == 0) return std::nullopt;
  const std::uint64_t times = repeat ? repeats(metadata, list->size(), items) : (list->size() == items ? 1 : 0);
  if (times == 0) return std::nullopt;
  std::vector<std::string> names;
  names.reserve(items);
  for (std::uint64_t round = 0; round < times; ++round) {
    for (const Value& name : list->items()) {
      if (name.is_integer()) {
        names.push_back(name.integer_text());
      } else if (name.is_string() && !trimmed(name.string()).empty()) {
        names.push_back(name.string());
      } else {
        return std::nullopt;
      }
    }
  }
  return names;
}

}  // namespace

Result<std::optional<ItemCounts>> item_counts(const Value& metadata, std::string_view key, std::string_view port) {
  const Value* list = present(metadata, key);
  if (list == nullptr) return std::optional<ItemCounts>{};
  if (!list->is_array() || list->size() == 0) {
    return metadata_error(port, "metadata '" + std::string(key) + "' is " + shown(canonical_json(*list)) +
                                    "; a list with one positive integer for each source item is allowed");
  }
  ItemCounts counts;
  counts.reserve(list->size());
  for (const Value& entry : list->items()) {
    const std::optional<std::uint64_t> count = as_count(entry, 1);
    if (!count) {
      return metadata_error(port, "entry " + std::to_string(counts.size()) + " of metadata '" + std::string(key) +
                                      "' is " + shown(canonical_json(entry)) + "; positive integers are allowed");
    }
    counts.push_back(*count);
  }
  return std::optional<ItemCounts>(std::move(counts));
}

Result<std::uint64_t> total_of(const ItemCounts& counts, std::string_view port) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts) {
    const std::optional<std::uint64_t> next = sum(total, count);
    if (!next) return metadata_error(port, "the source items hold more elements than 63 bits can count");
    total = *next;
  }
  return total;
}

Result<std::optional<ItemCounts>> item_bit_counts(const Value& metadata, std::uint64_t bit_count,
                                                  std::string_view port) {
  std::vector<std::string> declared;
  for (const std::string_view key :
       {"source_item_coded_bit_counts", "source_item_framed_bit_counts", "source_item_payload_bit_counts"}) {
    NOEMA_TRY(std::optional<ItemCounts> counts, item_counts(metadata, key, port));
    if (!counts) continue;
    NOEMA_TRY(const std::uint64_t total, total_of(*counts, port));
    if (total == bit_count) return counts;
    declared.push_back(std::string(key) + " adds up to " + std::to_string(total));
  }
  if (declared.empty()) return std::optional<ItemCounts>{};
  return metadata_error(port, "the stream has " + std::to_string(bit_count) + " bits, but " + joined(declared, " and "),
                        "a step that changes the length of the stream must rewrite or remove the counts of its items");
}

Result<std::optional<ItemCounts>> item_symbol_counts(const Value& metadata, std::uint64_t symbol_count,
                                                     std::string_view port) {
  NOEMA_TRY(std::optional<ItemCounts> counts, item_counts(metadata, "source_item_symbol_counts", port));
  if (counts) {
    NOEMA_TRY(const std::uint64_t total, total_of(*counts, port));
    if (total == symbol_count) return counts;
    return metadata_error(port, "the stream has " + std::to_string(symbol_count) +
                                    " symbols, but source_item_symbol_counts adds up to " + std::to_string(total));
  }
  const std::optional<ItemCounts> none;
  const Value* shape = present(metadata, "symbol_shape");
  if (shape == nullptr || !shape->is_array() || shape->size() == 0) return none;
  NOEMA_TRY(const std::vector<std::uint64_t> counted, axes(*shape, "symbol_shape", port));
  std::uint64_t elements = 1;
  for (const std::uint64_t axis : counted) {
    const std::optional<std::uint64_t> next = product(elements, axis);
    if (!next) return overflow("symbol_shape", port);
    elements = *next;
  }
  const std::uint64_t items = counted.front();
  if (items == 0 || elements != symbol_count) return none;
  const Value* shapes = present(metadata, "original_shapes");
  const Value* image = present(metadata, "image_shape");
  const bool shapes_agree = shapes != nullptr && shapes->is_array() && shapes->size() == items;
  const bool image_agrees = image != nullptr && image->is_array() && image->size() > 0 && (*image)[0] == Value(items);
  if (!shapes_agree && !image_agrees) return none;
  if (symbol_count == 0) return none;
  return std::optional<ItemCounts>(ItemCounts(items, symbol_count / items));
}

Result<std::optional<RecordLayout>> record_layout(const Value& metadata, std::uint64_t elements,
                                                  std::string_view port) {
  const Value* count = present(metadata, "capture_record_count");
  const Value* shape = present(metadata, "capture_record_shape");
  if (count == nullptr && shape == nullptr) return std::optional<RecordLayout>{};
  if (count == nullptr || shape == nullptr) {
    return metadata_error(
        port,
        std::string("metadata declares ") + (count == nullptr ? "capture_record_shape without capture_record_count"
                                                              : "capture_record_count without capture_record_shape"),
        "declare both, or neither");
  }
  const std::optional<std::uint64_t> records = as_count(*count, 1);
  if (!records) {
    return metadata_error(port, "metadata 'capture_record_count' is " + shown(canonical_json(*count)) +
                                    "; a positive integer is allowed");
  }
  std::optional<std::uint64_t> length =
      shape->is_array() && shape->size() > 0 ? std::optional<std::uint64_t>(1) : std::nullopt;
  if (length) {
    for (const Value& axis : shape->items()) {
      const std::optional<std::uint64_t> extent = as_count(axis, 1);
      length = extent && length ? product(*length, *extent) : std::nullopt;
    }
  }
  if (!length) {
    return metadata_error(port, "metadata 'capture_record_shape' is " + shown(canonical_json(*shape)) +
                                    "; a list of one or more positive integers is allowed");
  }
  if (const auto described = product(*records, *length); !described || *described != elements) {
    return metadata_error(port, "metadata describes " + std::to_string(*records) + " records of " +
                                    std::to_string(*length) + " elements, but the array holds " +
                                    std::to_string(elements));
  }
  return std::optional<RecordLayout>(RecordLayout{*records, *length});
}

Result<void> rewrite_record_layout(Value& metadata, std::uint64_t before, std::uint64_t after, std::string_view port) {
  NOEMA_TRY(const std::optional<RecordLayout> layout, record_layout(metadata, before, port));
  if (!layout) return {};
  if (after == 0 || after % layout->count != 0) {
    return metadata_error(port,
                          "the output has " + std::to_string(after) + " elements, which can't be cut into the " +
                              std::to_string(layout->count) + " equal records that the input declares",
                          "choose parameters that give every record the same whole number of elements");
  }
  metadata.set("capture_record_shape", Value(Value::Items{Value(after / layout->count)}));
  return {};
}

void remove_record_layout(Value& metadata) {
  for (const std::string_view key : {"capture_record_count", "capture_record_shape", "capture_record_axis",
                                     "record_axis", "sample_axis", "capture_record_unit"}) {
    metadata.erase(key);
  }
}

Result<std::uint64_t> total_pixels(const Value& metadata, std::string_view port) {
  if (const Value* shapes = present(metadata, "original_shapes"); shapes != nullptr && shapes->is_array()) {
    std::uint64_t total = 0;
    for (const Value& shape : shapes->items()) {
      if (!shape.is_array() || shape.size() < 4) continue;
      NOEMA_TRY(const std::vector<std::uint64_t> counted, axes(shape, "original_shapes", port));
      NOEMA_TRY(const std::uint64_t pixels, pixels_of(counted, "original_shapes", port));
      const std::optional<std::uint64_t> next = sum(total, pixels);
      if (!next) return overflow("original_shapes", port);
      total = *next;
    }
    if (total > 0) return total;
  }
  for (const std::string_view key : {"original_shape", "image_shape", "storage_shape", "shape"}) {
    const Value* shape = present(metadata, key);
    if (shape == nullptr || !shape->is_array() || shape->size() < 4) continue;
    NOEMA_TRY(const std::vector<std::uint64_t> counted, axes(*shape, key, port));
    return pixels_of(counted, key, port);
  }
  return std::uint64_t{0};
}

Result<std::optional<ItemCounts>> item_pixels(const Value& metadata, std::uint64_t items, std::string_view port) {
  const std::optional<ItemCounts> none;
  if (items == 0) return none;
  if (const Value* shapes = present(metadata, "original_shapes"); shapes != nullptr && shapes->is_array()) {
    const std::uint64_t times = shapes->size() == 0 ? 0 : repeats(metadata, shapes->size(), items);
    ItemCounts pixels;
    if (times > 0) pixels.reserve(items);
    for (std::uint64_t round = 0; round < times; ++round) {
      for (const Value& shape : shapes->items()) {
        if (!shape.is_array() || (shape.size() != 3 && shape.size() != 4)) return none;
        NOEMA_TRY(std::vector<std::uint64_t> counted, axes(shape, "original_shapes", port));
        if (counted.size() == 3) counted.insert(counted.begin(), 1);
        NOEMA_TRY(const std::uint64_t count, pixels_of(counted, "original_shapes", port));
        pixels.push_back(count);
      }
    }
    if (times > 0) return std::optional<ItemCounts>(std::move(pixels));
  }
  for (const std::string_view key : {"original_shape", "image_shape", "storage_shape"}) {
    const Value* shape = present(metadata, key);
    if (shape == nullptr || !shape->is_array() || shape->size() < 4) continue;
    NOEMA_TRY(std::vector<std::uint64_t> counted, axes(*shape, key, port));
    if (counted[0] != items) continue;
    counted[0] = 1;
    NOEMA_TRY(const std::uint64_t count, pixels_of(counted, key, port));
    return std::optional<ItemCounts>(ItemCounts(items, count));
  }
  return none;
}

ItemNames link_item_names(const Value& metadata, std::uint64_t items) {
  for (const std::string_view key : {"source_item_ids", "image_ids", "sample_ids"}) {
    if (auto names = names_under(metadata, key, items, false)) return {std::move(*names), std::string(key)};
  }
  ItemNames made;
  made.names.reserve(items);
  for (std::uint64_t i = 0; i < items; ++i) made.names.push_back("source_item_" + std::to_string(i));
  return made;
}

ItemNames codec_item_names(const Value& metadata, std::uint64_t items) {
  for (const std::string_view key : {"source_item_ids", "image_ids"}) {
    if (auto names = names_under(metadata, key, items, true)) return {std::move(*names), std::string(key)};
  }
  ItemNames made;
  made.names.reserve(items);
  for (std::uint64_t i = 0; i < items; ++i) {
    const std::string digits = std::to_string(i);
    made.names.push_back("source_item_" + std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits);
  }
  return made;
}

std::optional<std::array<std::uint64_t, 4>> picture_shape(const Value& metadata, std::uint64_t index) {
  const Value* shapes = present(metadata, "original_shapes");
  const Value* own = shapes != nullptr && shapes->is_array() && index < shapes->size() ? &(*shapes)[index] : nullptr;
  for (const Value* shape : {own, present(metadata, "original_shape"), present(metadata, "shape")}) {
    if (shape == nullptr || !shape->is_array() || shape->size() != 4) continue;
    std::array<std::uint64_t, 4> axes_of_shape{};
    bool valid = true;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::optional<std::uint64_t> axis = as_count((*shape)[i], 0);
      valid = valid && axis.has_value();
      axes_of_shape[i] = axis.value_or(0);
    }
    if (valid) return axes_of_shape;
  }
  return std::nullopt;
}

}  // namespace noema::ops
