// ops/demodulation/layout.h: layout and noise level from metadata.
// SPDX-License-Identifier: Apache-2.0
#include "ops/demodulation/layout.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"
#include "core/text.h"
#include "ops/common/bits.h"
#include "ops/common/items.h"

namespace noema::demodulation {
namespace {

/// Source items, if symbol and bit counts are declared and fit each other and the stream.
Result<std::optional<ops::ModemPieces>> item_pieces(const Value& metadata, std::uint64_t symbols,
                                                    std::uint64_t bits_per_symbol, std::string_view port) {
  const std::optional<ops::ModemPieces> none;
  NOEMA_TRY(const auto symbol_counts, ops::item_counts(metadata, "source_item_symbol_counts", port));
  NOEMA_TRY(auto bit_counts, ops::item_counts(metadata, "source_item_modulator_input_bit_counts", port));
  if (!bit_counts) {
    NOEMA_TRY(bit_counts, ops::item_counts(metadata, "source_item_coded_bit_counts", port));
  }
  if (!symbol_counts || !bit_counts || symbol_counts->size() != bit_counts->size()) return none;
  NOEMA_TRY(const std::uint64_t total, ops::total_of(*symbol_counts, port));
  if (total != symbols) return none;
  std::vector<ops::ModemPiece> pieces;
  pieces.reserve(symbol_counts->size());
  for (std::size_t i = 0; i < symbol_counts->size(); ++i) {
    if ((*bit_counts)[i] > (*symbol_counts)[i] * bits_per_symbol) return none;
    pieces.push_back({(*bit_counts)[i], (*symbol_counts)[i]});
  }
  return std::optional<ops::ModemPieces>(ops::ModemPieces(std::move(pieces)));
}

}  // namespace

Result<ops::ModemPieces> demap_stream(const Value& metadata, std::uint64_t symbols, std::uint64_t bits_per_symbol,
                                      std::string_view port) {
  NOEMA_TRY(std::optional<ops::ModemPieces> items, item_pieces(metadata, symbols, bits_per_symbol, port));
  if (items) return items->merged(bits_per_symbol);

  const std::uint64_t carried = symbols * bits_per_symbol;
  NOEMA_TRY(const std::uint64_t bits, ops::count_or(metadata, "bit_count", carried, port));
  if (bits > carried) {
    return ops::metadata_error(port,
                               "metadata declares " + std::to_string(bits) + " bits, but " + std::to_string(symbols) +
                                   " symbols of " + std::to_string(bits_per_symbol) + " bits carry " +
                                   std::to_string(carried),
                               "demodulate with the modulation that the symbols were made with");
  }
  NOEMA_TRY(const auto records, ops::record_layout(metadata, symbols, port));
  if (records && bits % records->count == 0 && bits / records->count <= records->length * bits_per_symbol) {
    return ops::ModemPieces(records->count, {bits / records->count, records->length}).merged(bits_per_symbol);
  }
  return ops::ModemPieces(1, {bits, symbols});
}

Result<double> required_number(const Value& metadata, std::string_view key, std::string_view port) {
  const Value* value = metadata.find(key);
  if (value == nullptr || value->is_null()) {
    return ops::metadata_error(port, "metadata has no '" + std::string(key) + "', which this step needs");
  }
  if (!value->is_numeric() || !std::isfinite(value->number())) {
    return ops::metadata_error(port, "metadata '" + std::string(key) + "' is " +
                                         (value->is_numeric() ? "not finite" : shown(canonical_json(*value))) +
                                         "; a finite number is allowed");
  }
  return value->number();
}

Result<double> assumed_noise_variance(const Value& metadata, std::string_view port) {
  const Value* value = metadata.find("noise_variance");
  if (value == nullptr || value->is_null()) return 1.0;
  NOEMA_TRY(const double variance, required_number(metadata, "noise_variance", port));
  if (variance < 0) {
    return ops::metadata_error(
        port, "metadata 'noise_variance' is " + number_text(variance) + "; a variance of 0 or more is allowed");
  }
  return variance == 0 ? 1.0 : variance;
}

Result<void> require_value(const Value& metadata, std::string_view key, const Value& expected, std::string_view port) {
  const Value* value = metadata.find(key);
  if (value != nullptr && *value == expected) return {};
  return ops::metadata_error(port, "metadata '" + std::string(key) + "' is " +
                                       (value == nullptr ? "absent" : shown(canonical_json(*value))) + "; only " +
                                       canonical_json(expected) + " is allowed here");
}

}  // namespace noema::demodulation
