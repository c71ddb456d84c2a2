// The list of model/text's native kernels.
// SPDX-License-Identifier: Apache-2.0

#include "ops/model/text/text.h"

namespace noema::model {

void add_text([[maybe_unused]] KernelList& kernels) {}

}  // namespace noema::model
