// The native kernels of modulation: bits to symbols.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/backend.h"

namespace noema::modulation {

void add_digital_modulate(KernelList& kernels);
void add_identity_modulate(KernelList& kernels);
/// Adds every kernel of this folder.
void add_modulation(KernelList& kernels);

}  // namespace noema::modulation
