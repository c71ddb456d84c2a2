// ops/common/checks.h: checks of arriving chunks.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/checks.h"

#include <string>

#include "core/text.h"
#include "kernels/boundary.h"
#include "ops/common/bits.h"

namespace noema::ops {
Result<void> check_bits(const Call& call, std::string_view port, std::span<const Bit> bits) {
  return at_port(kernels::check_bit_values(bit_boundary_of(call.kind(port)), bits, call.consumed(port)), port);
}

Result<void> check_symbols(const Call& call, std::string_view port, std::span<const Complex> symbols) {
  return at_port(kernels::check_symbol_values(symbol_boundary_of(call.kind(port)), symbols, call.consumed(port)), port);
}

Result<void> check_dtype(const Call& call, std::string_view port, DType dtype) {
  const Value* stored = call.metadata(port).find("dtype");
  if (stored == nullptr || !stored->is_string() || stored->string() == dtype_name(dtype)) return {};
  return refuse_input(port, code::input_invalid,
                      "the array is " + shown(stored->string()) + "; " + std::string(dtype_name(dtype)) + " is allowed",
                      "store it as " + std::string(dtype_name(dtype)));
}

std::string_view symbol_boundary_of(std::string_view kind) {
  return kind == "channel.rx_symbols.complex_numpy" ? "rx.symbols" : "channel.symbols";
}

}  // namespace noema::ops
