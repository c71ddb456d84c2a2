// Channel uses a source pixel, for streams that stand for pictures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "noema/backend.h"
#include "ops/common/items.h"

namespace noema::ops {

/// Pixels behind a stream and, where known, behind each of its items, with the channel uses that they cost.
class UseRates {
 public:
  UseRates() = default;
  /// From the metadata of an input; `item_uses` are the uses of its items, if it has any.
  static Result<UseRates> read(const Value& metadata, std::uint64_t uses, const std::optional<ItemCounts>& item_uses,
                               std::string_view port);
  std::uint64_t pixels() const { return pixels_; }  ///< 0 when unknown
  /// pixel_count, channel_uses_per_pixel and the three keys about items; what is unknown is removed.
  void declare(Value& metadata) const;
  /// channel.uses_per_pixel and channel.max_source_item_uses_per_pixel, where known.
  void emit(Call& call) const;

 private:
  std::uint64_t uses_ = 0;
  std::uint64_t pixels_ = 0;
  ItemCounts item_pixels_;
  std::vector<double> item_rates_;  ///< empty unless the pixels of every item are known and positive
};

/// count / pixels.
inline double per_pixel(std::uint64_t count, std::uint64_t pixels) {
  return static_cast<double>(count) / static_cast<double>(pixels);
}

}  // namespace noema::ops
