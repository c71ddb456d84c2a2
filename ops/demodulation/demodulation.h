// The native kernels of demodulation: symbols back to bits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/backend.h"

namespace noema::demodulation {

void add_digital_demodulate(KernelList& kernels);
void add_identity_demodulate(KernelList& kernels);
/// Adds every kernel of this folder.
void add_demodulation(KernelList& kernels);

}  // namespace noema::demodulation
