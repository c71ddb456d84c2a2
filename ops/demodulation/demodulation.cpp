// The list of demodulation's native kernels.
// SPDX-License-Identifier: Apache-2.0
#include "ops/demodulation/demodulation.h"

namespace noema::demodulation {

void add_demodulation(KernelList& kernels) {
  add_digital_demodulate(kernels);
  add_identity_demodulate(kernels);
}

}  // namespace noema::demodulation
