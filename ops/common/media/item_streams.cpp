// Source items inside a stream (item_streams.h).
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/item_streams.h"

#include "core/json.h"
#include "core/text.h"
#include "ops/common/bits.h"

namespace noema::media {
namespace {

const Value* present(const Value& metadata, std::string_view key) {
  const Value* value = metadata.find(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

}  // namespace

Result<std::optional<std::vector<bool>>> outage_flags(const Value& metadata, std::uint64_t items,
                                                      std::string_view port) {
  const Value* list = present(metadata, "source_item_outage");
  if (list == nullptr) return std::optional<std::vector<bool>>();
  if (!list->is_array() || list->size() != items) {
    return ops::metadata_error(port, "metadata 'source_item_outage' has " +
                                         (list->is_array() ? std::to_string(list->size()) : std::string("no list of")) +
                                         " flags; one for each of the " + std::to_string(items) + " items is needed");
  }
  std::vector<bool> flags;
  for (const Value& flag : list->items()) {
    const std::optional<std::int64_t> number = flag.int64();
    if (!flag.is_boolean() && number != 0 && number != 1) {
      return ops::metadata_error(
          port, "metadata 'source_item_outage' holds " + shown(canonical_json(flag)) + "; 0 and 1 are allowed");
    }
    flags.push_back(flag.is_boolean() ? flag.boolean() : *number == 1);
  }
  return std::optional(std::move(flags));
}

Result<std::optional<std::vector<ItemStream>>> item_streams(const Value& metadata, std::uint64_t bit_count,
                                                            std::string_view port) {
  const Value* counts = present(metadata, "source_item_payload_bit_counts");
  if (counts == nullptr) return std::optional<std::vector<ItemStream>>();
  const auto refuse = [&](std::string message) {
    return ops::metadata_error(port, "metadata 'source_item_payload_bit_counts' " + std::move(message));
  };
  if (!counts->is_array() || counts->size() == 0) return refuse("is not a list of at least one count");
  NOEMA_TRY(const auto outage, outage_flags(metadata, counts->size(), port));
  std::vector<ItemStream> items;
  std::uint64_t at = 0;
  for (const Value& entry : counts->items()) {
    const std::size_t index = items.size();
    const std::optional<std::int64_t> count = entry.int64();
    const bool lost = outage && (*outage)[index];
    if (!count || *count < 0 || *count % 8 != 0 || (*count == 0 && !lost)) {
      return refuse("gives item " + std::to_string(index) + " " + shown(canonical_json(entry)) +
                    " bits; positive multiples of 8 are allowed, and 0 for an outage");
    }
    const auto bits = static_cast<std::uint64_t>(*count);
    if (bits > bit_count - at)
      return refuse("adds up to more than the " + std::to_string(bit_count) + " bits received");
    items.push_back({at, bits, lost});
    at += bits;
  }
  if (at != bit_count) {
    return refuse("adds up to " + std::to_string(at) + " bits; " + std::to_string(bit_count) + " were received");
  }
  return std::optional(std::move(items));
}

}  // namespace noema::media
