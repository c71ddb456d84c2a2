// Rates of packing, scanning and checking bits and bytes.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/bits.h"
#include "kernels/crc32.h"
#include "kernels/finite.h"
#include "kernels/kernel_bench.h"
#include "kernels/pack_bits.h"

namespace noema::kernels {
namespace {

void pack(benchmark::State& state, PackBits function) {
  const std::size_t size = size_of(state);
  const std::vector<Bit> bits = sample_bits(size);
  std::vector<std::byte> bytes(packed_size(size));
  measure(state, size, size, [&] { function(bits, bytes); });
}

void unpack(benchmark::State& state, UnpackBits function) {
  const std::size_t size = size_of(state);
  std::vector<Bit> bits = sample_bits(size);
  std::vector<std::byte> bytes(packed_size(size));
  pack_bits(bits, bytes);
  measure(state, size, size, [&] { function(bytes, bits); });
}

void not_bit(benchmark::State& state, FirstNotBit function) {
  const std::vector<Bit> bits = sample_bits(size_of(state));
  measure(state, bits.size(), bits.size(), [&] { benchmark::DoNotOptimize(function(bits)); });
}

void ones(benchmark::State& state, CountOnes function) {
  const std::vector<Bit> bits = sample_bits(size_of(state));
  measure(state, bits.size(), bits.size(), [&] { benchmark::DoNotOptimize(function(bits)); });
}

void differences(benchmark::State& state, CountDifferences function) {
  const std::vector<Bit> a = sample_bits(size_of(state));
  std::vector<Bit> b(a.rbegin(), a.rend());
  measure(state, a.size(), 2 * a.size(), [&] { benchmark::DoNotOptimize(function(a, b)); });
}

void difference(benchmark::State& state, FirstDifference function) {
  const std::vector<Bit> a = sample_bits(size_of(state));
  const std::vector<Bit> b = a;
  measure(state, a.size(), 2 * a.size(), [&] { benchmark::DoNotOptimize(function(a, b)); });
}

void finite(benchmark::State& state, FirstNotFinite function) {
  const std::vector<float> values = sample_floats(size_of(state));
  measure(state, values.size(), 4 * values.size(), [&] { benchmark::DoNotOptimize(function(values)); });
}

void crc(benchmark::State& state, Crc32 function) {
  const std::vector<Bit> bytes = sample_bits(size_of(state));
  measure(state, bytes.size(), bytes.size(),
          [&] { benchmark::DoNotOptimize(function(std::as_bytes(std::span(bytes)), 0)); });
}

const bool registered = [] {
  register_all("pack_bits", pack_bits_implementations, pack);
  register_all("unpack_bits", unpack_bits_implementations, unpack);
  register_all("first_not_bit", first_not_bit_implementations, not_bit);
  register_all("count_ones", count_ones_implementations, ones);
  register_all("count_differences", count_differences_implementations, differences);
  register_all("first_difference", first_difference_implementations, difference);
  register_all("first_not_finite", first_not_finite_implementations, finite);
  register_all("crc32", crc32_implementations, crc);
  return true;
}();

}  // namespace
}  // namespace noema::kernels
