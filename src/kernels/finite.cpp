// Finds NaN and infinite samples: the definition, and the forms for doubles and complex samples.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/finite.h"

#include <bit>
#include <cstdint>

namespace noema::kernels {

std::size_t first_not_finite_reference(std::span<const float> values) {
  std::size_t i = 0;
  while (i < values.size() && (std::bit_cast<std::uint32_t>(values[i]) & 0x7F800000u) != 0x7F800000u) ++i;
  return i;
}

std::size_t first_not_finite(std::span<const double> values) {
  constexpr std::uint64_t exponent = 0x7FF0000000000000u;
  std::size_t i = 0;
  while (i < values.size() && (std::bit_cast<std::uint64_t>(values[i]) & exponent) != exponent) ++i;
  return i;
}

std::size_t first_not_finite(std::span<const Complex> samples) {
  return first_not_finite(std::span(reinterpret_cast<const float*>(samples.data()), 2 * samples.size())) / 2;
}

}  // namespace noema::kernels
