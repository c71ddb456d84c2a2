// Power of symbol streams: energies that do not depend on how a stream is cut, and the small power traces inside
// metadata. Power is |s|^2 of a complex sample, in double; units are the caller's to name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "noema/value.h"

namespace noema::ops {

/// Sum of squares of a float stream that arrives in pieces. Values go round eight partial sums, which are folded in a
/// fixed order every 4096 values: the result is the same for every cut and every vector width.
class SquareSum {
 public:
  void add(std::span<const float> values);
  /// Real and imaginary parts, one after the other.
  void add(std::span<const Complex> values);
  double total() const;
  /// False once a NaN or an infinity was added (squares of finite floats can't overflow a double).
  bool finite() const;

 private:
  static constexpr std::uint64_t lane_count = 8;
  static constexpr std::uint64_t block_length = 4096;
  double folded() const;
  std::array<double, lane_count> lanes_{};
  double blocks_ = 0;           ///< sum of the completed blocks
  std::uint64_t in_block_ = 0;  ///< values in the block that is being filled
};

/// Sum of doubles that arrive in pieces, by the same rule.
class ValueSum {
 public:
  void add(double value);
  double total() const;

 private:
  static constexpr std::uint64_t block_length = 4096;
  double block_ = 0;
  double blocks_ = 0;
  std::uint64_t in_block_ = 0;
};

/// Power of a stream of known length: total energy, mean, and up to 128 samples at equal steps.
class PowerTrace {
 public:
  PowerTrace() : PowerTrace(0) {}
  explicit PowerTrace(std::uint64_t length);
  void add(std::span<const Complex> symbols);
  std::uint64_t count() const { return count_; }
  double energy() const { return squares_.total(); }
  double average() const;  ///< 0 for an empty stream
  bool finite() const { return squares_.finite(); }
  /// The JSON object of phy 1.10; `kind` is `tx_power_trace` and the like.
  Value preview(std::string_view kind, std::string_view label, std::string_view unit) const;

 private:
  std::uint64_t length_ = 0;
  std::uint64_t stride_ = 1;
  std::uint64_t count_ = 0;
  SquareSum squares_;
  std::vector<double> samples_;
};

/// energy / count, and 0 when there is nothing to average.
double average_power(double energy, std::uint64_t count);

/// The three metadata keys that describe a power: `<stem>_preview`, `<stem>_average`, `<stem>_total_energy`, with
/// the trace kind `<stem>_trace`.
void set_power(Value& metadata, std::string_view stem, const PowerTrace& trace, std::string_view label,
               std::string_view unit);

}  // namespace noema::ops
