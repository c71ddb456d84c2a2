// Packs and unpacks bits: the definition, and eight bits at a time in one 64-bit word.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pack_bits.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace noema::kernels {

static_assert(std::endian::native == std::endian::little, "lane 0 must be the first bit");

void pack_bits_reference(std::span<const Bit> bits, std::span<std::byte> bytes) {
  std::ranges::fill(bytes.first(packed_size(bits.size())), std::byte{0});
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bytes[i / 8] |= static_cast<std::byte>(bits[i] << (7 - i % 8));
  }
}

void pack_bits_swar(std::span<const Bit> bits, std::span<std::byte> bytes) {
  const std::size_t whole = bits.size() / 8;
  for (std::size_t i = 0; i < whole; ++i) {
    std::uint64_t lanes = 0;
    std::memcpy(&lanes, bits.data() + 8 * i, sizeof lanes);
    // Lane k times 2^(63 - 9k) lands on bit 63 - k; no two products share a bit, so nothing carries.
    bytes[i] = static_cast<std::byte>((lanes * 0x8040201008040201u) >> 56);
  }
  pack_bits_reference(bits.subspan(8 * whole), bytes.subspan(whole));
}

void unpack_bits_reference(std::span<const std::byte> bytes, std::span<Bit> bits) {
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = static_cast<Bit>((std::to_integer<unsigned>(bytes[i / 8]) >> (7 - i % 8)) & 1u);
  }
}

void unpack_bits_swar(std::span<const std::byte> bytes, std::span<Bit> bits) {
  const std::size_t whole = bits.size() / 8;
  for (std::size_t i = 0; i < whole; ++i) {
    // The byte in every lane, lane k keeps bit 7 - k; adding 127 then carries any kept bit into the lane's top.
    const std::uint64_t copies = std::to_integer<std::uint64_t>(bytes[i]) * 0x0101010101010101u;
    const std::uint64_t kept = copies & 0x0102040810204080u;
    const std::uint64_t lanes =
        (((kept & 0x7F7F7F7F7F7F7F7Fu) + 0x7F7F7F7F7F7F7F7Fu) | kept) >> 7 & 0x0101010101010101u;
    std::memcpy(bits.data() + 8 * i, &lanes, sizeof lanes);
  }
  unpack_bits_reference(bytes.subspan(whole), bits.subspan(8 * whole));
}

}  // namespace noema::kernels
