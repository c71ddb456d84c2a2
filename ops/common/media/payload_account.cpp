// Rates of byte codecs (payload_account.h).
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/payload_account.h"

#include <new>

#include "kernels/boundary.h"
#include "kernels/pack_bits.h"
#include "ops/common/bits.h"
#include "ops/common/checks.h"
#include "ops/common/rates.h"

namespace noema::media {
namespace {

template <class Size>
Value counts(const std::vector<ItemBytes>& items, Size size) {
  Value::Items list;
  list.reserve(items.size());
  for (const ItemBytes& item : items) list.emplace_back(size(item));
  return Value(std::move(list));
}

void set_pair(Value& metadata, const std::string& name, std::uint64_t bytes) {
  metadata.set(name + "_byte_count", bytes);
  metadata.set(name + "_bit_count", 8 * bytes);
}

void emit_pair(Call& call, const std::string& name, std::uint64_t bytes) {
  call.count_metric(name + "_bytes", bytes);
  call.count_metric(name + "_bit_count", 8 * bytes);
}

}  // namespace

PayloadAccount::PayloadAccount(std::vector<ItemBytes> items, std::string_view native_boundary,
                               std::string_view serialized_boundary, std::string_view format)
    : items_(std::move(items)),
      native_boundary_(native_boundary),
      serialized_boundary_(serialized_boundary),
      format_(format) {
  for (const ItemBytes& item : items_) {
    NOEMA_ASSERT(item.serialized >= item.native, "a wrapper never shortens what it wraps");
    native_ += item.native;
    serialized_ += item.serialized;
  }
}

void PayloadAccount::declare(Value& metadata) const {
  set_pair(metadata, "native_codec", native_);
  set_pair(metadata, "serialized_payload", serialized_);
  set_pair(metadata, "safe_serialization_wrapper", serialized_ - native_);
  set_pair(metadata, "wire_protocol_overhead", serialized_ - native_);
  metadata.set("payload_bit_count", 8 * serialized_);
  metadata.set("payload_byte_count", serialized_);
  metadata.set("native_codec_rate_boundary", native_boundary_);
  metadata.set("serialized_payload_rate_boundary", serialized_boundary_);
  metadata.set("serialized_payload_format", format_);
  metadata.set("payload_format", format_);
  metadata.set("payload_framing", "independent_source_items_v1");
  metadata.set("source_item_count", items_.size());
  metadata.set("source_item_payload_bit_counts", counts(items_, [](const ItemBytes& i) { return 8 * i.serialized; }));
  metadata.set("source_item_payload_byte_counts", counts(items_, [](const ItemBytes& i) { return i.serialized; }));
  metadata.set("source_item_native_codec_byte_counts", counts(items_, [](const ItemBytes& i) { return i.native; }));
  metadata.set("source_item_native_codec_bit_counts", counts(items_, [](const ItemBytes& i) { return 8 * i.native; }));
  metadata.set("source_item_serialized_payload_byte_counts",
               counts(items_, [](const ItemBytes& i) { return i.serialized; }));
  metadata.set("source_item_serialized_payload_bit_counts",
               counts(items_, [](const ItemBytes& i) { return 8 * i.serialized; }));
  metadata.set("source_item_safe_serialization_wrapper_byte_counts",
               counts(items_, [](const ItemBytes& i) { return i.serialized - i.native; }));
}

void PayloadAccount::emit(Call& call, std::uint64_t pixels) const {
  call.count_metric("codec.bit_count", 8 * serialized_);
  call.count_metric("codec.bytes", serialized_);
  call.count_metric("channel.payload_bit_count", 8 * serialized_);
  emit_pair(call, "codec.native", native_);
  emit_pair(call, "codec.serialized_payload", serialized_);
  emit_pair(call, "codec.safe_serialization_wrapper", serialized_ - native_);
  emit_pair(call, "codec.wire_protocol_overhead", serialized_ - native_);
  if (pixels == 0) return;
  call.metric("rate.native_codec_bpp", ops::per_pixel(8 * native_, pixels));
  call.metric("rate.serialized_payload_bpp", ops::per_pixel(8 * serialized_, pixels));
  call.metric("rate.payload_bpp", ops::per_pixel(8 * serialized_, pixels));
}

void EntropyCoder::declare(Value& metadata) const {
  metadata.set("entropy_coded", true);
  metadata.set("entropy_coder", coder);
  metadata.set("entropy_algorithm", algorithm);
  metadata.set("entropy_implementation", implementation);
  metadata.set("entropy_language", language);
  metadata.set("entropy_note", note);
}

Result<Array> bits_of(std::string_view bytes) {
  try {
    Array bits = Array::make(DType::u8, {8 * bytes.size()});
    kernels::unpack_bits(std::as_bytes(std::span(bytes)), bits.edit<Bit>());
    return bits;
  } catch (const std::bad_alloc&) {
    return Error{code::kernel_failed,
                 {},
                 "there is not enough memory for " + std::to_string(8 * bytes.size()) + " bits",
                 {},
                 {}};
  }
}

Result<Array> payload_bits(const Call& call, std::string_view port) {
  NOEMA_TRY(const Array bits, call.array(port, "bits"));
  NOEMA_TRY(kernels::Checked checked, ops::at_port(kernels::check_bits(ops::bit_boundary_of(call.kind(port)), bits,
                                                                       ops::data_plane_backend(call.backend())),
                                                   port));
  return std::move(checked.array);
}

std::string bytes_of(std::span<const Bit> bits) {
  std::string bytes(kernels::packed_size(bits.size()), '\0');
  kernels::pack_bits(bits, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

}  // namespace noema::media
