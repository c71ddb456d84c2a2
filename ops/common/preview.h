// Small pictures of a signal that travel inside metadata, for people and dashboards: channel responses and the
// decision regions of a demapper.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "noema/value.h"

namespace noema::ops {

/// Magnitude and phase at up to 64 positions spread evenly over a stream of known length.
class ResponsePreview {
 public:
  ResponsePreview() : ResponsePreview(0) {}
  explicit ResponsePreview(std::uint64_t length);
  void add(std::span<const Complex> response);
  /// `count` samples of one constant value.
  void add(Complex response, std::uint64_t count);
  Value value(std::string_view x_axis, std::string_view kind) const;

 private:
  std::uint64_t length_;
  std::vector<std::uint64_t> indices_;  ///< ascending
  std::vector<Complex> picked_;
  std::uint64_t count_ = 0;
};

/// Decision regions of the memoryless QPSK demapper on a 64 x 64 grid, with its constellation.
Value qpsk_decision_preview(std::string_view receiver_mode, std::string_view receiver_label);

}  // namespace noema::ops
