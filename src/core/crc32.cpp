// SPDX-License-Identifier: Apache-2.0
#include "core/crc32.h"

#include <zlib.h>

#include <algorithm>
#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace noema {

std::uint32_t crc32_plain(std::uint32_t crc, std::span<const std::byte> bytes) {
  // zlib takes 32-bit lengths.
  constexpr std::size_t most = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(most, bytes.size()));
    crc = static_cast<std::uint32_t>(
        ::crc32(crc, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size())));
    bytes = bytes.subspan(part.size());
  }
  return crc;
}

#if defined(__x86_64__)
namespace {

/// x^exponent mod P in the bit order of a reflected CRC, placed for a 64-bit carry-less product: the product of two
/// reflected operands comes out one bit low, which the shift by one makes good.
constexpr std::uint64_t fold_factor(unsigned exponent) {
  std::uint32_t remainder = 0x80000000U;  // x^0
  for (unsigned i = 0; i < exponent; ++i) {
    remainder = (remainder >> 1) ^ ((remainder & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return std::uint64_t{remainder} << 1;
}

// Moving a 128-bit lane ahead by n bits multiplies its low half by x^(n+32) and its high half by x^(n-32).
constexpr std::array<std::uint64_t, 2> ahead_512{fold_factor(512 + 32), fold_factor(512 - 32)};
constexpr std::array<std::uint64_t, 2> ahead_128{fold_factor(128 + 32), fold_factor(128 - 32)};

__attribute__((target("pclmul,sse4.1"))) inline __m128i folded(__m128i lane, __m128i factors, __m128i next) {
  const __m128i low = _mm_clmulepi64_si128(lane, factors, 0x00);
  const __m128i high = _mm_clmulepi64_si128(lane, factors, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

/// Folds four lanes at a time; at least 64 bytes, what is left of a lane goes through the table version.
__attribute__((target("pclmul,sse4.1"))) std::uint32_t crc32_folding(std::uint32_t crc,
                                                                     std::span<const std::byte> bytes) {
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  const auto load = [](const std::byte* from) __attribute__((target("pclmul,sse4.1"))) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  };
  __m128i a = _mm_xor_si128(load(at), _mm_cvtsi32_si128(static_cast<int>(~crc)));
  __m128i b = load(at + 16);
  __m128i c = load(at + 32);
  __m128i d = load(at + 48);
  at += 64;
  left -= 64;
  const __m128i far = _mm_set_epi64x(static_cast<long long>(ahead_512[1]), static_cast<long long>(ahead_512[0]));
  const __m128i near = _mm_set_epi64x(static_cast<long long>(ahead_128[1]), static_cast<long long>(ahead_128[0]));
  for (; left >= 64; at += 64, left -= 64) {
    a = folded(a, far, load(at));
    b = folded(b, far, load(at + 16));
    c = folded(c, far, load(at + 32));
    d = folded(d, far, load(at + 48));
  }
  a = folded(folded(folded(a, near, b), near, c), near, d);
  for (; left >= 16; at += 16, left -= 16) a = folded(a, near, load(at));
  // The lane now stands for all bytes so far: its own CRC from a zero register is theirs.
  alignas(16) std::array<std::byte, 16> lane{};
  _mm_store_si128(reinterpret_cast<__m128i*>(lane.data()), a);
  return crc32_plain(crc32_plain(0xFFFFFFFFU, lane), {at, left});
}

}  // namespace

std::uint32_t crc32(std::uint32_t crc, std::span<const std::byte> bytes) {
  static const bool folding = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  return folding && bytes.size() >= 64 ? crc32_folding(crc, bytes) : crc32_plain(crc, bytes);
}
#else
std::uint32_t crc32(std::uint32_t crc, std::span<const std::byte> bytes) { return crc32_plain(crc, bytes); }
#endif

}  // namespace noema
