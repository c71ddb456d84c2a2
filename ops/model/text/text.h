// The native kernels of model/text: text codecs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/backend.h"

namespace noema::model {

/// Adds every kernel of this folder.
void add_text(KernelList& kernels);

void add_text_utf8_decode(KernelList& kernels);
void add_text_utf8_encode(KernelList& kernels);

}  // namespace noema::model
