// The channel kernels against NumPy's digests and the published example; every version equal to the definition.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/channel.h"

#include <bit>
#include <cmath>

#include "core/digest.h"
#include "kernels/kernel_test.h"
#include "kernels/modem.h"
#include "kernels/mt19937.h"

namespace noema::kernels {
namespace {

std::vector<std::uint32_t> patterns(std::span<const Complex> samples) {
  std::vector<std::uint32_t> patterns;
  for (const Complex sample : samples) {
    patterns.push_back(std::bit_cast<std::uint32_t>(sample.real()));
    patterns.push_back(std::bit_cast<std::uint32_t>(sample.imag()));
  }
  return patterns;
}

std::string digest(const std::vector<Complex>& samples) { return sha256_hex(std::as_bytes(std::span(samples))); }

// What NumPy draws from RandomState(5): 100,003 complex samples, two vectors of noise parts, and as many gains.
struct Drawn {
  static constexpr std::size_t size = 100'003;
  std::vector<Complex> x, gains;
  std::vector<float> real, imag;
  Drawn() : x(size), gains(size), real(size), imag(size) {
    Mt19937 random(5);
    random.fill_normals(real);
    random.fill_normals(imag);
    for (std::size_t i = 0; i < size; ++i) x[i] = {real[i], imag[i]};
    std::vector<float> gain_real(size), gain_imag(size);
    random.fill_normals(real);
    random.fill_normals(imag);
    random.fill_normals(gain_real, fading_scale);
    random.fill_normals(gain_imag, fading_scale);
    fading_gains(gain_real, gain_imag, gains);
  }
};

const Drawn& drawn() {
  static const Drawn once;
  return once;
}

class AddNoiseTest : public testing::TestWithParam<Implementation<AddNoise>> {};

TEST_P(AddNoiseTest, GivesNumPysSamples) {
  for_each_target([&] {
    std::vector<Complex> y = drawn().x;
    GetParam().function(y, drawn().real, drawn().imag, noise_amplitude(0.1), y);  // in place
    EXPECT_EQ(digest(y), "1f37fc5c238dbb87ced872d1dc989c7463dce99779879ee78153f91d84292029");
  });
}

TEST_P(AddNoiseTest, EqualsTheDefinitionAtEveryLengthAndOffset) {
  const auto& all = drawn();
  for_each_target([&] {
    for (std::size_t offset = 0; offset < 5; ++offset) {
      for (std::size_t length = 0; length <= 140; ++length) {
        const auto x = std::span<const Complex>(all.x).subspan(offset, length);
        const auto real = std::span<const float>(all.real).subspan(offset, length);
        const auto imag = std::span<const float>(all.imag).subspan(4 - offset, length);
        std::vector<Complex> out(length + 2, Complex(7, 7));
        std::vector<Complex> expected = out;
        GetParam().function(x, real, imag, 0.37f, std::span(out).first(length));
        add_noise_reference(x, real, imag, 0.37f, std::span(expected).first(length));
        ASSERT_EQ(patterns(out), patterns(expected)) << offset << '+' << length;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, AddNoiseTest, testing::ValuesIn(add_noise_implementations),
                         implementation_name<AddNoise>);

class FadingGainsTest : public testing::TestWithParam<Implementation<FadingGains>> {};

TEST_P(FadingGainsTest, RaisesTinyGainsAndKeepsTheRest) {
  std::vector<float> real = random_floats(300, 1, 1.0);
  std::vector<float> imag = random_floats(300, 2, 1.0);
  for (const std::size_t at : {0u, 17u, 18u, 100u, 299u}) real[at] = imag[at] = 1e-7f;
  real[200] = 9.9e-7f;  // each part is small, the magnitude is not
  imag[200] = 9.9e-7f;
  real[201] = 0x1.0c6f7ap-20f;  // the float32 next below 1e-6
  imag[201] = 0.0f;
  real[202] = 1e-6f;
  imag[202] = 0.0f;
  for_each_target([&] {
    for (std::size_t offset = 0; offset < 5; ++offset) {
      for (std::size_t length = 0; offset + length <= 300; ++length) {
        const auto re = std::span<const float>(real).subspan(offset, length);
        const auto im = std::span<const float>(imag).subspan(offset, length);
        std::vector<Complex> out(length + 1, Complex(7, 7));
        std::vector<Complex> expected = out;
        GetParam().function(re, im, std::span(out).first(length));
        fading_gains_reference(re, im, std::span(expected).first(length));
        ASSERT_EQ(patterns(out), patterns(expected)) << offset << '+' << length;
      }
    }
    std::vector<Complex> gains(300);
    GetParam().function(real, imag, gains);
    EXPECT_EQ(gains[0], Complex(1e-6f, 0.0f));
    EXPECT_EQ(gains[1], Complex(real[1], imag[1]));
    EXPECT_EQ(gains[200], Complex(9.9e-7f, 9.9e-7f));
    EXPECT_EQ(gains[201], Complex(1e-6f, 0.0f));
    EXPECT_EQ(gains[202], Complex(1e-6f, 0.0f));
    EXPECT_EQ(gains[299], Complex(1e-6f, 0.0f));
  });
}

INSTANTIATE_TEST_SUITE_P(Every, FadingGainsTest, testing::ValuesIn(fading_gains_implementations),
                         implementation_name<FadingGains>);

class MultiplyTest : public testing::TestWithParam<Implementation<Multiply>> {};

TEST_P(MultiplyTest, GivesNumPysProducts) {
  for_each_target([&] {
    std::vector<Complex> y = drawn().x;
    GetParam().function(drawn().gains, y, y);
    EXPECT_EQ(digest(y), "75a8b2a8b7484eb70a19e452de8d596cf16f81a968df102812ae42fe775ec019");
  });
}

TEST_P(MultiplyTest, EqualsTheDefinitionAtEveryLength) {
  for_each_target([&] {
    for (std::size_t length = 0; length <= 140; ++length) {
      const auto h = std::span<const Complex>(drawn().gains).subspan(3, length);
      const auto x = std::span<const Complex>(drawn().x).subspan(1, length);
      std::vector<Complex> out(length + 1, Complex(7, 7));
      std::vector<Complex> expected = out;
      GetParam().function(h, x, std::span(out).first(length));
      for (std::size_t i = 0; i < length; ++i) expected[i] = multiply(h[i], x[i]);
      ASSERT_EQ(patterns(out), patterns(expected)) << length;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, MultiplyTest, testing::ValuesIn(multiply_implementations),
                         implementation_name<Multiply>);

class DivideTest : public testing::TestWithParam<Implementation<Divide>> {};

TEST_P(DivideTest, GivesNumPysQuotients) {
  for_each_target([&] {
    std::vector<Complex> product(Drawn::size);
    multiply(drawn().gains, drawn().x, product);
    GetParam().function(product, drawn().gains, product);
    EXPECT_EQ(digest(product), "1ef4d11d2496580fe4bf57b9e245966c69bf5b069a144d7c267d4e9888c76ba2");
  });
}

TEST_P(DivideTest, EqualsTheDefinitionAtEveryLength) {
  std::vector<Complex> h = random_samples(150, 4, 1.0);
  h[5] = {1.0f, 1.0f};
  h[6] = {0.0f, -2.0f};
  h[7] = {-1e-6f, 0.0f};
  const std::vector<Complex> y = random_samples(150, 5, 3.0);
  for_each_target([&] {
    for (std::size_t length = 0; length <= 140; ++length) {
      std::vector<Complex> out(length + 1, Complex(7, 7));
      std::vector<Complex> expected = out;
      GetParam().function(std::span(y).first(length), std::span(h).first(length), std::span(out).first(length));
      for (std::size_t i = 0; i < length; ++i) expected[i] = divide(y[i], h[i]);
      ASSERT_EQ(patterns(out), patterns(expected)) << length;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, DivideTest, testing::ValuesIn(divide_implementations), implementation_name<Divide>);

TEST(FlatRayleigh, GivesThePublishedExample) {
  // QPSK 00011011 at 10 dB, one gain for the item, seed 17: the noise of all four symbols is drawn before the gain.
  std::vector<Complex> x(4);
  map_bits(Modulation::qpsk, std::vector<Bit>{0, 0, 0, 1, 1, 0, 1, 1}, x);
  Mt19937 random(17);
  std::vector<float> real(4), imag(4), gain(2);
  random.fill_normals(real);
  random.fill_normals(imag);
  random.fill_normals(std::span(gain).first(1), fading_scale);
  random.fill_normals(std::span(gain).last(1), fading_scale);
  const Complex h = fading_gain(gain[0], gain[1]);
  EXPECT_NEAR(h.real(), 0.10512913, 1e-8);
  EXPECT_NEAR(h.imag(), -0.30955943, 1e-8);
  std::vector<Complex> received{multiply(h, x[0])};
  add_noise(received, std::span(real).first(1), std::span(imag).first(1),
            noise_amplitude(noise_variance_from_snr_db(10.0)), received);
  EXPECT_NEAR(received[0].real(), 0.35500404, 3e-8);
  EXPECT_NEAR(received[0].imag(), 0.08736879, 1e-8);
  const Complex z = divide(received[0], h);
  EXPECT_NEAR(z.real(), 0.09614065, 1e-8);
  EXPECT_NEAR(z.imag(), 1.1141539, 1e-7);
}

TEST(NoiseVariance, FollowsUnitSignalPower) {
  EXPECT_EQ(noise_variance_from_snr_db(0.0), 1.0);
  EXPECT_EQ(noise_variance_from_snr_db(10.0), 0.1);
  EXPECT_EQ(noise_variance_from_snr_db(-20.0), 100.0);
  EXPECT_EQ(noise_variance_from_snr_db(-300.0), 1e12);  // the floor of 1e-12 under the ratio
  EXPECT_EQ(noise_amplitude(0.5), 0.5f);
  EXPECT_EQ(noise_amplitude(0.1), static_cast<float>(std::sqrt(0.05)));
}

TEST(Scale, MultipliesBothParts) {
  std::vector<Complex> x{{1.0f, -2.0f}, {0.1f, 3.0f}};
  scale(x, 0.3f, x);
  EXPECT_EQ(x, (std::vector<Complex>{{0.3f, -0.6f}, {0.1f * 0.3f, 3.0f * 0.3f}}));
}

TEST(BlockSum, DoesNotDependOnChunksOrVectorWidth) {
  const auto& all = drawn();
  BlockSum whole;
  whole.add_power(all.x);
  EXPECT_EQ(whole.count(), Drawn::size);
  EXPECT_NEAR(whole.mean(), 0x1.004bcbfab1c6dp+1, 1e-12);  // NumPy's mean in double
  for_each_target([&] {
    for (const std::size_t part : {1u, 3u, 7u, 8u, 9u, 100u, 4095u, 4096u, 4097u, 100'003u}) {
      BlockSum sum;
      for (std::size_t at = 0; at < Drawn::size; at += part) {
        sum.add_power(std::span<const Complex>(all.x).subspan(at, std::min(part, Drawn::size - at)));
      }
      ASSERT_EQ(sum.total(), whole.total()) << part;
      ASSERT_EQ(sum.count(), whole.count());
    }
    ASSERT_EQ(mean_power(all.x), whole.mean());
  });
}

TEST(BlockSum, AddsInTheStatedOrder) {
  const std::vector<float> values = random_floats(3 * BlockSum::block + 21, 8, 1000.0);
  const auto block_total = [&](std::size_t from, std::size_t to) {
    double lane[8] = {};
    for (std::size_t i = from; i < to; ++i) lane[(i - from) % 8] += values[i];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  };
  const std::size_t b = BlockSum::block;
  const double pair = block_total(0, b) + block_total(b, 2 * b);
  const double expected = pair + (block_total(2 * b, 3 * b) + block_total(3 * b, values.size()));
  BlockSum sum;
  for (std::size_t at = 0; at < values.size(); at += 1000) {
    sum.add(std::span<const float>(values).subspan(at, std::min<std::size_t>(1000, values.size() - at)));
  }
  EXPECT_EQ(sum.total(), expected);
  BlockSum doubles;
  for (const float value : values) doubles.add(double{value});
  EXPECT_EQ(doubles.total(), expected);
}

TEST(BlockSum, OfNothingIsZero) {
  EXPECT_EQ(BlockSum().mean(), 0.0);
  EXPECT_EQ(mean_power({}), 0.0);
}

}  // namespace
}  // namespace noema::kernels
