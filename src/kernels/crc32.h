// CRC-32 of IEEE 802.3 (polynomial 0x04C11DB7 reflected, initial value and final xor all ones): that of zip and zlib.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/implementation.h"

namespace noema::kernels {

/// CRC of what `crc` covers followed by `bytes`; 0 is the CRC of nothing.
using Crc32 = std::uint32_t (*)(std::span<const std::byte> bytes, std::uint32_t crc);
std::uint32_t crc32_reference(std::span<const std::byte> bytes, std::uint32_t crc);
std::uint32_t crc32_slice16(std::span<const std::byte> bytes, std::uint32_t crc);
std::uint32_t crc32_pclmul(std::span<const std::byte> bytes, std::uint32_t crc);
bool has_pclmul();
inline constexpr std::array crc32_implementations{
    Implementation<Crc32>{"reference", crc32_reference},
    Implementation<Crc32>{"slice16", crc32_slice16},
    Implementation<Crc32>{"pclmul", crc32_pclmul, has_pclmul},
};

/// The fastest of them here.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0);
/// CRC of A followed by B from their own CRCs and B's length.
std::uint32_t crc32_combine(std::uint32_t a, std::uint32_t b, std::uint64_t length_b);

}  // namespace noema::kernels
