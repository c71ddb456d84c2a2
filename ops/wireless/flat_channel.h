// Flat channels, one realisation at a time: noise, one gain a symbol or a whole item, perfect one-tap equalisation, and
// interference. Works on spans and knows nothing of steps or metadata.
//
// Samples come from NumPy's legacy generator in the reference's order: all real parts of the noise, all imaginary
// parts, then the real and the imaginary parts of the fading. A generator of its own serves each of these, moved to its
// place first, so that they can be filled side by side and in chunks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/channel.h"
#include "kernels/mt19937.h"
#include "noema/value.h"
#include "ops/common/power.h"
#include "ops/common/preview.h"

namespace noema::wireless {

enum class Fading { none, per_symbol, per_item };

struct FlatSettings {
  Fading fading = Fading::none;
  bool equalize = false;        ///< divide by the gain; without fading there is nothing to divide by
  double noise_variance = 1.0;  ///< total, both parts together
  int threads = 1;
  bool final = true;  ///< false when more is added to y: the caller then measures antenna and output itself
};

/// What one source item, or an undivided stream, went through.
struct Realized {
  std::uint64_t seed = 0;
  std::uint64_t symbols = 0;
  double transmitted_energy = 0;
  double gain_energy = 0;    ///< sum of |h|^2 over the symbols
  Complex gain{1.0F, 0.0F};  ///< of the whole item, when it fades as one

  double transmitted_power() const { return ops::average_power(transmitted_energy, symbols); }
  double gain_power() const { return symbols == 0 ? 1.0 : gain_energy / static_cast<double>(symbols); }
};

/// Measurements of a whole stream, all of which are independent of chunks and threads.
struct Measured {
  Measured(std::uint64_t symbols, bool fading)
      : transmitted(symbols), antenna(symbols), output(symbols), response(fading ? symbols : 0) {}
  ops::PowerTrace transmitted;
  ops::PowerTrace antenna;  ///< before equalisation
  ops::PowerTrace output;
  ops::ResponsePreview response;
  kernels::BlockSum signal;           ///< |h x|^2
  kernels::BlockSum unit_noise;       ///< |n|^2 before its amplitude
  kernels::BlockSum equalized_noise;  ///< |n / h|^2, likewise
  std::vector<Realized> items;

  double gain_average() const;
  /// Mean over the items of their transmitted power times their mean gain, weighted by size.
  double received_signal_power() const;
};

/// One item's channel, fed with its symbols in order.
class FlatRealization {
 public:
  FlatRealization(const FlatSettings& settings, std::uint64_t seed, std::uint64_t symbols);
  /// The next x.size() symbols; y may not overlap x.
  void pass(std::span<const Complex> x, std::span<Complex> y, Measured& measured);
  /// After the last symbol: adds the item to `measured`.
  void finish(Measured& measured);
  /// The generator behind everything that was drawn, once all symbols have passed.
  const kernels::Mt19937& generator() const;

 private:
  void draw(std::size_t count);

  FlatSettings settings_;
  float amplitude_;
  Realized realized_;
  std::uint64_t left_;
  kernels::Mt19937 noise_real_;
  kernels::Mt19937 noise_imag_;
  kernels::Mt19937 fading_real_;
  kernels::Mt19937 fading_imag_;
  kernels::BlockSum transmitted_;
  kernels::BlockSum gain_;
  std::vector<float> real_, imag_, gain_real_, gain_imag_;
  std::vector<Complex> unit_noise_, gains_, faded_, received_;
  std::vector<double> noise_power_;
};

/// What the interferers did to one item.
struct Interfered {
  double noisy_power = 0;          ///< mean |y|^2 before they were added
  double interference_energy = 0;  ///< sum of |i|^2
};

/// Adds `interferers` BPSK interferers, each with its own phase and slow frequency offset, to `y`. Their common
/// amplitude follows from the mean power of the noisy `y` and the ratio `sir_db`; by the reference's rule it is
/// sqrt(P 10^(-sir/10) / K / 2), which puts the realised ratio 3.01 dB above the declared one.
Interfered add_interference(const kernels::Mt19937& behind_noise, double sir_db, std::uint64_t interferers,
                            std::span<Complex> y);

}  // namespace noema::wireless
