// ops/channel/packetizer.h: the sender of CRC-32 packets.
// SPDX-License-Identifier: Apache-2.0
#include "ops/channel/packetizer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/digest.h"
#include "kernels/crc32.h"
#include "kernels/pack_bits.h"
#include "ops/common/bits.h"
#include "ops/common/checks.h"

namespace noema::channel {
namespace {

constexpr std::string_view port = "bits";

double ratio(std::uint64_t bits, std::uint64_t pixels) {
  return static_cast<double>(bits) / static_cast<double>(pixels);
}

/// Declared items, else equal capture records, else the whole payload as one item; no items in an empty payload.
Result<ops::ItemCounts> source_items(const Value& metadata, std::uint64_t payload) {
  NOEMA_TRY(std::optional<ops::ItemCounts> declared,
            ops::item_counts(metadata, "source_item_payload_bit_counts", port));
  NOEMA_TRY(const std::optional<ops::RecordLayout> records, ops::record_layout(metadata, payload, port));
  ops::ItemCounts items;
  if (declared) {
    NOEMA_TRY(const std::uint64_t total, ops::total_of(*declared, port));
    if (total != payload) {
      return ops::metadata_error(port, "source_item_payload_bit_counts adds up to " + std::to_string(total) +
                                           ", but the payload has " + std::to_string(payload) + " bits");
    }
    items = std::move(*declared);
  } else if (records) {
    items.assign(records->count, records->length);
  } else if (payload > 0) {
    items.push_back(payload);
  }
  NOEMA_TRY(const std::uint64_t count, ops::count_or(metadata, "source_item_count", items.size(), port));
  if (count != items.size()) {
    return ops::metadata_error(port,
                               "metadata 'source_item_count' is " + std::to_string(count) +
                                   ", but the payload is cut into " + std::to_string(items.size()) + " items",
                               "declare the bits of each item in source_item_payload_bit_counts");
  }
  return items;
}

}  // namespace

Result<void> Packetizer::open(Call& call) {
  NOEMA_CHECK(ops::check_dtype(call, port, DType::u8));
  NOEMA_TRY(ops::ItemCounts items, source_items(call.metadata(port), call.length(port)));
  NOEMA_TRY(plan_, plan_packets(std::move(items), call.count("packet_payload_bits"), port));
  contract_ = packet_contract(plan_);
  contract_sha256_ = sha256_of(contract_);
  walk_.emplace(plan_);
  NOEMA_TRY(Value opening, metadata(call));
  call.open_output("bits", "bits", DType::u8, plan_.framed_total(), std::move(opening));
  return {};
}

Result<Value> Packetizer::metadata(const Call& call) const {
  const std::uint64_t payload = plan_.payload_total;
  const std::uint64_t framed = plan_.framed_total();
  const std::uint64_t padding = plan_.payload_bits * plan_.packet_count - payload;
  Value metadata = ops::loaded_bits(call.metadata(port), call.kind(port), payload, call.backend());
  NOEMA_TRY(const std::uint64_t pixels, ops::total_pixels(metadata, port));
  NOEMA_TRY(const std::optional<ops::RecordLayout> records, ops::record_layout(metadata, payload, port));
  if (records && records->count == plan_.items.size() && plan_.all_items_have(records->length)) {
    NOEMA_CHECK(ops::rewrite_record_layout(metadata, payload, framed, port));
  } else {
    ops::remove_record_layout(metadata);
  }

  ops::declare_bits(metadata, "packetized_payload", framed, call.backend());
  metadata.set("packetizer", "crc32");
  metadata.set("packetized", true);
  metadata.set("packet_protocol", packet_protocol);
  metadata.set("protected_digital_baseline", "crc32_packetized");
  for (const std::string_view key :
       {"packet_payload_bits", "packet_header_logical_bits", "packet_header_crc_logical_bits",
        "packet_header_repetition_factor", "packet_header_bits", "packet_header_crc_bits", "packet_crc_bits",
        "packet_total_bits", "packet_count"}) {
    metadata.set(key, contract_.at(key));
  }
  metadata.set("packet_header_schema",
               "big-endian u32: source_item_index, source_item_count, item_bit_offset, valid_payload_bits, "
               "item_total_payload_bits; then the CRC-32 of these 160 bits");
  metadata.set("packet_integrity_scope", "header_and_fixed_payload_area_including_padding");
  metadata.set("packet_crc_reference", "received_crc_only");
  metadata.set("packet_contract", contract_);
  metadata.set("packet_contract_sha256", contract_sha256_);
  metadata.set("packet_source_item_counts", contract_.at("source_item_packet_counts"));
  if (plan_.items.empty()) {
    metadata.erase("source_item_framed_bit_counts");
  } else {
    metadata.set("source_item_framed_bit_counts", plan_.item_framed_bits());
  }
  metadata.set("original_payload_bit_count", payload);
  metadata.set("payload_bit_count", payload);
  metadata.set("framing_header_bit_count", packet_lead_bits * plan_.packet_count);
  metadata.set("header_crc_overhead_bit_count", packet_crc_bits * plan_.packet_count);
  metadata.set("padding_bit_count", padding);
  metadata.set("framed_bit_count", framed);
  metadata.set("packetized_bit_count", framed);
  metadata.set("crc_overhead_bit_count", packet_crc_bits * plan_.packet_count);
  if (pixels > 0) {
    metadata.set("rate_payload_bpp", ratio(payload, pixels));
    metadata.set("rate_framed_bpp", ratio(framed, pixels));
    metadata.set("framing_padding_bpp", ratio(padding, pixels));
  }
  return metadata;
}

Result<void> Packetizer::work(Call& call) {
  ops::BitWriter writer(call, "bits", plan_.framed_total());
  while (!walk_->done()) {
    if (call.peek<Bit>(port).empty()) break;
    if (!under_way_) send_lead(writer);
    NOEMA_TRY(const bool complete, send_payload(call, writer));
    if (!complete) break;
    send_end(writer);
    walk_->next();
  }
  writer.flush();
  return {};
}

void Packetizer::send_lead(ops::BitWriter& writer) {
  const PacketLead lead = packet_lead(walk_->packet());
  std::array<Bit, packet_lead_bits> bits{};
  kernels::unpack_bits(lead, bits);
  writer.write(bits);
  crc_ = kernels::crc32(lead, crc_of_bit_count(packet_lead_bits + plan_.payload_bits));
  under_way_ = true;
  sent_ = 0;
}

Result<bool> Packetizer::send_payload(Call& call, ops::BitWriter& writer) {
  const std::uint64_t valid = walk_->packet().valid_bits;
  while (sent_ < valid) {
    // Whole bytes until the packet's last ones, so that the CRC never stops inside a byte.
    const std::uint64_t needed = valid - sent_;
    std::span<const Bit> bits = call.peek<Bit>(port, std::min<std::uint64_t>(needed, 8));
    bits = bits.first(std::min<std::uint64_t>(bits.size(), needed));
    if (bits.size() < needed) bits = bits.first(bits.size() - bits.size() % 8);
    if (bits.empty()) return false;
    NOEMA_CHECK(ops::check_bits(call, port, bits));
    packed_.resize(std::max(packed_.size(), kernels::packed_size(bits.size())));
    const std::span<std::byte> packed = std::span(packed_).first(kernels::packed_size(bits.size()));
    kernels::pack_bits(bits, packed);
    crc_ = kernels::crc32(packed, crc_);
    writer.write(bits);
    sent_ += bits.size();
    call.consume(port, bits.size());
  }
  return true;
}

void Packetizer::send_end(ops::BitWriter& writer) {
  const std::uint64_t valid = walk_->packet().valid_bits;
  crc_ = crc_of_zeros(crc_, ops::packed_byte_count(plan_.payload_bits) - ops::packed_byte_count(valid));
  writer.fill(0, plan_.payload_bits - valid);
  std::array<Bit, packet_crc_bits> bits{};
  kernels::unpack_bits(big_endian(crc_), bits);
  writer.write(bits);
  under_way_ = false;
}

Result<void> Packetizer::close(Call& call) {
  NOEMA_TRY(Value complete, metadata(call));
  const auto count = [&](std::string_view key) { return static_cast<std::uint64_t>(complete.at(key).integer()); };
  for (const std::string_view key : {"payload_bit_count", "packet_count", "packet_payload_bits",
                                     "framing_header_bit_count", "header_crc_overhead_bit_count", "padding_bit_count",
                                     "framed_bit_count", "packetized_bit_count", "crc_overhead_bit_count"}) {
    call.count_metric("channel." + std::string(key), count(key));
  }
  for (const auto& [key, name] :
       {std::pair{"rate_payload_bpp", "rate.payload_bpp"}, std::pair{"rate_framed_bpp", "rate.framed_bpp"}}) {
    if (const Value* rate = complete.find(key)) call.metric(name, rate->number());
  }
  call.close_output("bits", std::move(complete));
  return {};
}

}  // namespace noema::channel
