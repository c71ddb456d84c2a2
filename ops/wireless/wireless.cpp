// The list of wireless's native kernels.
// SPDX-License-Identifier: Apache-2.0
#include "ops/wireless/wireless.h"

namespace noema::wireless {

void add_wireless(KernelList& kernels) { add_channel(kernels); }

}  // namespace noema::wireless
