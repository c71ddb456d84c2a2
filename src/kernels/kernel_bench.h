// What the benchmarks of kernels share: registering every implementation, and sample data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/mt19937.h"
#include "noema/value.h"

namespace noema::kernels {

/// Sizes from one that fits the first cache to one that fits none.
inline void sizes(benchmark::internal::Benchmark* made) { made->Arg(1 << 10)->Arg(1 << 16)->Arg(1 << 24); }

/// `kernel/implementation/size` for each row that this CPU can run.
template <class Implementations, class Function>
void register_all(const std::string& kernel, const Implementations& implementations, Function run) {
  for (const auto& implementation : implementations) {
    if (!implementation.available()) continue;
    const auto function = implementation.function;
    sizes(benchmark::RegisterBenchmark((kernel + '/' + std::string(implementation.name)).c_str(),
                                       [=](benchmark::State& state) { run(state, function); }));
  }
}

/// Runs `once` for as long as the benchmark wants and counts items and bytes of each run.
template <class Once>
void measure(benchmark::State& state, std::size_t items, std::size_t bytes, Once once) {
  for (auto _ : state) {
    once();
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

inline std::size_t size_of(const benchmark::State& state) { return static_cast<std::size_t>(state.range(0)); }

inline std::vector<Bit> sample_bits(std::size_t size) {
  std::vector<Bit> bits(size);
  Mt19937(7).random_bits(bits);
  return bits;
}

inline std::vector<float> sample_floats(std::size_t size, std::uint64_t seed = 7) {
  std::vector<float> values(size);
  Mt19937(seed).fill_normals(values);
  return values;
}

inline std::vector<Complex> sample_symbols(std::size_t size, std::uint64_t seed = 7) {
  const std::vector<float> parts = sample_floats(2 * size, seed);
  std::vector<Complex> samples(size);
  for (std::size_t i = 0; i < size; ++i) samples[i] = {parts[2 * i], parts[2 * i + 1]};
  return samples;
}

}  // namespace noema::kernels
