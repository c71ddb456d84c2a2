// Rates of random numbers and of the elementary functions, on each instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/mt19937.h"

#include "kernels/kernel_bench.h"
#include "kernels/math.h"
#include "kernels/simd.h"

namespace noema::kernels {
namespace {

constexpr std::size_t size = 1 << 16;

template <class Once>
void with_target(const std::string& kernel, const std::string& target, std::size_t bytes_each, Once once) {
  benchmark::RegisterBenchmark((kernel + '/' + target).c_str(), [=](benchmark::State& state) {
    if (!force_simd_target(target)) state.SkipWithError("this instruction set is not here");
    measure(state, size, size * bytes_each, once);
    static_cast<void>(force_simd_target("auto"));
  });
}

using Spans = void (*)(std::span<const double>, std::span<double>);

const bool registered = [] {
  static Mt19937 random(1);
  static std::vector<float> floats(size);
  static std::vector<double> doubles(size);
  static std::vector<double> uniforms(size);
  static std::vector<Bit> bits(size);
  static std::vector<std::int64_t> integers(size);
  static std::vector<Complex> phasors(size);
  random.fill_uniform01(uniforms);
  constexpr std::pair<const char*, Spans> functions[] = {
      {"log", math::log}, {"log2", math::log2}, {"log10", math::log10},
      {"exp", math::exp}, {"sin", math::sin},   {"exp10", math::exp10},
  };
  for (const std::string& target : simd_targets()) {
    with_target("normals", target, 4, [] { random.fill_normals(floats); });
    with_target("normals_double", target, 8, [] { random.fill_normals(doubles); });
    with_target("skip_normals", target, 0, [] { random.skip_normals(size); });
    with_target("random_bits", target, 1, [] { random.random_bits(bits); });
    with_target("uniforms", target, 8, [] { random.fill_uniform01(doubles); });
    for (const auto& [name, function] : functions) {
      const Spans chosen = function;
      with_target(std::string("math/") + name, target, 16, [=] { chosen(uniforms, doubles); });
    }
    with_target("math/unit_phasors", target, 16, [] { math::unit_phasors(uniforms, phasors); });
  }
  with_target("integers_below_1000", "auto", 8, [] { random.fill_integers(0, 1000, integers); });
  with_target("permutation", "auto", 8, [] { random.permutation(integers); });
  return true;
}();

}  // namespace
}  // namespace noema::kernels
