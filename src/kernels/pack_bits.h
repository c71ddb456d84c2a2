// Packs bits (one 0 or 1 a byte) into bytes, first bit most significant, zeros in the last byte's tail; and back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "kernels/implementation.h"
#include "noema/value.h"

namespace noema::kernels {

/// Bytes that `bits` bits fill.
constexpr std::size_t packed_size(std::size_t bits) { return bits / 8 + (bits % 8 != 0); }

/// Writes packed_size(bits.size()) bytes. Values other than 0 and 1 are not allowed.
using PackBits = void (*)(std::span<const Bit> bits, std::span<std::byte> bytes);
void pack_bits_reference(std::span<const Bit> bits, std::span<std::byte> bytes);
void pack_bits_swar(std::span<const Bit> bits, std::span<std::byte> bytes);
void pack_bits_simd(std::span<const Bit> bits, std::span<std::byte> bytes);
inline constexpr std::array pack_bits_implementations{
    Implementation<PackBits>{"reference", pack_bits_reference},
    Implementation<PackBits>{"swar", pack_bits_swar},
    Implementation<PackBits>{"simd", pack_bits_simd},
};
inline void pack_bits(std::span<const Bit> bits, std::span<std::byte> bytes) { pack_bits_simd(bits, bytes); }

/// Writes bits.size() bits from the packed_size(bits.size()) first bytes.
using UnpackBits = void (*)(std::span<const std::byte> bytes, std::span<Bit> bits);
void unpack_bits_reference(std::span<const std::byte> bytes, std::span<Bit> bits);
void unpack_bits_swar(std::span<const std::byte> bytes, std::span<Bit> bits);
void unpack_bits_simd(std::span<const std::byte> bytes, std::span<Bit> bits);
inline constexpr std::array unpack_bits_implementations{
    Implementation<UnpackBits>{"reference", unpack_bits_reference},
    Implementation<UnpackBits>{"swar", unpack_bits_swar},
    Implementation<UnpackBits>{"simd", unpack_bits_simd},
};
inline void unpack_bits(std::span<const std::byte> bytes, std::span<Bit> bits) { unpack_bits_simd(bytes, bits); }

}  // namespace noema::kernels
