// Which vector instructions the kernels use. The CPU decides; no result depends on it, and a run records it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "noema/error.h"

namespace noema::kernels {

/// Names of the instruction sets that this build has code for and this CPU can run, best first: AVX3, AVX2, SSE4 ...
std::vector<std::string> simd_targets();
/// The one in use.
std::string simd_target();
/// Makes every kernel use one of simd_targets(), or the best again for `auto`. Not while kernels are running.
Result<void> force_simd_target(std::string_view name);

}  // namespace noema::kernels
