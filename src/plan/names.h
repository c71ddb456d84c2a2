// Names of runners and backends, and the spellings that are accepted for them (core 0.1).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "noema/error.h"

namespace noema::planner {

const std::vector<std::string>& runner_names();
const std::vector<std::string>& backend_names();
/// `Dataset-Capture` -> `dataset_capture`.
Result<std::string> runner_named(std::string_view text);
/// `C++` -> `cpp`, `ort` -> `onnxruntime`.
Result<std::string> backend_named(std::string_view text);

}  // namespace noema::planner
