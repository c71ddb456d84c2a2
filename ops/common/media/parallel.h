// Items of a batch side by side.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "noema/backend.h"

namespace noema::media {

/// Calls `work(i)` for every i below `count` on at most `threads` threads. Each call writes to places of its own, so
/// that the outcome does not depend on their order. The error of the lowest failed item is returned.
Result<void> for_each_item(int threads, std::size_t count, const std::function<Result<void>(std::size_t)>& work);

/// The same with progress after every few items, through which a run can be stopped.
Result<void> for_each_item(Call& call, std::string_view phase, std::string_view unit, std::size_t count,
                           const std::function<Result<void>(std::size_t)>& work);

}  // namespace noema::media
