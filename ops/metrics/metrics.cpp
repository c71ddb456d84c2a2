// The list of metrics's native kernels.
// SPDX-License-Identifier: Apache-2.0

#include "ops/metrics/metrics.h"

namespace noema::metrics {

void add_metrics([[maybe_unused]] KernelList& kernels) {}

}  // namespace noema::metrics
