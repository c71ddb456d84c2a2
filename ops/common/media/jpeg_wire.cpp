// JPEG payloads (jpeg_wire.h).
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/jpeg_wire.h"

#include <charconv>

#include "ops/common/media/safe_data.h"

namespace noema::media {
namespace {

constexpr std::string_view compact_magic{"NOEMAJP\x01", 8};
constexpr std::size_t compact_head = 12;
constexpr std::size_t compact_limit = std::size_t{256} << 20;

Error invalid(std::string message) {
  return Error{code::input_invalid, {}, "the JPEG payload " + std::move(message), {}, {}};
}

Result<std::string> wrap_compact(std::string_view file) {
  if (file.size() > compact_limit - compact_head) {
    return invalid("takes " + std::to_string(file.size() + compact_head) + " bytes; at most " +
                   std::to_string(compact_limit) + " are allowed");
  }
  std::string payload(compact_magic);
  for (int shift = 24; shift >= 0; shift -= 8) {
    payload += static_cast<char>(static_cast<unsigned char>(file.size() >> shift));
  }
  payload += file;
  return payload;
}

Result<std::vector<UnwrappedJpeg>> unwrap_compact(std::string_view payload) {
  if (payload.size() < compact_head) return invalid("ends within its head of 12 bytes");
  if (payload.size() > compact_limit) return invalid("has more than 268435456 bytes");
  std::size_t length = 0;
  for (std::size_t i = compact_magic.size(); i < compact_head; ++i) {
    length = (length << 8) | static_cast<unsigned char>(payload[i]);
  }
  const std::size_t there = payload.size() - compact_head;
  if (length != there) {
    return invalid("declares " + std::to_string(length) + " bytes; " + std::to_string(there) + " follow its head");
  }
  std::vector<UnwrappedJpeg> items;
  items.push_back({std::string(payload.substr(compact_head)), std::nullopt});
  return items;
}

std::optional<std::uint32_t> axis(const SafeValue& value) {
  if (value.kind() != SafeValue::Kind::integer) return std::nullopt;
  std::uint32_t number = 0;
  const std::string& text = value.text();
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_sequence(const SafeValue& value) {
  return value.kind() == SafeValue::Kind::list || value.kind() == SafeValue::Kind::tuple;
}

/// {data, original_shape} of one picture.
Result<UnwrappedJpeg> unwrap_entry(const SafeValue& entry) {
  const SafeValue* data = entry.find("data");
  if (data == nullptr || data->kind() != SafeValue::Kind::bytes)
    return invalid("has an entry without the bytes `data`");
  UnwrappedJpeg item{data->text(), std::nullopt};
  const SafeValue* shape = entry.find("original_shape");
  if (shape == nullptr) return item;
  if (!is_sequence(*shape) || shape->items().size() != 4) return invalid("declares a shape that is not [1, H, W, 3]");
  const auto height = axis(shape->items()[1]), width = axis(shape->items()[2]);
  if (!shape->items()[0].integer_is(1) || !height || !width || !shape->items()[3].integer_is(3)) {
    return invalid("declares a shape that is not [1, H, W, 3]");
  }
  item.declared = JpegSize{*height, *width};
  return item;
}

Result<std::vector<UnwrappedJpeg>> unwrap_tree(const SafeValue& tree) {
  const SafeValue* codec = tree.find("codec");
  if (codec == nullptr || codec->kind() != SafeValue::Kind::string || codec->text() != "jpeg") {
    return invalid("is not of the codec jpeg");
  }
  std::vector<UnwrappedJpeg> items;
  if (const SafeValue* entry = tree.find("entry")) {
    const SafeValue* version = tree.find("payload_version");
    if (version == nullptr || !version->integer_is(2)) return invalid("is of an unknown version; version 2 is known");
    NOEMA_TRY(UnwrappedJpeg item, unwrap_entry(*entry));
    items.push_back(std::move(item));
    return items;
  }
  const SafeValue* entries = tree.find("entries");
  if (entries == nullptr || !is_sequence(*entries)) return invalid("has neither `entry` nor a list `entries`");
  for (const SafeValue& entry : entries->items()) {
    NOEMA_TRY(UnwrappedJpeg item, unwrap_entry(entry));
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace

JpegWire jpeg_wire_named(std::string_view name) {
  return name == "compact_binary_v1" ? JpegWire::compact_binary : JpegWire::safe_data;
}

std::string_view wire_format_id(JpegWire wire) {
  return wire == JpegWire::safe_data ? safe_data_format : "noema.codec_wire.v1";
}

std::string_view wire_rate_boundary(JpegWire wire) {
  return wire == JpegWire::safe_data ? "noema_safe_data_json_base64_bytes" : "noema_compact_codec_wire_bytes";
}

Result<std::string> wrap_jpeg(std::string_view file, JpegSize size, const JpegSettings& settings,
                              std::string_view subsampling, JpegWire wire) {
  if (wire == JpegWire::compact_binary) return wrap_compact(file);
  SafeValue::Items shape;
  for (const std::int64_t length :
       {std::int64_t{1}, std::int64_t{size.height}, std::int64_t{size.width}, std::int64_t{3}}) {
    shape.push_back(SafeValue::integer(length));
  }
  return write_safe_data(SafeValue::dict({
      {"payload_version", SafeValue::integer(2)},
      {"codec", SafeValue::string("jpeg")},
      {"entry", SafeValue::dict({{"data", SafeValue::bytes(std::string(file))},
                                 {"original_shape", SafeValue::list(std::move(shape))}})},
      {"quality", SafeValue::integer(settings.quality)},
      {"subsampling", SafeValue::string(std::string(subsampling))},
      {"optimize", SafeValue::boolean(settings.optimize)},
      {"progressive", SafeValue::boolean(settings.progressive)},
  }));
}

Result<std::vector<UnwrappedJpeg>> unwrap_jpeg(std::string_view payload) {
  if (payload.starts_with(compact_magic)) return unwrap_compact(payload);
  NOEMA_TRY(const SafeValue tree, read_safe_data(payload));
  return unwrap_tree(tree);
}

}  // namespace noema::media
