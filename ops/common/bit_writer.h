// Bits on their way to an output of a stream kernel, handed over in blocks so that small pieces cost little each; and
// the passing on of an input's bits without copying.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "noema/backend.h"

namespace noema::ops {

/// Serves one call of `work`: what was written is handed over when a block is full and by `flush`.
class BitWriter {
 public:
  BitWriter(Call& call, std::string_view output, std::uint64_t output_length)
      : call_(call), output_(output), left_(output_length - call.committed(output)) {}

  /// Bits that the output still lacks.
  std::uint64_t left() const { return left_; }
  /// Between 1 and `wanted` bits to fill (both at least 1, and no more than are left); follow with `advance`.
  std::span<Bit> room(std::uint64_t wanted);
  void advance(std::uint64_t count);
  void write(std::span<const Bit> bits);
  void fill(Bit bit, std::uint64_t count);
  void flush();

 private:
  /// Small chunks are for tests of the engine; a block keeps its hand-over cheap even then.
  static constexpr std::uint64_t smallest_block = 4096;

  Call& call_;
  std::string output_;
  std::uint64_t left_;
  std::span<Bit> block_;
  std::uint64_t filled_ = 0;
};

/// Passes up to `limit` of the bits that have arrived at `input` on to `output` without copying them, each checked to
/// be a bit. Returns how many.
Result<std::uint64_t> relay_bits(Call& call, std::string_view input, std::string_view output, std::uint64_t limit);
/// Consumes all bits that have arrived, each checked to be a bit.
Result<void> drop_bits(Call& call, std::string_view input);

}  // namespace noema::ops
