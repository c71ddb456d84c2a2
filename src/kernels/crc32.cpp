// CRC-32: bit by bit (the definition), sixteen bytes at a time by tables, and by carry-less multiplication.
//
// Polynomials are kept reflected: bit 31 of a word is the coefficient of x^0. The tables and folding constants are
// computed here by the compiler.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/crc32.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace noema::kernels {
namespace {

constexpr std::uint32_t polynomial = 0xEDB88320u;

constexpr std::uint32_t times_x(std::uint32_t p) { return (p >> 1) ^ ((p & 1u) != 0 ? polynomial : 0u); }

constexpr std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (std::uint32_t bit = 0x80000000u; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) sum ^= b;
    b = times_x(b);
  }
  return sum;
}

// x^exponent modulo the polynomial.
constexpr std::uint32_t power_of_x(std::uint64_t exponent) {
  std::uint32_t result = 0x80000000u;  // x^0
  std::uint32_t square = 0x40000000u;  // x^1
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1u) != 0) result = product(result, square);
    square = product(square, square);
  }
  return result;
}

// tables[k][b]: remainder of byte b followed by k zero bytes.
constexpr auto make_tables() {
  std::array<std::array<std::uint32_t, 256>, 16> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t p = byte;
    for (int bit = 0; bit < 8; ++bit) p = times_x(p);
    tables[0][byte] = p;
  }
  for (std::size_t k = 1; k < 16; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t p = tables[k - 1][byte];
      tables[k][byte] = (p >> 8) ^ tables[0][p & 255u];
    }
  }
  return tables;
}

constexpr auto tables = make_tables();

// The remainder of four bytes followed by `zeros` zero bytes.
inline std::uint32_t four_bytes(std::uint32_t word, std::size_t zeros) {
  return tables[zeros + 3][word & 255u] ^ tables[zeros + 2][word >> 8 & 255u] ^ tables[zeros + 1][word >> 16 & 255u] ^
         tables[zeros][word >> 24];
}

// The remainder register, not inverted, moved past `bytes`.
std::uint32_t advance(std::uint32_t state, std::span<const std::byte> bytes) {
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 16; left -= 16, at += 16) {
    std::uint32_t words[4];
    std::memcpy(words, at, 16);
    words[0] ^= state;
    state = four_bytes(words[0], 12) ^ four_bytes(words[1], 8) ^ four_bytes(words[2], 4) ^ four_bytes(words[3], 0);
  }
  for (; left != 0; --left, ++at) {
    state = (state >> 8) ^ tables[0][(state ^ std::to_integer<std::uint32_t>(*at)) & 255u];
  }
  return state;
}

#if defined(__x86_64__)

// Moving 128 bits forward by `distance` bits multiplies the half that comes first in the stream by x^(distance + 32)
// and the other by x^(distance - 32), each modulo the polynomial; the shift by one makes up for the reflected product.
constexpr std::uint64_t fold_factor(std::uint64_t exponent) {
  return static_cast<std::uint64_t>(power_of_x(exponent)) << 1;
}

__attribute__((target("pclmul,sse4.1"))) inline __m128i load(const std::byte* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}

__attribute__((target("pclmul,sse4.1"))) inline __m128i fold(__m128i value, __m128i factors, __m128i next) {
  const __m128i first = _mm_clmulepi64_si128(value, factors, 0x00);
  const __m128i second = _mm_clmulepi64_si128(value, factors, 0x11);
  return _mm_xor_si128(_mm_xor_si128(first, second), next);
}

// bytes.size() is a multiple of 16, at least 64.
__attribute__((target("pclmul,sse4.1"))) std::uint32_t advance_pclmul(std::uint32_t state,
                                                                      std::span<const std::byte> bytes) {
  const __m128i by_512 =
      _mm_set_epi64x(static_cast<long long>(fold_factor(512 - 32)), static_cast<long long>(fold_factor(512 + 32)));
  const __m128i by_128 =
      _mm_set_epi64x(static_cast<long long>(fold_factor(128 - 32)), static_cast<long long>(fold_factor(128 + 32)));
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size() - 64;
  __m128i lanes[4];
  for (int k = 0; k < 4; ++k) lanes[k] = load(at + 16 * k);
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128(static_cast<int>(state)));
  for (at += 64; left >= 64; left -= 64, at += 64) {
    for (int k = 0; k < 4; ++k) lanes[k] = fold(lanes[k], by_512, load(at + 16 * k));
  }
  __m128i rest = lanes[0];
  for (int k = 1; k < 4; ++k) rest = fold(rest, by_128, lanes[k]);
  for (; left >= 16; left -= 16, at += 16) rest = fold(rest, by_128, load(at));
  // What is left is a message of 16 bytes with the same remainder.
  std::array<std::byte, 16> message;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(message.data()), rest);
  return advance(0, message);
}

#endif

}  // namespace

std::uint32_t crc32_reference(std::span<const std::byte> bytes, std::uint32_t crc) {
  std::uint32_t state = ~crc;
  for (const std::byte byte : bytes) {
    state ^= std::to_integer<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) state = times_x(state);
  }
  return ~state;
}

std::uint32_t crc32_slice16(std::span<const std::byte> bytes, std::uint32_t crc) { return ~advance(~crc, bytes); }

bool has_pclmul() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  return has;
#else
  return false;
#endif
}

std::uint32_t crc32_pclmul(std::span<const std::byte> bytes, std::uint32_t crc) {
#if defined(__x86_64__)
  if (bytes.size() >= 64) {
    const std::size_t whole = bytes.size() / 16 * 16;
    return ~advance(advance_pclmul(~crc, bytes.first(whole)), bytes.subspan(whole));
  }
#endif
  return crc32_slice16(bytes, crc);
}

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc) {
  return has_pclmul() ? crc32_pclmul(bytes, crc) : crc32_slice16(bytes, crc);
}

std::uint32_t crc32_combine(std::uint32_t a, std::uint32_t b, std::uint64_t length_b) {
  // The order of x modulo the polynomial divides 2^32 - 1, so 8 * length may be reduced before it overflows.
  constexpr std::uint64_t order = 0xFFFFFFFFu;
  return product(power_of_x(8 * (length_b % order)), a) ^ b;
}

}  // namespace noema::kernels
