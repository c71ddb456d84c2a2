// How received symbols divide into the bits that were sent, and the noise level that soft decisions assume: what the
// demodulators read from metadata.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "noema/backend.h"
#include "ops/common/modem_pieces.h"

namespace noema::demodulation {

/// The pieces of a stream of `symbols` symbols: source items that were padded one by one, else capture records that
/// were, else the whole stream cut to `bit_count` bits (all that the symbols carry when that is not declared).
Result<ops::ModemPieces> demap_stream(const Value& metadata, std::uint64_t symbols, std::uint64_t bits_per_symbol,
                                      std::string_view port);

/// `noise_variance`, with 1 in place of an absent, null or zero one; an error unless finite and not negative.
Result<double> assumed_noise_variance(const Value& metadata, std::string_view port);

/// A finite number under `key`, or an error that names port and key.
Result<double> required_number(const Value& metadata, std::string_view key, std::string_view port);

/// An error unless `key` holds `expected`, of the same JSON type.
Result<void> require_value(const Value& metadata, std::string_view key, const Value& expected, std::string_view port);

}  // namespace noema::demodulation
