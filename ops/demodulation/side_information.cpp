// ops/demodulation/side_information.h: power allocation and channel state at the receiver.
// SPDX-License-Identifier: Apache-2.0
#include "ops/demodulation/side_information.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "core/json.h"
#include "kernels/finite.h"
#include "kernels/math.h"
#include "kernels/modem.h"
#include "ops/common/bits.h"
#include "ops/demodulation/layout.h"

namespace noema::demodulation {
namespace {

constexpr std::string_view order_member = "modulation_order_bits_per_symbol";

Result<Array> typed_array(const Call& call, std::string_view port, std::string_view member, DType dtype) {
  NOEMA_TRY(Array array, call.array(port, member));
  if (array.dtype() == dtype) return array;
  return refuse_input(port, code::input_invalid,
                      "array '" + std::string(member) + "' is " + std::string(dtype_name(array.dtype())) + "; " +
                          std::string(dtype_name(dtype)) + " is allowed");
}

bool near(double a, double b, double relative, double absolute = 0.0) {
  return std::abs(a - b) <= std::max(relative * std::max(std::abs(a), std::abs(b)), absolute);
}

Result<void> require_count(const Value& metadata, std::string_view key, std::uint64_t expected, std::string_view port) {
  return require_value(metadata, key, Value(expected), port);
}

/// The loader's rule for any state: stored gains are |h|^2, and a history ends with the present state.
Result<void> check_state_members(const Call& call, const Array& h) {
  constexpr std::string_view port = "channel_state";
  const auto gains_of_h = h.span<Complex>();
  if (call.artifact(port).array("gains") != nullptr) {
    NOEMA_TRY(const Array gains, typed_array(call, port, "gains", DType::f32));
    bool equal = gains.size() == h.size();
    for (std::size_t i = 0; equal && i < gains_of_h.size(); ++i) {
      const double stored = gains.span<float>()[i];
      const double expected = math::power(gains_of_h[i]);
      equal = std::abs(stored - expected) <= 1e-7 + 1e-5 * expected;
    }
    if (!equal) {
      return refuse_input(port, code::input_invalid, "array 'gains' is not |h_freq|^2",
                          "store one gain for every resource element of h_freq, or leave 'gains' out");
    }
  }
  if (call.artifact(port).array("csi_history") != nullptr) {
    NOEMA_TRY(const Array history, typed_array(call, port, "csi_history", DType::f32));
    const Shape& of_h = h.shape();
    const Shape& shape = history.shape();
    bool equal = shape.size() == 5 && shape[2] > 0 && shape == Shape{of_h[0], of_h[1], shape[2], of_h[2], 2};
    for (std::uint64_t row = 0; equal && row < of_h[0] * of_h[1]; ++row) {
      const auto newest = history.span<float>().subspan(((row + 1) * shape[2] - 1) * of_h[2] * 2, of_h[2] * 2);
      for (std::uint64_t k = 0; equal && k < of_h[2]; ++k) {
        const Complex now = gains_of_h[row * of_h[2] + k];
        equal = std::abs(newest[2 * k] - now.real()) <= 1e-7 + 1e-5 * std::abs(now.real()) &&
                std::abs(newest[2 * k + 1] - now.imag()) <= 1e-7 + 1e-5 * std::abs(now.imag());
      }
    }
    if (!equal) {
      return refuse_input(port, code::input_invalid, "the newest entry of 'csi_history' is not h_freq",
                          "store [block, OFDM symbol, history, subcarrier, 2] with the newest entry last");
    }
  }
  return {};
}

/// What the metadata of the three inputs must say for the state to be the one that the samples went through.
Result<void> check_state_metadata(const Call& call, std::uint64_t elements) {
  const Value& rx = call.metadata("rx_symbols");
  const Value& state = call.metadata("channel_state");
  const Value& allocation = call.metadata("allocation");
  NOEMA_CHECK(require_value(state, "csi_role", "actual_current_channel_state", "channel_state"));
  NOEMA_CHECK(require_value(state, "channel_application_state", true, "channel_state"));
  NOEMA_CHECK(require_value(state, "transmitter_visible", false, "channel_state"));
  NOEMA_CHECK(require_value(allocation, "transport_mode", "fixed_modulation", "allocation"));
  NOEMA_CHECK(require_value(rx, "channel_equalized", true, "rx_symbols"));
  NOEMA_CHECK(require_value(rx, "equalizer", "perfect_csi_ofdm_zero_forcing_one_tap", "rx_symbols"));
  NOEMA_CHECK(require_value(rx, "channel_state_shared", true, "rx_symbols"));
  const Value* seed = state.find("channel_state_seed");
  if (seed == nullptr || !seed->is_integer()) {
    return ops::metadata_error("channel_state", "metadata has no integer 'channel_state_seed'");
  }
  NOEMA_CHECK(require_value(rx, "channel_state_seed", *seed, "rx_symbols"));

  const std::uint64_t symbols = call.length("rx_symbols");
  if (symbols > elements) {
    return refuse_input("rx_symbols", code::input_invalid,
                        std::to_string(symbols) + " symbols do not fit the " + std::to_string(elements) +
                            " resource elements of the channel state");
  }
  NOEMA_CHECK(require_count(rx, "payload_symbol_count", symbols, "rx_symbols"));
  NOEMA_CHECK(require_count(rx, "channel_use_count", elements, "rx_symbols"));
  return require_count(rx, "grid_padding_symbol_count", elements - symbols, "rx_symbols");
}

/// The noise variance that all three inputs agree on.
Result<double> agreed_noise_variance(const Call& call) {
  NOEMA_TRY(const double variance, required_number(call.metadata("rx_symbols"), "noise_variance", "rx_symbols"));
  if (variance <= 0) {
    return ops::metadata_error(
        "rx_symbols", "metadata 'noise_variance' is " + number_text(variance) + "; a positive variance is allowed");
  }
  for (const std::string_view port : {"channel_state", "allocation"}) {
    NOEMA_TRY(const double other, required_number(call.metadata(port), "noise_variance", port));
    if (!near(variance, other, 1e-9)) {
      return ops::metadata_error(port,
                                 "metadata 'noise_variance' is " + number_text(other) +
                                     ", but the received symbols have " + number_text(variance),
                                 "allocation, channel and receiver must work at one noise level");
    }
  }
  return variance;
}

}  // namespace

Result<Allocation> read_allocation(const Call& call) {
  constexpr std::string_view port = "allocation";
  Allocation allocation;
  NOEMA_TRY(allocation.power, typed_array(call, port, "power", DType::f32));
  const auto powers = allocation.powers();
  if (kernels::first_not_finite(powers) != powers.size() ||
      std::ranges::any_of(powers, [](float p) { return p < 0; })) {
    return refuse_input(port, code::input_invalid, "array 'power' holds a negative or infinite value or a NaN",
                        "powers are finite and at least 0");
  }
  if (call.artifact(port).array(order_member) == nullptr) return allocation;
  NOEMA_TRY(allocation.orders, typed_array(call, port, order_member, DType::u8));
  const auto orders = allocation.orders->span<std::uint8_t>();
  const auto bad =
      std::ranges::find_if(orders, [](int order) { return order != 0 && !kernels::is_adaptive_order(order); });
  if (bad != orders.end()) {
    return refuse_input(port, code::input_invalid,
                        "element " + std::to_string(bad - orders.begin()) + " of array '" + std::string(order_member) +
                            "' is " + std::to_string(*bad) + "; 0, 1, 2, 4 and 6 are allowed");
  }
  if (orders.size() != powers.size()) {
    return refuse_input(port, code::input_invalid,
                        "array '" + std::string(order_member) + "' has " + std::to_string(orders.size()) +
                            " elements, but 'power' has " + std::to_string(powers.size()));
  }
  return allocation;
}

Result<std::uint64_t> check_bit_loading(const Call& call, const Allocation& allocation) {
  const auto orders = allocation.orders->span<std::uint8_t>();
  const std::uint64_t symbols = call.length("rx_symbols");
  if (symbols > orders.size()) {
    return refuse_input("rx_symbols", code::input_invalid,
                        std::to_string(symbols) + " symbols arrive, but the allocation describes " +
                            std::to_string(orders.size()) + " resource elements");
  }
  const auto unsent = orders.subspan(symbols);
  if (std::ranges::any_of(unsent, [](int order) { return order != 0; })) {
    return refuse_input(
        "rx_symbols", code::input_invalid,
        std::to_string(symbols) + " symbols arrive, but the allocation loads bits onto later resource elements",
        "the symbols must be those that this allocation was made for");
  }
  std::uint64_t capacity = 0;
  for (const std::uint8_t order : orders.first(symbols)) capacity += order;
  const Value& rx = call.metadata("rx_symbols");
  const Value& source = rx.find("adaptive_original_bit_count") != nullptr ? rx : call.metadata("allocation");
  const std::string_view port = &source == &rx ? "rx_symbols" : "allocation";
  NOEMA_TRY(const double declared, required_number(source, "adaptive_original_bit_count", port));
  NOEMA_TRY(const std::uint64_t bits, ops::count_or(source, "adaptive_original_bit_count", 0, port));
  if (bits > capacity) {
    return ops::metadata_error(port, "metadata 'adaptive_original_bit_count' is " + number_text(declared) +
                                         ", but the allocation carries only " + std::to_string(capacity) + " bits");
  }
  return bits;
}

Result<std::vector<double>> current_state_weights(const Call& call, const Allocation& allocation) {
  constexpr std::string_view port = "channel_state";
  if (allocation.orders) {
    return refuse_input(port, code::input_invalid,
                        "a channel state can't weight symbols whose modulation changes from one to the next",
                        "leave channel_state open, or allocate power with transport_mode fixed_modulation");
  }
  NOEMA_TRY(const Array h, typed_array(call, port, "h_freq", DType::c64));
  const auto gains = h.span<Complex>();
  if (h.shape().size() != 3) {
    return refuse_input(port, code::input_invalid,
                        "array 'h_freq' has " + std::to_string(h.shape().size()) +
                            " axes; block, OFDM symbol and subcarrier are allowed");
  }
  if (kernels::first_not_finite(gains) != gains.size()) {
    return refuse_input(port, code::input_invalid, "array 'h_freq' holds a NaN or an infinite value");
  }
  NOEMA_CHECK(check_state_members(call, h));
  NOEMA_CHECK(check_state_metadata(call, gains.size()));
  const Shape rows{h.shape()[0] * h.shape()[1], h.shape()[2]};
  if (allocation.power.shape() != rows) {
    return refuse_input("allocation", code::input_invalid,
                        "array 'power' has the shape " + canonical_json(shape_value(allocation.power.shape())) +
                            "; the channel state needs " + canonical_json(shape_value(rows)));
  }
  NOEMA_TRY(const double variance, agreed_noise_variance(call));
  std::vector<double> weights(gains.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = 2.0 * std::sqrt(2.0 * static_cast<double>(allocation.powers()[i])) * math::power(gains[i]) /
                 std::max(variance, 1e-12);
  }
  return weights;
}

}  // namespace noema::demodulation
