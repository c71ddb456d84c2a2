// Reading strict JSON (core/json.h). nlohmann's SAX parser does the syntax; what it would let pass or lose (duplicate
// keys, depth, integers beyond 64 bits, positions) is kept here. Its own messages are never shown: they echo whole
// tokens.
// SPDX-License-Identifier: Apache-2.0
#include "core/json.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <vector>

#include "core/text.h"

namespace noema {
namespace {

/// Walks the text and leaves its offset where the handler can see it.
class CountingIterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char*;
  using reference = const char&;
  using iterator_category = std::input_iterator_tag;
  CountingIterator(const char* at, const char* begin, std::size_t* offset) : at_(at), begin_(begin), offset_(offset) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    if (offset_ != nullptr) *offset_ = static_cast<std::size_t>(at_ - begin_);
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char* begin_;
  std::size_t* offset_;
};

class Handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  Handler(std::string_view text, std::string_view name, const JsonLimits& limits, JsonPositions* positions)
      : text_(text), name_(name), limits_(limits), positions_(positions) {}

  std::size_t offset = 0;  ///< of the character after the one last read

  Value take() { return std::move(root_); }
  std::optional<Error> failure() { return std::move(failure_); }

  bool null() override { return add(Value()); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(std::int64_t{value}); }
  bool number_unsigned(number_unsigned_t value) override { return add(std::uint64_t{value}); }
  bool number_float(number_float_t value, const string_t& text) override {
    // An integer too large for 64 bits arrives here; its text tells it from a double.
    if (text.find_first_of(".eE") == std::string::npos) return add(Value::integer_text(text));
    return std::isfinite(value) ? add(value) : refuse_infinite();
  }
  bool string(string_t& text) override { return add(Value(std::move(text))); }
  bool binary(binary_t&) override { return refuse(code::document_value, "JSON has no binary values"); }
  bool start_object(std::size_t) override { return open(Value::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Value::array()); }
  bool end_array() override { return close(); }
  bool key(string_t& text) override {
    Level& level = levels_.back();
    const bool repeated = is_repeated(level, text);
    if (repeated || positions_ != nullptr) level.key_offset = token_start();
    if (repeated) {
      offset = level.key_offset + 1;
      return refuse(code::document_duplicate_key, "the key " + shown(text) + " stands twice in one object",
                    "keep one of the two");
    }
    level.key = std::move(text);
    token_end_ = offset;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& problem) override {
    if (failure_) return false;
    // 406: a number whose magnitude no double holds; everything else is syntax.
    if (problem.id == 406) {
      offset = token_start() + 1;
      return refuse_infinite();
    }
    if (offset >= text_.size() && open_or_empty()) {
      return refuse(code::document_syntax, "the text ends before the JSON value does", "check that the file is whole");
    }
    return refuse(code::document_syntax, "this is not valid JSON here",
                  "check commas, quotes and brackets; JSON has neither comments nor NaN nor Infinity");
  }

 private:
  struct Level {
    Value value;
    std::string key;
    std::unordered_set<std::string> keys;
    std::size_t path_length;
    std::size_t key_offset = 0;
  };

  /// First character of the token just read: what lies between it and the token before is blanks and punctuation.
  /// (A number is reported one character late; that character is punctuation too.)
  std::size_t token_start() const { return std::min(text_.find_first_not_of(" \t\r\n,:]}", token_end_), text_.size()); }

  /// Has the object had this key? Few keys are compared one by one; many are kept in a set.
  static bool is_repeated(Level& level, const std::string& key) {
    constexpr std::size_t few = 16;
    if (level.value.size() < few) return level.value.find(key) != nullptr;
    if (level.keys.empty()) {
      for (const auto& [name, value] : level.value.members()) level.keys.insert(name);
    }
    return !level.keys.insert(key).second;
  }

  bool open_or_empty() const { return !levels_.empty() || root_.is_null(); }

  bool refuse(Code code, std::string message, std::string hint = {}) {
    if (!failure_) {
      const std::size_t at = offset == 0 ? 0 : offset - 1;
      failure_ = Error{code, place_in_text(text_, name_, at), std::move(message), std::move(hint), {}};
    }
    return false;
  }

  bool refuse_infinite() {
    return refuse(code::document_value, "the number is too large for a double", "the largest is near 1.797e308");
  }

  bool count_node() {
    if (++nodes_ > limits_.nodes) {
      return refuse(code::document_limit, "the document has more than " + std::to_string(limits_.nodes) + " values");
    }
    return true;
  }

  void descend() {
    if (positions_ == nullptr || levels_.empty()) return;
    const Level& level = levels_.back();
    path_.resize(level.path_length);
    if (level.value.is_object()) {
      if (!path_.empty()) path_ += '.';
      path_ += level.key;
    } else {
      path_ += "[" + std::to_string(level.value.size()) + "]";
    }
  }

  void note() {
    const std::size_t start = positions_ == nullptr ? 0 : token_start();
    token_end_ = offset;
    if (positions_ == nullptr || path_.size() > longest_position_path || positions_->size() >= most_positions) return;
    const bool keyed = !levels_.empty() && levels_.back().value.is_object();
    positions_->emplace(path_, JsonOffset{start, keyed ? levels_.back().key_offset : start});
  }

  void attach(Value value) {
    if (levels_.empty()) {
      root_ = std::move(value);
    } else if (levels_.back().value.is_array()) {
      levels_.back().value.push(std::move(value));
    } else {
      levels_.back().value.append(std::move(levels_.back().key), std::move(value));
    }
  }

  bool add(Value value) {
    if (!count_node()) return false;
    descend();
    note();
    attach(std::move(value));
    return true;
  }

  bool open(Value container) {
    if (!count_node()) return false;
    if (levels_.size() >= limits_.depth) {
      return refuse(code::document_limit,
                    "the document is nested more than " + std::to_string(limits_.depth) + " levels deep",
                    "flatten it; a recipe needs fewer than ten levels");
    }
    descend();
    note();
    levels_.push_back({std::move(container), {}, {}, path_.size(), 0});
    return true;
  }

  bool close() {
    token_end_ = offset;
    Value value = std::move(levels_.back().value);
    levels_.pop_back();
    attach(std::move(value));
    return true;
  }

  std::string_view text_;
  std::string_view name_;
  JsonLimits limits_;
  JsonPositions* positions_;
  std::vector<Level> levels_;
  std::string path_;
  Value root_;
  std::size_t nodes_ = 0;
  std::size_t token_end_ = 0;  ///< just after the token before the one being read
  std::optional<Error> failure_;
};

}  // namespace

Place place_in_text(std::string_view text, std::string_view name, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
  std::string_view line = text.substr(start, text.find('\n', start) - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  Place place;
  place.file = std::string(name);
  place.line = static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(start), '\n')) + 1;
  place.column = static_cast<int>(code_point_count(text.substr(start, offset - start))) + 1;
  // A very long line would drown the caret.
  if (is_utf8(line) && line.size() <= 200) place.source_line = std::string(line);
  return place;
}

Result<Value> parse_json(std::string_view text, std::string_view name, const JsonLimits& limits,
                         JsonPositions* positions) {
  const auto fail = [&](Code code, std::string message, std::size_t offset) {
    return Error{code, place_in_text(text, name, offset), std::move(message), {}, {}};
  };
  if (text.size() > limits.bytes) {
    return fail(code::document_limit,
                "the document has " + std::to_string(text.size()) + " bytes; at most " + std::to_string(limits.bytes) +
                    " are read",
                0);
  }
  if (text.starts_with("\xEF\xBB\xBF"))
    return fail(code::document_syntax, "the text starts with a byte-order mark; remove it", 0);
  Handler handler(text, name, limits, positions);
  const char* begin = text.data();
  const char* end = begin + text.size();
  const bool ok =
      nlohmann::json::sax_parse(CountingIterator(begin, begin, &handler.offset), CountingIterator(end, begin, nullptr),
                                &handler, nlohmann::json::input_format_t::json, true);
  if (auto failure = handler.failure()) return *std::move(failure);
  NOEMA_ASSERT(ok, "the JSON parser failed without a reason");
  return handler.take();
}

}  // namespace noema
