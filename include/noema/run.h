// Runs: executing a plan and leaving its evidence bundle.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "noema/error.h"
#include "noema/plan.h"
#include "noema/value.h"

namespace noema {

/// Stops a run from another thread or a signal handler's thread. The first reason is kept.
class CancelToken {
 public:
  void cancel(std::string reason = {});
  bool canceled() const noexcept { return canceled_.load(std::memory_order_acquire); }
  std::string reason() const;
  Result<void> check(std::string_view message) const;  ///< code run.canceled

 private:
  std::atomic<bool> canceled_{false};
  mutable std::mutex mutex_;
  std::string reason_;
};

/// One event of a run, as core 4.7 lists them, with `sequence` and `at_utc` added.
using EventSink = std::function<void(const Value& event)>;

enum class Retain { all, reports, none };  ///< which artifacts stay on disk
enum class DigestScope { all, reports };   ///< which artifacts get digests

/// Invocation settings. None of them is part of a recipe; only the policy inside the plan changes a digest.
struct RunOptions {
  std::string workspace = ".noema";
  std::string base;  ///< folder that authored relative paths resolve against; empty = current folder
  int threads = 0;   ///< inside operations; 0 = all cores
  Retain retain = Retain::all;
  DigestScope digest = DigestScope::all;
  bool compress = false;    ///< deflate NPZ members
  std::uint64_t chunk = 0;  ///< stream chunk in elements; 0 = default; results never depend on it
  std::shared_ptr<CancelToken> cancel;
  EventSink events;
};

/// How a run ended.
struct RunOutcome {
  std::string run_id;
  std::string directory;
  std::string status;          ///< completed, failed or canceled
  std::optional<Error> error;  ///< of a failed or canceled run
  Value summary;               ///< summary.json
  Value manifest;              ///< manifest.json
};

/// Runs a plan in a workspace. An Error means that nothing was left on disk; a run that failed later is an outcome.
Result<RunOutcome> run(const Plan& plan, const RunOptions& options);

}  // namespace noema
