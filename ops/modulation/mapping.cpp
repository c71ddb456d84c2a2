// ops/modulation/mapping.h: layout of bits in symbols.
// SPDX-License-Identifier: Apache-2.0
#include "ops/modulation/mapping.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ops/common/bits.h"

namespace noema::modulation {
namespace {

constexpr std::string_view port = "bits";

std::uint64_t symbols_for(std::uint64_t bits, std::uint64_t bits_per_symbol) {
  return bits / bits_per_symbol + (bits % bits_per_symbol != 0 ? 1 : 0);
}

}  // namespace

Result<Mapping> map_stream(const Call& call, std::uint64_t bits_per_symbol) {
  const Value& metadata = call.metadata(port);
  Mapping mapping;
  mapping.bit_count = call.length(port);
  mapping.bits_per_symbol = bits_per_symbol;
  NOEMA_TRY(mapping.item_bits, ops::item_bit_counts(metadata, mapping.bit_count, port));
  NOEMA_TRY(mapping.records, ops::record_layout(metadata, mapping.bit_count, port));
  if (mapping.item_bits && mapping.records) {
    const auto differs = [&](std::uint64_t bits) { return bits != mapping.records->length; };
    if (mapping.item_bits->size() != mapping.records->count || std::ranges::any_of(*mapping.item_bits, differs)) {
      return ops::metadata_error(port,
                                 "metadata declares " + std::to_string(mapping.item_bits->size()) +
                                     " source items and " + std::to_string(mapping.records->count) + " records of " +
                                     std::to_string(mapping.records->length) +
                                     " bits, which cut the stream at different places",
                                 "make every source item one capture record, or drop one of the two layouts");
    }
  }

  const auto piece = [&](std::uint64_t bits) { return ops::ModemPiece{bits, symbols_for(bits, bits_per_symbol)}; };
  ops::ModemPieces pieces;
  if (mapping.item_bits) {
    std::vector<ops::ModemPiece> listed;
    listed.reserve(mapping.item_bits->size());
    mapping.item_symbols.emplace();
    for (const std::uint64_t bits : *mapping.item_bits) {
      listed.push_back(piece(bits));
      mapping.item_symbols->push_back(listed.back().symbols);
    }
    pieces = ops::ModemPieces(std::move(listed));
  } else if (mapping.records) {
    pieces = ops::ModemPieces(mapping.records->count, piece(mapping.records->length));
  } else {
    pieces = ops::ModemPieces(1, piece(mapping.bit_count));
  }
  mapping.symbol_count = pieces.symbol_count();
  mapping.pieces = pieces.merged(bits_per_symbol);
  NOEMA_TRY(mapping.rates, ops::UseRates::read(metadata, mapping.symbol_count, mapping.item_symbols, port));
  return mapping;
}

Value symbol_metadata(const Call& call, const Mapping& mapping, std::string_view modulation) {
  Value metadata = ops::loaded_bits(call.metadata(port), call.kind(port), mapping.bit_count, call.backend());
  metadata.set("modulation", modulation);
  metadata.set("bits_per_symbol", mapping.bits_per_symbol);
  metadata.set("padded_bit_count", mapping.padded_bit_count());
  metadata.set("symbol_count", mapping.symbol_count);
  if (mapping.records) {
    metadata.set("capture_record_shape", Value(Value::Items{Value(mapping.symbol_count / mapping.records->count)}));
  }
  for (const std::string_view earlier :
       {"source_item_symbol_counts", "source_item_modulator_input_bit_counts", "source_item_padded_bit_counts"}) {
    metadata.erase(earlier);
  }
  if (mapping.item_symbols) {
    ops::ItemCounts padded = *mapping.item_symbols;
    for (std::uint64_t& count : padded) count *= mapping.bits_per_symbol;
    metadata.set("source_item_symbol_counts", *mapping.item_symbols);
    metadata.set("source_item_modulator_input_bit_counts", *mapping.item_bits);
    metadata.set("source_item_padded_bit_counts", padded);
  }
  mapping.rates.declare(metadata);
  return metadata;
}

void emit_symbol_metrics(Call& call, const Mapping& mapping, Padding padding) {
  call.count_metric("channel.coded_bit_count", mapping.bit_count);
  call.count_metric("channel.transmitted_bit_count", mapping.padded_bit_count());
  if (padding == Padding::reported) {
    call.count_metric("channel.modulation_padding_bit_count", mapping.padded_bit_count() - mapping.bit_count);
  }
  call.count_metric("channel.symbol_count", mapping.symbol_count);
  call.count_metric("channel.channel_use_count", mapping.symbol_count);
  call.metric("channel.bits_per_symbol", static_cast<double>(mapping.bits_per_symbol));
  if (const std::uint64_t pixels = mapping.rates.pixels(); pixels > 0) {
    call.metric("rate.coded_bpp", ops::per_pixel(mapping.bit_count, pixels));
    call.metric("rate.padded_bpp", ops::per_pixel(mapping.padded_bit_count(), pixels));
  }
  mapping.rates.emit(call);
}

}  // namespace noema::modulation
