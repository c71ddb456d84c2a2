// The list of modulation's native kernels.
// SPDX-License-Identifier: Apache-2.0
#include "ops/modulation/modulation.h"

namespace noema::modulation {

void add_modulation(KernelList& kernels) {
  add_digital_modulate(kernels);
  add_identity_modulate(kernels);
}

}  // namespace noema::modulation
