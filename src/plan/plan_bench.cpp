// How long planning takes: the worked example, from a compiled recipe to the whole plan document.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <string>

#include "noema/plan.h"
#include "plan/test_catalog.h"
#include "plan/test_recipe.h"

namespace noema {
namespace {

/// Random bits over QPSK and AWGN in a layered digital link: twelve steps of ten operations.
constexpr std::string_view worked_example = R"(name: worked_example
execution_profile: {id: layered_digital, version: 1}
metadata:
  seed: 23
  rate_count_fixed_point: tx_bit_boundary.channel.fixed.modulator_input.bit_count
  research:
    dataset: {id: synthetic_random_bits, modality: bits}
    task: {id: neural_receiver_demapping, kind: transport_integrity, modality: bits}
steps:
  - {id: data, op: source.random_bits, params: {bit_count: 4096, seed: 23}}
  - {id: payload_bit_boundary, op: channel.bit_boundary, inputs: {bits: data.bits}, params: {label: payload_input, role: payload}}
  - {id: channel_encoder, op: channel.identity_encoder, inputs: {bits: payload_bit_boundary.bits}}
  - {id: tx_bit_boundary, op: channel.bit_boundary, inputs: {bits: channel_encoder.coded_bits}, params: {label: modulator_input}}
  - {id: modulator, op: modulation.digital_modulate, inputs: {bits: tx_bit_boundary.bits}, params: {modulation: qpsk}}
  - {id: wireless_channel, op: wireless.channel, inputs: {symbols: modulator.symbols}, params: {channel: awgn, snr_db: 6, wireless_backend: numpy, seed: 23001}}
  - {id: demodulator, op: demodulation.digital_demodulate, inputs: {rx_symbols: wireless_channel.rx_symbols}, params: {modulation: auto}}
  - {id: rx_bit_boundary, op: channel.bit_boundary, inputs: {bits: demodulator.bits}, params: {label: demodulator_output}}
  - {id: coded_ber, op: metrics.bit_error_rate, inputs: {reference: tx_bit_boundary.bits, candidate: rx_bit_boundary.bits}, params: {label: coded}}
  - {id: coded_bler, op: metrics.block_error_rate, inputs: {reference: tx_bit_boundary.bits, candidate: rx_bit_boundary.bits}, params: {label: coded, block_size: 256}}
  - {id: channel_bit_count_match, op: channel.bit_count_match, inputs: {reference: tx_bit_boundary.bits, candidate: rx_bit_boundary.bits}, params: {label: channel_io}}
  - {id: channel_decoder, op: channel.identity_decoder, inputs: {coded_bits: rx_bit_boundary.bits}}
)";

void plan_worked_example(benchmark::State& state) {
  const Recipe recipe = planner::recipe_of(worked_example, builtin_catalog());
  for (auto _ : state) {
    const Result<Plan> made = plan(recipe, builtin_catalog());
    if (!made) {
      state.SkipWithError(error_text(made.error()).c_str());
      return;
    }
    benchmark::DoNotOptimize(made->sha256.data());
  }
}
BENCHMARK(plan_worked_example)->Unit(benchmark::kMicrosecond);

void compile_worked_example(benchmark::State& state) {
  for (auto _ : state) {
    const Recipe recipe = planner::recipe_of(worked_example, builtin_catalog());
    benchmark::DoNotOptimize(recipe.effective_sha256.data());
  }
}
BENCHMARK(compile_worked_example)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace noema
