// Bit error rates of the modem over the flat channels against closed forms.
//
// Each of 25 points sends 10^7 bits with a fixed seed. The error count is compared with its expectation in units of its
// own standard deviation, which takes into account that the bits of one symbol fail together. The bound of 4.89 is
// exceeded by a right program with probability 10^-6 at one point (normal approximation; every point expects more than
// 500 errors), so 2.5 * 10^-5 in all. The same points with noise 0.1 dB off must all fail the comparison.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/bits.h"
#include "kernels/modem.h"
#include "kernels/mt19937.h"
#include "ops/wireless/flat_channel.h"

namespace noema::wireless {
namespace {

using kernels::Modulation;

constexpr std::uint64_t bit_total = 10'000'000;
constexpr double bound = 4.8916;  // two-sided 10^-6

double q(double x) { return 0.5 * std::erfc(x / std::numbers::sqrt2); }
double linear(double db) { return std::pow(10.0, db / 10.0); }

/// What theory says of a point: bit error rate, and variance of the error count of one symbol.
struct Theory {
  double rate = 0;
  double variance = 0;
};

/// `bits` independent bits a symbol.
Theory independent(double rate, double bits) { return {rate, bits * rate * (1 - rate)}; }

/// Natural-binary 16-QAM at Es/N0: an axis has levels -3 -1 1 3 over sqrt 10 and bits that differ by popcount(i ^ j).
Theory natural_qam16(double es_n0) {
  const double deviation = std::sqrt(0.5 / es_n0);
  const double step = 2.0 / std::sqrt(10.0);
  double mean = 0;
  double square = 0;
  for (int sent = 0; sent < 4; ++sent) {
    for (int decided = 0; decided < 4; ++decided) {
      const double low = decided == 0 ? -INFINITY : (decided - sent - 0.5) * step / deviation;
      const double high = decided == 3 ? INFINITY : (decided - sent + 0.5) * step / deviation;
      const double probability = q(low) - q(high);
      const double flips = std::popcount(static_cast<unsigned>(sent ^ decided));
      mean += probability * flips / 4;
      square += probability * flips * flips / 4;
    }
  }
  return {mean / 2, 2 * (square - mean * mean)};
}

Theory theory(Modulation modulation, Fading fading, double es_n0_db) {
  const double g = linear(es_n0_db);
  if (fading == Fading::none) {
    if (modulation == Modulation::bpsk) return independent(q(std::sqrt(2 * g)), 1);
    if (modulation == Modulation::qpsk) return independent(q(std::sqrt(g)), 2);
    return natural_qam16(g);
  }
  if (modulation == Modulation::bpsk) return independent((1 - std::sqrt(g / (1 + g))) / 2, 1);
  // The two bits of a QPSK symbol share a gain: P(both wrong) = E[Q^2] over the exponential distribution of |h|^2.
  const double mu = std::sqrt(g / (2 + g));
  const double rate = (1 - mu) / 2;
  const double both = (1 - mu * 4 / std::numbers::pi * std::atan(1 / mu)) / 4;
  return {rate, 2 * rate * (1 - rate) + 2 * (both - rate * rate)};
}

struct Point {
  Modulation modulation;
  Fading fading;
  double es_n0_db;
};

/// Errors among bit_total bits at a point; the noise is `error_db` stronger than it should be.
std::uint64_t simulate(const Point& point, double error_db) {
  const std::uint64_t per_symbol = kernels::bits_per_symbol(point.modulation);
  const std::uint64_t symbols = bit_total / per_symbol;
  FlatSettings settings;
  settings.fading = point.fading;
  settings.equalize = point.fading != Fading::none;
  settings.noise_variance = kernels::noise_variance_from_snr_db(point.es_n0_db) * linear(error_db);
  settings.threads = 2;
  const auto seed = static_cast<std::uint64_t>(1000 + 100 * point.es_n0_db + 7 * static_cast<int>(point.modulation));
  FlatRealization channel(settings, seed, symbols);
  Measured measured(symbols, point.fading != Fading::none);
  kernels::Mt19937 source(seed + 50'000);

  constexpr std::uint64_t chunk = 1 << 16;
  std::vector<Bit> sent(chunk * per_symbol), decided(chunk * per_symbol);
  std::vector<Complex> x(chunk), y(chunk);
  std::uint64_t errors = 0;
  for (std::uint64_t done = 0; done < symbols; done += chunk) {
    const std::uint64_t now = std::min(chunk, symbols - done);
    const std::span<Bit> bits = std::span(sent).first(now * per_symbol);
    source.random_bits(bits);
    kernels::map_bits(point.modulation, bits, std::span(x).first(now));
    channel.pass(std::span<const Complex>(x).first(now), std::span(y).first(now), measured);
    const std::span<Bit> out = std::span(decided).first(now * per_symbol);
    kernels::decide_bits(point.modulation, std::span<const Complex>(y).first(now), out);
    errors += kernels::count_differences(bits, out);
  }
  return errors;
}

/// Distance of an error count from theory in standard deviations.
double deviations(const Point& point, std::uint64_t errors) {
  const Theory expected = theory(point.modulation, point.fading, point.es_n0_db);
  const double symbols = static_cast<double>(bit_total / kernels::bits_per_symbol(point.modulation));
  const double mean = expected.rate * static_cast<double>(bit_total);
  EXPECT_GT(mean, 500.0);
  return (static_cast<double>(errors) - mean) / std::sqrt(symbols * expected.variance);
}

class StatisticalBitErrors : public testing::TestWithParam<Point> {};

TEST_P(StatisticalBitErrors, MatchTheClosedForm) {
  EXPECT_LT(std::abs(deviations(GetParam(), simulate(GetParam(), 0.0))), bound);
}

TEST_P(StatisticalBitErrors, WouldShowATenthOfADecibel) {
  EXPECT_GT(deviations(GetParam(), simulate(GetParam(), 0.1)), bound) << "noise 0.1 dB too strong went unnoticed";
}

std::vector<Point> points() {
  std::vector<Point> all;
  const auto add = [&](Modulation modulation, Fading fading, std::array<double, 5> es_n0_db) {
    for (const double db : es_n0_db) all.push_back({modulation, fading, db});
  };
  add(Modulation::bpsk, Fading::none, {-2, 1, 4, 6, 8});
  add(Modulation::qpsk, Fading::none, {0, 3, 6, 9, 11});
  add(Modulation::qam16, Fading::none, {4, 8, 11, 14, 16});
  add(Modulation::bpsk, Fading::per_symbol, {0, 3, 6, 9, 12});
  add(Modulation::qpsk, Fading::per_symbol, {0, 3, 6, 9, 12});
  return all;
}

std::string name_of(const Point& point) {
  constexpr std::array names{"Bpsk", "Qpsk", "Qam16"};
  return std::string(names[static_cast<std::size_t>(point.modulation)]) +
         (point.fading == Fading::none ? "Awgn" : "Rayleigh") + (point.es_n0_db < 0 ? "Minus" : "") +
         std::to_string(static_cast<int>(std::abs(point.es_n0_db))) + "dB";
}

void PrintTo(const Point& point, std::ostream* out) { *out << name_of(point); }

std::string point_name(const testing::TestParamInfo<Point>& info) { return name_of(info.param); }

INSTANTIATE_TEST_SUITE_P(Points, StatisticalBitErrors, testing::ValuesIn(points()), point_name);

TEST(BitErrorTheory, AgreesWithThePublishedTable) {
  const std::filesystem::path table = std::filesystem::path(NOEMA_SHARED_DIR) / "data/reference/theory_uncoded_ber.csv";
  if (!std::filesystem::exists(table)) GTEST_SKIP() << "the reference table is not there: " << table;
  std::ifstream in(table);
  std::string line;
  std::getline(in, line);
  int compared = 0;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::array<std::string, 6> field;
    for (std::string& one : field) std::getline(fields, one, ',');
    if (field[0] != "BPSK" && field[0] != "QPSK") continue;
    const Modulation modulation = field[0] == "BPSK" ? Modulation::bpsk : Modulation::qpsk;
    const Fading fading = field[2] == "AWGN" ? Fading::none : Fading::per_symbol;
    const double rate = theory(modulation, fading, std::stod(field[4])).rate;
    EXPECT_NEAR(rate / std::stod(field[5]), 1.0, 1e-6) << line;
    ++compared;
  }
  EXPECT_EQ(compared, 80);
}

TEST(BitErrorTheory, NaturalLabelsFollowTheirClosedForm) {
  for (double db = 0; db <= 20; db += 2.5) {
    const double x = std::sqrt(linear(db) / 5);
    EXPECT_NEAR(natural_qam16(linear(db)).rate / (q(x) - q(3 * x) / 4 + q(5 * x) / 4), 1.0, 1e-9) << db;
  }
}

}  // namespace
}  // namespace noema::wireless
