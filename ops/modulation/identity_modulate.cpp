// modulation.identity_modulate: each bit travels as a symbol of value 0 or 1, for chains whose physical layer is off.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string_view>

#include "ops/common/checks.h"
#include "ops/modulation/mapping.h"
#include "ops/modulation/modulation.h"

namespace noema::modulation {
namespace {

class IdentityModulate final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, "bits", DType::u8));
    NOEMA_TRY(mapping_, map_stream(call, 1));
    call.open_output("symbols", "symbols", DType::c64, mapping_.symbol_count, metadata(call));
    return {};
  }

  Result<void> work(Call& call) override {
    for (;;) {
      const std::span<const Bit> bits = call.peek<Bit>("bits");
      if (bits.empty()) return {};
      NOEMA_CHECK(ops::check_bits(call, "bits", bits));
      const std::span<Complex> symbols = call.reserve<Complex>("symbols", bits.size());
      for (std::size_t i = 0; i < bits.size(); ++i) symbols[i] = Complex(static_cast<float>(bits[i]), 0.0F);
      call.consume("bits", bits.size());
      call.commit("symbols", symbols.size());
    }
  }

  Result<void> close(Call& call) override {
    call.close_output("symbols", metadata(call));
    emit_symbol_metrics(call, mapping_, Padding::impossible);
    call.metric("channel.disabled", 1.0);
    call.metric("channel.identity_phy", 1.0);
    return {};
  }

 private:
  Value metadata(const Call& call) const {
    Value metadata = symbol_metadata(call, mapping_, "identity_phy");
    metadata.set("modulator_label", call.text("label"));
    return metadata;
  }

  Mapping mapping_;
};

}  // namespace

void add_identity_modulate(KernelList& kernels) {
  kernels.add_stream<IdentityModulate>("modulation.identity_modulate", "cpp", "default");
}

}  // namespace noema::modulation
