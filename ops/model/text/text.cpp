// The list of model/text's native kernels.
// SPDX-License-Identifier: Apache-2.0

#include "ops/model/text/text.h"

namespace noema::model {

void add_text(KernelList& kernels) {
  add_text_utf8_decode(kernels);
  add_text_utf8_encode(kernels);
}

}  // namespace noema::model
