// The native kernels of wireless: channels over complex symbols.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/backend.h"

namespace noema::wireless {

void add_channel(KernelList& kernels);
/// Adds every kernel of this folder.
void add_wireless(KernelList& kernels);

}  // namespace noema::wireless
