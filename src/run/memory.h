// Resident memory of this process while a run lasts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include "noema/value.h"

namespace noema {

/// Samples /proc/self/statm at the start, every 50 ms and at the end.
class MemorySampler {
 public:
  MemorySampler();
  ~MemorySampler();
  /// Takes the last sample and stops. Later calls change nothing.
  void stop();
  Value metrics() const;   ///< memory.run.*; empty when no sample succeeded
  Value evidence() const;  ///< measurement_evidence["memory.run.rss"]

 private:
  void sample();
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::optional<std::uint64_t> start_;
  std::uint64_t peak_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t good_ = 0;
  std::uint64_t bad_ = 0;
  std::thread thread_;
};

}  // namespace noema
