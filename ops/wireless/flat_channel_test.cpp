// Realisations of flat channels: published vectors, and independence of chunks and threads.
// SPDX-License-Identifier: Apache-2.0
#include "ops/wireless/flat_channel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/modem.h"

namespace noema::wireless {
namespace {

std::vector<Complex> qpsk(std::uint64_t symbols, std::uint64_t seed) {
  std::vector<Bit> bits(2 * symbols);
  kernels::Mt19937(seed).random_bits(bits);
  std::vector<Complex> x(symbols);
  kernels::map_bits(kernels::Modulation::qpsk, bits, x);
  return x;
}

struct Passed {
  std::vector<Complex> y;
  Measured measured;
};

Passed pass(const FlatSettings& settings, std::uint64_t seed, const std::vector<Complex>& x, std::size_t chunk) {
  Passed passed{std::vector<Complex>(x.size()), Measured(x.size(), settings.fading != Fading::none)};
  FlatRealization channel(settings, seed, x.size());
  for (std::size_t at = 0; at < x.size(); at += chunk) {
    const std::size_t count = std::min(chunk, x.size() - at);
    channel.pass(std::span(x).subspan(at, count), std::span(passed.y).subspan(at, count), passed.measured);
  }
  channel.finish(passed.measured);
  return passed;
}

TEST(FlatRealization, GivesThePublishedItemFading) {
  const std::vector<Bit> bits{0, 0, 0, 1, 1, 0, 1, 1};
  std::vector<Complex> x(4);
  kernels::map_bits(kernels::Modulation::qpsk, bits, x);
  FlatSettings settings{Fading::per_item, true, kernels::noise_variance_from_snr_db(10)};
  const Passed equalized = pass(settings, 17, x, 4);
  const Complex gain = equalized.measured.items.front().gain;
  EXPECT_FLOAT_EQ(gain.real(), 0.10512913F);
  EXPECT_FLOAT_EQ(gain.imag(), -0.30955943F);
  EXPECT_FLOAT_EQ(equalized.y[0].real(), 0.09614065F);
  EXPECT_FLOAT_EQ(equalized.y[0].imag(), 1.1141539F);
  settings.equalize = false;
  const Passed raw = pass(settings, 17, x, 1);
  EXPECT_FLOAT_EQ(raw.y[0].real(), 0.35500404F);
  EXPECT_FLOAT_EQ(raw.y[0].imag(), 0.08736879F);
}

TEST(FlatRealization, DependsOnNeitherChunksNorThreads) {
  const std::vector<Complex> x = qpsk(40'001, 5);
  for (const Fading fading : {Fading::none, Fading::per_symbol, Fading::per_item}) {
    const FlatSettings alone{fading, fading != Fading::none, 0.3, 1};
    const FlatSettings shared{fading, fading != Fading::none, 0.3, 4};
    const Passed one = pass(alone, 99, x, x.size());
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{20'000}, x.size()}) {
      const Passed other = pass(shared, 99, x, chunk);
      EXPECT_EQ(one.y, other.y);
      EXPECT_EQ(one.measured.antenna.energy(), other.measured.antenna.energy());
      EXPECT_EQ(one.measured.signal.total(), other.measured.signal.total());
      EXPECT_EQ(one.measured.unit_noise.total(), other.measured.unit_noise.total());
      EXPECT_EQ(one.measured.equalized_noise.total(), other.measured.equalized_noise.total());
      EXPECT_EQ(one.measured.received_signal_power(), other.measured.received_signal_power());
    }
  }
}

TEST(FlatRealization, MeasuresWhatItDoes) {
  const std::vector<Complex> x = qpsk(200'000, 6);
  const Passed passed = pass({Fading::per_symbol, true, 0.25, 2}, 3, x, 4096);
  const Measured& m = passed.measured;
  const double n = static_cast<double>(x.size());
  EXPECT_NEAR(m.transmitted.average(), 1.0, 1e-6);
  EXPECT_NEAR(m.unit_noise.total() / n, 2.0, 0.03);  // before the amplitude: two unit normals
  EXPECT_NEAR(m.gain_average(), 1.0, 0.02);
  EXPECT_NEAR(m.signal.total() / n, m.gain_average(), 1e-5);  // |x| = 1
  EXPECT_NEAR(m.antenna.average(), 1.25, 0.03);
}

TEST(Interference, LiesThreeDecibelsBelowTheDeclaredRatio) {
  std::vector<Complex> y = qpsk(100'000, 8);
  const std::vector<Complex> before = y;
  for (const std::uint64_t interferers : {1u, 3u, 8u}) {
    y = before;
    const Interfered added = add_interference(kernels::Mt19937(4), 10.0, interferers, y);
    const double realized =
        10 * std::log10(added.noisy_power * static_cast<double>(y.size()) / added.interference_energy);
    // Exactly 3.01 dB for one interferer; cross terms of several average out over the stream.
    EXPECT_NEAR(realized, 10.0 + 10 * std::log10(2.0), interferers == 1 ? 1e-9 : 0.1);
  }
}

}  // namespace
}  // namespace noema::wireless
