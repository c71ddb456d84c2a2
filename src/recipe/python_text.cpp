// SPDX-License-Identifier: Apache-2.0
#include "recipe/python_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "core/text.h"

namespace noema {
namespace {

bool is_white(std::uint32_t point) {
  return (point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x20) || point == 0x85 || point == 0xA0 ||
         point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 ||
         point == 0x202F || point == 0x205F || point == 0x3000;
}

std::optional<std::string> integer_of(std::string_view text) {
  text = python_stripped(text);
  std::string digits;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  bool after_digit = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && !(c == '_' && after_digit)) return std::nullopt;
    after_digit = digit;
    if (digit && (c != '0' || !digits.empty())) digits += c;
  }
  // Python reads no longer numbers from text.
  if (!after_digit || digits.size() > 4300) return std::nullopt;
  if (digits.empty()) return "0";
  return negative ? "-" + digits : digits;
}

}  // namespace

std::string_view python_stripped(std::string_view text) {
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t next = start;
    if (!is_white(next_code_point(text, next))) break;
    start = next;
  }
  std::size_t end = text.size();
  while (end > start) {
    std::size_t previous = end - 1;
    while (previous > start && (static_cast<unsigned char>(text[previous]) & 0xC0) == 0x80) --previous;
    std::size_t at = previous;
    if (!is_white(next_code_point(text, at))) break;
    end = previous;
  }
  return text.substr(start, end - start);
}

std::optional<std::string> python_integer(const Value& value) {
  if (value.is_integer()) return value.integer_text();
  if (value.is_string()) return integer_of(value.string());
  if (value.is_number() && std::isfinite(value.number()) && std::trunc(value.number()) == value.number()) {
    return integer_of(fmt::format("{:.0f}", value.number()));
  }
  return std::nullopt;
}

}  // namespace noema
