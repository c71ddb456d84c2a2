// The list of metrics's native kernels.
// SPDX-License-Identifier: Apache-2.0

#include "ops/metrics/metrics.h"

namespace noema::metrics {

void add_metrics(KernelList& kernels) {
  add_bit_error_rate(kernels);
  add_block_error_rate(kernels);
  add_image_delivery_status(kernels);
  add_image_reconstruction(kernels);
  add_text_semantic_similarity(kernels);
}

}  // namespace noema::metrics
