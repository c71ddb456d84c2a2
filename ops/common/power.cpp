// ops/common/power.h: energies and power traces.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/power.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace noema::ops {
namespace {

constexpr std::uint64_t most_samples = 128;

double square(float value) {
  const double wide = value;  // the product of two floats is exact in double
  return wide * wide;
}

}  // namespace

void SquareSum::add(std::span<const float> values) {
  const float* at = values.data();
  std::uint64_t left = values.size();
  while (left > 0) {
    std::uint64_t take = std::min(left, block_length - in_block_);
    left -= take;
    in_block_ += take;
    std::uint64_t lane = (in_block_ - take) % lane_count;
    for (; take > 0 && lane % lane_count != 0; --take, ++lane) lanes_[lane % lane_count] += square(*at++);
    std::array<double, lane_count> lanes = lanes_;
    for (; take >= lane_count; take -= lane_count, at += lane_count) {
      for (std::uint64_t k = 0; k < lane_count; ++k) lanes[k] += square(at[k]);
    }
    lanes_ = lanes;
    for (std::uint64_t k = 0; take > 0; --take, ++k) lanes_[k] += square(*at++);
    if (in_block_ == block_length) {
      blocks_ += folded();
      lanes_ = {};
      in_block_ = 0;
    }
  }
}

void SquareSum::add(std::span<const Complex> values) {
  // std::complex<float> is laid out as float[2].
  add(std::span<const float>(reinterpret_cast<const float*>(values.data()), 2 * values.size()));
}

double SquareSum::folded() const {
  return ((lanes_[0] + lanes_[4]) + (lanes_[2] + lanes_[6])) + ((lanes_[1] + lanes_[5]) + (lanes_[3] + lanes_[7]));
}

double SquareSum::total() const { return blocks_ + folded(); }
bool SquareSum::finite() const { return std::isfinite(total()); }

void ValueSum::add(double value) {
  block_ += value;
  if (++in_block_ == block_length) {
    blocks_ += block_;
    block_ = 0;
    in_block_ = 0;
  }
}

double ValueSum::total() const { return blocks_ + block_; }

double average_power(double energy, std::uint64_t count) {
  return count == 0 ? 0.0 : energy / static_cast<double>(count);
}

PowerTrace::PowerTrace(std::uint64_t length)
    : length_(length), stride_(std::max<std::uint64_t>(1, length / most_samples + (length % most_samples != 0))) {
  samples_.reserve(static_cast<std::size_t>(length / stride_ + 1));
}

void PowerTrace::add(std::span<const Complex> symbols) {
  const std::uint64_t past = count_ % stride_;
  for (std::uint64_t i = past == 0 ? 0 : stride_ - past; i < symbols.size(); i += stride_) {
    const Complex symbol = symbols[static_cast<std::size_t>(i)];
    samples_.push_back(square(symbol.real()) + square(symbol.imag()));
  }
  squares_.add(symbols);
  count_ += symbols.size();
}

double PowerTrace::average() const { return average_power(energy(), count_); }

Value PowerTrace::preview(std::string_view kind, std::string_view label, std::string_view unit) const {
  Value indices = Value::array();
  Value values = Value::array();
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    indices.push(Value(i * stride_));
    values.push(Value(samples_[i]));
  }
  return Value::object({{"kind", kind},
                        {"label", label},
                        {"x_axis", "symbol"},
                        {"unit", unit},
                        {"indices", std::move(indices)},
                        {"values", std::move(values)},
                        {"source_count", count_},
                        {"average_power", average()},
                        {"total_energy", energy()}});
}

void set_power(Value& metadata, std::string_view stem, const PowerTrace& trace, std::string_view label,
               std::string_view unit) {
  const std::string name(stem);
  metadata.set(name + "_preview", trace.preview(name + "_trace", label, unit));
  metadata.set(name + "_average", trace.average());
  metadata.set(name + "_total_energy", trace.energy());
}

}  // namespace noema::ops
