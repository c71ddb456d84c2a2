// Timing of codec stages (codec_timing.h).
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/codec_timing.h"

namespace noema::media {

void CodecTiming::add(std::string_view stage, double seconds, std::optional<std::uint64_t> example,
                      const Shape& image_shape) {
  Value measurement =
      Value::object({{"stage", role_ + '.' + std::string(stage)}, {"duration_s", seconds}, {"unit", "seconds"}});
  if (example) measurement.set("example_index", *example);
  if (!image_shape.empty()) measurement.set("image_shape", shape_value(image_shape));
  measurements_.push_back(std::move(measurement));
}

Value CodecTiming::value() const {
  return Value::object({{"schema_version", 2},
                        {"enabled", true},
                        {"scope", "per_example_stage"},
                        {"measurement_protocol", "single_execution_per_example"},
                        {"warmup_runs", 0},
                        {"timed_runs", 1},
                        {"clock", "steady_clock"},
                        {"runner", runner_},
                        {"role", role_},
                        {"measurements", Value(measurements_)}});
}

}  // namespace noema::media
