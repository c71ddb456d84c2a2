// What the modulators share: how a bit stream is laid out in symbols, and the metadata and rates that follow from it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "noema/backend.h"
#include "ops/common/items.h"
#include "ops/common/modem_pieces.h"
#include "ops/common/rates.h"

namespace noema::modulation {

/// The layout of one modulator's output.
struct Mapping {
  std::uint64_t bit_count = 0;
  std::uint64_t bits_per_symbol = 1;
  std::uint64_t symbol_count = 0;
  ops::ModemPieces pieces;                   ///< merged
  std::optional<ops::ItemCounts> item_bits;  ///< of the source items, when the stream has any
  std::optional<ops::RecordLayout> records;
  std::optional<ops::ItemCounts> item_symbols;
  ops::UseRates rates;

  std::uint64_t padded_bit_count() const { return symbol_count * bits_per_symbol; }
};

/// Lays out the bits at input `bits`: each source item, or each capture record where there are no items, starts a new
/// symbol and is padded with zeros to whole symbols.
Result<Mapping> map_stream(const Call& call, std::uint64_t bits_per_symbol);

/// The input's metadata with the layout's keys laid over it.
Value symbol_metadata(const Call& call, const Mapping& mapping, std::string_view modulation);

enum class Padding { reported, impossible };
/// The counts and rates of the layout as metrics; the padding metric only where padding can occur.
void emit_symbol_metrics(Call& call, const Mapping& mapping, Padding padding);

}  // namespace noema::modulation
