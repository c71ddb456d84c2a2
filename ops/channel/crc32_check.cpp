// channel.crc32_check: takes packets apart, judges each by its CRCs and its place, and gives back the payload.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/crc32.h"
#include "kernels/pack_bits.h"
#include "ops/channel/channel.h"
#include "ops/channel/packets.h"
#include "ops/common/bit_writer.h"
#include "ops/common/bits.h"
#include "ops/common/checks.h"

namespace noema::channel {
namespace {

constexpr std::string_view port = "bits";

/// What came of the packets of one source item.
struct ItemFate {
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
};

/// Valid bits of an item whose fate is still open, packed to an eighth of their size. Every packet starts a new byte.
class HeldItem {
 public:
  void add_packet(std::uint64_t valid_bits) { packets_.push_back(valid_bits); }
  void append(std::span<const std::byte> packed) { bytes_.insert(bytes_.end(), packed.begin(), packed.end()); }
  void clear() {
    bytes_.clear();
    packets_.clear();
  }
  void release(ops::BitWriter& writer) {
    std::span<const std::byte> rest(bytes_);
    for (const std::uint64_t bits : packets_) {
      write_packed(rest, bits, writer);
      rest = rest.subspan(ops::packed_byte_count(bits));
    }
    clear();
  }

 private:
  static void write_packed(std::span<const std::byte> packed, std::uint64_t bits, ops::BitWriter& writer) {
    // A room that ends inside a byte is rounded down to whole bytes, or filled from a byte of its own.
    while (bits > 0) {
      std::span<Bit> room = writer.room(bits);
      if (room.size() < bits) room = room.first(room.size() - room.size() % 8);
      if (room.empty()) {
        std::array<Bit, 8> byte{};
        kernels::unpack_bits(packed.first(1), byte);
        writer.write(std::span(byte).first(std::min<std::uint64_t>(bits, 8)));
        packed = packed.subspan(1);
        bits -= std::min<std::uint64_t>(bits, 8);
        continue;
      }
      kernels::unpack_bits(packed.first(ops::packed_byte_count(room.size())), room);
      writer.advance(room.size());
      packed = packed.subspan(ops::packed_byte_count(room.size()));
      bits -= room.size();
    }
  }

  std::vector<std::byte> bytes_;
  std::vector<std::uint64_t> packets_;
};

class Crc32Check final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    best_effort_ = call.text("on_decode_failure") == "report_outage";
    NOEMA_CHECK(ops::check_dtype(call, port, DType::u8));
    NOEMA_TRY(plan_, checked_packet_plan(call.metadata(port), call.length(port), port));
    walk_.emplace(plan_);
    fates_.resize(plan_.items.size());
    NOEMA_TRY(Value opening, payload_metadata(call));
    call.open_output("bits", "bits", DType::u8, plan_.payload_total, std::move(opening));
    return {};
  }

  Result<void> work(Call& call) override {
    ops::BitWriter writer(call, "bits", plan_.payload_total);
    while (!walk_->done()) {
      NOEMA_TRY(const bool moved, step(call, writer));
      if (!moved) break;
    }
    writer.flush();
    return {};
  }

  Result<void> close(Call& call) override;

 private:
  enum class Stage { lead, payload, trailer };

  Result<Value> payload_metadata(const Call& call) const;

  /// Does what the current stage allows; false when too little has arrived.
  Result<bool> step(Call& call, ops::BitWriter& writer) {
    switch (stage_) {
      case Stage::lead:
        return take_lead(call);
      case Stage::payload:
        return take_payload(call, writer);
      default:
        return take_trailer(call, writer);
    }
  }

  Result<bool> take_lead(Call& call) {
    const std::span<const Bit> bits = call.peek<Bit>(port, packet_lead_bits);
    if (bits.size() < packet_lead_bits) return false;
    const std::span<const Bit> taken = bits.first(packet_lead_bits);
    NOEMA_CHECK(ops::check_bits(call, port, taken));
    PacketLead lead{};
    kernels::pack_bits(taken, lead);
    const std::span<const std::byte> header = std::span(lead).first(packet_header_bits / 8);
    const std::uint32_t stated = big_endian(std::span(lead).last<4>());
    header_intact_ = kernels::crc32(header, crc_of_bit_count(packet_header_bits)) == stated;
    header_expected_ = lead == packet_lead(walk_->packet());
    crc_ = kernels::crc32(lead, crc_of_bit_count(packet_lead_bits + plan_.payload_bits));
    call.consume(port, packet_lead_bits);
    stage_ = Stage::payload;
    area_left_ = plan_.payload_bits;
    valid_left_ = walk_->packet().valid_bits;
    if (holding()) held_.add_packet(valid_left_);
    return true;
  }

  Result<bool> take_payload(Call& call, ops::BitWriter& writer) {
    std::span<const Bit> bits = call.peek<Bit>(port, std::min<std::uint64_t>(area_left_, 8));
    bits = bits.first(std::min<std::uint64_t>(bits.size(), area_left_));
    if (bits.size() < area_left_) bits = bits.first(bits.size() - bits.size() % 8);
    if (bits.empty()) return false;
    NOEMA_CHECK(ops::check_bits(call, port, bits));
    packed_.resize(std::max(packed_.size(), kernels::packed_size(bits.size())));
    const std::span<std::byte> packed = std::span(packed_).first(kernels::packed_size(bits.size()));
    kernels::pack_bits(bits, packed);
    crc_ = kernels::crc32(packed, crc_);
    const std::uint64_t valid = std::min<std::uint64_t>(bits.size(), valid_left_);
    if (best_effort_) {
      writer.write(bits.first(valid));
    } else if (holding()) {
      held_.append(packed.first(kernels::packed_size(valid)));
    }
    valid_left_ -= valid;
    area_left_ -= bits.size();
    call.consume(port, bits.size());
    if (area_left_ == 0) stage_ = Stage::trailer;
    return true;
  }

  Result<bool> take_trailer(Call& call, ops::BitWriter& writer) {
    const std::span<const Bit> bits = call.peek<Bit>(port, packet_crc_bits);
    if (bits.size() < packet_crc_bits) return false;
    const std::span<const Bit> taken = bits.first(packet_crc_bits);
    NOEMA_CHECK(ops::check_bits(call, port, taken));
    std::array<std::byte, packet_crc_bits / 8> stated{};
    kernels::pack_bits(taken, stated);
    call.consume(port, packet_crc_bits);
    judge(big_endian(std::span<const std::byte, 4>(stated)) == crc_);
    if (walk_->packet().last_of_item() && !best_effort_) {
      const Packet& packet = walk_->packet();
      if (fates_[packet.item].failed > 0) {
        writer.fill(0, packet.item_bits);
      } else {
        held_.release(writer);
      }
    }
    walk_->next();
    stage_ = Stage::lead;
    return true;
  }

  void judge(bool packet_intact) {
    ItemFate& fate = fates_[walk_->packet().item];
    if (!header_intact_) {
      ++unrecoverable_headers_;
    } else if (!header_expected_) {
      ++mismatched_headers_;
    }
    if (packet_intact && header_intact_ && header_expected_) {
      ++fate.passed;
      return;
    }
    ++fate.failed;
    held_.clear();  // the whole item will be zeros
  }

  /// Is the current item's payload worth keeping?
  bool holding() const { return !best_effort_ && fates_[walk_->packet().item].failed == 0; }

  bool best_effort_ = false;
  PacketPlan plan_;
  std::optional<PacketWalk> walk_;
  std::vector<ItemFate> fates_;
  HeldItem held_;
  std::uint64_t unrecoverable_headers_ = 0;
  std::uint64_t mismatched_headers_ = 0;

  // The current packet.
  Stage stage_ = Stage::lead;
  bool header_intact_ = false;
  bool header_expected_ = false;
  std::uint64_t area_left_ = 0;
  std::uint64_t valid_left_ = 0;
  std::uint32_t crc_ = 0;
  std::vector<std::byte> packed_;
};

Result<Value> Crc32Check::payload_metadata(const Call& call) const {
  Value metadata = ops::loaded_bits(call.metadata(port), call.kind(port), call.length(port), call.backend());
  NOEMA_TRY(const std::optional<ops::RecordLayout> records, ops::record_layout(metadata, call.length(port), port));
  if (records && records->count == plan_.items.size() && plan_.all_items_have(plan_.items.front())) {
    metadata.set("capture_record_shape", Value(Value::Items{Value(plan_.items.front())}));
  } else {
    ops::remove_record_layout(metadata);
  }
  ops::declare_bits(metadata, "payload", plan_.payload_total, call.backend());
  metadata.set("payload_bit_count", plan_.payload_total);
  metadata.set("packetized", false);
  metadata.set("crc_checked", true);
  metadata.set("packet_contract_validated", true);
  metadata.set("on_decode_failure", call.text("on_decode_failure"));
  metadata.set("failed_item_bit_policy", best_effort_ ? "best_effort_received_payload" : "zero_entire_item");
  metadata.set("source_item_count", std::uint64_t{plan_.items.size()});
  metadata.set("source_item_length_source", "immutable_packet_contract");
  if (plan_.items.empty()) {
    metadata.erase("source_item_payload_bit_counts");
    metadata.erase("source_item_payload_byte_counts");
    return metadata;
  }
  ops::ItemCounts bytes = plan_.items;
  for (std::uint64_t& count : bytes) count = count % 8 == 0 ? count / 8 : 0;
  metadata.set("source_item_payload_bit_counts", plan_.items);
  metadata.set("source_item_payload_byte_counts", bytes);
  return metadata;
}

Result<void> Crc32Check::close(Call& call) {
  const auto rate = [](std::uint64_t part, std::uint64_t whole, double of_nothing) {
    return whole == 0 ? of_nothing : static_cast<double>(part) / static_cast<double>(whole);
  };
  ops::ItemCounts passed, failed, outages;
  std::uint64_t failed_packets = 0;
  std::uint64_t failed_items = 0;
  for (const ItemFate& fate : fates_) {
    passed.push_back(fate.passed);
    failed.push_back(fate.failed);
    outages.push_back(fate.failed > 0 ? 1 : 0);
    failed_packets += fate.failed;
    failed_items += fate.failed > 0 ? 1 : 0;
  }
  const std::uint64_t passed_packets = plan_.packet_count - failed_packets;
  const std::uint64_t items = plan_.items.size();
  const double packet_success_rate = rate(passed_packets, plan_.packet_count, 1.0);
  const double packet_outage_rate = rate(failed_packets, plan_.packet_count, 0.0);
  const double item_success_rate = rate(items - failed_items, items, 1.0);
  const double item_outage_rate = rate(failed_items, items, 0.0);
  const bool outage = failed_items > 0;

  NOEMA_TRY(Value metadata, payload_metadata(call));
  metadata.set("crc_passed_packet_count", passed_packets);
  metadata.set("crc_failed_packet_count", failed_packets);
  metadata.set("packet_success_rate", packet_success_rate);
  metadata.set("packet_outage_rate", packet_outage_rate);
  metadata.set("source_item_success_rate", item_success_rate);
  metadata.set("source_item_outage_rate", item_outage_rate);
  metadata.set("source_item_outage", outages);
  metadata.set("source_item_packet_pass_counts", passed);
  metadata.set("source_item_packet_fail_counts", failed);
  metadata.set("unrecoverable_header_packet_count", unrecoverable_headers_);
  metadata.set("header_contract_mismatch_packet_count", mismatched_headers_);
  metadata.set("unassigned_failed_packet_count", 0);
  metadata.set("payload_outage", outage);
  metadata.set("packet_success", !outage);
  metadata.set("outage", outage);
  call.close_output("bits", std::move(metadata));

  call.metric("channel.packet_success_rate", packet_success_rate);
  call.metric("channel.packet_outage_rate", packet_outage_rate);
  call.metric("channel.source_item_success_rate", item_success_rate);
  call.metric("channel.outage_rate", item_outage_rate);
  call.metric("channel.packet_success", outage ? 0.0 : 1.0);
  call.metric("channel.outage", outage ? 1.0 : 0.0);
  call.count_metric("channel.packet_count", plan_.packet_count);
  call.count_metric("channel.crc_passed_packet_count", passed_packets);
  call.count_metric("channel.crc_failed_packet_count", failed_packets);
  call.count_metric("channel.failed_source_item_count", failed_items);
  call.count_metric("channel.source_item_count", items);
  call.count_metric("channel.unrecoverable_header_packet_count", unrecoverable_headers_);
  call.count_metric("channel.header_contract_mismatch_packet_count", mismatched_headers_);
  call.count_metric("channel.unassigned_failed_packet_count", 0);
  call.count_metric("channel.payload_bit_count", plan_.payload_total);
  return {};
}

}  // namespace

void add_crc32_check(KernelList& kernels) { kernels.add_stream<Crc32Check>("channel.crc32_check", "cpp", "default"); }

}  // namespace noema::channel
