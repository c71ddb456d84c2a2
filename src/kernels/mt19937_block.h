// The inner loops of the Mersenne Twister and of the polar method, vector form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "noema/value.h"

namespace noema::kernels::mt {

inline constexpr std::size_t size = 624;
/// Points of the polar method that one block of outputs can hold, and room for whole vectors behind them.
inline constexpr std::size_t most_points = size / 4;
inline constexpr std::size_t padded_points = most_points + 8;

/// Moves `state` on by 624 steps and writes the tempered outputs.
void next_block(std::uint32_t* state, std::uint32_t* output);

/// One point of the square [-1, 1)^2 from four outputs.
struct Point {
  double x1;
  double x2;
  double r2;
  bool accepted() const { return r2 < 1.0 && r2 != 0.0; }
};
inline double coordinate(std::uint32_t a, std::uint32_t b) {
  // 2 u - 1 is exact, whichever way it is put together.
  return (static_cast<double>(a >> 5) * 67108864.0 + static_cast<double>(b >> 6)) * 0x1p-52 - 1.0;
}
inline Point point(const std::uint32_t* words) {
  const double x1 = coordinate(words[0], words[1]);
  const double x2 = coordinate(words[2], words[3]);
  return {x1, x2, x1 * x1 + x2 * x2};
}

/// Points inside the circle, in order.
struct Accepted {
  alignas(64) double x1[padded_points];
  alignas(64) double x2[padded_points];
  alignas(64) double r2[padded_points];
};
/// Looks at `points` points (at most most_points); returns how many are accepted.
std::size_t accept_points(const std::uint32_t* words, std::size_t points, Accepted& accepted);
std::size_t count_accepted(const std::uint32_t* words, std::size_t points);

/// The two normals of each of `count` accepted points, times scale. Writes into `accepted` beyond `count`.
void finish_normals(Accepted& accepted, std::size_t count, double scale, float* out);
void finish_normals(Accepted& accepted, std::size_t count, double scale, double* out);

/// The lowest bit of each output.
void low_bits(const std::uint32_t* words, std::size_t count, Bit* bits);

}  // namespace noema::kernels::mt
