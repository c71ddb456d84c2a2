// Ctrl-C and SIGTERM: the first asks the run to stop with its evidence in order, the second ends the program at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <memory>
#include <thread>

#include "noema/run.h"

namespace noema::cli {

/// While it lives, SIGINT and SIGTERM cancel the token. Threads made while it lives leave the signals to it, so make it
/// before the run.
class InterruptGuard {
 public:
  explicit InterruptGuard(std::shared_ptr<CancelToken> token);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  sigset_t before_{};
  std::thread watcher_;
};

}  // namespace noema::cli
