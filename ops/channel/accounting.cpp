// ops/channel/accounting.h: the additive account from codec bits to channel uses.
// SPDX-License-Identifier: Apache-2.0
#include "ops/channel/accounting.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/digest.h"
#include "core/json.h"
#include "core/text.h"
#include "ops/common/bits.h"

namespace noema::channel {
namespace {

Error short_of(std::string_view port, std::string_view what, std::uint64_t count, std::string_view other,
               std::uint64_t needed) {
  return ops::metadata_error(port,
                             std::string(what) + " are " + std::to_string(count) + ", fewer than the " +
                                 std::to_string(needed) + " " + std::string(other),
                             "connect the four stages of one chain in order: payload, framed, coded, symbols");
}

/// A text that the report repeats, or null.
Value text_of(const Value& metadata, std::string_view key) {
  const Value* value = metadata.find(key);
  return value != nullptr && value->is_string() ? *value : Value();
}

Result<std::uint64_t> positive(const Value& metadata, std::string_view key, std::string_view port) {
  const Value* value = metadata.find(key);
  const std::optional<std::int64_t> count = value == nullptr ? std::nullopt : value->int64();
  if (count && *count >= 1) return static_cast<std::uint64_t>(*count);
  return ops::metadata_error(port, "metadata '" + std::string(key) + "' is " +
                                       (value == nullptr ? "absent" : shown(canonical_json(*value))) +
                                       "; a positive integer is needed");
}

Result<std::uint64_t> native_bits(const Value& metadata) {
  const Value* value = metadata.find("native_codec_bit_count");
  const std::optional<std::int64_t> count = value == nullptr ? std::nullopt : value->int64();
  if (count && *count >= 0) return static_cast<std::uint64_t>(*count);
  return ops::metadata_error("payload_bits",
                             "metadata 'native_codec_bit_count' is " +
                                 (value == nullptr ? "absent" : shown(canonical_json(*value))) +
                                 "; an integer of 0 or more is needed",
                             "connect a payload whose codec tells its own bits from the wrapper's");
}

double per(std::uint64_t count, std::uint64_t pixels) {
  return static_cast<double>(count) / static_cast<double>(pixels);
}

/// Symbols that hold at least one of an item's coded bits, which start at `start`.
std::uint64_t touched_symbols(std::uint64_t start, std::uint64_t bits, std::uint64_t bits_per_symbol) {
  const std::uint64_t end = start + bits;
  return end / bits_per_symbol + (end % bits_per_symbol != 0 ? 1 : 0) - start / bits_per_symbol;
}

/// The members about single items. Shared symbols are charged to every item in full, so the items' uses add up to the
/// chain's only when there are none.
Result<void> account_items(Value& report, const AccountedChain& chain, std::uint64_t bits_per_symbol,
                           std::uint64_t shared, const PixelAccount& pixels) {
  constexpr std::string_view port = "coded_bits";
  NOEMA_TRY(const std::optional<ops::ItemCounts> coded,
            ops::item_counts(chain.coded_metadata, "source_item_coded_bit_counts", port));
  ops::ItemCounts data;
  ops::ItemCounts uses;
  std::uint64_t touched = 0;
  if (coded) {
    NOEMA_TRY(const std::uint64_t total, ops::total_of(*coded, port));
    if (total != chain.coded_bits) {
      return ops::metadata_error(port, "source_item_coded_bit_counts adds up to " + std::to_string(total) +
                                           ", but there are " + std::to_string(chain.coded_bits) + " coded bits");
    }
    if (pixels.items && pixels.items->size() != coded->size()) {
      return ops::metadata_error(port, std::to_string(coded->size()) + " source items are coded, but the payload has " +
                                           std::to_string(pixels.items->size()) + " pictures");
    }
    std::uint64_t start = 0;
    for (const std::uint64_t bits : *coded) {
      data.push_back(touched_symbols(start, bits, bits_per_symbol));
      uses.push_back(data.back() + shared);
      touched += data.back();
      start += bits;
    }
  }
  std::vector<double> rates;
  if (coded && pixels.items) {
    for (std::size_t i = 0; i < uses.size(); ++i) rates.push_back(per(uses[i], (*pixels.items)[i]));
  }
  report.set("source_item_coded_bit_counts", coded.value_or(ops::ItemCounts{}));
  report.set("source_item_data_symbol_counts", data);
  report.set("source_item_total_channel_use_counts", uses);
  report.set("source_item_pixel_counts", pixels.items.value_or(ops::ItemCounts{}));
  report.set("source_item_channel_uses_per_pixel", rates);
  report.set("max_source_item_uses_per_pixel", rates.empty() ? Value() : Value(std::ranges::max(rates)));
  report.set("shared_symbol_overhead_attribution", "charge_all_to_each_source_item");
  report.set("source_item_use_counts_are_additive", coded && shared == 0 && touched == chain.symbols);
  return {};
}

}  // namespace

Result<Value> account(const AccountedChain& chain, std::string_view profile) {
  NOEMA_TRY(const std::uint64_t native, native_bits(chain.payload_metadata));
  NOEMA_TRY(const std::uint64_t bits_per_symbol, positive(chain.symbol_metadata, "bits_per_symbol", "symbols"));
  NOEMA_TRY(const PixelAccount pixels, account_pixels(chain.payload_metadata, "payload_bits"));
  if (chain.payload_bits < native) {
    return short_of("payload_bits", "payload bits", chain.payload_bits, "bits of the codec", native);
  }
  if (chain.framed_bits < chain.payload_bits) {
    return short_of("framed_bits", "framed bits", chain.framed_bits, "payload bits", chain.payload_bits);
  }
  if (chain.coded_bits < chain.framed_bits) {
    return short_of("coded_bits", "coded bits", chain.coded_bits, "framed bits", chain.framed_bits);
  }
  if (chain.symbols > static_cast<std::uint64_t>(INT64_MAX) / bits_per_symbol) {
    return ops::metadata_error("symbols", "bits_per_symbol is " + std::to_string(bits_per_symbol) +
                                              ", which makes more bits than 63 bits can count");
  }
  const std::uint64_t capacity = chain.symbols * bits_per_symbol;
  if (capacity < chain.coded_bits) {
    return short_of("symbols", "bits that the symbols carry", capacity, "coded bits", chain.coded_bits);
  }
  const std::uint64_t occupied = chain.symbols + chain.pilot_symbols + chain.header_symbols;
  if (chain.total_uses != 0 && chain.total_uses < occupied) {
    return Error{code::parameter_conflict,
                 {"params.total_channel_use_count", {}, 0, 0, {}},
                 "total_channel_use_count is " + std::to_string(chain.total_uses) + ", but data, pilot and header " +
                     "symbols occupy " + std::to_string(occupied),
                 "set it to at least that, or to 0 to derive it",
                 {}};
  }
  const std::uint64_t total = chain.total_uses == 0 ? occupied : chain.total_uses;

  Value report =
      Value::object({{"schema_version", 1},
                     {"accounting_profile", profile},
                     {"native_codec_bit_count", native},
                     {"safe_serialization_wrapper_bit_count", chain.payload_bits - native},
                     {"wire_protocol_overhead_bit_count", chain.payload_bits - native},
                     {"serialized_payload_bit_count", chain.payload_bits},
                     {"serialized_payload_format", text_of(chain.payload_metadata, "serialized_payload_format")},
                     {"framing_header_crc_padding_bit_count", chain.framed_bits - chain.payload_bits},
                     {"framed_bit_count", chain.framed_bits},
                     {"fec_rate_matching_overhead_bit_count", chain.coded_bits - chain.framed_bits},
                     {"coded_bit_count", chain.coded_bits},
                     {"modulation_padding_bit_count", capacity - chain.coded_bits},
                     {"modulator_capacity_bit_count", capacity},
                     {"data_symbol_count", chain.symbols},
                     {"pilot_symbol_count", chain.pilot_symbols},
                     {"physical_header_symbol_count", chain.header_symbols},
                     {"grid_padding_symbol_count", total - occupied},
                     {"total_channel_use_count", total},
                     {"bits_per_symbol", bits_per_symbol},
                     {"codec", text_of(chain.payload_metadata, "codec")},
                     {"payload_format", text_of(chain.payload_metadata, "payload_format")},
                     {"packet_protocol", text_of(chain.framed_metadata, "packet_protocol")},
                     {"channel_code", text_of(chain.coded_metadata, "coding_scheme")},
                     {"modulation", text_of(chain.symbol_metadata, "modulation")}});
  const auto rate = [&](std::uint64_t count) { return pixels.total ? Value(per(count, *pixels.total)) : Value(); };
  report.set("pixel_count", pixels.total ? Value(*pixels.total) : Value());
  report.set("native_codec_bpp", rate(native));
  report.set("serialized_payload_bpp", rate(chain.payload_bits));
  report.set("framed_bpp", rate(chain.framed_bits));
  report.set("coded_bpp", rate(chain.coded_bits));
  report.set("padded_bpp", rate(capacity));
  report.set("channel_uses_per_pixel", rate(total));
  NOEMA_CHECK(account_items(report, chain, bits_per_symbol, total - chain.symbols, pixels));
  report.set("accounting_identity_sha256", sha256_of(report));
  return report;
}

}  // namespace noema::channel
