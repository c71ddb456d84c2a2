// ops/common/preview.h: previews of responses and decision regions.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/preview.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "kernels/math.h"

namespace noema::ops {
namespace {

constexpr std::uint64_t most_points = 64;
constexpr int grid_side = 64;
constexpr float grid_reach = 2.25F;
constexpr double qpsk_amplitude = 0x1.6a09e667f3bccp-1;  // 1/sqrt(2)

/// All of 0..length-1, or 64 of them: k * (length-1)/63, rounded half to even, as a linear spacing gives them.
std::vector<std::uint64_t> preview_indices(std::uint64_t length) {
  std::vector<std::uint64_t> indices;
  if (length <= most_points) {
    for (std::uint64_t i = 0; i < length; ++i) indices.push_back(i);
    return indices;
  }
  const double step = static_cast<double>(length - 1) / static_cast<double>(most_points - 1);
  for (std::uint64_t k = 0; k + 1 < most_points; ++k) {
    indices.push_back(static_cast<std::uint64_t>(std::nearbyint(static_cast<double>(k) * step)));
  }
  indices.push_back(length - 1);
  return indices;
}

}  // namespace

ResponsePreview::ResponsePreview(std::uint64_t length) : length_(length), indices_(preview_indices(length)) {
  picked_.reserve(indices_.size());
}

void ResponsePreview::add(std::span<const Complex> response) {
  while (picked_.size() < indices_.size() && indices_[picked_.size()] < count_ + response.size()) {
    picked_.push_back(response[static_cast<std::size_t>(indices_[picked_.size()] - count_)]);
  }
  count_ += response.size();
}

void ResponsePreview::add(Complex response, std::uint64_t count) {
  while (picked_.size() < indices_.size() && indices_[picked_.size()] < count_ + count) picked_.push_back(response);
  count_ += count;
}

Value ResponsePreview::value(std::string_view x_axis, std::string_view kind) const {
  Value preview = Value::object({{"kind", kind}, {"x_axis", x_axis}});
  Value magnitude = Value::array();
  Value phase = Value::array();
  if (length_ == 0) return preview.set("magnitude", std::move(magnitude)).set("phase_rad", std::move(phase));
  Value indices = Value::array();
  for (std::size_t i = 0; i < picked_.size(); ++i) {
    indices.push(Value(indices_[i]));
    magnitude.push(Value(static_cast<double>(math::magnitude(picked_[i]))));
    phase.push(Value(static_cast<double>(math::phase(picked_[i]))));
  }
  preview.set("source_count", length_);
  preview.set("indices", std::move(indices));
  return preview.set("magnitude", std::move(magnitude)).set("phase_rad", std::move(phase));
}

Value qpsk_decision_preview(std::string_view receiver_mode, std::string_view receiver_label) {
  // The points of 64 equal steps from -2.25 to 2.25 are never zero, so the sign decides each.
  Value rows = Value::array();
  for (int q = 0; q < grid_side; ++q) {
    std::string row;
    for (int i = 0; i < grid_side; ++i) {
      const bool first = i < grid_side / 2;   // I below zero: first decision is 1
      const bool second = q < grid_side / 2;  // Q below zero: second decision is 1
      row.push_back(static_cast<char>('0' + 2 * (first ? 1 : 0) + (second ? 1 : 0)));
    }
    rows.push(Value(std::move(row)));
  }
  Value points = Value::array();
  for (int id = 0; id < 4; ++id) {
    points.push(Value::object({{"class_id", id},
                               {"bits", std::string{id / 2 == 0 ? '0' : '1', id % 2 == 0 ? '0' : '1'}},
                               {"i", id / 2 == 0 ? qpsk_amplitude : -qpsk_amplitude},
                               {"q", id % 2 == 0 ? qpsk_amplitude : -qpsk_amplitude}}));
  }
  const double reach = grid_reach;
  return Value::object({{"schema_version", 1},
                        {"kind", "memoryless_qpsk_iq_decision_regions"},
                        {"receiver_mode", receiver_mode},
                        {"receiver_label", receiver_label},
                        {"coordinate_space", "received_iq"},
                        {"decision_rule", "negative_logit_is_bit_one"},
                        {"grid", Value::object({{"i_min", -reach},
                                                {"i_max", reach},
                                                {"q_min", -reach},
                                                {"q_max", reach},
                                                {"width", grid_side},
                                                {"height", grid_side},
                                                {"class_rows", std::move(rows)}})},
                        {"constellation", std::move(points)},
                        {"conditioning", Value::object({{"kind", "none"}, {"memoryless", true}})}});
}

}  // namespace noema::ops
