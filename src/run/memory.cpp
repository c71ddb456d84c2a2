// SPDX-License-Identifier: Apache-2.0
#include "run/memory.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace noema {
namespace {

constexpr double interval_s = 0.05;

std::optional<std::uint64_t> resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return std::nullopt;
  unsigned long long size = 0;
  unsigned long long resident = 0;
  const int got = std::fscanf(file, "%llu %llu", &size, &resident);
  std::fclose(file);
  if (got != 2) return std::nullopt;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

MemorySampler::MemorySampler() {
  sample();
  thread_ = std::thread([this] {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::duration<double>(interval_s), [this] { return stopping_; })) {
      lock.unlock();
      sample();
      lock.lock();
    }
  });
}

MemorySampler::~MemorySampler() { stop(); }

void MemorySampler::sample() {
  const auto bytes = resident_bytes();
  const std::scoped_lock lock(mutex_);
  if (!bytes) {
    ++bad_;
    return;
  }
  ++good_;
  if (!start_) start_ = *bytes;
  peak_ = std::max(peak_, *bytes);
  end_ = *bytes;
}

void MemorySampler::stop() {
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
  sample();
}

Value MemorySampler::metrics() const {
  const std::scoped_lock lock(mutex_);
  Value metrics = Value::object();
  if (!start_) return metrics;
  metrics.set("memory.run.start_rss_bytes", *start_);
  metrics.set("memory.run.peak_rss_bytes", peak_);
  metrics.set("memory.run.end_rss_bytes", end_);
  metrics.set("memory.run.peak_rss_delta_bytes", peak_ - *start_);
  metrics.set("memory.run.sampler_interval_s", interval_s);
  return metrics;
}

Value MemorySampler::evidence() const {
  const std::scoped_lock lock(mutex_);
  const char* status = "pending";
  if (stopping_) status = good_ == 0 ? "unavailable" : bad_ == 0 ? "measured" : "partially_measured";
  return Value::object({{"schema_version", 1},
                        {"status", status},
                        {"available", stopping_ ? Value(good_ > 0) : Value()},
                        {"backend", "linux_procfs_statm"},
                        {"source", "/proc/self/statm"},
                        {"sampler_interval_s", interval_s},
                        {"successful_samples", good_},
                        {"failed_samples", bad_},
                        {"error", Value()}});
}

}  // namespace noema
