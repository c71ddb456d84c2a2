// The reader of safe data: strict JSON first, then every node by its tag.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <charconv>

#include "core/json.h"
#include "core/text.h"
#include "noema/value.h"
#include "ops/common/media/base64.h"
#include "ops/common/media/safe_data.h"

namespace noema::media {
namespace {

/// What the JSON of an allowed tree can take: a dict's node nests an object, an array and a pair for one level.
constexpr JsonLimits json_limits{safe_limits::wire_bytes, 3 * safe_limits::depth + 4, 6 * safe_limits::nodes};

Error invalid(const std::string& place, std::string message, Code code = code::document_value) {
  Error error{code, {}, "safe data: " + std::move(message), {}, {}};
  error.at.path = place;
  return error;
}

bool is_integer_text(std::string_view text) {
  if (text.starts_with('-')) {
    text.remove_prefix(1);
    if (text == "0") return false;
  }
  if (text.empty() || (text[0] == '0' && text.size() > 1)) return false;
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// The place of a part inside `place`. Long places stop growing: a key of megabytes would be copied for every node
/// below.
std::string inside(const std::string& place, const std::string& part) {
  constexpr std::size_t longest = 512;
  return place.size() + part.size() > longest ? place : place + part;
}

/// The double whose one spelling this is.
std::optional<double> parse_hex_float(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view digits = text.substr(negative ? 1 : 0);
  if (!digits.starts_with("0x")) return std::nullopt;
  digits.remove_prefix(2);
  double value = 0.0;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::hex);
  if (problem != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  value = negative ? -value : value;
  return hex_float(value) == text ? std::optional(value) : std::nullopt;
}

class Reader {
 public:
  Result<SafeValue> node(const Value& json, const std::string& place, std::size_t depth) {
    if (depth > safe_limits::depth) return limit(place, "levels", safe_limits::depth);
    if (++nodes_ > safe_limits::nodes) return limit(place, "nodes", safe_limits::nodes);
    const Value* tag = json.find("t");
    if (tag == nullptr || !tag->is_string()) return invalid(place, "a node without a tag `t`");
    const std::string& name = tag->string();
    if (name == "null") {
      if (json.size() != 1) return invalid(place, "a null node with more than its tag");
      return SafeValue();
    }
    const Value* content = json.find("v");
    if (content == nullptr || json.size() != 2) return invalid(place, "a node needs exactly the keys `t` and `v`");
    if (name == "list" || name == "tuple") return sequence(*content, name == "list", place, depth);
    if (name == "dict") return dict(*content, place, depth);
    if (name == "bool") {
      if (!content->is_boolean()) return invalid(place, "a bool that is neither true nor false");
      return SafeValue::boolean(content->boolean());
    }
    if (!content->is_string()) return invalid(place, "the content of " + shown(name) + " must be text");
    return leaf(name, content->string(), place);
  }

 private:
  static Error limit(const std::string& place, std::string_view what, std::size_t most) {
    return invalid(place, "more than " + std::to_string(most) + " " + std::string(what), code::document_limit);
  }

  Result<SafeValue> leaf(const std::string& name, const std::string& text, const std::string& place) {
    if (name == "str") {
      if (text.size() > safe_limits::text_bytes) return limit(place, "bytes in one text", safe_limits::text_bytes);
      return SafeValue::string(text);
    }
    if (name == "int") {
      if (!is_integer_text(text)) return invalid(place, "not an integer in its one spelling: " + shown(text));
      if (text.size() - (text[0] == '-' ? 1 : 0) > safe_limits::digits) {
        return limit(place, "digits in one integer", safe_limits::digits);
      }
      return SafeValue::integer_text(text);
    }
    if (name == "float") {
      const std::optional<double> value = parse_hex_float(text);
      if (!value) return invalid(place, "not a float in its one spelling: " + shown(text));
      return SafeValue::number(*value);
    }
    if (name == "bytes") return binary(text, place);
    return invalid(place, "an unknown tag " + shown(name));
  }

  Result<SafeValue> binary(const std::string& text, const std::string& place) {
    binary_ += text.size() / 4 * 3;
    if (text.ends_with("=="))
      binary_ -= 2;
    else if (text.ends_with('='))
      binary_ -= 1;
    if (binary_ > safe_limits::binary_bytes) return limit(place, "bytes of binary content", safe_limits::binary_bytes);
    std::optional<std::string> bytes = base64_decode(text);
    if (!bytes) return invalid(place, "not base64 in its one spelling");
    return SafeValue::bytes(*std::move(bytes));
  }

  Result<SafeValue> sequence(const Value& content, bool is_list, const std::string& place, std::size_t depth) {
    if (!content.is_array()) return invalid(place, "the content of a list or tuple must be an array");
    SafeValue::Items items;
    items.reserve(content.size());
    for (const Value& item : content.items()) {
      NOEMA_TRY(SafeValue made, node(item, inside(place, '[' + std::to_string(items.size()) + ']'), depth + 1));
      items.push_back(std::move(made));
    }
    return is_list ? SafeValue::list(std::move(items)) : SafeValue::tuple(std::move(items));
  }

  Result<SafeValue> dict(const Value& content, const std::string& place, std::size_t depth) {
    if (!content.is_array()) return invalid(place, "the content of a dict must be an array of pairs");
    SafeValue::Members members;
    members.reserve(content.size());
    for (const Value& pair : content.items()) {
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string()) {
        return invalid(place, "each entry of a dict must be a pair of a text key and a node");
      }
      const std::string& key = pair[0].string();
      if (key.size() > safe_limits::text_bytes) return limit(place, "bytes in one text", safe_limits::text_bytes);
      if (!members.empty() && !(members.back().first < key)) {
        return invalid(place, "the key " + shown(key) + " is not above the one before it");
      }
      NOEMA_TRY(SafeValue made, node(pair[1], key.size() > 512 ? place : inside(place, '.' + key), depth + 1));
      members.emplace_back(key, std::move(made));
    }
    return SafeValue::dict(std::move(members));
  }

  std::size_t nodes_ = 0;
  std::size_t binary_ = 0;
};

}  // namespace

Result<SafeValue> read_safe_data(std::string_view wire) {
  if (!wire.starts_with(safe_data_magic)) return invalid("", "the magic word NOEMA_SAFE_DATA is not there");
  if (wire.size() > safe_limits::wire_bytes) {
    return invalid("", "more than " + std::to_string(safe_limits::wire_bytes) + " wire bytes", code::document_limit);
  }
  const std::string_view document = wire.substr(safe_data_magic.size());
  if (document.empty()) return invalid("", "there is no document behind the magic word");
  NOEMA_TRY(const Value envelope, parse_json(document, "safe data", json_limits));
  const Value* format = envelope.find("format");
  const Value* version = envelope.find("version");
  const Value* value = envelope.find("value");
  if (format == nullptr || version == nullptr || value == nullptr || envelope.size() != 3) {
    return invalid("", "the document needs exactly the keys `format`, `value` and `version`");
  }
  if (!format->is_string() || format->string() != "noema.safe_data_json_base64")
    return invalid("", "an unknown format");
  if (version->int64() != std::int64_t{1}) return invalid("", "an unknown version");
  return Reader().node(*value, "value", 1);
}

}  // namespace noema::media
