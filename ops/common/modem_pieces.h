// How a stream of bits and a stream of symbols correspond when every source item (or capture record) is padded to whole
// symbols on its own: a list of pieces, and a cursor that walks it through chunks of any size.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace noema::ops {

/// Bits and symbols of one piece. `bits` may fall short of what the symbols carry; the rest is padding.
struct ModemPiece {
  std::uint64_t bits = 0;
  std::uint64_t symbols = 0;
};

class ModemPieces {
 public:
  ModemPieces() = default;
  /// `count` equal pieces.
  ModemPieces(std::uint64_t count, ModemPiece piece) : count_(count), equal_(piece) {}
  explicit ModemPieces(std::vector<ModemPiece> pieces) : count_(pieces.size()), listed_(std::move(pieces)) {}

  std::uint64_t count() const { return count_; }
  const ModemPiece& operator[](std::uint64_t index) const {
    return listed_.empty() ? equal_ : listed_[static_cast<std::size_t>(index)];
  }
  std::uint64_t bit_count() const;
  std::uint64_t symbol_count() const;
  /// The same correspondence with as few pieces as can be: one when no piece but the last is padded, since borders
  /// inside make no difference then.
  ModemPieces merged(std::uint64_t bits_per_symbol) const;

 private:
  std::uint64_t count_ = 0;
  ModemPiece equal_;
  std::vector<ModemPiece> listed_;
};

/// A position in the pieces, always between two symbols.
struct ModemCursor {
  std::uint64_t piece = 0;
  std::uint64_t bits = 0;     ///< of the piece, behind us
  std::uint64_t symbols = 0;  ///< of the piece, behind us
};

/// A run of whole symbols inside one piece: `bits` of `symbols * bits_per_symbol` are real.
struct ModemRun {
  std::uint64_t bits = 0;
  std::uint64_t symbols = 0;
};

/// The longest run at the cursor that needs at most `bits` bits (modulation); the cursor moves past it. Empty when a
/// piece's next symbol needs more, or when all pieces are done. Pieces without symbols are stepped over.
ModemRun next_run_for_bits(const ModemPieces& pieces, ModemCursor& cursor, std::uint64_t bits,
                           std::uint64_t bits_per_symbol);
/// The longest run at the cursor of at most `symbols` symbols (demodulation); the cursor moves past it.
ModemRun next_run_for_symbols(const ModemPieces& pieces, ModemCursor& cursor, std::uint64_t symbols,
                              std::uint64_t bits_per_symbol);

}  // namespace noema::ops
