// The list of model/jpeg's native kernels.
// SPDX-License-Identifier: Apache-2.0

#include "ops/model/jpeg/jpeg.h"

namespace noema::model {

void add_jpeg([[maybe_unused]] KernelList& kernels) {}

}  // namespace noema::model
