// Names of runners and backends (plan/names.h).
// SPDX-License-Identifier: Apache-2.0
#include "plan/names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text.h"
#include "plan/codes.h"

namespace noema::planner {
namespace {

using Alias = std::pair<std::string_view, std::string_view>;

std::string spelled(std::string_view text, char from, char to) {
  std::string name = lower_ascii(trimmed(text));
  std::ranges::replace(name, from, to);
  return name;
}

bool known(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

Error unknown(Code code, std::string_view what, std::string_view text, const std::vector<std::string>& names) {
  std::string hint = did_you_mean(spelled(text, '-', '_'), names);
  hint += std::string(hint.empty() ? "" : " ") + "known: " + joined(names, ", ");
  return {code, {}, "there is no " + std::string(what) + " " + shown(text), std::move(hint), {}};
}

}  // namespace

const std::vector<std::string>& runner_names() {
  static const std::vector<std::string> names{"benchmark_run", "dataset_capture", "differentiable_export"};
  return names;
}

const std::vector<std::string>& backend_names() {
  static const std::vector<std::string> names{"cpp",    "numpy",    "torch",    "onnxruntime", "openvino", "sionna",
                                              "python", "external", "blackbox", "tensorflow",  "none"};
  return names;
}

Result<std::string> runner_named(std::string_view text) {
  // Only these two hyphenated spellings are aliases; other hyphens stay what they are.
  constexpr std::array<Alias, 2> aliases{
      {{"dataset-capture", "dataset_capture"}, {"differentiable-export", "differentiable_export"}}};
  std::string name = spelled(text, ' ', '_');
  for (const auto& [alias, meant] : aliases) {
    if (name == alias) name = meant;
  }
  if (!known(runner_names(), name)) return unknown(code::plan_runner_unknown, "runner", text, runner_names());
  return name;
}

Result<std::string> backend_named(std::string_view text) {
  constexpr std::array<Alias, 7> aliases{{{"c++", "cpp"},
                                          {"native", "cpp"},
                                          {"onnx", "onnxruntime"},
                                          {"onnx_runtime", "onnxruntime"},
                                          {"ort", "onnxruntime"},
                                          {"pytorch", "torch"},
                                          {"tf", "tensorflow"}}};
  std::string name = spelled(text, '-', '_');
  for (const auto& [alias, meant] : aliases) {
    if (name == alias) name = meant;
  }
  if (!known(backend_names(), name)) return unknown(code::plan_backend_unknown, "backend", text, backend_names());
  return name;
}

}  // namespace noema::planner
