// Power of symbol streams and the small power traces inside metadata. Power is |s|^2 of a complex sample, in double; no
// result depends on how a stream is cut into chunks. Units are the caller's to name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/channel.h"
#include "noema/value.h"

namespace noema::ops {

/// Power of a stream of known length: total energy, mean, and up to 128 samples at equal steps.
class PowerTrace {
 public:
  PowerTrace() : PowerTrace(0) {}
  explicit PowerTrace(std::uint64_t length);
  void add(std::span<const Complex> symbols);
  std::uint64_t count() const { return count_; }
  double energy() const { return sum_.total(); }
  double average() const;  ///< 0 for an empty stream
  /// The JSON object of phy 1.10; `kind` is `tx_power_trace` and the like.
  Value preview(std::string_view kind, std::string_view label, std::string_view unit) const;

 private:
  std::uint64_t stride_ = 1;
  std::uint64_t count_ = 0;
  kernels::BlockSum sum_;
  std::vector<double> samples_;
};

/// energy / count, and 0 when there is nothing to average.
double average_power(double energy, std::uint64_t count);

/// The three metadata keys that describe a power: `<stem>_preview`, `<stem>_average`, `<stem>_total_energy`, with
/// the trace kind `<stem>_trace`.
void set_power(Value& metadata, std::string_view stem, const PowerTrace& trace, std::string_view label,
               std::string_view unit);

}  // namespace noema::ops
