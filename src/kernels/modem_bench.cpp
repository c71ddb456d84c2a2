// Rates of the modem and channel kernels; an item is a symbol.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/modem.h"

#include "kernels/channel.h"
#include "kernels/kernel_bench.h"

namespace noema::kernels {
namespace {

void map(benchmark::State& state, Modulation modulation, MapBits function) {
  const std::size_t symbols = size_of(state);
  const std::vector<Bit> bits = sample_bits(symbols * bits_per_symbol(modulation));
  std::vector<Complex> out(symbols);
  measure(state, symbols, bits.size() + 8 * symbols, [&] { function(modulation, bits, out); });
}

void decide(benchmark::State& state, Modulation modulation, DecideBits function) {
  const std::vector<Complex> symbols = sample_symbols(size_of(state));
  std::vector<Bit> bits(symbols.size() * bits_per_symbol(modulation));
  measure(state, symbols.size(), bits.size() + 8 * symbols.size(), [&] { function(modulation, symbols, bits); });
}

void soft(benchmark::State& state, Modulation modulation, SoftBits function) {
  const std::vector<Complex> symbols = sample_symbols(size_of(state));
  std::vector<float> llr(symbols.size() * bits_per_symbol(modulation));
  measure(state, symbols.size(), 4 * llr.size() + 8 * symbols.size(), [&] { function(modulation, symbols, 0.1, llr); });
}

void hard(benchmark::State& state, HardBits function) {
  const std::vector<float> llr = sample_floats(size_of(state));
  std::vector<Bit> bits(llr.size());
  measure(state, llr.size(), 5 * llr.size(), [&] { function(llr, bits); });
}

void noise(benchmark::State& state, AddNoise function) {
  std::vector<Complex> x = sample_symbols(size_of(state));
  const std::vector<float> real = sample_floats(x.size(), 1);
  const std::vector<float> imag = sample_floats(x.size(), 2);
  std::vector<Complex> y(x.size());
  measure(state, x.size(), 24 * x.size(), [&] { function(x, real, imag, 0.2f, y); });
}

void gains(benchmark::State& state, FadingGains function) {
  const std::vector<float> real = sample_floats(size_of(state), 1);
  const std::vector<float> imag = sample_floats(size_of(state), 2);
  std::vector<Complex> made(real.size());
  measure(state, real.size(), 16 * real.size(), [&] { function(real, imag, made); });
}

template <class Function>
void two_inputs(benchmark::State& state, Function function) {
  const std::vector<Complex> a = sample_symbols(size_of(state), 1);
  const std::vector<Complex> b = sample_symbols(size_of(state), 2);
  std::vector<Complex> out(a.size());
  measure(state, a.size(), 24 * a.size(), [&] { function(a, b, out); });
}

void mean(benchmark::State& state) {
  const std::vector<Complex> x = sample_symbols(size_of(state));
  measure(state, x.size(), 8 * x.size(), [&] { benchmark::DoNotOptimize(mean_power(x)); });
}

// The whole of AWGN on one core: two normals a sample, side by side, added in chunks that stay in the cache.
void awgn(benchmark::State& state) {
  std::vector<Complex> x = sample_symbols(size_of(state));
  constexpr std::size_t chunk = 4096;
  std::vector<float> real(chunk), imag(chunk);
  measure(state, x.size(), 16 * x.size(), [&] {
    ComplexNormals normals(Mt19937(17), x.size());
    for (std::size_t at = 0; at < x.size(); at += chunk) {
      const std::size_t part = std::min(chunk, x.size() - at);
      const auto re = std::span(real).first(part);
      const auto im = std::span(imag).first(part);
      normals.fill(re, im);
      const auto y = std::span(x).subspan(at, part);
      add_noise(y, re, im, 0.2f, y);
    }
  });
}

const bool registered = [] {
  constexpr std::pair<Modulation, const char*> modulations[] = {
      {Modulation::bpsk, "bpsk"}, {Modulation::qpsk, "qpsk"}, {Modulation::qam16, "qam16"}};
  for (const auto& [modulation, name] : modulations) {
    const Modulation chosen = modulation;
    register_all(std::string("map_bits/") + name, map_bits_implementations,
                 [=](benchmark::State& state, MapBits function) { map(state, chosen, function); });
    register_all(std::string("decide_bits/") + name, decide_bits_implementations,
                 [=](benchmark::State& state, DecideBits function) { decide(state, chosen, function); });
    register_all(std::string("soft_bits/") + name, soft_bits_implementations,
                 [=](benchmark::State& state, SoftBits function) { soft(state, chosen, function); });
  }
  register_all("hard_bits", hard_bits_implementations, hard);
  register_all("add_noise", add_noise_implementations, noise);
  register_all("fading_gains", fading_gains_implementations, gains);
  register_all("multiply", multiply_implementations, two_inputs<Multiply>);
  register_all("divide", divide_implementations, two_inputs<Divide>);
  sizes(benchmark::RegisterBenchmark("mean_power", mean));
  sizes(benchmark::RegisterBenchmark("awgn", awgn));
  return true;
}();

}  // namespace
}  // namespace noema::kernels
