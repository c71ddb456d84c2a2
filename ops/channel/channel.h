// The native kernels of channel: bits, packets, codes and symbols on their way to and from the channel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/backend.h"

namespace noema::channel {

/// Adds every kernel of this folder.
void add_channel(KernelList& kernels);

}  // namespace noema::channel
