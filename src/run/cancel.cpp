// noema/run.h: CancelToken.
// SPDX-License-Identifier: Apache-2.0
#include "noema/run.h"

namespace noema {

void CancelToken::cancel(std::string reason) {
  const std::scoped_lock lock(mutex_);
  if (canceled_.load(std::memory_order_relaxed)) return;
  reason_ = std::move(reason);
  canceled_.store(true, std::memory_order_release);
}

std::string CancelToken::reason() const {
  const std::scoped_lock lock(mutex_);
  return reason_;
}

Result<void> CancelToken::check(std::string_view message) const {
  if (!canceled()) return {};
  const std::string why = reason();
  return Error{code::canceled, {}, std::string(message) + (why.empty() ? "" : ": " + why), {}, {}};
}

}  // namespace noema
