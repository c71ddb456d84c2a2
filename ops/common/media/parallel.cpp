// Items of a batch side by side (parallel.h).
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <new>

namespace noema::media {
namespace {

Result<void> guarded(const std::function<Result<void>(std::size_t)>& work, std::size_t item) {
  try {
    return work(item);
  } catch (const std::bad_alloc&) {
    return Error{code::kernel_failed, {}, "there is not enough memory for item " + std::to_string(item), {}, {}};
  }
}

Result<void> run_range(int threads, std::size_t begin, std::size_t end,
                       const std::function<Result<void>(std::size_t)>& work) {
  std::vector<std::optional<Error>> failures(end - begin);
  const auto one = [&](std::size_t item) {
    if (auto done = guarded(work, item); !done) failures[item - begin] = std::move(done).error();
  };
  if (threads <= 1 || end - begin == 1) {
    for (std::size_t item = begin; item < end; ++item) one(item);
  } else {
    // An arena wider than the pool would make the library write a warning.
    const auto pool = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    tbb::task_arena arena(static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(threads), pool)));
    arena.execute([&] { tbb::parallel_for(begin, end, one); });
  }
  for (std::optional<Error>& failure : failures) {
    if (failure) return *std::move(failure);
  }
  return {};
}

}  // namespace

Result<void> for_each_item(int threads, std::size_t count, const std::function<Result<void>(std::size_t)>& work) {
  return run_range(threads, 0, count, work);
}

Result<void> for_each_item(Call& call, std::string_view phase, std::string_view unit, std::size_t count,
                           const std::function<Result<void>(std::size_t)>& work) {
  const auto batch = static_cast<std::size_t>(std::max(call.threads(), 1)) * 4;
  for (std::size_t begin = 0; begin < count; begin += batch) {
    const std::size_t end = std::min(count, begin + batch);
    NOEMA_CHECK(run_range(call.threads(), begin, end, work));
    NOEMA_CHECK(call.progress(phase, end, count, unit));
  }
  return {};
}

}  // namespace noema::media
