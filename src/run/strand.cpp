// SPDX-License-Identifier: Apache-2.0
#include "run/strand.h"

#include <algorithm>
#include <new>
#include <utility>

namespace noema {

void Strand::run(Item item) {
  if (error_) return;
  try {
    if (auto done = item.task(); !done) error_ = std::move(done).error();
  } catch (const std::bad_alloc&) {
    error_ = Error{code::kernel_failed, {}, "there is not enough memory to store an artifact", {}, {}};
  }
}

void Strand::post(std::uint64_t bytes, std::function<Result<void>()> task) {
  if (pool_.threads_ <= 1) {
    run({bytes, std::move(task)});
    return;
  }
  std::unique_lock lock(pool_.mutex_);
  pool_.start();
  items_.push_back({bytes, std::move(task)});
  pool_.held_ += bytes;
  ++pool_.items_;
  if (!listed_) {
    listed_ = true;
    pool_.ready_.push_back(this);
    pool_.ready_changed_.notify_one();
  }
  while (pool_.held_ > StrandPool::most_held) {
    if (pool_.ready_.empty()) {
      pool_.done_changed_.wait(lock);
    } else {
      pool_.do_one(lock);
    }
  }
}

void StrandPool::start() {
  if (!workers_.empty()) return;
  for (int i = 1; i < std::min(threads_, most_workers); ++i) workers_.emplace_back([this] { work(); });
}

void StrandPool::do_one(std::unique_lock<std::mutex>& lock) {
  Strand* strand = ready_.front();
  ready_.pop_front();
  Strand::Item item = std::move(strand->items_.front());
  strand->items_.pop_front();
  const std::uint64_t bytes = item.bytes;
  lock.unlock();
  strand->run(std::move(item));
  lock.lock();
  if (strand->items_.empty()) {
    strand->listed_ = false;
  } else {
    // To the end of the line: readers of one source should not get far apart.
    ready_.push_back(strand);
    ready_changed_.notify_one();
  }
  held_ -= bytes;
  --items_;
  done_changed_.notify_all();
}

void StrandPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    ready_changed_.wait(lock, [this] { return stopping_ || !ready_.empty(); });
    if (ready_.empty()) return;
    do_one(lock);
  }
}

void StrandPool::wait() {
  std::unique_lock lock(mutex_);
  while (items_ > 0) {
    if (ready_.empty()) {
      done_changed_.wait(lock);
    } else {
      do_one(lock);
    }
  }
}

StrandPool::~StrandPool() {
  wait();
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  ready_changed_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

}  // namespace noema
