// Work for one sink, done in order but beside the kernels: hashing and writing overlap with computing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "noema/error.h"

namespace noema {

class Strand;

/// All strands of a group, and the threads that work on them. The thread that posts helps when too much is held back,
/// so that every core has work until the end.
class StrandPool {
 public:
  /// `threads` in all, the posting one included; with one, everything runs at once in the caller.
  explicit StrandPool(int threads) : threads_(threads) {}
  ~StrandPool();
  StrandPool(const StrandPool&) = delete;
  StrandPool& operator=(const StrandPool&) = delete;
  /// Works until every strand is empty.
  void wait();

 private:
  friend class Strand;
  static constexpr std::uint64_t most_held = std::uint64_t{48} << 20;  ///< bytes kept alive before the poster helps
  static constexpr int most_workers = 8;

  void start();
  void work();
  /// Does one item of a ready strand. `lock` holds the pool's mutex and is given up meanwhile.
  void do_one(std::unique_lock<std::mutex>& lock);

  int threads_;
  std::mutex mutex_;
  std::condition_variable ready_changed_;  ///< for workers: there is something to do, or the end
  std::condition_variable done_changed_;   ///< for the poster: something was done
  std::deque<Strand*> ready_;              ///< strands with items that nobody works on
  std::uint64_t held_ = 0;
  std::size_t items_ = 0;  ///< posted and not done
  bool stopping_ = false;
  std::vector<std::thread> workers_;
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
  friend class StrandPool;
  struct Item {
    std::uint64_t bytes = 0;
    std::function<Result<void>()> task;
  };
  void run(Item item);

  StrandPool& pool_;
  std::deque<Item> items_;
  bool listed_ = false;  ///< ready, or being worked on
  std::optional<Error> error_;
};

}  // namespace noema
