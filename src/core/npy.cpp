// SPDX-License-Identifier: Apache-2.0
#include "core/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <vector>

#include "core/text.h"

namespace noema {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are kept in little-endian order");

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t most_axes = 64;

struct Descriptor {
  std::string_view text;
  DType dtype;
};
constexpr std::array<Descriptor, 13> descriptors{{{"b1", DType::boolean},
                                                  {"u1", DType::u8},
                                                  {"i1", DType::i8},
                                                  {"u2", DType::u16},
                                                  {"i2", DType::i16},
                                                  {"u4", DType::u32},
                                                  {"i4", DType::i32},
                                                  {"u8", DType::u64},
                                                  {"i8", DType::i64},
                                                  {"f4", DType::f32},
                                                  {"f8", DType::f64},
                                                  {"c8", DType::c64},
                                                  {"c16", DType::c128}}};

std::string padded_header(std::string dictionary) {
  constexpr std::size_t before = 10;  // magic, version, length of the rest
  const std::size_t total = (before + dictionary.size() + 1 + 63) / 64 * 64;
  NOEMA_ASSERT(total - before <= 0xFFFF, "the header outgrows version 1.0");
  dictionary.resize(total - before - 1, ' ');
  dictionary += '\n';
  std::string header(magic);
  header += '\x01';
  header += '\x00';
  header += static_cast<char>(dictionary.size() & 0xFF);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

std::string shape_text(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : " ") + std::to_string(shape[i]) + ",";
  if (shape.size() > 1) text.pop_back();
  return text + ")";
}

/// The dictionary of a header: a Python literal of which three keys, texts, truth values and a tuple of integers are
/// understood, and nothing else.
class DictionaryReader {
 public:
  DictionaryReader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  struct Facts {
    std::optional<std::string> descr;
    std::optional<bool> fortran_order;
    std::optional<Shape> shape;
  };

  Result<Facts> read() {
    Facts facts;
    NOEMA_CHECK(expect('{'));
    while (!accept('}')) {
      NOEMA_TRY(const std::string key, text_literal());
      NOEMA_CHECK(expect(':'));
      if (key == "descr" && !facts.descr) {
        if (peek() == '[') return array_error(name_, "has a structured type; only plain numbers are read");
        NOEMA_TRY(facts.descr, text_literal());
      } else if (key == "fortran_order" && !facts.fortran_order) {
        NOEMA_TRY(facts.fortran_order, truth());
      } else if (key == "shape" && !facts.shape) {
        NOEMA_TRY(facts.shape, tuple());
      } else {
        return array_error(name_, "has the header key " + shown(key) + " twice or unknown");
      }
      if (!accept(',') && peek() != '}') return malformed();
    }
    skip_space();
    if (at_ != text_.size()) return malformed();
    if (!facts.descr || !facts.fortran_order || !facts.shape) {
      return array_error(name_, "has a header without descr, fortran_order or shape");
    }
    return facts;
  }

 private:
  Error malformed() const {
    return array_error(name_, "has a malformed header at its character " + std::to_string(at_ + 1));
  }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char wanted) {
    if (peek() != wanted || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  Result<void> expect(char wanted) { return accept(wanted) ? Result<void>{} : malformed(); }

  Result<std::string> text_literal() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return malformed();
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return malformed();
    std::string literal(text_.substr(at_ + 1, end - at_ - 1));
    if (literal.find('\\') != std::string::npos) return malformed();
    at_ = end + 1;
    return literal;
  }
  Result<bool> truth() {
    for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {"False", false}}) {
      skip_space();
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    return malformed();
  }
  Result<Shape> tuple() {
    Shape shape;
    NOEMA_CHECK(expect('('));
    while (!accept(')')) {
      if (peek() == '-') return array_error(name_, "has a negative axis");
      std::uint64_t axis = 0;
      const char* const first = text_.data() + at_;
      const auto [end, failure] = std::from_chars(first, text_.data() + text_.size(), axis);
      if (failure == std::errc::result_out_of_range) return array_error(name_, "has an axis beyond 64 bits");
      if (failure != std::errc{}) return malformed();
      at_ += static_cast<std::size_t>(end - first);
      accept('L');  // Python 2 marked long integers
      shape.push_back(axis);
      if (shape.size() > most_axes) return array_error(name_, "has more than " + std::to_string(most_axes) + " axes");
      const bool comma = accept(',');
      if (!comma && (peek() != ')' || shape.size() == 1)) return malformed();  // `(3)` is no tuple
    }
    return shape;
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t at_ = 0;
};

/// `<f4`, `|u1`, `>i2`, `<U12`, `|S5`.
Result<void> set_type(NpyHeader& header, std::string_view descr, std::string_view name) {
  const auto refused = [&] {
    const bool object = descr.find('O') != std::string_view::npos;
    return array_error(name,
                       object ? "holds Python objects, which are never unpickled"
                              : "has the element type " + shown(descr) + ", which is not read",
                       "store bool, 8 to 64 bit integers, float32, float64, complex64 or complex128");
  };
  if (descr.size() < 2) return refused();
  const char order = descr.front();
  if (order != '<' && order != '>' && order != '|' && order != '=') return refused();
  header.big_endian = order == '>';
  const std::string_view type = descr.substr(1);
  const auto found = std::ranges::find(descriptors, type, &Descriptor::text);
  if (found != descriptors.end()) {
    header.dtype = found->dtype;
    header.item_size = item_size(found->dtype);
    if (order == '|' && header.item_size > 1) return refused();
    return {};
  }
  if (type.front() != 'U' && type.front() != 'S') return refused();
  std::uint64_t length = 0;
  const auto [end, failure] = std::from_chars(type.data() + 1, type.data() + type.size(), length);
  if (failure != std::errc{} || end != type.data() + type.size() || length > (std::uint64_t{1} << 40)) return refused();
  const bool wide = type.front() == 'U';
  header.content = wide ? NpyHeader::Content::code_points : NpyHeader::Content::characters;
  header.item_size = wide ? 4 * length : length;
  return {};
}

/// Element `i` of the result, in row-major order, is at the returned positions one after the other.
template <std::size_t width>
void gather(std::span<const std::byte> from, std::byte* to, const Shape& shape, bool fortran_order) {
  const std::uint64_t count = from.size() / width;
  if (!fortran_order || shape.size() < 2) {
    std::memcpy(to, from.data(), from.size());
    return;
  }
  Shape stride(shape.size(), 1);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) stride[axis] = stride[axis - 1] * shape[axis - 1];
  Shape index(shape.size(), 0);
  std::uint64_t source = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * width, from.data() + source * width, width);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      source += stride[axis];
      if (++index[axis] < shape[axis]) break;
      source -= stride[axis] * shape[axis];
      index[axis] = 0;
    }
  }
}

void swap_bytes(std::byte* data, std::uint64_t size, std::size_t width) {
  for (std::uint64_t at = 0; at + width <= size; at += width) std::reverse(data + at, data + at + width);
}

}  // namespace

Error array_error(std::string_view name, const std::string& message, std::string hint) {
  Error error{code::array_format, {}, shown(name, 500) + " " + message, std::move(hint), {}};
  error.at.file = std::string(name);
  return error;
}

std::string npy_header(DType dtype, const Shape& shape) {
  const auto found = std::ranges::find(descriptors, dtype, &Descriptor::dtype);
  const std::string order = item_size(dtype) == 1 ? "|" : "<";
  return padded_header("{'descr': '" + order + std::string(found->text) +
                       "', 'fortran_order': False, 'shape': " + shape_text(shape) + ", }");
}

std::string npy_text_header(std::uint64_t code_points) {
  return padded_header("{'descr': '<U" + std::to_string(code_points) + "', 'fortran_order': False, 'shape': (), }");
}

Result<NpyHeader> parse_npy_header(std::span<const std::byte> bytes, std::string_view name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(magic)) return array_error(name, "does not start like an NPY file");
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(text[at])); };
  if (text.size() < 8) return array_error(name, "ends within its header");
  const std::size_t version = byte(6);
  if (version < 1 || version > 3 || byte(7) != 0) {
    return array_error(name, "is NPY version " + std::to_string(version) + "." + std::to_string(byte(7)) +
                                 "; versions 1.0, 2.0 and 3.0 are read");
  }
  const std::size_t before = version == 1 ? 10 : 12;
  if (text.size() < before) return array_error(name, "ends within its header");
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > npy_header_limit - before) {
    return array_error(name, "has a header of " + std::to_string(length) + " bytes; at most " +
                                 std::to_string(npy_header_limit - before) + " are read");
  }
  if (text.size() < before + length) return array_error(name, "ends within its header");
  NOEMA_TRY(auto facts, DictionaryReader(text.substr(before, length), name).read());

  NpyHeader header;
  header.header_size = before + length;
  NOEMA_CHECK(set_type(header, *facts.descr, name));
  header.fortran_order = *facts.fortran_order;
  header.shape = std::move(*facts.shape);
  const auto count = element_count(header.shape);
  if (!count || __builtin_mul_overflow(*count, header.item_size, &header.data_size) ||
      header.data_size > static_cast<std::uint64_t>(INT64_MAX)) {
    return array_error(name, "has a shape whose size overflows");
  }
  return header;
}

bool is_plain(const NpyHeader& header) {
  if (header.content != NpyHeader::Content::numbers) return false;
  const bool order_matters = header.fortran_order && header.shape.size() > 1;
  return !order_matters && !(header.big_endian && header.item_size > 1);
}

Result<void> check_npy_content(const NpyHeader& header, std::span<const std::byte> data, std::string_view name) {
  if (header.content != NpyHeader::Content::numbers || header.dtype != DType::boolean) return {};
  const auto odd = std::ranges::find_if(data, [](std::byte value) { return value > std::byte{1}; });
  if (odd == data.end()) return {};
  return array_error(name,
                     "holds the truth value " + std::to_string(static_cast<int>(*odd)) + "; only 0 and 1 are allowed");
}

Result<Array> npy_array(const NpyHeader& header, std::span<const std::byte> data, std::string_view name) {
  if (header.content != NpyHeader::Content::numbers) return array_error(name, "holds text, not numbers");
  NOEMA_ASSERT(data.size() == header.data_size, "the caller checks the size");
  NOEMA_CHECK(check_npy_content(header, data, name));
  auto memory =
      std::shared_ptr<std::byte[]>(new (std::align_val_t{64}) std::byte[std::max<std::size_t>(data.size(), 1)],
                                   [](std::byte* held) { ::operator delete[](held, std::align_val_t{64}); });
  switch (header.item_size) {
    case 1:
      gather<1>(data, memory.get(), header.shape, header.fortran_order);
      break;
    case 2:
      gather<2>(data, memory.get(), header.shape, header.fortran_order);
      break;
    case 4:
      gather<4>(data, memory.get(), header.shape, header.fortran_order);
      break;
    case 8:
      gather<8>(data, memory.get(), header.shape, header.fortran_order);
      break;
    default:
      gather<16>(data, memory.get(), header.shape, header.fortran_order);
      break;
  }
  if (header.big_endian) {
    // The two parts of a complex number are swapped each by itself.
    const bool complex = header.dtype == DType::c64 || header.dtype == DType::c128;
    swap_bytes(memory.get(), data.size(), static_cast<std::size_t>(complex ? header.item_size / 2 : header.item_size));
  }
  const std::byte* const content = memory.get();
  return Array::view(header.dtype, header.shape, std::move(memory), content);
}

Result<Array> read_npy(std::span<const std::byte> bytes, std::string_view name) {
  NOEMA_TRY(const NpyHeader header, parse_npy_header(bytes, name));
  const std::uint64_t held = bytes.size() - header.header_size;
  if (held != header.data_size) {
    return array_error(name, "holds " + std::to_string(held) + " bytes of data where its shape asks for " +
                                 std::to_string(header.data_size));
  }
  return npy_array(header, bytes.subspan(header.header_size), name);
}

}  // namespace noema
