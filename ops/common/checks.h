// Checks of what arrives at an input of a stream kernel, chunk by chunk; errors carry the port.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "noema/backend.h"

namespace noema::ops {

/// What a check found, with the error placed at `inputs.<port>`.
template <class T>
Result<T> at_port(Result<T> checked, std::string_view port) {
  if (!checked) checked.error().at.path = "inputs." + std::string(port);
  return checked;
}

/// The next `bits` of the port, not yet consumed, are 0 or 1.
Result<void> check_bits(const Call& call, std::string_view port, std::span<const Bit> bits);
/// The next `symbols` of the port, not yet consumed, are finite.
Result<void> check_symbols(const Call& call, std::string_view port, std::span<const Complex> symbols);
/// The port's array has this element type; a kernel's `open` asks before it peeks.
Result<void> check_dtype(const Call& call, std::string_view port, DType dtype);
/// Boundary that symbols of this kind are loaded through: `rx.symbols` for received ones, else `channel.symbols`.
std::string_view symbol_boundary_of(std::string_view kind);

}  // namespace noema::ops
