// What the manifest says about program and machine: no user, host name, absolute path or secret.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/value.h"

namespace noema {

/// The manifest's `environment`. `threads` is what operations may use.
Value capture_environment(int threads);

}  // namespace noema
