// The modem kernels: the labels by hand, every version equal to the definition, LLR equal to the minimum over all
// points.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/modem.h"

#include <bit>
#include <cmath>
#include <limits>

#include "kernels/kernel_test.h"

namespace noema::kernels {
namespace {

constexpr Modulation modulations[] = {Modulation::bpsk, Modulation::qpsk, Modulation::qam16};
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

// The bits of `size` symbols, most significant first, as the index counts up.
std::vector<Bit> bits_of(std::size_t index, std::size_t size) {
  std::vector<Bit> bits(size);
  for (std::size_t i = 0; i < size; ++i) bits[i] = (index >> (size - 1 - i)) & 1u;
  return bits;
}

// Samples in and around the constellations, with the thresholds themselves and their neighbours.
std::vector<Complex> awkward_samples(std::size_t size) {
  std::vector<Complex> samples = random_samples(size, 17, 1.5);
  std::vector<float> parts{0.0f, -0.0f, 1e-45f, -1e-45f, 1e30f, -1e30f};
  for (const float edge : {0x1.43d136p-1f, 0x1.43d138p-1f, qam16_inner_level, qam16_outer_level}) {
    for (const float part : {edge, std::nextafter(edge, 9.0f), std::nextafter(edge, 0.0f)}) {
      parts.push_back(part);
      parts.push_back(-part);
    }
  }
  for (std::size_t i = 0; i + 1 < parts.size() && 3 * i < size; ++i) samples[3 * i] = {parts[i], parts[i + 1]};
  return samples;
}

std::vector<std::uint32_t> patterns(std::span<const float> values) {
  std::vector<std::uint32_t> patterns;
  for (const float value : values) patterns.push_back(std::bit_cast<std::uint32_t>(value));
  return patterns;
}
std::vector<std::uint32_t> patterns(std::span<const Complex> values) {
  return patterns(std::span(reinterpret_cast<const float*>(values.data()), 2 * values.size()));
}

class MapBitsTest : public testing::TestWithParam<Implementation<MapBits>> {};

TEST_P(MapBitsTest, PutsEveryLabelOnItsPoint) {
  std::vector<Complex> one(1);
  const auto map = [&](Modulation modulation, std::vector<Bit> bits) {
    GetParam().function(modulation, bits, one);
    return one[0];
  };
  EXPECT_EQ(map(Modulation::bpsk, {0}), Complex(1.0f, 0.0f));
  EXPECT_EQ(map(Modulation::bpsk, {1}), Complex(-1.0f, 0.0f));
  const float q = 0x1.6a09e6p-1f;
  EXPECT_EQ(map(Modulation::qpsk, {0, 0}), Complex(q, q));
  EXPECT_EQ(map(Modulation::qpsk, {0, 1}), Complex(q, -q));
  EXPECT_EQ(map(Modulation::qpsk, {1, 0}), Complex(-q, q));
  EXPECT_EQ(map(Modulation::qpsk, {1, 1}), Complex(-q, -q));
  const float levels[] = {-0x1.e5b9d2p-1f, -0x1.43d136p-2f, 0x1.43d136p-2f, 0x1.e5b9d2p-1f};
  for (std::size_t index = 0; index < 16; ++index) {
    EXPECT_EQ(map(Modulation::qam16, bits_of(index, 4)), Complex(levels[index / 4], levels[index % 4])) << index;
  }
}

TEST_P(MapBitsTest, EqualsTheDefinitionAtEveryLengthAndOffset) {
  const std::vector<Bit> bits = random_bits(1000, 9);
  for_each_target([&] {
    for (const Modulation modulation : modulations) {
      for (std::size_t offset = 0; offset < 5; ++offset) {
        for (std::size_t symbols = 0; symbols <= 140; ++symbols) {
          const auto part = std::span<const Bit>(bits).subspan(offset, symbols * bits_per_symbol(modulation));
          std::vector<Complex> out(symbols + offset + 1, Complex(7, 7));
          std::vector<Complex> expected = out;
          GetParam().function(modulation, part, std::span(out).subspan(offset, symbols));
          map_bits_reference(modulation, part, std::span(expected).subspan(offset, symbols));
          ASSERT_EQ(patterns(out), patterns(expected)) << offset << '+' << symbols;
        }
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, MapBitsTest, testing::ValuesIn(map_bits_implementations), implementation_name<MapBits>);

class DecideBitsTest : public testing::TestWithParam<Implementation<DecideBits>> {};

TEST_P(DecideBitsTest, ReadsBackEveryLabel) {
  for (const Modulation modulation : modulations) {
    const std::size_t size = bits_per_symbol(modulation);
    for (std::size_t index = 0; index < (std::size_t{1} << size); ++index) {
      std::vector<Complex> symbol(1);
      map_bits_reference(modulation, bits_of(index, size), symbol);
      std::vector<Bit> decided(size, 9);
      GetParam().function(modulation, symbol, decided);
      EXPECT_EQ(decided, bits_of(index, size));
    }
  }
}

TEST_P(DecideBitsTest, BreaksTiesDownwards) {
  const auto decide = [&](Modulation modulation, Complex symbol) {
    std::vector<Bit> bits(bits_per_symbol(modulation), 9);
    GetParam().function(modulation, std::vector{symbol}, bits);
    return bits;
  };
  EXPECT_EQ(decide(Modulation::bpsk, {-0.0f, -9.0f}), (std::vector<Bit>{0}));
  EXPECT_EQ(decide(Modulation::qpsk, {-0.0f, -1e-45f}), (std::vector<Bit>{0, 1}));
  EXPECT_EQ(decide(Modulation::qam16, {0.0f, -0.0f}), (std::vector<Bit>{0, 1, 0, 1}));
  EXPECT_EQ(decide(Modulation::qam16, {0x1.43d136p-1f, 0x1.43d138p-1f}), (std::vector<Bit>{1, 0, 1, 1}));
  EXPECT_EQ(decide(Modulation::qam16, {-0x1.43d136p-1f, -0x1.43d138p-1f}), (std::vector<Bit>{0, 1, 0, 0}));
}

TEST_P(DecideBitsTest, FindsTheNearestLevel) {
  // Nearest of four levels: how many midpoints between neighbours lie below. All are exact in double.
  const double middle = (double{qam16_inner_level} + double{qam16_outer_level}) / 2.0;
  for (const Complex symbol : awkward_samples(500)) {
    std::vector<Bit> bits(4);
    GetParam().function(Modulation::qam16, std::vector{symbol}, bits);
    for (const std::size_t axis : {0u, 1u}) {
      const double part = axis == 0 ? symbol.real() : symbol.imag();
      const int nearest = (part > -middle) + (part > 0.0) + (part > middle);
      EXPECT_EQ(2 * bits[2 * axis] + bits[2 * axis + 1], nearest) << part;
    }
  }
}

TEST_P(DecideBitsTest, EqualsTheDefinitionAtEveryLengthAndOffset) {
  std::vector<Complex> samples = awkward_samples(150);
  samples[40] = {nan, -infinity};
  samples[41] = {infinity, -nan};
  for_each_target([&] {
    for (const Modulation modulation : modulations) {
      for (std::size_t offset = 0; offset < 5; ++offset) {
        for (std::size_t symbols = 0; symbols <= 140; ++symbols) {
          const auto part = std::span<const Complex>(samples).subspan(offset, symbols);
          const std::size_t size = symbols * bits_per_symbol(modulation);
          std::vector<Bit> out(size + offset + 1, 9);
          std::vector<Bit> expected = out;
          GetParam().function(modulation, part, std::span(out).subspan(offset, size));
          decide_bits_reference(modulation, part, std::span(expected).subspan(offset, size));
          ASSERT_EQ(out, expected) << offset << '+' << symbols;
        }
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, DecideBitsTest, testing::ValuesIn(decide_bits_implementations),
                         implementation_name<DecideBits>);

class SoftBitsTest : public testing::TestWithParam<Implementation<SoftBits>> {};

TEST_P(SoftBitsTest, EqualsTheMinimumOverAllPoints) {
  for (const Modulation modulation : modulations) {
    const std::size_t size = bits_per_symbol(modulation);
    std::vector<Complex> points(std::size_t{1} << size);
    for (std::size_t index = 0; index < points.size(); ++index) {
      map_bits_reference(modulation, bits_of(index, size), std::span(points).subspan(index, 1));
    }
    for (const double variance : {0.1, 0.7, 1e-13}) {
      const std::vector<Complex> samples = random_samples(400, 21, 1.5);
      std::vector<float> llr(samples.size() * size);
      GetParam().function(modulation, samples, variance, llr);
      for (std::size_t i = 0; i < samples.size(); ++i) {
        for (std::size_t b = 0; b < size; ++b) {
          double least[2] = {1e300, 1e300};
          for (std::size_t index = 0; index < points.size(); ++index) {
            const std::complex<double> away = std::complex<double>(samples[i]) - std::complex<double>(points[index]);
            double& best = least[bits_of(index, size)[b]];
            best = std::min(best, std::norm(away));
          }
          const double expected = (least[1] - least[0]) / std::max(variance, 1e-12);
          EXPECT_NEAR(llr[i * size + b], expected, 3e-7 * std::abs(expected) + 1e-14 / std::max(variance, 1e-12));
        }
      }
    }
  }
}

TEST_P(SoftBitsTest, GivesThePublishedExample) {
  // QPSK 00 01 10 11 over noise of seed 17 at 10 dB, and its LLR.
  const std::vector<Complex> samples{
      {0.7688817f, 0.9390296f}, {0.29239932f, -0.28524148f}, {-0.5675982f, 0.6821303f}, {-0.4510074f, -0.7880751f}};
  std::vector<float> llr(8);
  GetParam().function(Modulation::qpsk, samples, 0.1, llr);
  const float expected[] = {21.747258f,  26.559767f, 8.270302f,   -8.067848f,
                            -16.054102f, 19.293558f, -12.756416f, -22.290130f};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(llr[i], expected[i], 2e-6) << i;
}

TEST_P(SoftBitsTest, EqualsTheDefinitionAtEveryLengthAndOffset) {
  const std::vector<Complex> samples = awkward_samples(150);
  for_each_target([&] {
    for (const Modulation modulation : modulations) {
      for (std::size_t offset = 0; offset < 5; ++offset) {
        for (std::size_t symbols = 0; symbols <= 140; ++symbols) {
          const auto part = std::span<const Complex>(samples).subspan(offset, symbols);
          const std::size_t size = symbols * bits_per_symbol(modulation);
          std::vector<float> out(size + offset + 1, 9.0f);
          std::vector<float> expected = out;
          GetParam().function(modulation, part, 0.3, std::span(out).subspan(offset, size));
          soft_bits_reference(modulation, part, 0.3, std::span(expected).subspan(offset, size));
          ASSERT_EQ(patterns(out), patterns(expected)) << offset << '+' << symbols;
        }
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, SoftBitsTest, testing::ValuesIn(soft_bits_implementations),
                         implementation_name<SoftBits>);

class HardBitsTest : public testing::TestWithParam<Implementation<HardBits>> {};

TEST_P(HardBitsTest, EqualsTheDefinition) {
  std::vector<float> llr = random_floats(300, 5, 3.0);
  llr[30] = -0.0f;
  llr[31] = nan;
  for_each_target([&] {
    for (std::size_t offset = 0; offset < 5; ++offset) {
      for (std::size_t length = 0; length <= 290; ++length) {
        const auto part = std::span<const float>(llr).subspan(offset, length);
        std::vector<Bit> out(length, 9);
        std::vector<Bit> expected(length);
        GetParam().function(part, out);
        hard_bits_reference(part, expected);
        ASSERT_EQ(out, expected);
      }
    }
  });
  std::vector<Bit> bits(3);
  GetParam().function(std::vector{1.0f, -1.0f, -0.0f}, bits);
  EXPECT_EQ(bits, (std::vector<Bit>{0, 1, 0}));
}

INSTANTIATE_TEST_SUITE_P(Every, HardBitsTest, testing::ValuesIn(hard_bits_implementations),
                         implementation_name<HardBits>);

TEST(Modulation, HasThreeNames) {
  EXPECT_EQ(modulation_of("bpsk"), Modulation::bpsk);
  EXPECT_EQ(modulation_of("qpsk"), Modulation::qpsk);
  EXPECT_EQ(modulation_of("qam16"), Modulation::qam16);
  EXPECT_FALSE(modulation_of("qam64").has_value());
  EXPECT_FALSE(modulation_of("").has_value());
}

TEST(Adaptive, HasUnitPowerAndReadsBackEveryLabel) {
  for (const int order : {1, 2, 4, 6}) {
    ASSERT_TRUE(is_adaptive_order(order));
    const auto size = static_cast<std::size_t>(order);
    double power = 0.0;
    for (std::size_t index = 0; index < (std::size_t{1} << size); ++index) {
      const std::vector<Bit> bits = bits_of(index, size);
      const Complex point = map_adaptive(order, bits);
      power += std::norm(std::complex<double>(point));
      std::vector<Bit> decided(size, 9);
      decide_adaptive(order, point, decided);
      EXPECT_EQ(decided, bits) << order << ':' << index;
    }
    EXPECT_NEAR(power / static_cast<double>(std::size_t{1} << size), 1.0, 1e-6) << order;
  }
  for (const int order : {-1, 0, 3, 5, 8}) EXPECT_FALSE(is_adaptive_order(order));
}

TEST(Adaptive, AgreesWithQam16AtOrderFour) {
  for (std::size_t index = 0; index < 16; ++index) {
    std::vector<Complex> point(1);
    map_bits(Modulation::qam16, bits_of(index, 4), point);
    EXPECT_EQ(map_adaptive(4, bits_of(index, 4)), point[0]);
  }
}

TEST(Adaptive, ClipsAndRoundsHalvesToEven) {
  const auto index = [](float part) {
    std::vector<Bit> bits(6);
    decide_adaptive(6, Complex(part, 0.0f), bits);
    return 4 * bits[0] + 2 * bits[1] + bits[2];
  };
  EXPECT_EQ(index(-100.0f), 0);
  EXPECT_EQ(index(100.0f), 7);
  EXPECT_EQ(index(0.0f), 4);  // (0 + 7)/2 = 3.5 is halfway, 4 is even
  EXPECT_EQ(index(nan), 0);
  EXPECT_EQ(map_adaptive(6, std::vector<Bit>{0, 0, 0, 1, 1, 1}),
            Complex(static_cast<float>(-7 / std::sqrt(42.0)), static_cast<float>(7 / std::sqrt(42.0))));
}

}  // namespace
}  // namespace noema::kernels
