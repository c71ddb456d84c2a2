// channel.symbol_power_identity: transmit power control is off; symbols pass and their power is measured.
// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include "ops/channel/channel.h"
#include "ops/channel/symbols.h"
#include "ops/common/checks.h"
#include "ops/common/power.h"

namespace noema::channel {
namespace {

class SymbolPowerIdentity final : public StreamKernel {
 public:
  Result<void> open(Call& call) override {
    NOEMA_CHECK(ops::check_dtype(call, port, DType::c64));
    trace_ = ops::PowerTrace(call.length(port));
    call.open_output(port, "symbols", DType::c64, call.length(port), declared(call));
    return {};
  }

  Result<void> work(Call& call) override { return relay_symbols(call, trace_); }

  Result<void> close(Call& call) override {
    Value metadata = declared(call);
    metadata.set("power_before", trace_.average());
    metadata.set("power_after", trace_.average());
    metadata.set("power_total_energy", trace_.energy());
    metadata.set("tx_power_preview", trace_.preview("tx_power_trace", call.text("label"), call.text("power_unit")));
    call.close_output(port, std::move(metadata));
    emit_transmit_power(call, {trace_.average(), trace_.average(), trace_.energy(), trace_.count()});
    return {};
  }

 private:
  static constexpr std::string_view port = "symbols";

  static Value declared(const Call& call) {
    Value metadata = call.metadata(port);
    metadata.set("tx_power_enabled", false);
    metadata.set("tx_power_mode", "off");
    metadata.set("power_unit", call.text("power_unit"));
    return metadata;
  }

  ops::PowerTrace trace_;
};

}  // namespace

void add_symbol_power_identity(KernelList& kernels) {
  kernels.add_stream<SymbolPowerIdentity>("channel.symbol_power_identity", "cpp", "symbol_identity");
}

}  // namespace noema::channel
