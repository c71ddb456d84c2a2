// ops/common/power.h: power traces.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/power.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/math.h"

namespace noema::ops {
namespace {

constexpr std::uint64_t most_samples = 128;

}  // namespace

double average_power(double energy, std::uint64_t count) {
  return count == 0 ? 0.0 : energy / static_cast<double>(count);
}

PowerTrace::PowerTrace(std::uint64_t length)
    : stride_(std::max<std::uint64_t>(1, length / most_samples + (length % most_samples != 0))) {
  samples_.reserve(static_cast<std::size_t>(length / stride_ + 1));
}

void PowerTrace::add(std::span<const Complex> symbols) {
  const std::uint64_t past = count_ % stride_;
  for (std::uint64_t i = past == 0 ? 0 : stride_ - past; i < symbols.size(); i += stride_) {
    samples_.push_back(math::power(symbols[static_cast<std::size_t>(i)]));
  }
  sum_.add_power(symbols);
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
