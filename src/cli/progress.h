// Progress on standard error: a bar on a terminal, plain lines otherwise.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "noema/value.h"

namespace noema::cli {

/// Draws the events of a run. Nothing is shown before a run has lasted a second.
class Progress {
 public:
  /// `label` stands in front, such as `[3/22]`.
  Progress(bool quiet, std::string label = {});
  ~Progress();
  void event(const Value& event);
  /// Removes the bar.
  void clear();

 private:
  void draw(const std::string& step, std::uint64_t index, std::uint64_t count, double percent,
            const std::string& detail);
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::string label_;
  std::string step_;
  std::uint64_t last_completed_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point step_start_ = start_;
  std::chrono::steady_clock::time_point last_line_ = start_;
};

}  // namespace noema::cli
