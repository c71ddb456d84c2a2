// Random numbers of NumPy's legacy RandomState: the Mersenne Twister MT19937 and the distributions drawn from it.
//
// Integers and uniforms equal NumPy's bit for bit. Normals are formed in double with this project's own logarithm and
// equal NumPy's after rounding to float32 (the logarithm is within 0.51 ulp, so a double may differ in its last bit).
// Every draw has its place in one stream: splitting a fill into parts never changes a value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "noema/value.h"

namespace noema::kernels {

class Mt19937 {
 public:
  /// As RandomState(seed); a seed of 2^32 or more is reduced modulo 2^32.
  explicit Mt19937(std::uint64_t seed);

  // ---- raw --------------------------------------------------------------------------------------------------------
  std::uint32_t u32();
  std::uint64_t u64();  ///< two 32-bit outputs, the first in the upper half
  void fill_u32(std::span<std::uint32_t> out);
  void skip_u32(std::uint64_t count);

  // ---- uniforms ---------------------------------------------------------------------------------------------------
  double uniform01();                       ///< [0, 1) with 53 bits, two outputs each: random_sample
  double uniform(double low, double high);  ///< low + (high - low) * uniform01()
  void fill_uniform01(std::span<double> out);
  /// One output a bit, its lowest bit: randint(0, 2, n).
  void random_bits(std::span<Bit> out);

  // ---- integers (randint with its default int64, by masked rejection) ---------------------------------------------
  /// Uniform on low .. high-1; asserts low < high.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  void fill_integers(std::int64_t low, std::int64_t high, std::span<std::int64_t> out);
  /// Uniform on 0 .. most, both included: what shuffling draws (random_interval).
  std::uint64_t interval(std::uint64_t most);
  /// permutation(n): 0 .. n-1 shuffled.
  void permutation(std::span<std::int64_t> out);
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i-- > 1;) std::swap(items[i], items[interval(i)]);
  }
  /// choice(values, n) with replacement: integer(0, values.size()) picks each.
  template <class T>
  void choice(std::span<const T> values, std::span<T> out) {
    for (T& picked : out)
      picked = values[static_cast<std::size_t>(integer(0, static_cast<std::int64_t>(values.size())))];
  }

  // ---- normals (polar method; pairs, the second of which waits for the next call) ---------------------------------
  double normal();
  double normal(double mean, double deviation) { return mean + deviation * normal(); }
  /// float32(g * scale), the product in double: randn(n).astype(float32) for scale 1.
  void fill_normals(std::span<float> out, double scale = 1.0);
  void fill_normals(std::span<double> out);
  /// Leaves the generator as `count` calls of normal() would, at the cost of the rejections alone.
  void skip_normals(std::uint64_t count);

  // ---- others -----------------------------------------------------------------------------------------------------
  double exponential();                            ///< standard_exponential
  double lognormal(double mean, double sigma);     ///< exp(mean + sigma * normal())
  double gamma(double shape, double scale = 1.0);  ///< shape >= 0: Marsaglia and Tsang, Best for shape < 1

  /// Same position, same waiting normal: everything drawn from the two is equal from here on.
  friend bool operator==(const Mt19937& a, const Mt19937& b);

 private:
  void refill();  // the next 624 outputs
  void skip_pairs(std::uint64_t pairs);
  template <class T>
  void fill_pairs(std::span<T> out, double scale);  // an even number of normals

  static constexpr std::size_t size = 624;
  alignas(64) std::array<std::uint32_t, size> state_;
  alignas(64) std::array<std::uint32_t, size> output_;  // tempered state
  std::size_t next_ = size;                             // first unused output
  bool waiting_ = false;
  double waiting_normal_ = 0.0;
};

/// Complex noise in the reference's order (all real parts, then all imaginary parts), available side by side: a second
/// generator is moved past the real parts first. Chunks of any sizes give the same samples.
class ComplexNormals {
 public:
  /// `count` real and `count` imaginary normals from where `start` stands.
  ComplexNormals(const Mt19937& start, std::uint64_t count);
  /// The next real.size() samples; both spans have one length. Asserts that no more than `count` are drawn in all.
  void fill(std::span<float> real, std::span<float> imaginary, double scale = 1.0);
  /// The generator behind the last imaginary part. Asserts that all were drawn.
  const Mt19937& finished() const;

 private:
  Mt19937 real_;
  Mt19937 imaginary_;
  std::uint64_t left_;
};

}  // namespace noema::kernels
