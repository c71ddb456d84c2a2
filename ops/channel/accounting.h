// The resource accounting behind channel.communication_resource_accounting and its v2: what every stage of a chain adds
// to the bits of the codec, up to channel uses.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "noema/error.h"
#include "noema/value.h"
#include "ops/common/items.h"

namespace noema::channel {

/// Lengths and metadata of the four measured artifacts, and the symbols that the recipe adds by hand.
struct AccountedChain {
  std::uint64_t payload_bits = 0;
  std::uint64_t framed_bits = 0;
  std::uint64_t coded_bits = 0;
  std::uint64_t symbols = 0;
  std::uint64_t pilot_symbols = 0;
  std::uint64_t header_symbols = 0;
  std::uint64_t total_uses = 0;  ///< 0 when it follows from the others
  const Value& payload_metadata;
  const Value& framed_metadata;
  const Value& coded_metadata;
  const Value& symbol_metadata;
};

/// Pixels behind a payload, from every shape that its metadata declares; they must agree with one another.
struct PixelAccount {
  std::optional<std::uint64_t> total;
  std::optional<ops::ItemCounts> items;
};
Result<PixelAccount> account_pixels(const Value& metadata, std::string_view port);

/// The report under a profile, with its own digest; or what does not add up.
Result<Value> account(const AccountedChain& chain, std::string_view profile);

}  // namespace noema::channel
