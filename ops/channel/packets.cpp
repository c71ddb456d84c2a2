// ops/channel/packets.h: layout and headers of CRC-32 packets.
// SPDX-License-Identifier: Apache-2.0
#include "ops/channel/packets.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/crc32.h"
#include "ops/common/bits.h"

namespace noema::channel {
namespace {

constexpr std::uint64_t largest_field = UINT32_MAX;

}  // namespace

ops::ItemCounts PacketPlan::item_packets() const {
  ops::ItemCounts counts;
  counts.reserve(items.size());
  for (const std::uint64_t bits : items) counts.push_back(packets_of(bits));
  return counts;
}

ops::ItemCounts PacketPlan::item_framed_bits() const {
  ops::ItemCounts counts = item_packets();
  for (std::uint64_t& count : counts) count *= packet_bits();
  return counts;
}

bool PacketPlan::all_items_have(std::uint64_t bits) const {
  return std::ranges::all_of(items, [bits](std::uint64_t item) { return item == bits; });
}

Result<PacketPlan> plan_packets(ops::ItemCounts items, std::uint64_t payload_bits, std::string_view port) {
  if (items.size() > largest_field) {
    return ops::metadata_error(port, "there are " + std::to_string(items.size()) +
                                         " source items, but the 32-bit header field counts up to 4294967295");
  }
  PacketPlan plan;
  plan.items = std::move(items);
  plan.payload_bits = payload_bits;
  for (const std::uint64_t bits : plan.items) {
    if (bits == 0 || bits > largest_field) {
      return ops::metadata_error(
          port, "a source item has " + std::to_string(bits) + " bits; 1 to 4294967295 fit the 32-bit header field",
          "cut the payload into more items, for example with batch_size of source.random_bits");
    }
    plan.payload_total += bits;  // fewer than 2^64: both factors are below 2^32
    plan.packet_count += plan.packets_of(bits);
  }
  if (plan.packet_count > most_packets) {
    return ops::metadata_error(port,
                               "the payload of " + std::to_string(plan.payload_total) + " bits makes " +
                                   std::to_string(plan.packet_count) + " packets; the packet contract lists at most " +
                                   std::to_string(most_packets),
                               "raise packet_payload_bits, which is " + std::to_string(payload_bits));
  }
  return plan;
}

void PacketWalk::settle() {
  packet_.item_count = plan_->items.size();
  if (done()) return;
  packet_.item_bits = plan_->items[packet_.item];
  packet_.valid_bits = std::min(plan_->payload_bits, packet_.item_bits - packet_.item_offset);
}

void PacketWalk::next() {
  ++packet_.index;
  packet_.item_offset += packet_.valid_bits;
  if (packet_.item_offset == packet_.item_bits) {
    ++packet_.item;
    packet_.item_offset = 0;
  }
  settle();
}

std::uint32_t big_endian(std::span<const std::byte, 4> bytes) {
  std::uint32_t value = 0;
  for (const std::byte byte : bytes) value = value << 8U | std::to_integer<std::uint32_t>(byte);
  return value;
}

std::array<std::byte, 4> big_endian(std::uint32_t value) {
  std::array<std::byte, 4> bytes{};
  for (std::byte& byte : bytes) {
    byte = static_cast<std::byte>(value >> 24U);
    value <<= 8U;
  }
  return bytes;
}

PacketLead packet_lead(const Packet& packet) {
  PacketLead lead{};
  auto out = lead.begin();
  for (const std::uint64_t field :
       {packet.item, packet.item_count, packet.item_offset, packet.valid_bits, packet.item_bits}) {
    out = std::ranges::copy(big_endian(static_cast<std::uint32_t>(field)), out).out;
  }
  const std::span<const std::byte> header(lead.data(), packet_header_bits / 8);
  std::ranges::copy(big_endian(kernels::crc32(header, crc_of_bit_count(packet_header_bits))), out);
  return lead;
}

std::uint32_t crc_of_bit_count(std::uint64_t bits) {
  const std::array<std::byte, 4> count = big_endian(static_cast<std::uint32_t>(bits));
  return kernels::crc32(count);
}

std::uint32_t crc_of_zeros(std::uint32_t crc, std::uint64_t bytes) {
  static constexpr std::array<std::byte, 4096> zeros{};
  while (bytes > 0) {
    const std::uint64_t part = std::min<std::uint64_t>(bytes, zeros.size());
    crc = kernels::crc32(std::span(zeros).first(part), crc);
    bytes -= part;
  }
  return crc;
}

}  // namespace noema::channel
