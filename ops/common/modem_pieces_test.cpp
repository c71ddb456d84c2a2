// Pieces of bits and symbols, walked in chunks of every size.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/modem_pieces.h"

#include <gtest/gtest.h>

namespace noema::ops {
namespace {

TEST(ModemPieces, CountsAndMerges) {
  const ModemPieces padded({{3, 2}, {4, 2}, {1, 1}});
  EXPECT_EQ(padded.bit_count(), 8u);
  EXPECT_EQ(padded.symbol_count(), 5u);
  EXPECT_EQ(padded.merged(2).count(), 3u);
  EXPECT_EQ(ModemPieces({{4, 2}, {2, 1}, {3, 2}}).merged(2).count(), 1u) << "only the last piece is padded";
  EXPECT_EQ(ModemPieces(5, {4, 2}).merged(2).count(), 1u);
  EXPECT_EQ(ModemPieces(5, {4, 2}).merged(2)[0].bits, 20u);
  EXPECT_EQ(ModemPieces(5, {3, 2}).merged(2).count(), 5u);
  EXPECT_EQ(ModemPieces(1, {3, 2}).merged(2).count(), 1u);
  EXPECT_EQ(ModemPieces(1, {0, 0}).merged(2).bit_count(), 0u);
}

TEST(ModemPieces, RunsForBitsNeverCutASymbol) {
  const ModemPieces pieces({{5, 3}, {2, 1}, {7, 4}});
  for (std::uint64_t chunk = 1; chunk <= 14; ++chunk) {
    ModemCursor cursor;
    std::uint64_t bits = 0, symbols = 0, held = 0;
    while (bits < 14) {
      held = std::min<std::uint64_t>(held + chunk, 14 - bits);
      const ModemRun run = next_run_for_bits(pieces, cursor, held, 2);
      EXPECT_LE(run.bits, held);
      EXPECT_EQ(run.symbols, (run.bits + 1) / 2);
      bits += run.bits;
      symbols += run.symbols;
      held -= run.bits;
    }
    EXPECT_EQ(symbols, 8u);
    EXPECT_EQ(next_run_for_bits(pieces, cursor, 10, 2).symbols, 0u);
  }
}

TEST(ModemPieces, RunsForSymbolsDropThePadding) {
  // The last piece has a symbol that is padding through and through.
  const ModemPieces pieces({{5, 3}, {2, 1}, {3, 3}});
  for (std::uint64_t chunk = 1; chunk <= 7; ++chunk) {
    ModemCursor cursor;
    std::uint64_t bits = 0, symbols = 0;
    while (symbols < 7) {
      const ModemRun run = next_run_for_symbols(pieces, cursor, std::min<std::uint64_t>(chunk, 7 - symbols), 2);
      ASSERT_GT(run.symbols, 0u);
      bits += run.bits;
      symbols += run.symbols;
    }
    EXPECT_EQ(bits, 10u);
  }
}

}  // namespace
}  // namespace noema::ops
