// How a flat stream divides into source items and capture records, and how many pixels stand behind it: rules that the
// link operations and the codecs share. Errors are about the metadata of the input port named by `port`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "noema/error.h"
#include "noema/value.h"

namespace noema::ops {

/// One count for each source item, in order.
using ItemCounts = std::vector<std::uint64_t>;

/// A list of positive integers under `key`; empty when the key is absent or null.
Result<std::optional<ItemCounts>> item_counts(const Value& metadata, std::string_view key, std::string_view port);
/// The sum of counts, or an error when it leaves 63 bits.
Result<std::uint64_t> total_of(const ItemCounts& counts, std::string_view port);

/// Bits of each item in a stream of `bit_count` bits: the first of `source_item_coded_bit_counts`,
/// `source_item_framed_bit_counts` and `source_item_payload_bit_counts` that adds up to the stream. Nothing when none
/// is declared; an error when some are and none adds up.
Result<std::optional<ItemCounts>> item_bit_counts(const Value& metadata, std::uint64_t bit_count,
                                                  std::string_view port);

/// Symbols of each item: `source_item_symbol_counts` (which must add up to `symbol_count`), else equal parts when
/// `symbol_shape` = [items, ...] has that many elements and `original_shapes` or `image_shape` names as many items.
Result<std::optional<ItemCounts>> item_symbol_counts(const Value& metadata, std::uint64_t symbol_count,
                                                     std::string_view port);

/// Equal records of a flat array.
struct RecordLayout {
  std::uint64_t count = 0;   ///< records
  std::uint64_t length = 0;  ///< elements of one record
};

/// `capture_record_count` and `capture_record_shape`, which must both be there or both be absent and describe exactly
/// `elements` elements.
Result<std::optional<RecordLayout>> record_layout(const Value& metadata, std::uint64_t elements, std::string_view port);
/// For a transform that keeps the records apart: the pair, if declared, becomes count and [elements / count]. An error
/// when the records can't have equal, positive length. `before` is the element count that the present pair describes.
Result<void> rewrite_record_layout(Value& metadata, std::uint64_t before, std::uint64_t after, std::string_view port);
/// For a transform that mixes records: removes the pair and all that refers to it.
void remove_record_layout(Value& metadata);

/// Pixels behind the whole stream, colour channels not counted: the sum of N*H*W over the [N,H,W,C] entries of
/// `original_shapes`, else of the first of `original_shape`, `image_shape`, `storage_shape`, `shape` with four or more
/// axes. N = 0 counts as 1. Zero when nothing is known: rates are left out then.
Result<std::uint64_t> total_pixels(const Value& metadata, std::string_view port);

/// Pixels behind each of `items` items: the entries of `original_shapes` ([N,H,W,C] or [H,W,C]; repeated as
/// `repeat_count` says where that makes the lengths meet), else H*W of an `original_shape`, `image_shape` or
/// `storage_shape` with four or more axes whose first is `items`. Nothing when neither fits.
Result<std::optional<ItemCounts>> item_pixels(const Value& metadata, std::uint64_t items, std::string_view port);

/// Names of source items, and the metadata key they come from.
struct ItemNames {
  std::vector<std::string> names;
  std::string key;  ///< empty for the fallback names
};

/// The link's rule: the first of `source_item_ids`, `image_ids`, `sample_ids` with `items` non-empty texts; otherwise
/// `source_item_<index>`, which enters the seeds of the items.
ItemNames link_item_names(const Value& metadata, std::uint64_t items);
/// The codecs' rule: the first of `source_item_ids` and `image_ids`, repeated as `repeat_count` says where that makes
/// the lengths meet; otherwise `source_item_%06d`.
ItemNames codec_item_names(const Value& metadata, std::uint64_t items);

/// [N,H,W,C] of one picture: `original_shapes[index]`, else `original_shape`, else `shape`, whichever is the first to
/// be a list of four non-negative integers.
std::optional<std::array<std::uint64_t, 4>> picture_shape(const Value& metadata, std::uint64_t index);

}  // namespace noema::ops
