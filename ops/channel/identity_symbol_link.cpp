// channel.identity_symbol_link: the channel is off and symbols arrive as they were sent.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <string_view>

#include "ops/channel/channel.h"
#include "ops/channel/symbols.h"
#include "ops/common/checks.h"
#include "ops/common/power.h"

namespace noema::channel {
namespace {

class IdentitySymbolLink final : public StreamKernel {
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
    // Nothing stands between antenna and receiver output, so the three powers are one.
    for (const std::string stem : {"rx_power", "rx_output_power", "rx_antenna_power"}) {
      ops::set_power(metadata, stem, trace_, call.text("label"), metadata.at("rx_power_unit").string());
      call.metric("channel." + stem + ".average", trace_.average());
      call.metric("channel." + stem + ".total_energy", trace_.energy());
    }
    call.close_output(port, std::move(metadata));
    call.count_metric("channel.identity_link.symbol_count", trace_.count());
    call.count_metric("channel.channel_use_count", trace_.count());
    call.metric("channel.disabled", 1.0);
    return {};
  }

 private:
  static constexpr std::string_view port = "symbols";

  static Value declared(const Call& call) {
    Value metadata = call.metadata(port);
    metadata.set("channel_mode", "disabled_identity");
    metadata.set("identity_channel", true);
    metadata.set("identity_channel_label", call.text("label"));
    metadata.set("channel_equalized", false);
    const Value* unit = metadata.find("power_unit");
    metadata.set("rx_power_unit", unit != nullptr && unit->is_string() ? *unit : Value("normalized"));
    return metadata;
  }

  ops::PowerTrace trace_;
};

}  // namespace

void add_identity_symbol_link(KernelList& kernels) {
  kernels.add_stream<IdentitySymbolLink>("channel.identity_symbol_link", "cpp", "default");
}

}  // namespace noema::channel
