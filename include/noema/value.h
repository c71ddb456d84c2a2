// The data that documents are made of (JSON with integers and doubles apart) and the arrays that kernels exchange.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace noema {

/// A JSON value. Integers and doubles never mix: 1 and 1.0 differ in equality and in every digest. Integers beyond
/// 64 bits keep their decimal text. Copying is cheap: arrays and objects are shared until one copy is changed.
/// Objects keep the order in which members were added; writers sort.
class Value {
 public:
  enum class Kind { null, boolean, integer, number, string, array, object };
  using Items = std::vector<Value>;
  using Member = std::pair<std::string, Value>;
  using Members = std::vector<Member>;

  Value() = default;
  Value(std::nullptr_t) {}                                      // NOLINT
  Value(bool value) : data_(value) {}                           // NOLINT
  Value(int value) : data_(std::int64_t{value}) {}              // NOLINT
  Value(std::int64_t value) : data_(value) {}                   // NOLINT
  Value(long long value) : data_(std::int64_t{value}) {}        // NOLINT
  Value(unsigned value) : data_(std::int64_t{value}) {}         // NOLINT
  Value(std::uint64_t value);                                   // NOLINT: above 2^63-1 it is kept as text
  Value(double value) : data_(value) {}                         // NOLINT
  Value(std::string value) : data_(std::move(value)) {}         // NOLINT
  Value(std::string_view value) : data_(std::string(value)) {}  // NOLINT
  Value(const char* value) : data_(std::string(value)) {}       // NOLINT
  Value(Items items);                                           // NOLINT
  template <class T>
  Value(const std::vector<T>& values) : Value(Items(values.begin(), values.end())) {}  // NOLINT

  static Value array() { return Value(Items{}); }
  static Value object();
  static Value object(std::initializer_list<Member> members);
  /// An integer of any size from canonical decimal text (`-?[1-9][0-9]*` or `0`).
  static Value integer_text(std::string_view decimal);

  Kind kind() const noexcept;
  bool is_null() const noexcept { return kind() == Kind::null; }
  bool is_boolean() const noexcept { return kind() == Kind::boolean; }
  bool is_integer() const noexcept { return kind() == Kind::integer; }
  bool is_number() const noexcept { return kind() == Kind::number; }  ///< a double; false for an integer
  bool is_numeric() const noexcept { return is_integer() || is_number(); }
  bool is_string() const noexcept { return kind() == Kind::string; }
  bool is_array() const noexcept { return kind() == Kind::array; }
  bool is_object() const noexcept { return kind() == Kind::object; }

  /// The accessors assert their kind: look before you ask.
  bool boolean() const;
  std::int64_t integer() const;               ///< asserts that it fits 64 bits
  std::optional<std::int64_t> int64() const;  ///< empty unless an integer within 64 bits
  std::string integer_text() const;           ///< decimal text of an integer of any size
  double number() const;                      ///< an integer or a double, as double
  const std::string& string() const;
  const Items& items() const;      ///< of an array
  const Members& members() const;  ///< of an object, in insertion order
  std::size_t size() const;        ///< of an array or object; 0 for everything else

  const Value* find(std::string_view key) const;  ///< member of an object; null if absent or not an object
  const Value& at(std::string_view key) const;    ///< asserts presence
  const Value& operator[](std::size_t index) const { return items()[index]; }

  /// Changes an object (a null becomes one): replaces the member or appends it. Returns *this for chaining.
  Value& set(std::string_view key, Value value);
  /// Mutable member, added as null when absent.
  Value& edit(std::string_view key);
  /// Mutable element of an array.
  Value& edit(std::size_t index);
  /// Adds a member without looking for an equal key: for readers that have checked already.
  void append(std::string key, Value value);
  bool erase(std::string_view key);
  void push(Value item);  ///< to an array (a null becomes one)

  /// Address of the shared array or object, to recognise a subtree met before; null for scalars.
  const void* identity() const noexcept;

  friend bool operator==(const Value& a, const Value& b);  ///< typed and order-blind for objects

 private:
  struct Big {
    std::string decimal;
    friend bool operator==(const Big&, const Big&) = default;
  };
  using ItemsPtr = std::shared_ptr<Items>;
  using MembersPtr = std::shared_ptr<Members>;
  Members& own_members();
  Items& own_items();
  std::variant<std::monostate, bool, std::int64_t, Big, double, std::string, ItemsPtr, MembersPtr> data_;
};

/// One bit a byte, 0 or 1.
using Bit = std::uint8_t;
/// A baseband sample.
using Complex = std::complex<float>;

enum class DType : std::uint8_t { boolean, u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, c64, c128 };

std::size_t item_size(DType dtype);        ///< bytes of one element
std::string_view dtype_name(DType dtype);  ///< as in metadata: uint8, int64, float32, complex64, bool ...

template <class T>
constexpr DType dtype_of();
template <>
constexpr DType dtype_of<bool>() {
  return DType::boolean;
}
template <>
constexpr DType dtype_of<std::uint8_t>() {
  return DType::u8;
}
template <>
constexpr DType dtype_of<std::int8_t>() {
  return DType::i8;
}
template <>
constexpr DType dtype_of<std::uint16_t>() {
  return DType::u16;
}
template <>
constexpr DType dtype_of<std::int16_t>() {
  return DType::i16;
}
template <>
constexpr DType dtype_of<std::uint32_t>() {
  return DType::u32;
}
template <>
constexpr DType dtype_of<std::int32_t>() {
  return DType::i32;
}
template <>
constexpr DType dtype_of<std::uint64_t>() {
  return DType::u64;
}
template <>
constexpr DType dtype_of<std::int64_t>() {
  return DType::i64;
}
template <>
constexpr DType dtype_of<float>() {
  return DType::f32;
}
template <>
constexpr DType dtype_of<double>() {
  return DType::f64;
}
template <>
constexpr DType dtype_of<Complex>() {
  return DType::c64;
}
template <>
constexpr DType dtype_of<std::complex<double>>() {
  return DType::c128;
}

using Shape = std::vector<std::uint64_t>;
/// Product of the axes (1 for a scalar); empty when it does not fit 63 bits.
std::optional<std::uint64_t> element_count(const Shape& shape);
Value shape_value(const Shape& shape);

/// An n-dimensional array in row-major order with shared, immutable content. Build it with `make` and fill it
/// through `edit` before it is handed on.
class Array {
 public:
  Array() = default;
  /// Uninitialised content. Asserts that the size fits; check sizes that come from outside first.
  static Array make(DType dtype, Shape shape);
  template <class T>
  static Array of(std::span<const T> values, Shape shape);
  template <class T>
  static Array of(const std::vector<T>& values) {
    return of<T>(std::span<const T>(values), Shape{values.size()});
  }
  /// Views memory owned by `owner`.
  static Array view(DType dtype, Shape shape, std::shared_ptr<const void> owner, const void* data);

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  std::uint64_t size() const { return size_; }  ///< elements
  std::span<const std::byte> bytes() const;
  template <class T>
  std::span<const T> span() const;  ///< asserts the dtype
  template <class T>
  std::span<T> edit();                ///< asserts the dtype and that nobody else holds the content
  Array reshaped(Shape shape) const;  ///< same content, same element count

 private:
  const void* checked(DType asked) const;
  void* checked_edit(DType asked);
  DType dtype_ = DType::u8;
  Shape shape_{0};
  std::uint64_t size_ = 0;
  std::shared_ptr<const void> owner_;
  const void* data_ = nullptr;
  bool writable_ = false;
};

template <class T>
std::span<const T> Array::span() const {
  return {static_cast<const T*>(checked(dtype_of<T>())), size_};
}
template <class T>
std::span<T> Array::edit() {
  return {static_cast<T*>(checked_edit(dtype_of<T>())), size_};
}
template <class T>
Array Array::of(std::span<const T> values, Shape shape) {
  Array made = make(dtype_of<T>(), std::move(shape));
  auto out = made.edit<T>();
  for (std::size_t i = 0; i < values.size() && i < out.size(); ++i) out[i] = values[i];
  return made;
}

/// An array under the name of its NPZ member.
struct NamedArray {
  std::string name;
  Array array;
};

/// What one output port of a step holds: arrays (stored as NPZ) or one document (stored as JSON), and metadata.
struct Artifact {
  std::string kind;                ///< such as `channel.payload_bits.numpy`
  std::vector<NamedArray> arrays;  ///< empty for a document
  std::optional<Value> document;   ///< the JSON content, when it is a document
  Value metadata = Value::object();
  const Array* array(std::string_view name) const;  ///< null if there is no such member
};

}  // namespace noema
