// Scans over unpacked bits (one 0 or 1 a byte): are they bits, how many are set, how many differ, where first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/implementation.h"
#include "noema/value.h"

namespace noema::kernels {

/// Index of the first value that is neither 0 nor 1; the size when there is none.
using FirstNotBit = std::size_t (*)(std::span<const std::uint8_t> values);
std::size_t first_not_bit_reference(std::span<const std::uint8_t> values);
std::size_t first_not_bit_simd(std::span<const std::uint8_t> values);
inline constexpr std::array first_not_bit_implementations{
    Implementation<FirstNotBit>{"reference", first_not_bit_reference},
    Implementation<FirstNotBit>{"simd", first_not_bit_simd},
};
inline std::size_t first_not_bit(std::span<const std::uint8_t> values) { return first_not_bit_simd(values); }
inline bool all_bits(std::span<const std::uint8_t> values) { return first_not_bit_simd(values) == values.size(); }

/// Indices of the first values that are neither 0 nor 1, at most positions.size() of them; returns how many.
std::size_t find_not_bits(std::span<const std::uint8_t> values, std::span<std::size_t> positions);

/// How many are not zero.
using CountOnes = std::uint64_t (*)(std::span<const Bit> bits);
std::uint64_t count_ones_reference(std::span<const Bit> bits);
std::uint64_t count_ones_simd(std::span<const Bit> bits);
inline constexpr std::array count_ones_implementations{
    Implementation<CountOnes>{"reference", count_ones_reference},
    Implementation<CountOnes>{"simd", count_ones_simd},
};
inline std::uint64_t count_ones(std::span<const Bit> bits) { return count_ones_simd(bits); }

/// Positions at which a and b (of one length) hold different values.
using CountDifferences = std::uint64_t (*)(std::span<const Bit> a, std::span<const Bit> b);
std::uint64_t count_differences_reference(std::span<const Bit> a, std::span<const Bit> b);
std::uint64_t count_differences_simd(std::span<const Bit> a, std::span<const Bit> b);
inline constexpr std::array count_differences_implementations{
    Implementation<CountDifferences>{"reference", count_differences_reference},
    Implementation<CountDifferences>{"simd", count_differences_simd},
};
inline std::uint64_t count_differences(std::span<const Bit> a, std::span<const Bit> b) {
  return count_differences_simd(a, b);
}

/// Index of the first difference between a and b (of one length); the size when they are equal.
using FirstDifference = std::size_t (*)(std::span<const Bit> a, std::span<const Bit> b);
std::size_t first_difference_reference(std::span<const Bit> a, std::span<const Bit> b);
std::size_t first_difference_simd(std::span<const Bit> a, std::span<const Bit> b);
inline constexpr std::array first_difference_implementations{
    Implementation<FirstDifference>{"reference", first_difference_reference},
    Implementation<FirstDifference>{"simd", first_difference_simd},
};
inline std::size_t first_difference(std::span<const Bit> a, std::span<const Bit> b) {
  return first_difference_simd(a, b);
}

}  // namespace noema::kernels
