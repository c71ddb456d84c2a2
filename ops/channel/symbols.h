// What the symbol operations of this family share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "noema/backend.h"
#include "ops/common/power.h"

namespace noema::channel {

/// In `work`: checks what has arrived at `symbols`, adds it to the trace and passes it on to the output `symbols`.
Result<void> relay_symbols(Call& call, ops::PowerTrace& trace);

/// Metrics of a transmit power stage: `before` and `after` as mean powers, and the energy behind `after`.
struct TransmitPower {
  double before = 0;
  double after = 0;
  double energy = 0;
  std::uint64_t symbols = 0;
};
void emit_transmit_power(Call& call, const TransmitPower& power);
/// The two metrics of a power target.
void emit_power_target(Call& call, double target);

}  // namespace noema::channel
