// The inner loop of BlockSum over samples, vector form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "noema/value.h"

namespace noema::kernels {

/// Adds |s|^2 of 8 * groups samples to 8 lanes, sample i to lane i mod 8.
void add_power_lanes(const Complex* samples, std::size_t groups, double* lanes);

}  // namespace noema::kernels
