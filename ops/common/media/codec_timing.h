// The record of how long a codec's stages took. It belongs to the step's metadata only: no artifact and no report may
// depend on a clock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "noema/value.h"

namespace noema::media {

/// Seconds since it was made.
class StageClock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class CodecTiming {
 public:
  /// `role` is encoder or decoder, `runner` what executes the codec.
  CodecTiming(std::string_view role, std::string_view runner) : role_(role), runner_(runner) {}

  /// One measurement of `<role>.<stage>`; without an example it is about the whole batch.
  void add(std::string_view stage, double seconds, std::optional<std::uint64_t> example = {},
           const Shape& image_shape = {});

  /// The object `codec_timing`.
  Value value() const;

 private:
  std::string role_;
  std::string runner_;
  Value::Items measurements_;
};

}  // namespace noema::media
