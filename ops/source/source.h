// The native kernels of source: data that a recipe starts from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/backend.h"

namespace noema::source {

void add_image_dataset(KernelList& kernels);
void add_kodak_files(KernelList& kernels);
void add_random_bits(KernelList& kernels);
void add_text_dataset(KernelList& kernels);

/// Adds every kernel of this folder.
void add_source(KernelList& kernels);

}  // namespace noema::source
