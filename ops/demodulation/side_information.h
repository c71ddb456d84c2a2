// What a receiver may know beside the samples: the transmitter's power allocation, and the channel state that was
// applied. Read once, checked against each other and against the received stream.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "noema/backend.h"

namespace noema::demodulation {

/// Powers in the order of resource elements: block, OFDM symbol, subcarrier.
struct Allocation {
  Array power;                  ///< float32, non-negative
  std::optional<Array> orders;  ///< uint8 bits a resource element carries, when bits were loaded adaptively
  std::span<const float> powers() const { return power.span<float>(); }
};

/// The input `allocation`: finite powers, and an order map of as many elements that holds 0, 1, 2, 4 and 6 only.
Result<Allocation> read_allocation(const Call& call);

/// Checks an order map against the stream and the bit count it was made for: one element for every symbol, nothing
/// loaded beyond them, and room for all bits. Returns the bit count.
Result<std::uint64_t> check_bit_loading(const Call& call, const Allocation& allocation);

/// The input `channel_state`, with everything that has to hold before the samples of `rx_symbols` may be weighted by
/// it. Returns for each resource element the factor 2 sqrt(2 p) |h|^2 / sigma^2 that turns an equalised component into
/// its LLR (sigma^2: noise variance at the antenna).
Result<std::vector<double>> current_state_weights(const Call& call, const Allocation& allocation);

}  // namespace noema::demodulation
