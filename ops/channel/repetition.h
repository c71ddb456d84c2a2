// The inner loops of the repetition code.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "noema/value.h"

namespace noema::channel {

/// Writes every bit `factor` times, side by side; coded.size() is bits.size() * factor.
void repeat_bits(std::span<const Bit> bits, std::uint64_t factor, std::span<Bit> coded);

/// One bit for each complete group of `factor` coded bits: 1 when at least half of the group are 1 (a tie is a 1).
/// coded.size() is bits.size() * factor.
void vote_bits(std::span<const Bit> coded, std::uint64_t factor, std::span<Bit> bits);

/// The vote over a group of which `ones` of `factor` bits are 1.
constexpr Bit vote(std::uint64_t ones, std::uint64_t factor) { return ones >= factor - factor / 2 ? 1 : 0; }

}  // namespace noema::channel
