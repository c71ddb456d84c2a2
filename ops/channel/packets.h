// CRC-32 packets of source items (protocol noema.source_item_crc32.v4): layout, header, and the contract that tells the
// receiver all lengths and owners.
//
// A packet is a header of 160 bits, its CRC of 32, a payload area of fixed length (valid bits, then zeros) and a CRC of
// 32 over all before it. Each source item fills packets of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "noema/error.h"
#include "noema/value.h"
#include "ops/common/items.h"

namespace noema::channel {

inline constexpr std::string_view packet_protocol = "noema.source_item_crc32.v4";
inline constexpr std::uint64_t packet_header_bits = 160;
inline constexpr std::uint64_t packet_crc_bits = 32;
/// Bits of a packet in front of its payload area, and in all beside it.
inline constexpr std::uint64_t packet_lead_bits = packet_header_bits + packet_crc_bits;
inline constexpr std::uint64_t packet_overhead_bits = packet_lead_bits + packet_crc_bits;
/// The contract lists every packet, at about a kilobyte of memory each.
inline constexpr std::uint64_t most_packets = std::uint64_t{1} << 22;

/// How a payload is cut.
struct PacketPlan {
  ops::ItemCounts items;            ///< payload bits of each source item
  std::uint64_t payload_bits = 0;   ///< of one packet's payload area
  std::uint64_t payload_total = 0;  ///< valid bits of all packets
  std::uint64_t packet_count = 0;

  std::uint64_t packet_bits() const { return packet_overhead_bits + payload_bits; }
  std::uint64_t framed_total() const { return packet_count * packet_bits(); }
  std::uint64_t packets_of(std::uint64_t item_bits) const {
    return item_bits / payload_bits + (item_bits % payload_bits != 0 ? 1 : 0);
  }
  ops::ItemCounts item_packets() const;
  ops::ItemCounts item_framed_bits() const;
  /// Do all items have this many payload bits?
  bool all_items_have(std::uint64_t bits) const;
};

/// Checks what the 32-bit header fields can carry. Errors are about the metadata of `port`.
Result<PacketPlan> plan_packets(ops::ItemCounts items, std::uint64_t payload_bits, std::string_view port);

/// One packet's place and what its header says.
struct Packet {
  std::uint64_t index = 0;
  std::uint64_t item = 0;
  std::uint64_t item_count = 0;
  std::uint64_t item_offset = 0;  ///< of its first payload bit within the item
  std::uint64_t valid_bits = 0;
  std::uint64_t item_bits = 0;

  bool last_of_item() const { return item_offset + valid_bits == item_bits; }
};

/// Walks the packets of a plan in order.
class PacketWalk {
 public:
  explicit PacketWalk(const PacketPlan& plan) : plan_(&plan) { settle(); }
  bool done() const { return packet_.item == plan_->items.size(); }
  const Packet& packet() const { return packet_; }
  void next();

 private:
  void settle();
  const PacketPlan* plan_;
  Packet packet_;
};

/// The header as sent: five big-endian 32-bit fields and their CRC.
using PacketLead = std::array<std::byte, packet_lead_bits / 8>;
PacketLead packet_lead(const Packet& packet);

/// CRC-32 of a bit string as the protocol defines it: over the big-endian 32-bit count of its bits (modulo 2^32), then
/// its packed bytes. This is the state after the count; continue it with kernels::crc32.
std::uint32_t crc_of_bit_count(std::uint64_t bits);
/// Continues a CRC with zero bytes.
std::uint32_t crc_of_zeros(std::uint32_t crc, std::uint64_t bytes);

std::uint32_t big_endian(std::span<const std::byte, 4> bytes);
std::array<std::byte, 4> big_endian(std::uint32_t value);

/// The `packet_contract` of a plan.
Value packet_contract(const PacketPlan& plan);

/// Lengths and owners from the metadata of received packets, once contract, its digest, `received_bits` and every
/// copy that travels beside it agree. Nothing is taken from the packets themselves.
Result<PacketPlan> checked_packet_plan(const Value& metadata, std::uint64_t received_bits, std::string_view port);

}  // namespace noema::channel
