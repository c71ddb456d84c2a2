// ops/channel/packets.h: the packet contract, made by the sender and checked by the receiver.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <utility>

#include "core/digest.h"
#include "core/json.h"
#include "core/text.h"
#include "ops/channel/packets.h"
#include "ops/common/bits.h"

namespace noema::channel {
namespace {

constexpr std::string_view layout_key = "ordered_packet_layout";
constexpr std::string_view resend = "the packets must come from channel.packetize_crc32 with their metadata unchanged";

/// All of the contract but the list of packets.
Value contract_facts(const PacketPlan& plan) {
  return Value::object({{"schema_version", 1},
                        {"protocol", packet_protocol},
                        {"packet_payload_bits", plan.payload_bits},
                        {"packet_header_logical_bits", packet_header_bits},
                        {"packet_header_crc_logical_bits", packet_crc_bits},
                        {"packet_header_repetition_factor", 1},
                        {"packet_header_bits", packet_header_bits},
                        {"packet_header_crc_bits", packet_crc_bits},
                        {"packet_crc_bits", packet_crc_bits},
                        {"packet_total_bits", plan.packet_bits()},
                        {"packet_count", plan.packet_count},
                        {"source_item_count", std::uint64_t{plan.items.size()}},
                        {"source_item_payload_bit_counts", plan.items},
                        {"source_item_packet_counts", plan.item_packets()}});
}

using Fact = std::pair<std::string_view, std::uint64_t>;
std::array<Fact, 7> packet_facts(const PacketPlan& plan, const Packet& packet) {
  return {{{"packet_index", packet.index},
           {"packet_bit_offset", packet.index * plan.packet_bits()},
           {"source_item_index", packet.item},
           {"source_item_count", packet.item_count},
           {"item_bit_offset", packet.item_offset},
           {"valid_payload_bits", packet.valid_bits},
           {"item_total_payload_bits", packet.item_bits}}};
}

Error refused(std::string_view port, std::string message) {
  return ops::metadata_error(port, std::move(message), std::string(resend));
}

/// The list of packets is what the plan's own walk gives, entry by entry and without building it again.
Result<void> check_layout(const Value& layout, const PacketPlan& plan, std::string_view port) {
  bool same = layout.is_array() && layout.size() == plan.packet_count;
  std::uint64_t at = 0;
  for (PacketWalk walk(plan); same && !walk.done(); walk.next(), ++at) {
    const Value& entry = layout[at];
    const auto facts = packet_facts(plan, walk.packet());
    same = entry.is_object() && entry.size() == facts.size();
    for (const auto& [key, value] : facts) {
      const Value* stated = same ? entry.find(key) : nullptr;
      same = stated != nullptr && *stated == Value(value);
    }
    if (!same) break;
  }
  if (same) return {};
  return refused(port, "ordered_packet_layout of packet_contract differs from its own item lengths at packet " +
                           std::to_string(at));
}

/// A copy beside the contract agrees with it, or is absent.
Result<void> check_copy(const Value& metadata, std::string_view key, const Value& expected, std::string_view port) {
  const Value* copy = metadata.find(key);
  if (copy == nullptr || copy->is_null() || *copy == expected) return {};
  return refused(port, "metadata '" + std::string(key) + "' is " + shown(canonical_json(*copy)) +
                           ", but packet_contract says " + shown(canonical_json(expected)));
}

Result<void> check_copies(const Value& metadata, const Value& facts, const PacketPlan& plan, std::string_view port) {
  for (const std::string_view key :
       {"packet_payload_bits", "packet_header_logical_bits", "packet_header_crc_logical_bits",
        "packet_header_repetition_factor", "packet_header_bits", "packet_header_crc_bits", "packet_crc_bits",
        "packet_total_bits", "packet_count", "source_item_count", "source_item_payload_bit_counts",
        "source_item_packet_counts"}) {
    NOEMA_CHECK(check_copy(metadata, key, facts.at(key), port));
  }
  NOEMA_CHECK(check_copy(metadata, "packet_source_item_counts", facts.at("source_item_packet_counts"), port));
  NOEMA_CHECK(check_copy(metadata, "source_item_framed_bit_counts", plan.item_framed_bits(), port));
  for (const std::string_view key : {"payload_bit_count", "original_payload_bit_count"}) {
    NOEMA_CHECK(check_copy(metadata, key, plan.payload_total, port));
  }
  for (const std::string_view key : {"framed_bit_count", "packetized_bit_count"}) {
    NOEMA_CHECK(check_copy(metadata, key, plan.framed_total(), port));
  }
  return {};
}

}  // namespace

Value packet_contract(const PacketPlan& plan) {
  Value::Items layout;
  layout.reserve(plan.packet_count);
  for (PacketWalk walk(plan); !walk.done(); walk.next()) {
    Value entry = Value::object();
    for (const auto& [key, value] : packet_facts(plan, walk.packet())) entry.append(std::string(key), value);
    layout.push_back(std::move(entry));
  }
  Value contract = contract_facts(plan);
  contract.append(std::string(layout_key), std::move(layout));
  return contract;
}

Result<PacketPlan> checked_packet_plan(const Value& metadata, std::uint64_t received_bits, std::string_view port) {
  const Value* packetized = metadata.find("packetized");
  if (packetized == nullptr || *packetized != Value(true)) {
    return refused(port, "metadata 'packetized' is not true: these bits are no packets");
  }
  const Value* protocol = metadata.find("packet_protocol");
  if (protocol == nullptr || *protocol != Value(packet_protocol)) {
    return refused(port, "metadata 'packet_protocol' is " +
                             (protocol == nullptr ? "absent" : shown(canonical_json(*protocol))) + "; " +
                             std::string(packet_protocol) + " is allowed");
  }
  const Value* contract = metadata.find("packet_contract");
  if (contract == nullptr || !contract->is_object()) return refused(port, "metadata 'packet_contract' is no object");
  const Value* stated = metadata.find("packet_contract_sha256");
  if (stated == nullptr || !stated->is_string() || !check_json(*contract) || stated->string() != sha256_of(*contract)) {
    return refused(port, "packet_contract does not have the digest packet_contract_sha256");
  }

  NOEMA_TRY(const std::uint64_t payload_bits, ops::count_or(*contract, "packet_payload_bits", 0, port));
  if (payload_bits < 8 || payload_bits > UINT32_MAX) {
    return refused(port, "packet_payload_bits of packet_contract is " + std::to_string(payload_bits) +
                             "; 8 to 4294967295 are allowed");
  }
  const Value* lengths = contract->find("source_item_payload_bit_counts");
  ops::ItemCounts items;
  if (lengths == nullptr || !lengths->is_array() || lengths->size() > 0) {
    NOEMA_TRY(std::optional<ops::ItemCounts> counts,
              ops::item_counts(*contract, "source_item_payload_bit_counts", port));
    if (!counts) return refused(port, "packet_contract has no source_item_payload_bit_counts");
    items = std::move(*counts);
  }
  NOEMA_TRY(PacketPlan plan, plan_packets(std::move(items), payload_bits, port));

  const Value facts = contract_facts(plan);
  const Value* layout = contract->find(layout_key);
  if (layout == nullptr || contract->size() != facts.size() + 1) {
    return refused(port, "packet_contract does not have exactly the members of this protocol");
  }
  for (const auto& [key, value] : facts.members()) {
    const Value* member = contract->find(key);
    if (member == nullptr || *member != value) {
      return refused(port, "packet_contract contradicts itself: " + key + " should be " + shown(canonical_json(value)));
    }
  }
  NOEMA_CHECK(check_layout(*layout, plan, port));
  NOEMA_CHECK(check_copies(metadata, facts, plan, port));
  if (received_bits != plan.framed_total()) {
    return refused(port, "the stream has " + std::to_string(received_bits) + " bits, but packet_contract describes " +
                             std::to_string(plan.packet_count) + " packets of " + std::to_string(plan.packet_bits()) +
                             " bits");
  }
  return plan;
}

}  // namespace noema::channel
