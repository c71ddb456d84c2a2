// Work for one sink, done in order but beside the kernels: hashing and writing overlap with computing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/task_group.h>

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "noema/error.h"

namespace noema {

/// All strands of a run: how much they may hold back, and the wait for the end.
class StrandPool {
 public:
  /// With `inline_only` everything runs at once in the caller (one thread).
  explicit StrandPool(bool inline_only) : inline_only_(inline_only) {}
  /// Waits until every strand is empty. The calling thread helps.
  void wait() { group_.wait(); }

 private:
  friend class Strand;
  static constexpr std::uint64_t most_held = std::uint64_t{96} << 20;
  bool inline_only_;
  tbb::task_group group_;
  std::atomic<std::uint64_t> held_{0};
};

/// Runs its tasks one after the other. After the first error the rest is skipped.
class Strand {
 public:
  explicit Strand(StrandPool& pool) : pool_(pool) {}
  /// `bytes`: memory that the task keeps alive.
  void post(std::uint64_t bytes, std::function<Result<void>()> task);
  /// After StrandPool::wait: the first error, if any.
  const std::optional<Error>& error() const { return error_; }

 private:
  void drain();
  struct Item {
    std::uint64_t bytes;
    std::function<Result<void>()> task;
  };
  StrandPool& pool_;
  std::mutex mutex_;
  std::deque<Item> items_;
  bool running_ = false;
  std::optional<Error> error_;
};

}  // namespace noema
