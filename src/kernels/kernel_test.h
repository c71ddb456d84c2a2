// What the tests and benchmarks of kernels share: every vector instruction set, sample data, names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/implementation.h"
#include "kernels/simd.h"
#include "noema/value.h"

namespace noema::kernels {

/// Runs `check` with each instruction set that this CPU has, named in failures, and sets the best again.
template <class Check>
void for_each_target(Check check) {
  std::size_t ran = 0;
  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    ASSERT_TRUE(force_simd_target(target));
    ASSERT_EQ(simd_target(), target);
    check();
    ++ran;
  }
  ASSERT_TRUE(force_simd_target("auto"));
  ASSERT_GE(ran, 1u);
}

/// A small generator of the tests' own, so that no kernel is checked with itself.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }  ///< [0, 1)

 private:
  std::uint64_t state_;
};

inline std::vector<Bit> random_bits(std::size_t size, std::uint64_t seed) {
  SplitMix random(seed);
  std::vector<Bit> bits(size);
  for (Bit& bit : bits) bit = random() & 1u;
  return bits;
}

inline std::vector<float> random_floats(std::size_t size, std::uint64_t seed, double reach) {
  SplitMix random(seed);
  std::vector<float> values(size);
  for (float& value : values) value = static_cast<float>(reach * (2.0 * random.unit() - 1.0));
  return values;
}

inline std::vector<Complex> random_samples(std::size_t size, std::uint64_t seed, double reach) {
  const std::vector<float> parts = random_floats(2 * size, seed, reach);
  std::vector<Complex> samples(size);
  for (std::size_t i = 0; i < size; ++i) samples[i] = {parts[2 * i], parts[2 * i + 1]};
  return samples;
}

template <class Function>
std::string implementation_name(const testing::TestParamInfo<Implementation<Function>>& info) {
  return std::string(info.param.name);
}

#define NOEMA_SKIP_UNLESS_AVAILABLE() \
  if (!GetParam().available()) GTEST_SKIP() << "this CPU can't run " << GetParam().name

}  // namespace noema::kernels
