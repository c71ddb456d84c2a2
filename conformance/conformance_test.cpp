// Every case of every operation, on every implemented row that fits it; stream kernels at three chunk sizes and with
// several threads. A refusal in a case is a result like any other.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>

#include "conformance/trial.h"
#include "core/report.h"
#include "kernels/simd.h"

namespace noema::conformance {
namespace {

std::string brief(const Error& error, const std::string& step) {
  std::string at = error.at.path;
  if (at.starts_with("steps." + step + ".")) at = at.substr(step.size() + 7);
  if (at == "steps." + step) at.clear();
  return std::string(error.code.text) + (at.empty() ? "" : " at " + at);
}

std::string expected_refusal(const Value& error) {
  const Value* at = error.find("at");
  return error.at("code").string() + (at == nullptr ? "" : " at " + at->string());
}

/// The whole suite under the instruction set that NOEMA_SIMD names; the build runs it at the lowest one too.
class ForcedSimd : public testing::Environment {
 public:
  void SetUp() override {
    const char* name = std::getenv("NOEMA_SIMD");
    if (name == nullptr) return;
    const auto forced = kernels::force_simd_target(name);
    ASSERT_TRUE(forced) << error_text(forced.error());
    ASSERT_EQ(kernels::simd_target(), name);
  }
};
const testing::Environment* const forced_simd = testing::AddGlobalTestEnvironment(new ForcedSimd);

class Conformance : public testing::TestWithParam<Case> {};

TEST_P(Conformance, Holds) {
  const Case& one = GetParam();
  const Contract* contract = builtin_catalog().find(one.operation);
  ASSERT_NE(contract, nullptr);
  if (!contract->implemented()) GTEST_SKIP() << one.operation << " has no kernel yet";
  if (!one.available()) GTEST_SKIP() << "the case needs " << one.needs << ", which is not here";
  auto setting = setting_of(one, *contract, builtin_catalog());
  ASSERT_TRUE(setting) << error_text(setting.error());
  const Value* refusal = one.body.find("error");
  const Row* row = row_for(*contract, with_defaults(*contract, setting->params), "cpp");
  if (row == nullptr && refusal != nullptr && !contract->rows.empty()) row = &contract->rows.front();
  ASSERT_NE(row, nullptr) << "no implemented row fits the parameters";
  const bool stream = [&] {
    const Kernel* kernel = native_kernels().find(one.operation, row->backend, row->implementation);
    return kernel != nullptr && kernel->stream != nullptr;
  }();
  std::vector<TrialOptions> trials{{.threads = 1, .chunk = 0}, {.threads = 3, .chunk = 0}};
  if (stream && !one.bench) {
    trials.push_back({.threads = 1, .chunk = 1});
    trials.push_back({.threads = 2, .chunk = 7});
  }
  for (const TrialOptions& options : trials) {
    SCOPED_TRACE("threads " + std::to_string(options.threads) + ", chunk " + std::to_string(options.chunk));
    const auto outcome = run_operation(*contract, *row, *setting, options);
    if (refusal != nullptr) {
      ASSERT_FALSE(outcome) << "the case says that this is refused";
      EXPECT_EQ(brief(outcome.error(), setting->step), expected_refusal(*refusal)) << error_text(outcome.error());
      EXPECT_FALSE(outcome.error().message.empty());
      continue;
    }
    ASSERT_TRUE(outcome) << error_text(outcome.error());
    EXPECT_EQ(difference(one, *outcome), "");
  }
}

std::vector<Case> cases() {
  auto all = all_cases(builtin_catalog());
  if (!all) {
    ADD_FAILURE() << error_text(all.error());
    return {};
  }
  return *std::move(all);
}

std::string trial_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.operation + "__" + info.param.name;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(Operations, Conformance, testing::ValuesIn(cases()), trial_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Conformance);

TEST(ConformanceCoverage, SomethingIsImplementedAndHasCases) {
  std::size_t implemented = 0;
  for (const std::string& id : builtin_catalog().ids())
    implemented += builtin_catalog().find(id)->implemented() ? 1 : 0;
  EXPECT_GT(implemented, 0u) << "a suite that ran nothing proves nothing";
}

}  // namespace
}  // namespace noema::conformance
