// The native kernels of demodulation: symbols back to bits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/backend.h"

namespace noema::demodulation {

/// Adds every kernel of this folder.
void add_demodulation(KernelList& kernels);

}  // namespace noema::demodulation
