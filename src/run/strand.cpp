// SPDX-License-Identifier: Apache-2.0
#include "run/strand.h"

namespace noema {

void Strand::post(std::uint64_t bytes, std::function<Result<void>()> task) {
  if (pool_.inline_only_) {
    if (error_) return;
    if (auto done = task(); !done) error_ = std::move(done).error();
    return;
  }
  bool start = false;
  {
    const std::scoped_lock lock(mutex_);
    items_.push_back({bytes, std::move(task)});
    start = !running_;
    running_ = true;
  }
  const std::uint64_t held = pool_.held_ += bytes;
  if (start) pool_.group_.run([this] { drain(); });
  if (held > StrandPool::most_held) pool_.group_.wait();
}

void Strand::drain() {
  while (true) {
    Item item;
    {
      const std::scoped_lock lock(mutex_);
      if (items_.empty()) {
        running_ = false;
        return;
      }
      item = std::move(items_.front());
      items_.pop_front();
    }
    if (!error_) {
      if (auto done = item.task(); !done) error_ = std::move(done).error();
    }
    pool_.held_ -= item.bytes;
  }
}

}  // namespace noema
