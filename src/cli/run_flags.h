// The flags of commands that run recipes, and running with progress and Ctrl-C.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/context.h"
#include "noema/plan.h"
#include "noema/run.h"

namespace noema::cli {

struct RunFlags {
  std::string backend;
  std::vector<std::string> implementations;  ///< OP=NAME
  bool native = false;
  int threads = 0;
  std::string retain = "all";
  std::string digest = "all";
  bool compress = false;
  bool continue_on_error = false;
  std::string table;  ///< of run-matrix: further file for the CSV

  void add_policy(CLI::App& command);
  void add_to(CLI::App& command);
  void add_sweep(CLI::App& command);
  Policy policy() const;
  RunOptions options(const Context& context) const;
};

/// Runs a plan with a progress display; Ctrl-C stops it with its evidence in order. `cancel` may be null.
Result<RunOutcome> run_watched(const Context& context, const Plan& plan, const RunFlags& flags,
                               const std::string& label, std::shared_ptr<CancelToken> cancel = nullptr);
/// Prints how a run ended and sets the exit status.
void report_run(Context& context, const RunOutcome& outcome);

}  // namespace noema::cli
