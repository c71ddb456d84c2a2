// The list of source's native kernels.
// SPDX-License-Identifier: Apache-2.0

#include "ops/source/source.h"

namespace noema::source {

void add_source(KernelList& kernels) {
  add_image_dataset(kernels);
  add_kodak_files(kernels);
  add_random_bits(kernels);
  add_text_dataset(kernels);
}

}  // namespace noema::source
