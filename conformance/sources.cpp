// Inputs of cases from their descriptions.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "conformance/trial.h"
#include "kernels/mt19937.h"

namespace noema::conformance {
namespace {

Error bad(std::string message) { return {Code{"case.invalid"}, {}, std::move(message), {}, {}}; }

template <class T>
Result<Array> filled(const std::vector<const Value*>& leaves, const Shape& shape) {
  Array array = Array::make(dtype_of<T>(), shape);
  const auto out = array.edit<T>();
  if (leaves.size() != out.size()) return bad("the shape asks for another number of values");
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if constexpr (std::is_same_v<T, Complex>) {
      if (!leaves[i]->is_array() || leaves[i]->size() != 2) return bad("a complex value is [re, im]");
      out[i] = {static_cast<float>((*leaves[i])[0].number()), static_cast<float>((*leaves[i])[1].number())};
    } else if constexpr (std::is_same_v<T, bool>) {
      out[i] = leaves[i]->boolean();
    } else {
      if (!leaves[i]->is_numeric()) return bad("an array value is not a number");
      out[i] = static_cast<T>(leaves[i]->number());
    }
  }
  return array;
}

void collect(const Value& values, bool complex, std::size_t depth, Shape& shape, std::vector<const Value*>& leaves) {
  const bool pair = complex && values.is_array() && values.size() == 2 && values[0].is_numeric();
  if (!values.is_array() || pair) {
    leaves.push_back(&values);
    return;
  }
  if (shape.size() <= depth) shape.push_back(values.size());
  for (const Value& item : values.items()) collect(item, complex, depth + 1, shape, leaves);
}

std::uint64_t number_or(const Value& source, const char* key, std::uint64_t otherwise) {
  const Value* found = source.find(key);
  return found == nullptr ? otherwise : static_cast<std::uint64_t>(found->integer());
}

/// The test picture v = (3x + 5y + 40c + 7n) mod 256 of media.md 12.6.
Artifact picture(const Value& source) {
  const auto height = static_cast<std::uint64_t>(source.at("picture")[0].integer());
  const auto width = static_cast<std::uint64_t>(source.at("picture")[1].integer());
  const std::uint64_t count = number_or(source, "count", 1);
  Array images = Array::make(DType::u8, {count, height, width, 3});
  const auto out = images.edit<std::uint8_t>();
  std::size_t at = 0;
  Value ids = Value::array();
  Value shapes = Value::array();
  for (std::uint64_t n = 0; n < count; ++n) {
    for (std::uint64_t y = 0; y < height; ++y) {
      for (std::uint64_t x = 0; x < width; ++x) {
        for (std::uint64_t c = 0; c < 3; ++c) out[at++] = static_cast<std::uint8_t>(3 * x + 5 * y + 40 * c + 7 * n);
      }
    }
    ids.push("picture_" + std::to_string(n));
    shapes.push(shape_value({1, height, width, 3}));
  }
  Value metadata = Value::object({{"image_ids", ids},
                                  {"sample_ids", ids},
                                  {"source_item_ids", ids},
                                  {"source_item_count", count},
                                  {"original_shapes", shapes},
                                  {"original_shape", shapes[0]}});
  return {"image.batch.numpy", {{"images", std::move(images)}}, std::nullopt, std::move(metadata)};
}

Result<Artifact> from_operation(const Value& source, const Catalog& catalog) {
  NOEMA_TRY(const Contract* contract, catalog.get(source.at("from").string()));
  Setting setting;
  if (const Value* params = source.find("params")) setting.params = *params;
  if (const Value* inputs = source.find("inputs")) {
    for (const auto& [port, description] : inputs->members()) {
      NOEMA_TRY(Artifact made, make_source(description, contract->input(port), catalog));
      setting.inputs.emplace(port, std::move(made));
    }
  }
  if (const Value* seed = source.find("master_seed")) setting.master_seed = seed->integer_text();
  const Value effective = with_defaults(*contract, setting.params);
  const Row* row = row_for(*contract, effective, "cpp");
  if (row == nullptr) return bad("no implemented row of " + contract->id + " fits the parameters of a source");
  NOEMA_TRY(Outcome outcome, run_operation(*contract, *row, setting, {}));
  const Value* output = source.find("output");
  const std::string name = output != nullptr ? output->string() : contract->outputs.front().name;
  const auto found = outcome.outputs.find(name);
  if (found == outcome.outputs.end()) return bad(contract->id + " has no output '" + name + "'");
  Artifact made = std::move(found->second);
  if (const Value* flip = source.find("flip")) {
    const Array& before = made.arrays.front().array;
    Array after = Array::of<std::uint8_t>(before.span<std::uint8_t>(), before.shape());
    const auto bits = after.edit<std::uint8_t>();
    for (const Value& index : flip->items()) bits[static_cast<std::size_t>(index.integer())] ^= 1;
    made.arrays.front().array = after;
  }
  return made;
}

/// The bits of bytes in hex, first bit most significant.
Result<Array> bits_of_hex(const std::string& text) {
  constexpr std::string_view digits = "0123456789abcdef";
  Array bits = Array::make(DType::u8, {4 * text.size()});
  const auto out = bits.edit<Bit>();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t value = digits.find(text[i]);
    if (value == std::string_view::npos) return bad("hex is written with 0 to 9 and a to f");
    for (std::size_t k = 0; k < 4; ++k) out[4 * i + k] = static_cast<Bit>((value >> (3 - k)) & 1);
  }
  return bits;
}

Result<Artifact> base_source(const Value& source, const InputPort* port, const Catalog& catalog) {
  const Value* authored_kind = source.find("kind");
  const std::string kind = authored_kind != nullptr ? authored_kind->string()
                           : port != nullptr        ? port->kinds.front()
                                                    : "";
  if (source.find("from") != nullptr) return from_operation(source, catalog);
  if (source.find("picture") != nullptr) return picture(source);
  if (const Value* document = source.find("document")) return Artifact{kind, {}, *document, Value::object()};
  const auto seed = static_cast<std::uint32_t>(number_or(source, "seed", 0));
  if (const Value* count = source.find("random_bits")) {
    Array bits = Array::make(DType::u8, {static_cast<std::uint64_t>(count->integer())});
    kernels::Mt19937 random(seed);
    random.random_bits(bits.edit<Bit>());
    return Artifact{kind, {{"bits", bits}}, std::nullopt, Value::object()};
  }
  if (const Value* hex = source.find("hex")) {
    NOEMA_TRY(Array bits, bits_of_hex(hex->string()));
    return Artifact{kind, {{"bits", std::move(bits)}}, std::nullopt, Value::object()};
  }
  if (const Value* count = source.find("random_symbols")) {
    Array symbols = Array::make(DType::c64, {static_cast<std::uint64_t>(count->integer())});
    const auto out = symbols.edit<Complex>();
    std::vector<Bit> bits(2 * out.size());
    kernels::Mt19937 random(seed);
    random.random_bits(bits);
    constexpr float amplitude = 0x1.6a09e6p-1f;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = {bits[2 * i] != 0 ? -amplitude : amplitude, bits[2 * i + 1] != 0 ? -amplitude : amplitude};
    }
    return Artifact{kind, {{"symbols", symbols}}, std::nullopt, Value::object()};
  }
  if (const Value* arrays = source.find("arrays")) {
    Artifact made{kind, {}, std::nullopt, Value::object()};
    for (const auto& [name, description] : arrays->members()) {
      NOEMA_TRY(const DType dtype, dtype_named(description.at("dtype").string()));
      Shape shape;
      const Value* authored = description.find("shape");
      if (authored != nullptr) {
        for (const Value& axis : authored->items()) shape.push_back(static_cast<std::uint64_t>(axis.integer()));
      }
      NOEMA_TRY(Array array, make_array(description.at("values"), dtype, authored != nullptr ? &shape : nullptr));
      made.arrays.push_back({name, std::move(array)});
    }
    return made;
  }
  const Value* values = source.is_array() ? &source : source.find("values");
  if (values == nullptr) return bad("an input needs values, a document, or a generator");
  const Value* member = source.find("member");
  const std::string name = member != nullptr ? member->string() : default_member(kind);
  const Value* authored_dtype = source.find("dtype");
  DType dtype = name == "bits" || name == "images" ? DType::u8
                : name == "indices"                ? DType::i64
                : name == "symbols"                ? DType::c64
                                                   : DType::f32;
  if (authored_dtype != nullptr) {
    NOEMA_TRY(dtype, dtype_named(authored_dtype->string()));
  }
  Shape shape;
  const Value* authored_shape = source.find("shape");
  if (authored_shape != nullptr) {
    for (const Value& axis : authored_shape->items()) shape.push_back(static_cast<std::uint64_t>(axis.integer()));
  }
  NOEMA_TRY(Array array, make_array(*values, dtype, authored_shape != nullptr ? &shape : nullptr));
  return Artifact{kind, {{name, std::move(array)}}, std::nullopt, Value::object()};
}

}  // namespace

std::string default_member(std::string_view kind) {
  if (kind.find("symbols") != std::string_view::npos) return "symbols";
  if (kind.find("llr") != std::string_view::npos) return "llr";
  if (kind.find("bits") != std::string_view::npos) return "bits";
  if (kind.find("indices") != std::string_view::npos) return "indices";
  if (kind.find("image") != std::string_view::npos) return "images";
  if (kind.find("latents") != std::string_view::npos) return "latents";
  return "values";
}

Result<DType> dtype_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(DType::c128); ++i) {
    if (dtype_name(static_cast<DType>(i)) == name) return static_cast<DType>(i);
  }
  return bad("'" + std::string(name) + "' is no dtype");
}

Result<Array> make_array(const Value& values, DType dtype, const Shape* authored) {
  Shape shape;
  std::vector<const Value*> leaves;
  const bool complex = dtype == DType::c64 || dtype == DType::c128;
  collect(values, complex, 0, shape, leaves);
  if (authored != nullptr) shape = *authored;
  switch (dtype) {
    case DType::boolean:
      return filled<bool>(leaves, shape);
    case DType::u8:
      return filled<std::uint8_t>(leaves, shape);
    case DType::i8:
      return filled<std::int8_t>(leaves, shape);
    case DType::u16:
      return filled<std::uint16_t>(leaves, shape);
    case DType::i16:
      return filled<std::int16_t>(leaves, shape);
    case DType::u32:
      return filled<std::uint32_t>(leaves, shape);
    case DType::i32:
      return filled<std::int32_t>(leaves, shape);
    case DType::i64:
      return filled<std::int64_t>(leaves, shape);
    case DType::f32:
      return filled<float>(leaves, shape);
    case DType::f64:
      return filled<double>(leaves, shape);
    case DType::c64:
      return filled<Complex>(leaves, shape);
    default:
      return bad("cases have no values of this dtype");
  }
}

Result<Artifact> make_source(const Value& source, const InputPort* port, const Catalog& catalog) {
  NOEMA_TRY(Artifact made, base_source(source, port, catalog));
  if (!source.is_object()) return made;
  if (const Value* kind = source.find("kind")) made.kind = kind->string();
  if (const Value* metadata = source.find("metadata")) {
    for (const auto& [key, value] : metadata->members()) {
      if (value.is_null()) {
        made.metadata.erase(key);
      } else {
        made.metadata.set(key, value);
      }
    }
  }
  return made;
}

}  // namespace noema::conformance
