// modulation.digital_modulate: bits to BPSK, QPSK or 16-QAM symbols of unit average power.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "kernels/boundary.h"
#include "kernels/modem.h"
#include "ops/common/checks.h"
#include "ops/modulation/mapping.h"
#include "ops/modulation/modulation.h"

namespace noema::modulation {
namespace {

class DigitalModulate final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    scheme_ = *kernels::modulation_of(call.text("modulation"));
    NOEMA_CHECK(ops::check_dtype(call, "bits", DType::u8));
    NOEMA_TRY(mapping_, map_stream(call, kernels::bits_per_symbol(scheme_)));
    call.open_output("symbols", "symbols", DType::c64, mapping_.symbol_count,
                     symbol_metadata(call, mapping_, call.text("modulation")));
    return {};
  }

  Result<void> work(Call& call) override {
    for (;;) {
      // A padded piece may end inside a symbol, so what is needed next is either a symbol's bits or the piece's rest.
      const std::uint64_t piece_left =
          cursor_.piece < mapping_.pieces.count() ? mapping_.pieces[cursor_.piece].bits - cursor_.bits : 0;
      if (piece_left == 0) return {};
      const std::span<const Bit> bits = call.peek<Bit>("bits", std::min(mapping_.bits_per_symbol, piece_left));
      const ops::ModemRun runs = measure(bits.size());
      if (runs.symbols == 0) return {};
      const std::span<const Bit> taken = bits.first(runs.bits);
      NOEMA_CHECK(ops::check_bits(call, "bits", taken));
      map(taken, call.reserve<Complex>("symbols", runs.symbols));
      call.consume("bits", runs.bits);
      call.commit("symbols", runs.symbols);
    }
  }

  Result<void> close(Call& call) override {
    call.close_output("symbols", symbol_metadata(call, mapping_, call.text("modulation")));
    emit_symbol_metrics(call, mapping_, Padding::reported);
    return {};
  }

 private:
  /// What `available` bits are enough for, over as many pieces as they reach.
  ops::ModemRun measure(std::uint64_t available) const {
    ops::ModemCursor cursor = cursor_;
    ops::ModemRun all;
    for (;;) {
      const ops::ModemRun run =
          next_run_for_bits(mapping_.pieces, cursor, available - all.bits, mapping_.bits_per_symbol);
      if (run.symbols == 0) return all;
      all.bits += run.bits;
      all.symbols += run.symbols;
    }
  }

  void map(std::span<const Bit> bits, std::span<Complex> symbols) {
    while (!symbols.empty()) {
      const ops::ModemRun run = next_run_for_bits(mapping_.pieces, cursor_, bits.size(), mapping_.bits_per_symbol);
      const std::size_t tail = run.bits % mapping_.bits_per_symbol;
      const std::size_t whole = run.symbols - (tail != 0 ? 1 : 0);
      kernels::map_bits(scheme_, bits.first(run.bits - tail), symbols.first(whole));
      if (tail != 0) {
        std::array<Bit, 4> padded{};
        std::ranges::copy(bits.subspan(run.bits - tail, tail), padded.begin());
        kernels::map_bits(scheme_, std::span(padded).first(mapping_.bits_per_symbol), symbols.subspan(whole, 1));
      }
      bits = bits.subspan(run.bits);
      symbols = symbols.subspan(run.symbols);
    }
  }

  kernels::Modulation scheme_ = kernels::Modulation::qpsk;
  Mapping mapping_;
  ops::ModemCursor cursor_;
};

}  // namespace

void add_digital_modulate(KernelList& kernels) {
  for (const char* implementation : {"cpp_bpsk_modulator", "cpp_qpsk_modulator", "cpp_qam16_modulator"}) {
    kernels.add_stream<DigitalModulate>("modulation.digital_modulate", "cpp", implementation);
  }
}

}  // namespace noema::modulation
