// The boundary contracts: what may cross from one stage of a chain to the next, checked once at the crossing.
//
// Each check returns the value in its canonical form and the metadata that states what was found; an error names the
// contract and up to five offending values with their positions. Errors have no place: the caller adds its port.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "noema/error.h"
#include "noema/value.h"

namespace noema::kernels {

/// A value that passed a boundary.
struct Checked {
  Array array;     ///< in canonical form: flat, contiguous, of the contract's dtype
  Value metadata;  ///< an object; `boundary_contract` first
};

/// Ids of the ten contracts: payload.bits, channel.bits, channel.symbols, rx.symbols, llr, image.tensor,
/// text.utf8_bytes, semantic.embedding, metric.scalar, artifact.file.
std::span<const std::string_view> boundary_contracts();

// ---- bits (`contract` is payload.bits or channel.bits) ------------------------------------------------------------
Result<Checked> check_bits(std::string_view contract, const Array& array, std::string_view data_plane_backend);
/// Values only, for streams: `offset` is the position of the first one.
Result<void> check_bit_values(std::string_view contract, std::span<const std::uint8_t> values,
                              std::uint64_t offset = 0);
/// The metadata of `bit_count` checked bits.
Value bits_metadata(std::string_view contract, std::uint64_t bit_count, std::string_view data_plane_backend);

// ---- symbols (`contract` is channel.symbols or rx.symbols) --------------------------------------------------------
/// Complex samples of any shape become flat complex64; real ones float32 of the same shape. `representation` is
/// `complex`, `real` or `auto` (by dtype).
Result<Checked> check_symbols(std::string_view contract, const Array& array, std::string_view representation);
Result<void> check_symbol_values(std::string_view contract, std::span<const Complex> values, std::uint64_t offset = 0);
Result<void> check_symbol_values(std::string_view contract, std::span<const float> values, std::uint64_t offset = 0);
/// The metadata of checked symbols of this shape (`complex` or `real`).
Value symbols_metadata(std::string_view contract, std::string_view representation, const Shape& shape);

// ---- the others ---------------------------------------------------------------------------------------------------
/// `sign_convention` is positive_favours_bit_0 or positive_favours_bit_1.
Result<Checked> check_llr(const Array& array, std::string_view sign_convention);
Result<Checked> check_image(const Array& array);
/// One-dimensional uint8 that is UTF-8.
Result<Checked> check_text(const Array& array);
Result<Value> check_text(std::string_view text);  ///< the metadata
Result<Checked> check_embedding(const Array& array);

enum class Sign { any, not_negative };
/// A number or numeric text (no boolean): finite, and not negative where asked. `name` stands in the error.
Result<double> check_metric(std::string_view name, const Value& value, Sign sign = Sign::any);

/// What is known of a stored artifact, and what was expected of it.
struct FileFacts {
  std::string path;
  bool regular = false;  ///< exists and is a regular file
  std::string kind;
  std::string sha256;  ///< as computed now
  std::optional<std::string> expected_kind;
  std::optional<std::string> recorded_sha256;
  Value metadata = Value::object();
};
Result<Value> check_file(const FileFacts& facts);

/// {name: {dtype, shape}} of an NPZ's arrays; an error names the members of `required` that are absent and a path that
/// does not end in .npz.
Result<Value> check_npz(std::string_view path, std::span<const NamedArray> arrays,
                        std::span<const std::string_view> required);

/// Units of rate accounting: bits, bytes, symbols, channel_uses, pixels, samples, seconds.
bool is_accounting_unit(std::string_view unit);
enum class Quantity { whole, continuous };
/// Finite, not negative, integral unless continuous, in one of those units.
Result<void> check_amount(std::string_view name, double amount, std::string_view unit, Quantity quantity);
/// bits / pixels; `recorded`, if given, must agree within 1e-9.
Result<double> bits_per_pixel(double bits, double pixels, std::optional<double> recorded = {});

}  // namespace noema::kernels
