// Which vector instructions the kernels use: asks Highway, and forces one for tests.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/simd.h"

#include <hwy/highway.h>

#include <cstdint>

namespace noema::kernels {
namespace {

std::vector<std::int64_t> runnable() {
  hwy::SetSupportedTargetsForTest(0);
  return hwy::SupportedAndGeneratedTargets();
}

// The target in force; 0 for the best.
std::int64_t& forced() {
  static std::int64_t target = 0;
  return target;
}

void apply(std::int64_t target) {
  forced() = target;
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().DeInit();
}

}  // namespace

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  const std::int64_t now = forced();
  for (const std::int64_t target : runnable()) names.emplace_back(hwy::TargetName(target));
  hwy::SetSupportedTargetsForTest(now);
  return names;
}

std::string simd_target() {
  const std::vector<std::int64_t> usable = hwy::SupportedAndGeneratedTargets();
  return usable.empty() ? hwy::TargetName(HWY_STATIC_TARGET) : hwy::TargetName(usable.front());
}

Result<void> force_simd_target(std::string_view name) {
  const std::vector<std::int64_t> usable = runnable();
  if (name == "auto") {
    apply(0);
    return {};
  }
  std::string known;
  for (const std::int64_t target : usable) {
    if (name == hwy::TargetName(target)) {
      apply(target);
      return {};
    }
    known += std::string(known.empty() ? "" : ", ") + hwy::TargetName(target);
  }
  apply(forced());
  return Error{code::parameter_choice,
               {},
               "no vector instruction set '" + std::string(name) + "' here; this program and CPU have " + known,
               "use one of these, or auto for the best",
               {}};
}

}  // namespace noema::kernels
