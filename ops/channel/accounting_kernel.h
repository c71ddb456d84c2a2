// The stream kernel behind both versions of the resource accounting.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "noema/backend.h"

namespace noema::channel {

/// Reads lengths and metadata; the elements themselves are only counted past.
class AccountingKernel : public StreamKernel {
 public:
  explicit AccountingKernel(std::string_view profile) : profile_(profile) {}
  Result<void> open(Call& call) final;
  Result<void> work(Call& call) final;
  Result<void> close(Call& call) final;

 private:
  std::string_view profile_;
};

}  // namespace noema::channel
