// Finds NaN and infinite samples.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "kernels/implementation.h"
#include "noema/value.h"

namespace noema::kernels {

/// Index of the first value that is NaN or infinite; the size when all are finite.
using FirstNotFinite = std::size_t (*)(std::span<const float> values);
std::size_t first_not_finite_reference(std::span<const float> values);
std::size_t first_not_finite_simd(std::span<const float> values);
inline constexpr std::array first_not_finite_implementations{
    Implementation<FirstNotFinite>{"reference", first_not_finite_reference},
    Implementation<FirstNotFinite>{"simd", first_not_finite_simd},
};
inline std::size_t first_not_finite(std::span<const float> values) { return first_not_finite_simd(values); }
std::size_t first_not_finite(std::span<const double> values);
/// Index of the first sample of which either part is not finite.
std::size_t first_not_finite(std::span<const Complex> samples);

}  // namespace noema::kernels
