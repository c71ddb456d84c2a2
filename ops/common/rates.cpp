// ops/common/rates.h: channel uses a pixel.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/rates.h"

#include <algorithm>
#include <utility>

namespace noema::ops {

Result<UseRates> UseRates::read(const Value& metadata, std::uint64_t uses, const std::optional<ItemCounts>& item_uses,
                                std::string_view port) {
  UseRates rates;
  rates.uses_ = uses;
  NOEMA_TRY(rates.pixels_, total_pixels(metadata, port));
  if (!item_uses) return rates;
  NOEMA_TRY(std::optional<ItemCounts> pixels, item_pixels(metadata, item_uses->size(), port));
  if (!pixels || std::ranges::count(*pixels, 0u) > 0) return rates;
  rates.item_pixels_ = *std::move(pixels);
  for (std::size_t i = 0; i < item_uses->size(); ++i) {
    rates.item_rates_.push_back(per_pixel((*item_uses)[i], rates.item_pixels_[i]));
  }
  return rates;
}

void UseRates::declare(Value& metadata) const {
  for (const std::string_view earlier :
       {"pixel_count", "channel_uses_per_pixel", "source_item_pixel_counts", "source_item_channel_uses_per_pixel",
        "max_source_item_channel_uses_per_pixel"}) {
    metadata.erase(earlier);
  }
  if (pixels_ > 0) {
    metadata.set("pixel_count", pixels_);
    metadata.set("channel_uses_per_pixel", per_pixel(uses_, pixels_));
  }
  if (!item_rates_.empty()) {
    metadata.set("source_item_pixel_counts", item_pixels_);
    metadata.set("source_item_channel_uses_per_pixel", item_rates_);
    metadata.set("max_source_item_channel_uses_per_pixel", std::ranges::max(item_rates_));
  }
}

void UseRates::emit(Call& call) const {
  if (pixels_ > 0) call.metric("channel.uses_per_pixel", per_pixel(uses_, pixels_));
  if (!item_rates_.empty()) call.metric("channel.max_source_item_uses_per_pixel", std::ranges::max(item_rates_));
}

}  // namespace noema::ops
