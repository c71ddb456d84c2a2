// channel.repetition_decoder: the majority of each group of copies, counted as it arrives.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/bits.h"
#include "ops/channel/channel.h"
#include "ops/channel/coding.h"
#include "ops/channel/repetition.h"
#include "ops/common/bit_writer.h"
#include "ops/common/bits.h"
#include "ops/common/checks.h"

namespace noema::channel {
namespace {

constexpr std::string_view port = "coded_bits";

class RepetitionDecoder final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, port, DType::u8));
    code_.factor = call.count("factor");
    if (code_.factor == 0) {
      NOEMA_TRY(code_.factor, ops::count_or(call.metadata(port), "repetition_factor", 1, port));
      if (code_.factor == 0) {
        return ops::metadata_error(port, "metadata 'repetition_factor' is 0; at least 1 is allowed",
                                   "set the parameter factor to what the encoder used");
      }
    }
    const std::uint64_t groups = call.length(port) / code_.factor;
    NOEMA_TRY(const std::uint64_t encoded,
              ops::count_or(call.metadata(port), "channel_code_input_bit_count", groups, port));
    decoded_ = std::min(encoded, groups);
    NOEMA_TRY(Value opening, metadata(call));
    call.open_output("bits", "bits", DType::u8, decoded_, std::move(opening));
    return {};
  }

  Result<void> work(Call& call) override {
    ops::BitWriter writer(call, "bits", decoded_);
    while (writer.left() > 0) {
      const std::span<const Bit> coded = call.peek<Bit>(port);
      if (coded.empty()) break;
      NOEMA_TRY(const std::uint64_t used, decode(call, coded, writer));
      call.consume(port, used);
    }
    const bool complete = writer.left() == 0;
    writer.flush();
    if (complete) NOEMA_CHECK(ops::drop_bits(call, port));
    return {};
  }

  Result<void> close(Call& call) override {
    NOEMA_TRY(Value complete, metadata(call));
    call.close_output("bits", std::move(complete));
    call.count_metric("channel.decoded_bit_count", decoded_);
    return {};
  }

 private:
  Result<Value> metadata(const Call& call) const {
    NOEMA_TRY(Value decoded, decoded_metadata(call, code_, decoded_));
    decoded.set("repetition_factor", code_.factor);
    return decoded;
  }

  /// Decodes from the front of `coded` until it or the output is exhausted; returns the coded bits used.
  Result<std::uint64_t> decode(const Call& call, std::span<const Bit> coded, ops::BitWriter& writer) {
    const std::uint64_t open = seen_;  // bits of the group under way
    const std::uint64_t needed = writer.left() * code_.factor - open;
    coded = coded.first(std::min<std::uint64_t>(coded.size(), needed));
    NOEMA_CHECK(ops::check_bits(call, port, coded));
    std::span<const Bit> rest = coded;
    if (open > 0)
      rest = rest.subspan(count(rest.first(std::min<std::uint64_t>(rest.size(), code_.factor - open)), writer));
    while (rest.size() >= code_.factor) {
      const std::span<Bit> room = writer.room(rest.size() / code_.factor);
      vote_bits(rest.first(room.size() * code_.factor), code_.factor, room);
      writer.advance(room.size());
      rest = rest.subspan(room.size() * code_.factor);
    }
    if (!rest.empty()) count(rest, writer);
    return coded.size();
  }

  /// Counts bits of one group and votes when it is complete; returns the bits counted, all of them.
  std::size_t count(std::span<const Bit> part, ops::BitWriter& writer) {
    seen_ += part.size();
    ones_ += kernels::count_ones(part);
    if (seen_ == code_.factor) {
      writer.fill(vote(ones_, code_.factor), 1);
      seen_ = 0;
      ones_ = 0;
    }
    return part.size();
  }

  RepeatingCode code_{"repetition", 1};
  std::uint64_t decoded_ = 0;
  std::uint64_t seen_ = 0;  ///< bits of the group under way
  std::uint64_t ones_ = 0;  ///< of them 1
};

}  // namespace

void add_repetition_decoder(KernelList& kernels) {
  kernels.add_stream<RepetitionDecoder>("channel.repetition_decoder", "cpp", "default");
}

}  // namespace noema::channel
