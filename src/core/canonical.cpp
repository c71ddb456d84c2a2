// JSON writers (core/json.h). The canonical bytes are what every digest covers, so they are written here and nowhere
// else.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/json.h"
#include "core/text.h"

namespace noema {
namespace {

struct Style {
  bool ascii = false;
  bool indent = false;
  std::string_view comma = ",";
  std::string_view colon = ":";
};
constexpr Style canonical_style{};
constexpr Style pretty_style{.ascii = true, .indent = true, .comma = ",", .colon = ": "};
constexpr Style spaced_style{.ascii = true, .indent = false, .comma = ", ", .colon = ": "};

class Writer {
 public:
  explicit Writer(const Style& style) : style_(style) {}
  void write(const Value& value, std::size_t depth);
  std::string take() { return std::move(out_); }

 private:
  void write_string(std::string_view text);
  bool is_plain(char c) const {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && c != '"' && c != '\\' && (byte < 0x80 || !style_.ascii);
  }
  void escape(std::uint32_t unit);
  void line(std::size_t depth) {
    if (!style_.indent) return;
    out_ += '\n';
    out_.append(2 * depth, ' ');
  }
  const Style& style_;
  std::string out_;
};

void Writer::escape(std::uint32_t unit) {
  static constexpr std::string_view digits = "0123456789abcdef";
  out_ += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out_ += digits[(unit >> shift) & 15];
}

void Writer::write_string(std::string_view text) {
  out_ += '"';
  for (std::size_t i = 0; i < text.size();) {
    // Nearly all text needs no escape: it is copied a run at a time.
    std::size_t end = i;
    while (end < text.size() && is_plain(text[end])) ++end;
    out_.append(text, i, end - i);
    i = end;
    if (i == text.size()) break;
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 && style_.ascii) {
      const std::uint32_t point = next_code_point(text, i);
      if (point >= 0x10000) {
        escape(0xD800 + ((point - 0x10000) >> 10));
        escape(0xDC00 + ((point - 0x10000) & 0x3FF));
      } else {
        escape(point);
      }
      continue;
    }
    ++i;
    switch (c) {
      case '"':
        out_ += "\\\"";
        break;
      case '\\':
        out_ += "\\\\";
        break;
      case '\b':
        out_ += "\\b";
        break;
      case '\f':
        out_ += "\\f";
        break;
      case '\n':
        out_ += "\\n";
        break;
      case '\r':
        out_ += "\\r";
        break;
      case '\t':
        out_ += "\\t";
        break;
      default:
        if (byte < 0x20) {
          escape(byte);
        } else {
          out_ += c;
        }
    }
  }
  out_ += '"';
}

void Writer::write(const Value& value, std::size_t depth) {
  switch (value.kind()) {
    case Value::Kind::null:
      out_ += "null";
      return;
    case Value::Kind::boolean:
      out_ += value.boolean() ? "true" : "false";
      return;
    case Value::Kind::integer:
      out_ += value.integer_text();
      return;
    case Value::Kind::number:
      out_ += number_text(value.number());
      return;
    case Value::Kind::string:
      write_string(value.string());
      return;
    case Value::Kind::array: {
      out_ += '[';
      bool first = true;
      for (const Value& item : value.items()) {
        if (!first) out_ += style_.comma;
        first = false;
        line(depth + 1);
        write(item, depth + 1);
      }
      if (!first) line(depth);
      out_ += ']';
      return;
    }
    case Value::Kind::object: {
      std::vector<const Value::Member*> sorted;
      sorted.reserve(value.size());
      for (const Value::Member& member : value.members()) sorted.push_back(&member);
      std::ranges::sort(sorted, {}, [](const Value::Member* member) -> const std::string& { return member->first; });
      out_ += '{';
      bool first = true;
      for (const Value::Member* member : sorted) {
        if (!first) out_ += style_.comma;
        first = false;
        line(depth + 1);
        write_string(member->first);
        out_ += style_.colon;
        write(member->second, depth + 1);
      }
      if (!first) line(depth);
      out_ += '}';
      return;
    }
  }
}

std::string written(const Value& value, const Style& style) {
  Writer writer(style);
  writer.write(value, 0);
  return writer.take();
}

Result<void> check(const Value& value, std::string& path) {
  const auto bad = [&](std::string message) {
    Error error{code::document_value, {}, std::move(message), {}, {}};
    error.at.path = path;
    return error;
  };
  const std::size_t length = path.size();
  switch (value.kind()) {
    case Value::Kind::number:
      if (!std::isfinite(value.number())) return bad("the number is not finite");
      return {};
    case Value::Kind::string:
      if (!is_utf8(value.string())) return bad("the text is not valid UTF-8");
      return {};
    case Value::Kind::array:
      for (std::size_t i = 0; i < value.size(); ++i) {
        path += "[" + std::to_string(i) + "]";
        NOEMA_CHECK(check(value[i], path));
        path.resize(length);
      }
      return {};
    case Value::Kind::object:
      for (const auto& [key, member] : value.members()) {
        if (!is_utf8(key)) return bad("a key is not valid UTF-8");
        if (!path.empty()) path += '.';
        path += key;
        NOEMA_CHECK(check(member, path));
        path.resize(length);
      }
      return {};
    default:
      return {};
  }
}

}  // namespace

std::string number_text(double value) {
  NOEMA_ASSERT(std::isfinite(value), "JSON has no NaN or infinity");
  // Shortest digits in scientific form, d.ddde[+-]xx, then laid out as the canonical rules say.
  std::array<char, 40> buffer{};
  const auto [end, failure] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  NOEMA_ASSERT(failure == std::errc{}, "a double needs fewer than 40 characters");
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t mark = text.find('e');
  int exponent = 0;
  const char* digits_of_exponent = text.data() + mark + (text[mark + 1] == '+' ? 2 : 1);
  std::from_chars(digits_of_exponent, text.data() + text.size(), exponent);
  const bool negative = text.front() == '-';
  std::string digits;
  for (const char c : text.substr(negative ? 1 : 0, mark - (negative ? 1 : 0))) {
    if (c != '.') digits += c;
  }
  std::string out = negative ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    out += digits[0];
    if (digits.size() > 1) out += "." + digits.substr(1);
    const std::string size = std::to_string(std::abs(exponent));
    out += exponent < 0 ? "e-" : "e+";
    if (size.size() < 2) out += '0';
    return out + size;
  }
  if (exponent < 0) return out + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return out + digits + std::string(whole - digits.size(), '0') + ".0";
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string canonical_json(const Value& value) { return written(value, canonical_style); }
std::string pretty_json(const Value& value) { return written(value, pretty_style) + "\n"; }
std::string spaced_json(const Value& value) { return written(value, spaced_style); }

Result<void> check_json(const Value& value) {
  std::string path;
  return check(value, path);
}

}  // namespace noema
