// Metadata of bit artifacts: what loading one makes of it, what writing one declares, and the histories it carries.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "noema/error.h"
#include "noema/value.h"

namespace noema::ops {

/// Value recorded as `data_plane_backend` for a row's backend: `cpp_native` for native kernels, so that no artifact
/// claims NumPy where native code ran.
std::string_view data_plane_backend(std::string_view row_backend);

/// Boundary that bits of this kind are loaded through: `payload.bits` for payload kinds, `channel.bits` for the others.
std::string_view bit_boundary_of(std::string_view kind);

/// Bytes that `bits` bits occupy when packed.
constexpr std::uint64_t packed_byte_count(std::uint64_t bits) { return bits / 8 + (bits % 8 != 0 ? 1 : 0); }

/// Metadata of a bit artifact after loading: `metadata` with the received values laid over it (boundary_contract,
/// bit_count, byte_count, dtype, shape, storage, bits_per_element, data_plane_backend). What an upstream step said of
/// the bits it was given, such as its own `bit_count`, is thereby corrected; payload counts stay.
Value loaded_bits(const Value& metadata, std::string_view kind, std::uint64_t bit_count, std::string_view row_backend);

/// Declares what every written bit artifact declares: bit_count, bit_role, bit_storage, channel_bit_array,
/// bits_per_element and data_plane_backend. A `byte_count` that travels along is brought up to date.
void declare_bits(Value& metadata, std::string_view role, std::uint64_t bit_count, std::string_view row_backend);

/// A non-negative integer member, or `fallback` when the key is absent or null. Any other value is an error at
/// `inputs.<port>` that names the key.
Result<std::uint64_t> count_or(const Value& metadata, std::string_view key, std::uint64_t fallback,
                               std::string_view port);

/// Appends to the list `fixed_points`, which is made when absent.
Result<void> append_fixed_point(Value& metadata, Value entry, std::string_view port);
/// Appends to the list `coding_history`, which is made when absent.
Result<void> append_coding_history(Value& metadata, Value entry, std::string_view port);

/// An error about what the metadata of an input port says, at `inputs.<port>`.
Error metadata_error(std::string_view port, std::string message, std::string hint = {});

}  // namespace noema::ops
