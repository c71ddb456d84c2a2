// Payloads of independent source items inside one stream of bits: where each begins, and which the channel gave up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "noema/error.h"
#include "noema/value.h"

namespace noema::media {

/// One item's part of the stream.
struct ItemStream {
  std::uint64_t offset = 0;  ///< in bits
  std::uint64_t bits = 0;    ///< a multiple of 8; 0 only for an outage
  bool outage = false;
};

/// A flag for each item under `source_item_outage`: 0 or 1, or a boolean. Nothing when the key is absent; an error when
/// there are not `items` flags, or one is anything else.
Result<std::optional<std::vector<bool>>> outage_flags(const Value& metadata, std::uint64_t items,
                                                      std::string_view port);

/// The parts that `source_item_payload_bit_counts` declares. Nothing when it is absent: the stream is one payload then.
Result<std::optional<std::vector<ItemStream>>> item_streams(const Value& metadata, std::uint64_t bit_count,
                                                            std::string_view port);

}  // namespace noema::media
