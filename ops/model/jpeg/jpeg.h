// The native kernels of model/jpeg: JPEG as a codec.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/backend.h"

namespace noema::model {

/// Adds every kernel of this folder.
void add_jpeg(KernelList& kernels);

void add_jpeg_decode(KernelList& kernels);
void add_jpeg_encode(KernelList& kernels);

}  // namespace noema::model
