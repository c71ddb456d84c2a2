// Large angles, reduced with as many digits of pi as they need.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace noema::math {

/// Up to here three doubles of pi suffice.
inline constexpr double largest_simple_angle = 0x1p30;

/// For a finite angle beyond largest_simple_angle: angle = multiple * pi/64 + hi + lo with |hi| at most pi/128, the
/// multiple known modulo 128. Smaller and endless angles change nothing.
void reduce_large_angle(double angle, std::int64_t& multiple, double& hi, double& lo);

}  // namespace noema::math
