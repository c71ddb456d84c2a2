// Large angles, reduced with as many digits of pi as they need (after Payne and Hanek).
// SPDX-License-Identifier: Apache-2.0
#include "kernels/math_reduction.h"

#include <bit>
#include <cmath>

#include "kernels/math_tables.h"

namespace noema::math {
namespace {

__extension__ using Wide = unsigned __int128;

// 64 bits of 1/pi, of which the first has the weight 2^-from (from may be as low as -63).
std::uint64_t bits_of_per_pi(int from) {
  const int offset = from + 63;  // word 0 of the table is zero and ends just before the bit of weight 1/2
  const auto word = static_cast<std::size_t>(offset / 64);
  const int shift = offset % 64;
  const std::uint64_t high = tables::per_pi[word] << shift;
  return shift == 0 ? high : high | tables::per_pi[word + 1] >> (64 - shift);
}

}  // namespace

void reduce_large_angle(double angle, std::int64_t& multiple, double& hi, double& lo) {
  if (!(std::abs(angle) > largest_simple_angle) || !std::isfinite(angle)) return;
  const auto bits = std::bit_cast<std::uint64_t>(angle);
  const std::uint64_t mantissa = (bits & 0xFFFFFFFFFFFFFu) | (std::uint64_t{1} << 52);
  const int exponent = static_cast<int>(bits >> 52 & 2047u) - 1075;  // |angle| = mantissa * 2^exponent

  // |angle| * 64/pi modulo 128. Bits of 1/pi before weight 2^-exponent add multiples of 128 (mantissa * 2^(exponent+6)
  // * 2^-i is one for i < exponent); the 256 bits from there on leave an error below 2^-190. The product modulo 2^256
  // then has 7 bits before the point.
  std::uint64_t product[4];  // most significant first
  Wide carry = 0;
  for (int k = 3; k >= 0; --k) {
    const Wide sum = static_cast<Wide>(mantissa) * bits_of_per_pi(exponent + 64 * k) + carry;
    product[k] = static_cast<std::uint64_t>(sum);
    carry = sum >> 64;
  }
  std::uint64_t whole = product[0] >> 57;
  product[0] &= (std::uint64_t{1} << 57) - 1;
  const bool above_half = (product[0] >> 56) != 0;
  if (above_half) {  // round up, and take the complement of the fraction
    ++whole;
    std::uint64_t borrow = 1;
    for (int k = 3; k >= 0; --k) {
      product[k] = ~product[k] + borrow;
      borrow = borrow != 0 && product[k] == 0 ? 1 : 0;
    }
    product[0] &= (std::uint64_t{1} << 57) - 1;
  }

  // The fraction as two doubles: pieces of 32 bits, largest first, each exact.
  double high = 0.0;
  double low = 0.0;
  for (int piece = 0; piece < 8; ++piece) {
    const std::uint64_t word = product[piece / 2];
    const auto part = static_cast<double>(piece % 2 == 0 ? word >> 32 : word & 0xFFFFFFFFu);
    const double value = std::ldexp(part, 7 - 32 * (piece + 1));
    const double sum = high + value;
    low += value - (sum - high);
    high = sum;
  }
  const double sign = (std::signbit(angle) ? -1.0 : 1.0) * (above_half ? -1.0 : 1.0);
  const double total = high + low;
  low = low - (total - high);
  high = total;

  // Times pi/64, the first product split so that nothing is lost.
  const auto split = [](double value) {
    const double scaled = value * 134217729.0;
    return scaled - (scaled - value);
  };
  const double a = split(high), b = high - a;
  const double c = split(tables::pi_64_1), e = tables::pi_64_1 - c;
  const double head = high * tables::pi_64_1;
  double tail = ((a * c - head) + a * e + b * c) + b * e;
  tail += high * tables::pi_64_2 + low * tables::pi_64_1;
  const double result = head + tail;
  hi = sign * result;
  lo = sign * (tail - (result - head));
  const auto turns = static_cast<std::int64_t>(whole);
  multiple = std::signbit(angle) ? -turns : turns;
}

}  // namespace noema::math
