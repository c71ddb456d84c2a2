// The boundary contracts: bits, symbols, soft values, pictures, text, embeddings.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/boundary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.h"
#include "kernels/bits.h"
#include "kernels/finite.h"
#include "kernels/pack_bits.h"

namespace noema::kernels {
namespace {

constexpr std::size_t most_named = 5;

constexpr std::array<std::string_view, 10> contracts{
    "payload.bits", "channel.bits",    "channel.symbols",    "rx.symbols",    "llr",
    "image.tensor", "text.utf8_bytes", "semantic.embedding", "metric.scalar", "artifact.file",
};

Error refusal(std::string_view contract, std::string message, std::string hint = {}) {
  return Error{code::input_invalid, {}, fmt::format("{}: {}", contract, message), std::move(hint), {}};
}

std::string shape_text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

Error wrong_dtype(std::string_view contract, const Array& array, std::string_view allowed) {
  return refusal(contract, fmt::format("the elements are {}; allowed are {}", dtype_name(array.dtype()), allowed));
}

Error wrong_rank(std::string_view contract, const Array& array, std::string_view allowed) {
  return refusal(contract, fmt::format("the shape is {}; {}", shape_text(array.shape()), allowed));
}

// `3 at 17, 9 at 20 and 12 more`: the first few of the positions for which `wrong` holds.
template <class T, class Wrong>
std::string offenders(std::span<const T> values, std::uint64_t offset, Wrong wrong) {
  std::vector<std::string> named;
  std::uint64_t more = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!wrong(values[i])) continue;
    if (named.size() == most_named) {
      ++more;
    } else if constexpr (std::is_same_v<T, Complex>) {
      named.push_back(fmt::format("{}{:+}j at {}", values[i].real(), values[i].imag(), offset + i));
    } else {
      named.push_back(fmt::format("{} at {}", values[i], offset + i));
    }
  }
  return fmt::format("{}{}", fmt::join(named, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

bool not_finite(Complex value) { return !std::isfinite(value.real()) || !std::isfinite(value.imag()); }
bool not_finite(double value) { return !std::isfinite(value); }

template <class T>
Result<void> check_finite(std::string_view contract, std::span<const T> values, std::uint64_t offset) {
  const std::size_t first = first_not_finite(values);
  if (first == values.size()) return {};
  return refusal(contract,
                 fmt::format("values that are not finite, by position: {}",
                             offenders<T>(values.subspan(first), offset + first, [](T v) { return not_finite(v); })));
}

bool is_complex(DType dtype) { return dtype == DType::c64 || dtype == DType::c128; }
bool is_floating(DType dtype) { return dtype == DType::f32 || dtype == DType::f64; }

// The same content as float32 or complex64, of the given shape. A double beyond float32's reach becomes infinite.
Array narrowed(const Array& array, Shape shape) {
  if (array.dtype() == DType::f32 || array.dtype() == DType::c64) return array.reshaped(std::move(shape));
  const bool complex = array.dtype() == DType::c128;
  Array made = Array::make(complex ? DType::c64 : DType::f32, std::move(shape));
  if (complex) {
    const auto from = array.span<std::complex<double>>();
    const auto to = made.edit<Complex>();
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i] = {static_cast<float>(from[i].real()), static_cast<float>(from[i].imag())};
    }
  } else {
    std::ranges::transform(array.span<double>(), made.edit<float>().begin(),
                           [](double value) { return static_cast<float>(value); });
  }
  return made;
}

}  // namespace

std::span<const std::string_view> boundary_contracts() { return contracts; }

// ---- bits ---------------------------------------------------------------------------------------------------------

Value bits_metadata(std::string_view contract, std::uint64_t bit_count, std::string_view data_plane_backend) {
  return Value::object({{"boundary_contract", contract},
                        {"bit_count", bit_count},
                        {"byte_count", std::uint64_t{packed_size(bit_count)}},
                        {"dtype", "uint8"},
                        {"shape", shape_value({bit_count})},
                        {"storage", "unpacked_uint8"},
                        {"bits_per_element", 1},
                        {"data_plane_backend", data_plane_backend}});
}

Result<void> check_bit_values(std::string_view contract, std::span<const std::uint8_t> values, std::uint64_t offset) {
  const std::size_t first = first_not_bit(values);
  if (first == values.size()) return {};
  return refusal(contract,
                 fmt::format("values other than 0 and 1, by position: {}",
                             offenders<std::uint8_t>(values.subspan(first), offset + first,
                                                     [](std::uint8_t value) { return value > 1; })),
                 "store one bit an element, as uint8 0 or 1");
}

Result<Checked> check_bits(std::string_view contract, const Array& array, std::string_view data_plane_backend) {
  std::vector<Error> errors;
  if (array.dtype() != DType::u8) errors.push_back(wrong_dtype(contract, array, "uint8 alone"));
  if (array.shape().size() != 1) errors.push_back(wrong_rank(contract, array, "bits have one axis"));
  if (array.dtype() == DType::u8) {
    if (auto checked = check_bit_values(contract, array.span<std::uint8_t>()); !checked) {
      errors.push_back(std::move(checked).error());
    }
  }
  if (!errors.empty()) {
    Error first = std::move(errors.front());
    first.also.assign(std::make_move_iterator(errors.begin() + 1), std::make_move_iterator(errors.end()));
    return first;
  }
  return Checked{array, bits_metadata(contract, array.size(), data_plane_backend)};
}

// ---- symbols ------------------------------------------------------------------------------------------------------

Value symbols_metadata(std::string_view contract, std::string_view representation, const Shape& shape) {
  const bool complex = representation != "real";
  const std::uint64_t uses = shape.empty() ? 1 : shape.front();
  return Value::object({{"boundary_contract", contract},
                        {"representation", complex ? "complex_baseband" : "real_valued"},
                        {"symbol_count", uses},
                        {"channel_use_count", uses},
                        {"dtype", complex ? "complex64" : "float32"},
                        {"shape", shape_value(shape)},
                        {"storage", complex ? "interleaved_complex64" : "real_float32"}});
}

Result<void> check_symbol_values(std::string_view contract, std::span<const Complex> values, std::uint64_t offset) {
  return check_finite(contract, values, offset);
}

Result<void> check_symbol_values(std::string_view contract, std::span<const float> values, std::uint64_t offset) {
  return check_finite(contract, values, offset);
}

Result<Checked> check_symbols(std::string_view contract, const Array& array, std::string_view representation) {
  if (representation != "complex" && representation != "real" && representation != "auto") {
    return refusal(contract,
                   fmt::format("no representation {}; there are complex, real and auto", shown(representation)));
  }
  const bool complex = representation == "complex" || (representation == "auto" && is_complex(array.dtype()));
  if (complex && !is_complex(array.dtype())) {
    return wrong_dtype(contract, array, "complex64 and complex128 in the complex representation");
  }
  if (!complex && !is_floating(array.dtype())) {
    return wrong_dtype(contract, array,
                       representation == "auto" ? "complex64, complex128, float32 and float64"
                                                : "float32 and float64 in the real representation");
  }
  Checked checked{narrowed(array, complex ? Shape{array.size()} : array.shape()), {}};
  if (complex) {
    NOEMA_CHECK(check_symbol_values(contract, checked.array.span<Complex>()));
  } else {
    NOEMA_CHECK(check_symbol_values(contract, checked.array.span<float>()));
  }
  checked.metadata = symbols_metadata(contract, complex ? "complex" : "real", checked.array.shape());
  return checked;
}

// ---- the others ---------------------------------------------------------------------------------------------------

Result<Checked> check_llr(const Array& array, std::string_view sign_convention) {
  constexpr std::string_view contract = "llr";
  if (sign_convention != "positive_favours_bit_0" && sign_convention != "positive_favours_bit_1") {
    return Error{code::input_metadata,
                 {},
                 fmt::format("llr: the sign convention is {}; it must be positive_favours_bit_0 or "
                             "positive_favours_bit_1",
                             shown(sign_convention)),
                 "declare sign_convention in the metadata of what makes these values",
                 {}};
  }
  if (!is_floating(array.dtype())) return wrong_dtype(contract, array, "float32 and float64");
  if (array.shape().size() != 1) return wrong_rank(contract, array, "soft values have one axis");
  Checked checked{narrowed(array, array.shape()), {}};
  NOEMA_CHECK(check_finite(contract, checked.array.span<float>(), 0));
  checked.metadata = Value::object({{"boundary_contract", contract},
                                    {"llr_count", array.size()},
                                    {"sign_convention", sign_convention},
                                    {"dtype", "float32"},
                                    {"shape", shape_value(array.shape())}});
  return checked;
}

Result<Checked> check_image(const Array& array) {
  constexpr std::string_view contract = "image.tensor";
  const Shape& shape = array.shape();
  if (shape.size() != 4) return wrong_rank(contract, array, "pictures have four axes: count, height, width, channels");
  if (shape[0] == 0 || shape[1] == 0 || shape[2] == 0) {
    return wrong_rank(contract, array, "count, height and width are at least 1");
  }
  if (shape[3] != 1 && shape[3] != 3 && shape[3] != 4) {
    return wrong_rank(contract, array, "the last axis has 1, 3 or 4 channels");
  }
  if (array.dtype() == DType::f32) {
    const auto values = array.span<float>();
    const auto outside = [](float value) { return !(value >= 0.0f && value <= 1.0f); };  // NaN is outside
    if (std::ranges::any_of(values, outside)) {
      return refusal(contract, fmt::format("values outside 0..1, by position in row-major order: {}",
                                           offenders<float>(values, 0, outside)));
    }
  } else if (array.dtype() != DType::u8) {
    return wrong_dtype(contract, array, "uint8, and float32 within 0..1");
  }
  return Checked{array, Value::object({{"boundary_contract", contract},
                                       {"dtype", dtype_name(array.dtype())},
                                       {"shape", shape_value(shape)},
                                       {"image_count", shape[0]},
                                       {"height", shape[1]},
                                       {"width", shape[2]},
                                       {"channels", shape[3]}})};
}

Result<Value> check_text(std::string_view text) {
  constexpr std::string_view contract = "text.utf8_bytes";
  if (!is_utf8(text)) {
    // Character by character: a piece of at most four bytes that is valid by itself moves the good part on.
    std::size_t good = 0;
    for (std::size_t end = 0; end <= text.size(); ++end) {
      if (is_utf8(text.substr(good, end - good))) good = end;
      if (end - good > 4) break;
    }
    return refusal(contract, fmt::format("no UTF-8 at byte {}: {:#04x}", good, static_cast<unsigned char>(text[good])));
  }
  return Value::object(
      {{"boundary_contract", contract}, {"byte_count", std::uint64_t{text.size()}}, {"encoding", "utf-8"}});
}

Result<Checked> check_text(const Array& array) {
  constexpr std::string_view contract = "text.utf8_bytes";
  if (array.dtype() != DType::u8) return wrong_dtype(contract, array, "uint8 alone");
  if (array.shape().size() != 1) return wrong_rank(contract, array, "bytes of text have one axis");
  const auto bytes = array.span<std::uint8_t>();
  NOEMA_TRY(Value metadata, check_text(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
  return Checked{array, std::move(metadata)};
}

Result<Checked> check_embedding(const Array& array) {
  constexpr std::string_view contract = "semantic.embedding";
  if (array.shape().size() != 2) return wrong_rank(contract, array, "embeddings have two axes: count, dimension");
  if (array.size() == 0) return wrong_rank(contract, array, "neither axis may be empty");
  if (!is_floating(array.dtype())) return wrong_dtype(contract, array, "float32 and float64");
  Checked checked{narrowed(array, array.shape()), {}};
  NOEMA_CHECK(check_finite(contract, checked.array.span<float>(), 0));
  checked.metadata = Value::object({{"boundary_contract", contract},
                                    {"dtype", "float32"},
                                    {"shape", shape_value(array.shape())},
                                    {"embedding_count", array.shape()[0]},
                                    {"embedding_dim", array.shape()[1]}});
  return checked;
}

}  // namespace noema::kernels
