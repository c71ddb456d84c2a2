// ops/common/bits.h: metadata of bit artifacts.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/bits.h"

#include <optional>
#include <utility>

#include "core/json.h"
#include "core/text.h"

namespace noema::ops {
namespace {

Result<void> append_to_list(Value& metadata, std::string_view key, Value entry, std::string_view port) {
  if (const Value* list = metadata.find(key); list != nullptr && !list->is_null() && !list->is_array()) {
    return metadata_error(port, "metadata '" + std::string(key) + "' is not a list, so nothing can be appended to it",
                          "the step that wrote this input must leave '" + std::string(key) + "' a list or absent");
  }
  metadata.edit(key).push(std::move(entry));
  return {};
}

}  // namespace

std::string_view data_plane_backend(std::string_view row_backend) {
  return row_backend == "numpy" || row_backend == "python" ? "python_numpy" : "cpp_native";
}

std::string_view bit_boundary_of(std::string_view kind) {
  return kind == "channel.payload_bits.numpy" ? "payload.bits" : "channel.bits";
}

Value loaded_bits(const Value& metadata, std::string_view kind, std::uint64_t bit_count, std::string_view row_backend) {
  Value loaded = metadata.is_object() ? metadata : Value::object();
  loaded.set("boundary_contract", bit_boundary_of(kind));
  loaded.set("bit_count", bit_count);
  loaded.set("byte_count", packed_byte_count(bit_count));
  loaded.set("dtype", "uint8");
  loaded.set("shape", Value(Value::Items{Value(bit_count)}));
  loaded.set("storage", "unpacked_uint8");
  loaded.set("bits_per_element", 1);
  loaded.set("data_plane_backend", data_plane_backend(row_backend));
  return loaded;
}

void declare_bits(Value& metadata, std::string_view role, std::uint64_t bit_count, std::string_view row_backend) {
  metadata.set("bit_count", bit_count);
  metadata.set("bit_role", role);
  metadata.set("bit_storage", "unpacked_uint8");
  metadata.set("channel_bit_array", "unpacked_uint8");
  metadata.set("bits_per_element", 1);
  metadata.set("data_plane_backend", data_plane_backend(row_backend));
  if (metadata.find("byte_count") != nullptr) metadata.set("byte_count", packed_byte_count(bit_count));
}

Result<std::uint64_t> count_or(const Value& metadata, std::string_view key, std::uint64_t fallback,
                               std::string_view port) {
  const Value* value = metadata.find(key);
  if (value == nullptr || value->is_null()) return fallback;
  const std::optional<std::int64_t> integer = value->int64();
  if (!integer || *integer < 0) {
    return metadata_error(port, "metadata '" + std::string(key) + "' is " + shown(canonical_json(*value)) +
                                    "; an integer of 0 or more is allowed");
  }
  return static_cast<std::uint64_t>(*integer);
}

Result<void> append_fixed_point(Value& metadata, Value entry, std::string_view port) {
  return append_to_list(metadata, "fixed_points", std::move(entry), port);
}

Result<void> append_coding_history(Value& metadata, Value entry, std::string_view port) {
  return append_to_list(metadata, "coding_history", std::move(entry), port);
}

Error metadata_error(std::string_view port, std::string message, std::string hint) {
  Error error{code::input_metadata, {}, std::move(message), std::move(hint), {}};
  error.at.path = "inputs." + std::string(port);
  return error;
}

}  // namespace noema::ops
