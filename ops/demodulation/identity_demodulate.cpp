// demodulation.identity_demodulate: bits back from symbols of value 0 or 1. Here, and only here, a positive LLR favours
// bit 1; the metadata says so.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>

#include "ops/common/bits.h"
#include "ops/common/checks.h"
#include "ops/common/items.h"
#include "ops/demodulation/demodulation.h"

namespace noema::demodulation {
namespace {

class IdentityDemodulate final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, port, DType::c64));
    const std::uint64_t symbols = call.length(port);
    NOEMA_TRY(bit_count_, ops::count_or(call.metadata(port), "bit_count", symbols, port));
    if (bit_count_ > symbols) {
      return ops::metadata_error(port,
                                 "metadata declares " + std::to_string(bit_count_) + " bits, but only " +
                                     std::to_string(symbols) + " symbols arrive, each of which carries one",
                                 "identity symbols are made by modulation.identity_modulate");
    }
    NOEMA_TRY(Value opening, metadata(call, Output::bits));
    call.open_output("bits", "bits", DType::u8, bit_count_, std::move(opening));
    NOEMA_TRY(opening, metadata(call, Output::llr));
    call.open_output("llr", "llr", DType::f32, bit_count_, std::move(opening));
    return {};
  }

  Result<void> work(Call& call) override {
    for (;;) {
      const std::span<const Complex> symbols = call.peek<Complex>(port);
      if (symbols.empty()) return {};
      NOEMA_CHECK(ops::check_symbols(call, port, symbols));
      const std::uint64_t count = std::min<std::uint64_t>(symbols.size(), bit_count_ - call.committed("bits"));
      if (count > 0) {
        const std::span<Bit> bits = call.reserve<Bit>("bits", count);
        const std::span<float> llr = call.reserve<float>("llr", count);
        for (std::size_t i = 0; i < count; ++i) {
          bits[i] = symbols[i].real() >= 0.5F ? 1 : 0;
          llr[i] = 2.0F * (symbols[i].real() - 0.5F);
        }
        call.commit("bits", count);
        call.commit("llr", count);
      }
      call.consume(port, symbols.size());
    }
  }

  Result<void> close(Call& call) override {
    NOEMA_TRY(Value closing, metadata(call, Output::bits));
    call.close_output("bits", std::move(closing));
    NOEMA_TRY(closing, metadata(call, Output::llr));
    call.close_output("llr", std::move(closing));
    call.count_metric("channel.demod_bit_count", bit_count_);
    call.metric("channel.disabled", 1.0);
    call.metric("channel.identity_phy", 1.0);
    return {};
  }

 private:
  enum class Output { bits, llr };
  static constexpr std::string_view port = "rx_symbols";

  Result<Value> metadata(const Call& call, Output output) const {
    Value metadata = call.metadata(port);
    metadata.set("demodulation", "identity_phy");
    metadata.set("demodulator_label", call.text("label"));
    metadata.set("llr_kind", "identity_phy_signed_distance");
    metadata.set("sign_convention", "positive_favours_bit_1");
    ops::declare_bits(metadata, "demodulated", bit_count_, call.backend());
    if (output == Output::llr) metadata.set("llr_count", bit_count_);
    NOEMA_CHECK(ops::rewrite_record_layout(metadata, call.length(port), bit_count_, port));
    return metadata;
  }

  std::uint64_t bit_count_ = 0;
};

}  // namespace

void add_identity_demodulate(KernelList& kernels) {
  kernels.add_stream<IdentityDemodulate>("demodulation.identity_demodulate", "cpp", "default");
}

}  // namespace noema::demodulation
