// What the channel coders share: the metadata, rates and metrics that follow from a code, and the stage that a decoder
// goes back to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "noema/backend.h"

namespace noema::channel {

/// A code that turns every bit into `factor` bits of its own.
struct RepeatingCode {
  std::string_view scheme;  ///< `identity` or `repetition`
  std::uint64_t factor = 1;
};

/// Length of the coded stream of input `bits`, or an error when it leaves 63 bits.
Result<std::uint64_t> coded_bit_count(const Call& call, const RepeatingCode& code);
/// Metadata of the coded stream of input `bits`: counts, rate, the items' shares, the history.
Result<Value> coded_metadata(const Call& call, const RepeatingCode& code);
/// The encoder's metrics, from its complete output metadata.
void emit_coded_metrics(Call& call, const Value& metadata);

/// Metadata of the stream that a decoder recovers from input `coded_bits`. `decodable` are the bits that the code
/// gives, of which `decoded_bit_count` are kept. Capture records survive only where none of them is cut.
Result<Value> decoded_metadata(const Call& call, const RepeatingCode& code, std::uint64_t decoded_bit_count);

}  // namespace noema::channel
