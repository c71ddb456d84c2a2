// ops/common/modem_pieces.h: pieces of bits and symbols.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/modem_pieces.h"

#include <algorithm>

namespace noema::ops {
namespace {

/// Moves the cursor past `run` and over pieces that have nothing left.
void advance(const ModemPieces& pieces, ModemCursor& cursor, const ModemRun& run) {
  cursor.bits += run.bits;
  cursor.symbols += run.symbols;
  while (cursor.piece < pieces.count() && cursor.symbols == pieces[cursor.piece].symbols)
    cursor = {cursor.piece + 1, 0, 0};
}

}  // namespace

std::uint64_t ModemPieces::bit_count() const {
  if (listed_.empty()) return count_ * equal_.bits;
  std::uint64_t total = 0;
  for (const ModemPiece& piece : listed_) total += piece.bits;
  return total;
}

std::uint64_t ModemPieces::symbol_count() const {
  if (listed_.empty()) return count_ * equal_.symbols;
  std::uint64_t total = 0;
  for (const ModemPiece& piece : listed_) total += piece.symbols;
  return total;
}

ModemPieces ModemPieces::merged(std::uint64_t bits_per_symbol) const {
  const auto full = [&](const ModemPiece& piece) { return piece.bits == piece.symbols * bits_per_symbol; };
  const bool uniform = listed_.empty();
  const bool plain = uniform ? count_ <= 1 || full(equal_) : std::all_of(listed_.begin(), listed_.end() - 1, full);
  if (!plain || count_ == 0) return *this;
  return {1, ModemPiece{bit_count(), symbol_count()}};
}

ModemRun next_run_for_bits(const ModemPieces& pieces, ModemCursor& cursor, std::uint64_t bits,
                           std::uint64_t bits_per_symbol) {
  advance(pieces, cursor, {});
  if (cursor.piece == pieces.count()) return {};
  const std::uint64_t left = pieces[cursor.piece].bits - cursor.bits;
  const std::uint64_t taken = bits >= left ? left : bits - bits % bits_per_symbol;
  const ModemRun run{taken, (taken + bits_per_symbol - 1) / bits_per_symbol};
  advance(pieces, cursor, run);
  return run;
}

ModemRun next_run_for_symbols(const ModemPieces& pieces, ModemCursor& cursor, std::uint64_t symbols,
                              std::uint64_t bits_per_symbol) {
  advance(pieces, cursor, {});
  if (cursor.piece == pieces.count()) return {};
  const ModemPiece& piece = pieces[cursor.piece];
  ModemRun run;
  run.symbols = std::min(symbols, piece.symbols - cursor.symbols);
  run.bits = std::min(run.symbols * bits_per_symbol, piece.bits - cursor.bits);
  advance(pieces, cursor, run);
  return run;
}

}  // namespace noema::ops
