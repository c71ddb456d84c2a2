// ops/channel/symbols.h: passing symbols on, and transmit power metrics.
// SPDX-License-Identifier: Apache-2.0
#include "ops/channel/symbols.h"

#include <string>

#include "ops/common/checks.h"
#include "ops/common/labels.h"

namespace noema::channel {

Result<void> relay_symbols(Call& call, ops::PowerTrace& trace) {
  for (;;) {
    const std::span<const Complex> symbols = call.peek<Complex>("symbols");
    if (symbols.empty()) return {};
    NOEMA_CHECK(ops::check_symbols(call, "symbols", symbols));
    trace.add(symbols);
    call.forward("symbols", "symbols", symbols.size());
  }
}

namespace {

std::string labelled_power(const Call& call) { return "channel.tx_power." + ops::metric_label(call.text("label")); }

}  // namespace

void emit_transmit_power(Call& call, const TransmitPower& power) {
  const std::string labelled = labelled_power(call);
  call.metric(labelled + ".before", power.before);
  call.metric(labelled + ".after", power.after);
  call.metric(labelled + ".total_energy", power.energy);
  call.metric("channel.tx_power.before", power.before);
  call.metric("channel.tx_power.after", power.after);
  call.metric("channel.tx_power.average", power.after);
  call.metric("channel.tx_power.total_energy", power.energy);
  call.count_metric("channel.symbol_count", power.symbols);
  call.count_metric("channel.channel_use_count", power.symbols);
}

void emit_power_target(Call& call, double target) {
  call.metric(labelled_power(call) + ".target", target);
  call.metric("channel.tx_power.target", target);
}

}  // namespace noema::channel
