// The native kernels of metrics: what a recipe measures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/backend.h"

namespace noema::metrics {

void add_bit_error_rate(KernelList& kernels);
void add_block_error_rate(KernelList& kernels);
void add_image_delivery_status(KernelList& kernels);
void add_image_reconstruction(KernelList& kernels);
void add_text_semantic_similarity(KernelList& kernels);

/// Adds every kernel of this folder.
void add_metrics(KernelList& kernels);

}  // namespace noema::metrics
