// Labels inside metric names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace noema::ops {

/// Lower case, every run of characters outside [0-9a-z_] as one `_`, no `_` twice or at an edge; `boundary` when
/// nothing is left.
std::string metric_label(std::string_view text);

/// The weaker rule of the bit and block error rates: spaces become `_`, nothing else changes.
std::string spaces_only_label(std::string_view text);

}  // namespace noema::ops
