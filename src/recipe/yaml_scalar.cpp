// SPDX-License-Identifier: Apache-2.0
#include "recipe/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/text.h"

namespace noema {
namespace {

/// Longer numbers are refused: converting between bases takes quadratic time, and Python stops there too.
constexpr std::size_t longest_number = 4300;
/// More parts of a base-60 number than any clock has; up to here the powers of 60 are exact doubles.
constexpr std::size_t most_base_60_parts = 12;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Walks a scalar; each step takes what fits and says whether it did.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}
  bool done() const { return at_ == text_.size(); }
  char next() const { return done() ? '\0' : text_[at_]; }
  bool take(char c) {
    if (done() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void take_sign() {
    if (next() == '-' || next() == '+') ++at_;
  }
  template <class Accept>
  std::size_t take_while(Accept accept) {
    const std::size_t start = at_;
    while (!done() && accept(text_[at_])) ++at_;
    return at_ - start;
  }
  /// `[0-9][0-9_]*`
  bool take_number() {
    if (!is_digit(next())) return false;
    take_while([](char c) { return is_digit(c) || c == '_'; });
    return true;
  }
  /// `([eE][-+][0-9]+)?`, or with `loose` Python's form, whose sign may be left out.
  bool take_exponent(bool loose = false) {
    if (next() != 'e' && next() != 'E') return true;
    ++at_;
    if (next() == '-' || next() == '+') {
      ++at_;
    } else if (!loose) {
      return false;
    }
    return take_while(is_digit) > 0;
  }
  /// `(:[0-5]?[0-9])+`
  bool take_base_60() {
    std::size_t parts = 0;
    while (take(':')) {
      const char first = next();
      if (!is_digit(first)) return false;
      ++at_;
      if (first <= '5' && is_digit(next())) ++at_;
      ++parts;
    }
    return parts > 0;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

bool one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

enum class Form { none, decimal_float, base_60_float, not_finite, binary, octal, decimal, hexadecimal, base_60 };

Form form_of(std::string_view text) {
  const auto underscored = [](char c) { return is_digit(c) || c == '_'; };
  Cursor whole(text);
  whole.take_sign();
  if (Cursor c = whole; c.take_number() && c.take('.')) {
    c.take_while(underscored);
    if (c.take_exponent() && c.done()) return Form::decimal_float;
  }
  // No sign here: `-.5` is text to Python's loader.
  if (Cursor c(text); c.take('.') && c.take_number() && c.take_exponent() && c.done()) return Form::decimal_float;
  if (Cursor c = whole; c.take_number() && c.take_base_60() && c.take('.')) {
    c.take_while(underscored);
    if (c.done()) return Form::base_60_float;
  }
  const std::string_view unsigned_text = text.substr(!text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0);
  if (one_of(unsigned_text, {".inf", ".Inf", ".INF"}) || one_of(text, {".nan", ".NaN", ".NAN"})) {
    return Form::not_finite;
  }
  if (Cursor c = whole; c.take('0')) {
    if (c.done()) return Form::decimal;
    if (Cursor d = c; d.take('b')) {
      if (d.take_while([](char x) { return x == '0' || x == '1' || x == '_'; }) > 0 && d.done()) return Form::binary;
    }
    if (Cursor d = c; d.take('x')) {
      const auto hex = [](char x) {
        return is_digit(x) || x == '_' || (x >= 'a' && x <= 'f') || (x >= 'A' && x <= 'F');
      };
      if (d.take_while(hex) > 0 && d.done()) return Form::hexadecimal;
    }
    if (c.take_while([](char x) { return (x >= '0' && x <= '7') || x == '_'; }) > 0 && c.done()) return Form::octal;
    return Form::none;
  }
  if (Cursor c = whole; c.take_number()) {
    if (c.done()) return Form::decimal;
    if (c.take_base_60() && c.done()) return Form::base_60;
  }
  return Form::none;
}

/// `YYYY-MM-DD`, or the long form with a time of day.
bool is_timestamp(std::string_view text) {
  Cursor c(text);
  const auto digits = [&](std::size_t least, std::size_t most) {
    std::size_t count = 0;
    while (count < most && is_digit(c.next())) {
      c.take(c.next());
      ++count;
    }
    return count >= least;
  };
  if (!digits(4, 4) || !c.take('-')) return false;
  const std::size_t month = text.find('-', 5);
  if (!digits(1, 2) || !c.take('-') || !digits(1, 2)) return false;
  if (c.done()) return month == 7 && text.size() == 10;
  if (!c.take('T') && !c.take('t') && c.take_while([](char x) { return x == ' ' || x == '\t'; }) == 0) return false;
  if (!digits(1, 2) || !c.take(':') || !digits(2, 2) || !c.take(':') || !digits(2, 2)) return false;
  if (c.take('.')) c.take_while(is_digit);
  if (c.done()) return true;
  c.take_while([](char x) { return x == ' ' || x == '\t'; });
  if (c.take('Z')) return c.done();
  if (!c.take('-') && !c.take('+')) return false;
  if (!digits(1, 2)) return false;
  if (c.take(':') && !digits(2, 2)) return false;
  return c.done();
}

std::string without(std::string_view text, char dropped) {
  std::string out(text);
  std::erase(out, dropped);
  return out;
}

/// A whole number of any size, kept in base 10^9.
class Whole {
 public:
  void multiply_add(std::uint32_t factor, std::uint32_t term) {
    std::uint64_t carry = term;
    for (std::uint32_t& limb : limbs_) {
      const std::uint64_t sum = std::uint64_t{limb} * factor + carry;
      limb = static_cast<std::uint32_t>(sum % base);
      carry = sum / base;
    }
    if (carry > 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  }
  std::string decimal() const {
    if (limbs_.empty()) return "0";
    std::string out = std::to_string(limbs_.back());
    for (std::size_t i = limbs_.size() - 1; i-- > 0;) {
      const std::string part = std::to_string(limbs_[i]);
      out += std::string(9 - part.size(), '0') + part;
    }
    return out;
  }

 private:
  static constexpr std::uint64_t base = 1'000'000'000;
  std::vector<std::uint32_t> limbs_;  ///< least significant first, no zero at the top
};

std::uint32_t digit_value(char c) {
  if (is_digit(c)) return static_cast<std::uint32_t>(c - '0');
  return static_cast<std::uint32_t>(lower_ascii(std::string_view(&c, 1))[0] - 'a' + 10);
}

ScalarReading refused(std::string refusal, std::string hint) {
  ScalarReading reading;
  reading.refusal = std::move(refusal);
  reading.hint = std::move(hint);
  return reading;
}

ScalarReading read(Value value, ScalarTrap trap = ScalarTrap::none) {
  ScalarReading reading;
  reading.value = std::move(value);
  reading.trap = trap;
  return reading;
}

ScalarReading too_long() {
  return refused("the number has more than " + std::to_string(longest_number) + " characters",
                 "put it in quotes if it is text");
}

/// Does a decimal literal too far from 1 for from_chars lie beyond the largest double (and not below the smallest)?
bool is_huge(std::string_view text) {
  std::int64_t exponent = 0;
  const std::size_t mark = text.find_first_of("eE");
  if (mark != std::string_view::npos) {
    for (const char c : text.substr(mark + 1)) {
      if (is_digit(c)) exponent = std::min<std::int64_t>(exponent * 10 + (c - '0'), 1'000'000);
    }
    if (text[mark + 1] == '-') exponent = -exponent;
  }
  const std::string_view mantissa = text.substr(0, mark);
  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  return point - static_cast<std::int64_t>(first) + exponent > 0;
}

/// Correctly rounded value of an unsigned decimal literal without underscores; infinite beyond the largest double.
double decimal_value(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc::result_out_of_range) return is_huge(text) ? HUGE_VAL : 0.0;
  return end == text.data() + text.size() ? value : HUGE_VAL;
}

ScalarReading read_float(std::string_view text, Form form) {
  if (text.size() > longest_number) return too_long();
  std::string digits = without(text, '_');
  const bool negative = digits[0] == '-';
  if (negative || digits[0] == '+') digits.erase(0, 1);
  double value = 0;
  if (form == Form::base_60_float) {
    const std::vector<std::string> parts = split(digits, ':');
    if (parts.size() > most_base_60_parts)
      return refused("the base-60 number has too many parts", "quote it: it is text");
    double power = 1;
    for (std::size_t i = parts.size(); i-- > 0;) {
      value += decimal_value(parts[i]) * power;
      power *= 60;
    }
  } else {
    value = decimal_value(digits);
  }
  if (!std::isfinite(value)) {
    return refused("the number is too large for a double", "put it in quotes if it is text");
  }
  return read(negative ? -value : value, form == Form::base_60_float ? ScalarTrap::base_60 : ScalarTrap::none);
}

ScalarReading read_integer(std::string_view text, Form form) {
  if (text.size() > longest_number) return too_long();
  std::string digits = without(text, '_');
  const bool negative = digits[0] == '-';
  if (negative || digits[0] == '+') digits.erase(0, 1);
  ScalarTrap trap = ScalarTrap::none;
  Whole whole;
  if (form == Form::base_60) {
    trap = ScalarTrap::base_60;
    bool first = true;
    for (const std::string& part : split(digits, ':')) {
      if (first) {
        for (const char c : part) whole.multiply_add(10, digit_value(c));
      } else {
        whole.multiply_add(60,
                           part.size() == 1 ? digit_value(part[0]) : 10 * digit_value(part[0]) + digit_value(part[1]));
      }
      first = false;
    }
  } else {
    std::uint32_t base = 10;
    if (form == Form::binary || form == Form::hexadecimal) {
      base = form == Form::binary ? 2 : 16;
      digits.erase(0, 2);
      if (digits.empty()) return refused(shown(text) + " has a base but no digits", "put it in quotes if it is text");
    } else if (form == Form::octal) {
      base = 8;
      if (digits.size() > 1) trap = ScalarTrap::octal;
    }
    for (const char c : digits) whole.multiply_add(base, digit_value(c));
  }
  const std::string decimal = whole.decimal();
  return read(Value::integer_text(negative && decimal != "0" ? "-" + decimal : decimal), trap);
}

/// Text that its writer may have meant as a number.
bool looks_like_number(std::string_view text) {
  if (text.size() < 2 || text.size() > 40) return false;
  Cursor c(text);
  c.take_sign();
  if (Cursor d = c; d.take('0') && d.take('o') && d.take_while(is_digit) > 0 && d.done()) return true;
  if (Cursor d = c; d.take('0') && d.take_while(is_digit) > 0 && d.done()) return true;
  const std::size_t digits = c.take_while(is_digit);
  const std::size_t fraction = c.take('.') ? c.take_while(is_digit) : 0;
  if (digits + fraction == 0) return false;
  if (c.done()) return true;  // `-.5`
  return c.take_exponent(true) && c.done();
}

std::optional<bool> boolean_of(std::string_view lower) {
  if (one_of(lower, {"yes", "true", "on"})) return true;
  if (one_of(lower, {"no", "false", "off"})) return false;
  return std::nullopt;
}

ScalarReading not_a(std::string_view tag, std::string_view text, std::string hint) {
  return refused("the tag !!" + std::string(tag) + " does not fit " + shown(text, 40), std::move(hint));
}

}  // namespace

ScalarReading read_plain_scalar(std::string_view text) {
  if (one_of(text, {"", "~", "null", "Null", "NULL"})) return {};
  // Booleans come in three cases only: `yEs` is text.
  if (one_of(text, {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) return read(true);
  if (one_of(text, {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) return read(false);
  if (text == "<<") {
    ScalarReading reading;
    reading.merge = true;
    return reading;
  }
  const char first = text[0];
  if (is_digit(first) || first == '-' || first == '+' || first == '.') {
    const Form form = form_of(text);
    switch (form) {
      case Form::none:
        break;
      case Form::not_finite:
        return refused(shown(text) + " is not a finite number; JSON has no such value",
                       "put it in quotes if it is text");
      case Form::decimal_float:
      case Form::base_60_float:
        return read_float(text, form);
      default:
        return read_integer(text, form);
    }
    if (is_timestamp(text)) {
      return refused(shown(text) + " is a date in YAML 1.1; a recipe holds JSON values only", "put it in quotes");
    }
    if (looks_like_number(text)) return read(text, ScalarTrap::number_as_text);
  }
  return read(text);
}

ScalarReading read_tagged_scalar(std::string_view tag, std::string_view text) {
  if (tag == "str") return read(text);
  if (tag == "null") return {};
  if (tag == "bool") {
    const auto value = boolean_of(lower_ascii(text));
    return value ? read(*value) : not_a(tag, text, "write true or false");
  }
  if (tag == "int") {
    const Form form = form_of(text);
    const bool whole = form == Form::binary || form == Form::octal || form == Form::decimal ||
                       form == Form::hexadecimal || form == Form::base_60;
    return whole ? read_integer(text, form) : not_a(tag, text, "write a whole number");
  }
  if (tag == "float") {
    const Form form = form_of(text);
    if (form == Form::base_60_float) return read_float(text, form);
    // Explicitly tagged, Python's own number format counts: an exponent without sign, no fraction.
    Cursor c(text);
    c.take_sign();
    const bool whole = c.take_number();
    const bool fraction = c.take('.') && c.take_while([](char x) { return is_digit(x) || x == '_'; }) > 0;
    if ((whole || fraction) && c.take_exponent(true) && c.done()) return read_float(text, Form::decimal_float);
    return not_a(tag, text, "write a finite number");
  }
  if (tag == "merge") {
    ScalarReading reading;
    reading.merge = true;
    return reading;
  }
  if (tag == "seq" || tag == "map") return not_a(tag, text, "remove the tag");
  return refused("the tag " + shown("!!" + std::string(tag), 40) + " has no JSON value",
                 "a recipe holds text, numbers, booleans, null, lists and mappings only: remove the tag");
}

}  // namespace noema
