// ops/wireless/link.h: what a wireless.channel step says about itself.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "kernels/math.h"
#include "ops/common/bits.h"
#include "ops/common/power.h"
#include "ops/wireless/link.h"

namespace noema::wireless {
namespace {

constexpr std::string_view port = "symbols";

/// Parameters that are recorded as they stand.
constexpr std::array echoed{"carrier_frequency_ghz",
                            "channel",
                            "channel_state_mode",
                            "delay_spread_ns",
                            "fading_scope",
                            "interference_sir_db",
                            "interferers",
                            "mobility_kmh",
                            "noise_mode",
                            "normalize_channel",
                            "num_ofdm_symbols",
                            "ofdm_fft_size",
                            "receiver_processing",
                            "rx_antennas",
                            "subcarrier_spacing_khz",
                            "tdl_model",
                            "tx_antennas"};

double ratio_db(double signal, double noise) { return math::to_db(std::max(signal, 1e-12) / std::max(noise, 1e-12)); }

template <class Get>
Value of_items(const Measured& measured, Get get) {
  Value values = Value::array();
  for (const Realized& item : measured.items) values.push(Value(get(item)));
  return values;
}

double most_transmitted_power(const Measured& measured) {
  return std::ranges::max(measured.items, {}, &Realized::transmitted_power).transmitted_power();
}

Result<void> append_history(Value& metadata, Value entry) {
  if (const Value* list = metadata.find("wireless_history"); list != nullptr && !list->is_null() && !list->is_array()) {
    return ops::metadata_error(port, "metadata 'wireless_history' is not a list, so nothing can be appended to it");
  }
  metadata.edit("wireless_history").push(std::move(entry));
  return {};
}

void set_measured(const Call& call, const Link& link, const Measured& measured, Value& metadata) {
  const double sent = measured.transmitted.average();
  const double received = measured.received_signal_power();
  metadata.set("tx_effective_snr_db", ratio_db(sent, link.flat.noise_variance));
  metadata.set("effective_snr_db", ratio_db(received, link.flat.noise_variance));
  metadata.set("tx_power_average", sent);
  metadata.set("tx_total_energy", measured.transmitted.energy());
  metadata.set("tx_power_per_executed_use", ops::average_power(measured.transmitted.energy(), link.symbols));
  metadata.set("received_signal_power_average", received);
  metadata.set("channel_gain_average", measured.gain_average());
  metadata.set("channel_response_preview", measured.response.value("symbol", "flat_channel_gain"));
  const std::string& label = call.text("channel");
  const std::string unit = metadata.at("rx_power_unit").string();
  ops::set_power(metadata, "rx_power", measured.output, label, unit);
  ops::set_power(metadata, "rx_output_power", measured.output, label, unit);
  ops::set_power(metadata, "rx_antenna_power", measured.antenna, label, unit);
  if (link.flat.equalize) ops::set_power(metadata, "rx_equalized_power", measured.output, label, unit);
  if (!link.items) return;
  metadata.set("source_item_tx_power_average",
               of_items(measured, [](const Realized& item) { return item.transmitted_power(); }));
  metadata.set("max_source_item_tx_power_average", most_transmitted_power(measured));
  if (link.flat.fading == Fading::none) return;
  metadata.set("source_item_channel_gain_average",
               of_items(measured, [](const Realized& item) { return item.gain_power(); }));
  if (link.flat.fading != Fading::per_item) return;
  metadata.set("source_item_channel_gains", of_items(measured, [](const Realized& item) {
                 return Value(Value::Items{Value(static_cast<double>(item.gain.real())),
                                           Value(static_cast<double>(item.gain.imag()))});
               }));
}

double realized_sir_db(const Interference& interference) {
  return math::to_db(std::max(interference.noisy_energy, 1e-300) / std::max(interference.energy, 1e-300));
}

/// Powers of what reached a point of the receiver, apart and together. `total` differs from the sum of the two parts by
/// twice the real part of their correlation.
void emit_components(Call& call, const std::string& stem, double signal, double noise, double total) {
  call.metric("channel." + stem + "_signal_power.average", signal);
  call.metric("channel." + stem + "_noise_power.average", noise);
  call.metric("channel." + stem + "_component_power.average", signal + noise);
  call.metric("channel." + stem + "_signal_noise_cross_power.average", total - (signal + noise));
}

void emit_power(Call& call, const std::string& stem, const ops::PowerTrace& trace) {
  call.metric("channel." + stem + ".average", trace.average());
  call.metric("channel." + stem + ".total_energy", trace.energy());
}

}  // namespace

Result<Value> link_metadata(const Call& call, const Link& link, const Measured* measured,
                            const Interference* interference) {
  Value metadata = call.metadata(port);
  for (const std::string_view name : echoed) metadata.set(name, call.parameter(name));
  metadata.set("seed", link.seed);
  metadata.set("snr_db", link.reference_snr_db);
  metadata.set("reference_snr_db", link.reference_snr_db);
  metadata.set("noise_variance", link.flat.noise_variance);
  metadata.set("data_plane_backend", ops::data_plane_backend(call.backend()));
  metadata.set("wireless_backend", call.backend());
  metadata.set("wireless_backend_detail", "legacy MT19937 normals by the polar method, float32 samples");
  metadata.set("requested_wireless_backend", call.text("wireless_backend"));
  metadata.set("wireless_preset", call.text("channel"));
  metadata.set("channel_equalized", link.flat.equalize);
  metadata.set("equalizer", link.flat.equalize ? Value("perfect_csi_one_tap") : Value());
  const Value* unit = metadata.find("power_unit");
  metadata.set("rx_power_unit", unit != nullptr && unit->is_string() ? *unit : Value("normalized"));
  metadata.set("symbol_count", link.symbols);
  metadata.set("payload_symbol_count", link.symbols);
  metadata.set("channel_use_count", link.symbols);
  metadata.set("grid_padding_symbol_count", 0);
  metadata.set("shared_grid_overhead_channel_use_count", 0);
  metadata.set("channel_realization_order_invariant", link.order_invariant);
  metadata.set("per_item_seeded_realization", link.items.has_value());
  if (link.items) {
    metadata.set("source_item_channel_seeds", link.item_seeds);
    metadata.set("source_item_channel_use_counts", *link.items);
  }
  link.rates.declare(metadata);
  if (measured == nullptr) return metadata;

  set_measured(call, link, *measured, metadata);
  if (interference != nullptr) {
    metadata.set("effective_interferer_count", interference->interferers);
    metadata.set("realized_interference_sir_db", realized_sir_db(*interference));
  }
  NOEMA_CHECK(append_history(metadata, Value::object({{"channel", call.text("channel")},
                                                      {"snr_db", link.reference_snr_db},
                                                      {"reference_snr_db", link.reference_snr_db},
                                                      {"effective_snr_db", metadata.at("effective_snr_db")},
                                                      {"noise_mode", call.text("noise_mode")},
                                                      {"noise_variance", link.flat.noise_variance},
                                                      {"seed", link.seed},
                                                      {"wireless_backend", call.backend()},
                                                      {"wireless_preset", call.text("channel")},
                                                      {"receiver_processing", call.text("receiver_processing")},
                                                      {"channel_equalized", link.flat.equalize}})));
  return metadata;
}

void emit_link_metrics(Call& call, const Link& link, const Measured& measured, const Interference* interference) {
  const double variance = link.flat.noise_variance;
  const double sent = measured.transmitted.average();
  const double received = measured.received_signal_power();
  call.metric("channel.snr_db", link.reference_snr_db);
  call.metric("channel.reference_snr_db", link.reference_snr_db);
  call.metric("channel.tx_effective_snr_db", ratio_db(sent, variance));
  call.metric("channel.effective_snr_db", ratio_db(received, variance));
  call.metric("channel.noise_variance", variance);
  call.metric("channel.tx_power_at_channel.average", sent);
  call.metric("channel.tx_power_per_executed_use.average",
              ops::average_power(measured.transmitted.energy(), link.symbols));
  call.metric("channel.tx_energy.total", measured.transmitted.energy());
  call.metric("channel.received_signal_power.average", received);
  emit_power(call, "rx_power", measured.output);
  emit_power(call, "rx_output_power", measured.output);
  emit_power(call, "rx_antenna_power", measured.antenna);

  const double amplitude = kernels::noise_amplitude(variance);
  const auto noise = [&](const kernels::BlockSum& unit) {
    return ops::average_power(amplitude * amplitude * unit.total(), link.symbols);
  };
  const bool fades = link.flat.fading != Fading::none;
  const double arrived = fades ? ops::average_power(measured.signal.total(), link.symbols) : sent;
  const double noisy = interference == nullptr ? measured.antenna.average()
                                               : ops::average_power(interference->noisy_energy, link.symbols);
  emit_components(call, "rx_antenna", arrived, noise(measured.unit_noise), noisy);
  if (link.flat.equalize) {
    emit_power(call, "rx_equalized_power", measured.output);
    call.metric("channel.post_equalizer_output_power.average", measured.output.average());
    emit_components(call, "post_equalizer", sent, noise(measured.equalized_noise), measured.output.average());
  }

  call.count_metric("channel.symbol_count", link.symbols);
  call.count_metric("channel.payload_symbol_count", link.symbols);
  call.count_metric("channel.channel_use_count", link.symbols);
  call.count_metric("channel.grid_padding_symbol_count", 0);
  call.count_metric("channel.shared_grid_overhead_channel_use_count", 0);
  call.metric("channel.backend." + std::string(call.backend()), 1.0);
  call.metric("channel.gain.average", measured.gain_average());
  link.rates.emit(call);
  if (interference != nullptr) {
    call.count_metric("channel.interferers", interference->interferers);
    call.metric("channel.interference_sir_db", call.number("interference_sir_db"));
    call.metric("channel.realized_interference_sir_db", realized_sir_db(*interference));
    call.metric("channel.rx_antenna_interference_power.average",
                ops::average_power(interference->energy, link.symbols));
  }
  if (!link.items) return;
  call.metric("channel.max_source_item_tx_power.average", most_transmitted_power(measured));
  call.metric("channel.per_item_seeded_realization", 1.0);
  if (link.flat.fading != Fading::per_item) return;
  const auto power = [](const Realized& item) { return math::power(item.gain); };
  const double least = power(std::ranges::min(measured.items, {}, power));
  const double most = power(std::ranges::max(measured.items, {}, power));
  call.metric("channel.gain_magnitude.minimum", std::sqrt(least));
  call.metric("channel.gain_magnitude.maximum", std::sqrt(most));
  call.metric("channel.gain_power.minimum", least);
  call.metric("channel.gain_power.maximum", most);
}

}  // namespace noema::wireless
