// Times every case that is marked `bench`, named operation/backend/implementation/case. What a case states is checked
// once before it is timed. The rate counts the elements of the inputs, or of the outputs of a source.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdio>
#include <memory>

#include "conformance/trial.h"
#include "core/report.h"

namespace noema::conformance {
namespace {

struct Ready {
  const Contract* contract;
  const Row* row;
  Setting setting;
};

std::uint64_t elements(const Ready& ready, const Outcome& outcome) {
  std::uint64_t count = 0;
  for (const auto& [port, artifact] : ready.setting.inputs) {
    for (const NamedArray& named : artifact.arrays) count += named.array.size();
  }
  if (count > 0) return count;
  for (const auto& [port, artifact] : outcome.outputs) {
    for (const NamedArray& named : artifact.arrays) count += named.array.size();
  }
  return count;
}

int register_all() {
  const auto cases = all_cases(builtin_catalog());
  if (!cases) {
    std::fputs(error_text(cases.error()).c_str(), stderr);
    return 1;
  }
  for (const Case& one : *cases) {
    const Contract* contract = builtin_catalog().find(one.operation);
    if (!one.bench || !contract->implemented()) continue;
    auto setting = setting_of(one, *contract, builtin_catalog());
    if (!setting) {
      std::fputs(error_text(setting.error()).c_str(), stderr);
      return 1;
    }
    const Row* row = row_for(*contract, with_defaults(*contract, setting->params), "cpp");
    if (row == nullptr) continue;
    const auto ready = std::make_shared<Ready>(Ready{contract, row, *std::move(setting)});
    const auto outcome = run_operation(*contract, *row, ready->setting, {});
    const std::string problem = outcome ? difference(one, *outcome) : error_text(outcome.error());
    if (!problem.empty()) {
      std::fprintf(stderr, "%s, case '%s', does not hold:%s\n", one.operation.c_str(), one.name.c_str(),
                   problem.c_str());
      return 1;
    }
    const auto count = static_cast<std::int64_t>(elements(*ready, *outcome));
    const std::string name = one.operation + "/" + row->backend + "/" + row->implementation + "/" + one.name;
    benchmark::RegisterBenchmark(name.c_str(), [ready, count](benchmark::State& state) {
      for (auto step : state) {
        (void)step;
        auto timed = run_operation(*ready->contract, *ready->row, ready->setting, {});
        benchmark::DoNotOptimize(timed);
      }
      state.SetItemsProcessed(state.iterations() * count);
    })->Unit(benchmark::kMillisecond);
  }
  return 0;
}

}  // namespace
}  // namespace noema::conformance

int main(int argc, char** argv) {
  if (const int failed = noema::conformance::register_all(); failed != 0) return failed;
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
