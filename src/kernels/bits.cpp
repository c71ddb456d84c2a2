// Scans over unpacked bits: the definitions.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/bits.h"

#include <algorithm>

namespace noema::kernels {

std::size_t first_not_bit_reference(std::span<const std::uint8_t> values) {
  return static_cast<std::size_t>(std::ranges::find_if(values, [](std::uint8_t value) { return value > 1; }) -
                                  values.begin());
}

std::size_t find_not_bits(std::span<const std::uint8_t> values, std::span<std::size_t> positions) {
  std::size_t found = 0;
  for (std::size_t from = 0; found < positions.size();) {
    from += first_not_bit(values.subspan(from));
    if (from == values.size()) break;
    positions[found++] = from++;
  }
  return found;
}

std::uint64_t count_ones_reference(std::span<const Bit> bits) {
  std::uint64_t count = 0;
  for (const Bit bit : bits) count += bit != 0;
  return count;
}

std::uint64_t count_differences_reference(std::span<const Bit> a, std::span<const Bit> b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i];
  return count;
}

std::size_t first_difference_reference(std::span<const Bit> a, std::span<const Bit> b) {
  std::size_t i = 0;
  while (i < a.size() && a[i] == b[i]) ++i;
  return i;
}

}  // namespace noema::kernels
