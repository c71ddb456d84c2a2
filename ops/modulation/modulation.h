// The native kernels of modulation: bits to symbols.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/backend.h"

namespace noema::modulation {

/// Adds every kernel of this folder.
void add_modulation(KernelList& kernels);

}  // namespace noema::modulation
