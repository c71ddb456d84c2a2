// Nodes of safe data and the writer (safe_data.h); the reader stands in safe_data_read.cpp.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/safe_data.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/text.h"
#include "ops/common/media/base64.h"

namespace noema::media {

SafeValue SafeValue::boolean(bool value) { return {Kind::boolean, value}; }
SafeValue SafeValue::integer(std::int64_t value) { return {Kind::integer, std::to_string(value)}; }
SafeValue SafeValue::integer_text(std::string decimal) { return {Kind::integer, std::move(decimal)}; }
SafeValue SafeValue::number(double value) { return {Kind::number, value}; }
SafeValue SafeValue::string(std::string text) { return {Kind::string, std::move(text)}; }
SafeValue SafeValue::bytes(std::string content) { return {Kind::bytes, std::move(content)}; }
SafeValue SafeValue::list(Items items) { return {Kind::list, std::move(items)}; }
SafeValue SafeValue::tuple(Items items) { return {Kind::tuple, std::move(items)}; }
SafeValue SafeValue::dict(Members members) {
  std::ranges::sort(members, {}, &Member::first);  // UTF-8 byte order is code point order
  return {Kind::dict, std::move(members)};
}

bool SafeValue::boolean() const { return std::get<bool>(data_); }
const std::string& SafeValue::text() const { return std::get<std::string>(data_); }
double SafeValue::number() const { return std::get<double>(data_); }
const SafeValue::Items& SafeValue::items() const { return std::get<Items>(data_); }
const SafeValue::Members& SafeValue::members() const { return std::get<Members>(data_); }

const SafeValue* SafeValue::find(std::string_view key) const {
  if (kind_ != Kind::dict) return nullptr;
  for (const Member& member : members()) {
    if (member.first == key) return &member.second;
  }
  return nullptr;
}

bool SafeValue::integer_is(std::int64_t value) const {
  return kind_ == Kind::integer && text() == std::to_string(value);
}

bool operator==(const SafeValue& a, const SafeValue& b) {
  if (a.kind_ == SafeValue::Kind::number && b.kind_ == SafeValue::Kind::number) {
    return std::bit_cast<std::uint64_t>(a.number()) == std::bit_cast<std::uint64_t>(b.number());
  }
  return a.kind_ == b.kind_ && a.data_ == b.data_;
}

std::string hex_float(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  constexpr int mantissa_bits = 52;
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
  const int biased = static_cast<int>((bits >> mantissa_bits) & 0x7FF);
  std::string text = (bits >> 63) != 0 ? "-" : "";
  if (biased == 0 && mantissa == 0) return text + "0x0.0p+0";
  text += biased == 0 ? "0x0." : "0x1.";
  for (int shift = mantissa_bits - 4; shift >= 0; shift -= 4) text += "0123456789abcdef"[(mantissa >> shift) & 15];
  const int exponent = biased == 0 ? -1022 : biased - 1023;
  return text + 'p' + (exponent < 0 ? "" : "+") + std::to_string(exponent);
}

namespace {

class Writer {
 public:
  Result<std::string> write(const SafeValue& value) {
    out_ = safe_data_magic;
    out_ += R"({"format":"noema.safe_data_json_base64","value":)";
    node(value, 1);
    out_ += R"(,"version":1})";
    if (!failure_ && out_.size() > safe_limits::wire_bytes) too_much("wire bytes", safe_limits::wire_bytes);
    if (failure_) return *std::move(failure_);
    return std::move(out_);
  }

 private:
  void fail(Code code, std::string message) {
    if (!failure_) failure_ = Error{code, {}, "safe data can't hold this: " + std::move(message), {}, {}};
  }
  void too_much(std::string_view what, std::size_t limit) {
    fail(code::document_limit, "more than " + std::to_string(limit) + " " + std::string(what));
  }

  void node(const SafeValue& value, std::size_t depth) {
    if (depth > safe_limits::depth) too_much("levels", safe_limits::depth);
    if (++nodes_ > safe_limits::nodes) too_much("nodes", safe_limits::nodes);
    if (out_.size() > safe_limits::wire_bytes) too_much("wire bytes", safe_limits::wire_bytes);
    if (failure_) return;
    switch (value.kind()) {
      case SafeValue::Kind::null:
        out_ += R"({"t":"null"})";
        return;
      case SafeValue::Kind::boolean:
        tagged("bool", value.boolean() ? "true" : "false");
        return;
      case SafeValue::Kind::integer:
        if (value.text().size() > safe_limits::digits + (value.text().starts_with('-') ? 1 : 0)) {
          too_much("digits in one integer", safe_limits::digits);
        }
        tagged("int", '"' + value.text() + '"');
        return;
      case SafeValue::Kind::number:
        if (!std::isfinite(value.number())) fail(code::document_value, "a number that is not finite");
        tagged("float", '"' + hex_float(value.number()) + '"');
        return;
      case SafeValue::Kind::string:
        out_ += R"({"t":"str","v":)";
        text(value.text());
        out_ += '}';
        return;
      case SafeValue::Kind::bytes:
        binary_ += value.text().size();
        if (binary_ > safe_limits::binary_bytes) return too_much("bytes of binary content", safe_limits::binary_bytes);
        tagged("bytes", '"' + base64_encode(value.text()) + '"');
        return;
      case SafeValue::Kind::list:
      case SafeValue::Kind::tuple:
        sequence(value, depth);
        return;
      case SafeValue::Kind::dict:
        dict(value, depth);
        return;
    }
  }

  void tagged(std::string_view tag, std::string_view content) {
    out_ += R"({"t":")";
    out_ += tag;
    out_ += R"(","v":)";
    out_ += content;
    out_ += '}';
  }

  void sequence(const SafeValue& value, std::size_t depth) {
    out_ += value.kind() == SafeValue::Kind::list ? R"({"t":"list","v":[)" : R"({"t":"tuple","v":[)";
    bool first = true;
    for (const SafeValue& item : value.items()) {
      if (!first) out_ += ',';
      first = false;
      node(item, depth + 1);
      if (failure_) return;
    }
    out_ += "]}";
  }

  void dict(const SafeValue& value, std::size_t depth) {
    out_ += R"({"t":"dict","v":[)";
    const std::string* before = nullptr;
    for (const auto& [key, item] : value.members()) {
      if (before != nullptr && *before == key)
        return fail(code::document_duplicate_key, "the key " + shown(key) + " twice");
      if (before != nullptr) out_ += ',';
      before = &key;
      out_ += '[';
      text(key);
      out_ += ',';
      node(item, depth + 1);
      if (failure_) return;
      out_ += ']';
    }
    out_ += "]}";
  }

  /// JSON text in ASCII: code points above U+FFFF become two escapes.
  void text(const std::string& content) {
    if (content.size() > safe_limits::text_bytes) return too_much("bytes in one text", safe_limits::text_bytes);
    if (!is_utf8(content)) return fail(code::document_value, "text that is not UTF-8: " + shown(content));
    out_ += '"';
    for (std::size_t i = 0; i < content.size();) {
      const std::uint32_t point = next_code_point(content, i);
      if (point > 0xFFFF) {
        escape(0xD800 + ((point - 0x10000) >> 10));
        escape(0xDC00 + ((point - 0x10000) & 0x3FF));
      } else if (point > 0x7E || point < 0x20) {
        short_escape(point);
      } else {
        if (point == '"' || point == '\\') out_ += '\\';
        out_ += static_cast<char>(point);
      }
    }
    out_ += '"';
  }

  void short_escape(std::uint32_t point) {
    switch (point) {
      case '\b':
        out_ += "\\b";
        return;
      case '\f':
        out_ += "\\f";
        return;
      case '\n':
        out_ += "\\n";
        return;
      case '\r':
        out_ += "\\r";
        return;
      case '\t':
        out_ += "\\t";
        return;
      case 0x7F:
        out_ += '\x7F';
        return;  // ASCII, and JSON needs no escape for it
      default:
        escape(point);
    }
  }

  void escape(std::uint32_t unit) {
    out_ += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out_ += "0123456789abcdef"[(unit >> shift) & 15];
  }

  std::string out_;
  std::size_t nodes_ = 0;
  std::size_t binary_ = 0;
  std::optional<Error> failure_;
};

}  // namespace

Result<std::string> write_safe_data(const SafeValue& value) { return Writer().write(value); }

}  // namespace noema::media
