// The list of channel's native kernels.
// SPDX-License-Identifier: Apache-2.0

#include "ops/channel/channel.h"

namespace noema::channel {

void add_channel([[maybe_unused]] KernelList& kernels) {}

}  // namespace noema::channel
