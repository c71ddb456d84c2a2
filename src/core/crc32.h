// CRC-32 of ZIP (polynomial 0x04C11DB7 reflected, initial and final complement), in pieces.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace noema {

/// CRC-32 of what `crc` covers so far followed by `bytes`; start with 0. Carry-less multiplication where the CPU has
/// it, the same value everywhere.
std::uint32_t crc32(std::uint32_t crc, std::span<const std::byte> bytes);
/// zlib's version: the reference that the fast one is held against.
std::uint32_t crc32_plain(std::uint32_t crc, std::span<const std::byte> bytes);

}  // namespace noema
