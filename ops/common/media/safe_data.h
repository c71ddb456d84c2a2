// The format noema.safe_data_json_base64.v1: a tree of plain data as tagged JSON behind a magic word. Reading it makes
// data and nothing else; every value has one spelling, and all limits are checked before memory is taken.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "noema/error.h"

namespace noema::media {

/// One node. Unlike a JSON value it knows raw bytes and tells tuples from lists; integers keep their decimal text, so
/// that their size is limited by the format alone.
class SafeValue {
 public:
  enum class Kind { null, boolean, integer, number, string, bytes, list, tuple, dict };
  using Items = std::vector<SafeValue>;
  using Member = std::pair<std::string, SafeValue>;
  using Members = std::vector<Member>;

  SafeValue() = default;
  static SafeValue boolean(bool value);
  static SafeValue integer(std::int64_t value);
  static SafeValue integer_text(std::string decimal);  ///< `0` or `-?[1-9][0-9]*`
  static SafeValue number(double value);               ///< finite
  static SafeValue string(std::string text);           ///< UTF-8
  static SafeValue bytes(std::string content);
  static SafeValue list(Items items);
  static SafeValue tuple(Items items);
  static SafeValue dict(Members members);  ///< unique keys in any order; the writer sorts

  Kind kind() const { return kind_; }
  bool boolean() const;
  /// Decimal text of an integer; the content of a string or of bytes.
  const std::string& text() const;
  double number() const;
  const Items& items() const;                         ///< of a list or tuple
  const Members& members() const;                     ///< of a dict
  const SafeValue* find(std::string_view key) const;  ///< of a dict; null otherwise
  /// The integer when the node is one that fits.
  bool integer_is(std::int64_t value) const;

  friend bool operator==(const SafeValue&, const SafeValue&);

 private:
  SafeValue(Kind kind, std::variant<std::monostate, bool, double, std::string, Items, Members> data)
      : kind_(kind), data_(std::move(data)) {}
  Kind kind_ = Kind::null;
  std::variant<std::monostate, bool, double, std::string, Items, Members> data_;
};

/// The magic word that opens every document of the format.
inline constexpr std::string_view safe_data_magic{"NOEMA_SAFE_DATA\0", 16};
inline constexpr std::string_view safe_data_format = "noema.safe_data_json_base64.v1";

/// What both directions refuse to pass.
namespace safe_limits {
inline constexpr std::size_t wire_bytes = std::size_t{256} << 20;
inline constexpr std::size_t binary_bytes = std::size_t{128} << 20;  ///< decoded, all `bytes` nodes together
inline constexpr std::size_t text_bytes = std::size_t{16} << 20;     ///< of one string or key
inline constexpr std::size_t nodes = 1'000'000;
inline constexpr std::size_t depth = 64;  ///< nodes from the root to a leaf, both counted
inline constexpr std::size_t digits = 128;
}  // namespace safe_limits

/// Magic word and document. Errors have the code document.limit or document.value, with the node's place.
Result<std::string> write_safe_data(const SafeValue& value);
/// Reads what `write_safe_data` writes, and refuses what the format does not allow.
Result<SafeValue> read_safe_data(std::string_view wire);

/// The one spelling of a finite double: `0x1.` and 13 hex digits, `p` and a signed exponent.
std::string hex_float(double value);

}  // namespace noema::media
