// ops/wireless/flat_channel.h: realisations of flat channels.
// SPDX-License-Identifier: Apache-2.0
#include "ops/wireless/flat_channel.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cmath>

#include "kernels/math.h"
#include "noema/error.h"

namespace noema::wireless {
namespace {

/// Symbols drawn and combined at a time: the working arrays stay in the second-level cache.
constexpr std::size_t block = std::size_t{1} << 14;
/// Below this many symbols the hand-over to other threads costs more than it saves.
constexpr std::size_t least_shared = 1024;

kernels::Mt19937 past_normals(const kernels::Mt19937& generator, std::uint64_t count) {
  kernels::Mt19937 moved = generator;
  moved.skip_normals(count);
  return moved;
}

}  // namespace

double Measured::gain_average() const {
  double energy = 0;
  std::uint64_t symbols = 0;
  for (const Realized& item : items) {
    energy += item.gain_energy;
    symbols += item.symbols;
  }
  return symbols == 0 ? 1.0 : energy / static_cast<double>(symbols);
}

double Measured::received_signal_power() const {
  double energy = 0;
  std::uint64_t symbols = 0;
  for (const Realized& item : items) {
    energy += item.transmitted_energy * item.gain_power();
    symbols += item.symbols;
  }
  return ops::average_power(energy, symbols);
}

FlatRealization::FlatRealization(const FlatSettings& settings, std::uint64_t seed, std::uint64_t symbols)
    : settings_(settings),
      amplitude_(kernels::noise_amplitude(settings.noise_variance)),
      realized_{seed, symbols, 0, 0, {1.0F, 0.0F}},
      left_(symbols),
      noise_real_(seed),
      noise_imag_(past_normals(noise_real_, symbols)),
      fading_real_(noise_imag_),
      fading_imag_(noise_imag_) {
  const std::size_t room = static_cast<std::size_t>(std::min<std::uint64_t>(block, symbols));
  real_.resize(room);
  imag_.resize(room);
  unit_noise_.resize(room);
  if (settings_.fading == Fading::none) return;
  fading_real_.skip_normals(symbols);
  gains_.resize(room);
  faded_.resize(room);
  if (settings_.equalize) {
    received_.resize(room);
    noise_power_.resize(room);
  }
  if (settings_.fading == Fading::per_item) {
    const double scale = kernels::fading_scale;
    const auto re = static_cast<float>(fading_real_.normal() * scale);
    const auto im = static_cast<float>(fading_real_.normal() * scale);
    realized_.gain = kernels::fading_gain(re, im);
    std::ranges::fill(gains_, realized_.gain);
    return;
  }
  fading_imag_ = past_normals(fading_real_, symbols);
  gain_real_.resize(room);
  gain_imag_.resize(room);
}

void FlatRealization::draw(std::size_t count) {
  const auto noise_real = [&] { noise_real_.fill_normals(std::span(real_).first(count)); };
  const auto noise_imag = [&] { noise_imag_.fill_normals(std::span(imag_).first(count)); };
  const auto gain_real = [&] { fading_real_.fill_normals(std::span(gain_real_).first(count), kernels::fading_scale); };
  const auto gain_imag = [&] { fading_imag_.fill_normals(std::span(gain_imag_).first(count), kernels::fading_scale); };
  const bool fades = settings_.fading == Fading::per_symbol;
  if (settings_.threads > 1 && count >= least_shared) {
    if (fades) {
      tbb::parallel_invoke(noise_real, noise_imag, gain_real, gain_imag);
    } else {
      tbb::parallel_invoke(noise_real, noise_imag);
    }
  } else {
    noise_real();
    noise_imag();
    if (fades) {
      gain_real();
      gain_imag();
    }
  }
  for (std::size_t i = 0; i < count; ++i) unit_noise_[i] = Complex(real_[i], imag_[i]);
  if (fades) {
    kernels::fading_gains(std::span(gain_real_).first(count), std::span(gain_imag_).first(count),
                          std::span(gains_).first(count));
  }
}

void FlatRealization::pass(std::span<const Complex> x, std::span<Complex> y, Measured& measured) {
  NOEMA_ASSERT(x.size() <= left_, "more symbols than the realisation was made for");
  left_ -= x.size();
  while (!x.empty()) {
    const std::size_t count = std::min(x.size(), block);
    const std::span<const Complex> sent = x.first(count);
    const std::span<Complex> out = y.first(count);
    draw(count);
    const std::span<const float> real = std::span(real_).first(count);
    const std::span<const float> imag = std::span(imag_).first(count);
    measured.transmitted.add(sent);
    transmitted_.add_power(sent);
    measured.unit_noise.add_power(std::span(unit_noise_).first(count));
    if (settings_.fading == Fading::none) {
      kernels::add_noise(sent, real, imag, amplitude_, out);
      if (settings_.final) measured.antenna.add(out);
    } else {
      const std::span<const Complex> gains = std::span(gains_).first(count);
      const std::span<Complex> faded = std::span(faded_).first(count);
      const std::span<Complex> received = settings_.equalize ? std::span(received_).first(count) : out;
      kernels::multiply(gains, sent, faded);
      kernels::add_noise(faded, real, imag, amplitude_, received);
      measured.response.add(gains);
      measured.signal.add_power(faded);
      gain_.add_power(gains);
      measured.antenna.add(received);
      if (settings_.equalize) {
        kernels::divide(received, gains, out);
        for (std::size_t i = 0; i < count; ++i) {
          noise_power_[i] = math::power(unit_noise_[i]) / math::power(gains[i]);
        }
        measured.equalized_noise.add(std::span<const double>(noise_power_).first(count));
      }
    }
    if (settings_.final) measured.output.add(out);
    x = x.subspan(count);
    y = y.subspan(count);
  }
}

void FlatRealization::finish(Measured& measured) {
  NOEMA_ASSERT(left_ == 0, "an item's channel ended before its last symbol");
  realized_.transmitted_energy = transmitted_.total();
  realized_.gain_energy = settings_.fading == Fading::none ? static_cast<double>(realized_.symbols) : gain_.total();
  measured.items.push_back(realized_);
}

const kernels::Mt19937& FlatRealization::generator() const {
  NOEMA_ASSERT(left_ == 0 && settings_.fading == Fading::none, "the generator has not drawn everything yet");
  return noise_imag_;
}

Interfered add_interference(const kernels::Mt19937& behind_noise, double sir_db, std::uint64_t interferers,
                            std::span<Complex> y) {
  constexpr double largest_offset = 0.04;  // cycles a symbol
  struct Interferer {
    double phase;
    double offset;
    kernels::Mt19937 symbols;
  };
  kernels::Mt19937 generator = behind_noise;
  Interfered result;
  result.noisy_power = kernels::mean_power(y);
  const double amplitude =
      std::sqrt(result.noisy_power * math::from_db(-sir_db) / static_cast<double>(interferers) / 2.0);
  std::vector<Interferer> sources;
  sources.reserve(interferers);
  for (std::uint64_t k = 0; k < interferers; ++k) {
    const double phase = generator.uniform(0.0, 2.0 * math::pi);
    const double offset = generator.uniform(-largest_offset, largest_offset);
    sources.push_back({phase, offset, generator});
    generator.skip_u32(y.size());
  }
  kernels::BlockSum energy;
  constexpr std::size_t most = 4096;
  std::vector<Bit> positive(most);
  std::vector<double> angle(most), cosine(most), sine(most), real(most), imag(most), power(most);
  for (std::size_t start = 0; start < y.size(); start += most) {
    const std::size_t count = std::min(most, y.size() - start);
    const std::span<double> angles = std::span(angle).first(count);
    std::ranges::fill(real, 0.0);
    std::ranges::fill(imag, 0.0);
    for (Interferer& source : sources) {
      source.symbols.random_bits(std::span(positive).first(count));
      for (std::size_t i = 0; i < count; ++i) {
        angles[i] = 2.0 * math::pi * source.offset * static_cast<double>(start + i) + source.phase;
      }
      math::cos(angles, std::span(cosine).first(count));
      math::sin(angles, std::span(sine).first(count));
      for (std::size_t i = 0; i < count; ++i) {
        const double sent = positive[i] == 1 ? amplitude : -amplitude;
        real[i] += sent * cosine[i];
        imag[i] += sent * sine[i];
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      Complex& sample = y[start + i];
      sample = Complex(static_cast<float>(static_cast<double>(sample.real()) + real[i]),
                       static_cast<float>(static_cast<double>(sample.imag()) + imag[i]));
      power[i] = real[i] * real[i] + imag[i] * imag[i];
    }
    energy.add(std::span<const double>(power).first(count));
  }
  result.interference_energy = energy.total();
  return result;
}

}  // namespace noema::wireless
