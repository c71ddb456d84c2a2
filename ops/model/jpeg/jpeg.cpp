// The list of model/jpeg's native kernels.
// SPDX-License-Identifier: Apache-2.0

#include "ops/model/jpeg/jpeg.h"

namespace noema::model {

void add_jpeg(KernelList& kernels) {
  add_jpeg_decode(kernels);
  add_jpeg_encode(kernels);
}

}  // namespace noema::model
