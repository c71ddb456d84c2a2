// channel.repetition_encoder: each bit becomes `factor` copies, side by side.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ops/channel/channel.h"
#include "ops/channel/coding.h"
#include "ops/channel/repetition.h"
#include "ops/common/bit_writer.h"
#include "ops/common/checks.h"

namespace noema::channel {
namespace {

class RepetitionEncoder final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    code_.factor = call.count("factor");
    NOEMA_CHECK(ops::check_dtype(call, "bits", DType::u8));
    NOEMA_TRY(Value opening, metadata(call));
    NOEMA_TRY(coded_, coded_bit_count(call, code_));
    call.open_output("coded_bits", "bits", DType::u8, coded_, std::move(opening));
    return {};
  }

  Result<void> work(Call& call) override {
    ops::BitWriter writer(call, "coded_bits", coded_);
    for (;;) {
      const std::span<const Bit> bits = call.peek<Bit>("bits");
      if (bits.empty()) break;
      NOEMA_CHECK(ops::check_bits(call, "bits", bits));
      encode(bits, writer);
      call.consume("bits", bits.size());
    }
    writer.flush();
    return {};
  }

  Result<void> close(Call& call) override {
    NOEMA_TRY(Value complete, metadata(call));
    emit_coded_metrics(call, complete);
    call.close_output("coded_bits", std::move(complete));
    return {};
  }

 private:
  Result<Value> metadata(const Call& call) const {
    NOEMA_TRY(Value coded, coded_metadata(call, code_));
    coded.set("repetition_factor", code_.factor);
    return coded;
  }

  void encode(std::span<const Bit> bits, ops::BitWriter& writer) const {
    while (!bits.empty()) {
      const std::span<Bit> room = writer.room(writer.left());
      const std::size_t whole = std::min<std::size_t>(bits.size(), room.size() / code_.factor);
      if (whole == 0) {  // the copies of one bit cross into the next block
        writer.fill(bits.front(), code_.factor);
        bits = bits.subspan(1);
        continue;
      }
      repeat_bits(bits.first(whole), code_.factor, room.first(whole * code_.factor));
      writer.advance(whole * code_.factor);
      bits = bits.subspan(whole);
    }
  }

  RepeatingCode code_{"repetition", 1};
  std::uint64_t coded_ = 0;
};

}  // namespace

void add_repetition_encoder(KernelList& kernels) {
  kernels.add_stream<RepetitionEncoder>("channel.repetition_encoder", "cpp", "default");
}

}  // namespace noema::channel
