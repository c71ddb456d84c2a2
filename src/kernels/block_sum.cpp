// BlockSum: sums whose rounding depends on the sequence alone.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/block_sum_lanes.h"
#include "kernels/channel.h"

namespace noema::kernels {
namespace {

using Lanes = std::array<double, BlockSum::lanes>;

double joined(const Lanes& lane) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

double term(float value) { return value; }
double term(double value) { return value; }
double term(Complex value) {
  const double re = value.real();
  const double im = value.imag();
  return re * re + im * im;
}

// Whole groups of eight go to the vector form, where there is one.
void add_groups(const Complex* samples, std::size_t groups, Lanes& lane) {
  add_power_lanes(samples, groups, lane.data());
}
template <class T>
void add_groups(const T* values, std::size_t groups, Lanes& lane) {
  for (std::size_t i = 0; i < groups * BlockSum::lanes; ++i) lane[i % BlockSum::lanes] += term(values[i]);
}

}  // namespace

template <class T>
void BlockSum::feed(std::span<const T> values) {
  while (!values.empty()) {
    const std::size_t in_block = static_cast<std::size_t>(count_ % block);
    const std::size_t room = std::min(values.size(), block - in_block);
    const std::size_t head = std::min(room, (lanes - in_block % lanes) % lanes);
    const std::size_t groups = (room - head) / lanes;
    for (std::size_t i = 0; i < head; ++i) lane_[(in_block + i) % lanes] += term(values[i]);
    add_groups(values.data() + head, groups, lane_);
    for (std::size_t i = head + groups * lanes; i < room; ++i) lane_[(in_block + i) % lanes] += term(values[i]);
    count_ += room;
    if (count_ % block == 0) close_block();
    values = values.subspan(room);
  }
}

void BlockSum::close_block() {
  double sum = joined(lane_);
  lane_.fill(0.0);
  // The number of whole blocks goes up by one: each carry joins two sums of one size.
  std::uint64_t before = count_ / block - 1;
  std::size_t k = 0;
  for (; (before & 1u) != 0; before >>= 1, ++k) sum = level_[k] + sum;
  if (k == level_.size()) level_.push_back(0.0);
  level_[k] = sum;
}

void BlockSum::add_power(std::span<const Complex> samples) { feed(samples); }
void BlockSum::add(std::span<const float> values) { feed(values); }
void BlockSum::add(std::span<const double> values) { feed(values); }

double BlockSum::total() const {
  double sum = joined(lane_);
  std::uint64_t blocks = count_ / block;
  for (std::size_t k = 0; blocks != 0; blocks >>= 1, ++k) {
    if ((blocks & 1u) != 0) sum = level_[k] + sum;
  }
  return sum;
}

double mean_power(std::span<const Complex> samples) {
  BlockSum sum;
  sum.add_power(samples);
  return sum.mean();
}

}  // namespace noema::kernels
