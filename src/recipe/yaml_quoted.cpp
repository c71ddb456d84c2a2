// SPDX-License-Identifier: Apache-2.0
#include "recipe/yaml_quoted.h"

#include <array>
#include <cstdint>
#include <utility>

#include "core/text.h"

namespace noema {
namespace {

struct Escape {
  char letter;
  std::uint32_t point;
};
constexpr std::array escapes{
    Escape{'0', 0x00}, Escape{'a', 0x07},   Escape{'b', 0x08},   Escape{'t', 0x09}, Escape{'\t', 0x09},
    Escape{'n', 0x0A}, Escape{'v', 0x0B},   Escape{'f', 0x0C},   Escape{'r', 0x0D}, Escape{'e', 0x1B},
    Escape{' ', 0x20}, Escape{'"', 0x22},   Escape{'\\', 0x5C},  Escape{'/', 0x2F}, Escape{'N', 0x85},
    Escape{'_', 0xA0}, Escape{'L', 0x2028}, Escape{'P', 0x2029},
};

class Reader {
 public:
  explicit Reader(std::string_view node) : node_(node), quote_(node[0]) {}

  QuotedReading read() {
    while (problem_.empty()) {
      if (done()) {
        fail(0, "the text ends inside quotes", "close the quotes");
      } else if (next() == quote_) {
        if (quote_ == '"' || at_ + 1 == node_.size() || node_[at_ + 1] != quote_) break;
        text_ += quote_;
        at_ += 2;
      } else if (next() == ' ' || next() == '\t' || next() == '\n') {
        read_space();
      } else if (quote_ == '"' && next() == '\\') {
        read_escape();
      } else {
        text_ += node_[at_++];
      }
    }
    return {std::move(text_), problem_at_, std::move(problem_), std::move(hint_)};
  }

 private:
  bool done() const { return at_ == node_.size(); }
  char next() const { return done() ? '\0' : node_[at_]; }
  void fail(std::size_t at, std::string problem, std::string hint) {
    problem_at_ = at;
    problem_ = std::move(problem);
    hint_ = std::move(hint);
  }
  void skip_blanks() {
    while (next() == ' ' || next() == '\t') ++at_;
  }

  /// Blanks stay inside a line and vanish around its end; one line end becomes a space, each further one stays.
  void read_space() {
    const std::size_t start = at_;
    skip_blanks();
    if (next() != '\n') {
      text_ += node_.substr(start, at_ - start);
      return;
    }
    ++at_;
    if (read_empty_lines() == 0) text_ += ' ';
  }

  std::size_t read_empty_lines() {
    std::size_t count = 0;
    while (true) {
      skip_blanks();
      if (next() != '\n') return count;
      ++at_;
      ++count;
      text_ += '\n';
    }
  }

  void read_escape() {
    const std::size_t start = at_++;
    const char letter = next();
    if (letter == '\n') {
      ++at_;
      read_empty_lines();
      return;
    }
    for (const Escape& escape : escapes) {
      if (escape.letter != letter) continue;
      ++at_;
      append_utf8(text_, escape.point);
      return;
    }
    const std::size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    if (digits == 0 || done()) {
      return fail(start, "the backslash starts an unknown escape", "use single quotes, or write \\\\ for a backslash");
    }
    ++at_;
    std::uint32_t point = 0;
    for (std::size_t i = 0; i < digits; ++i, ++at_) {
      const char c = next();
      const bool decimal = c >= '0' && c <= '9';
      const char lower = lower_ascii(std::string_view(&c, 1))[0];
      if (!decimal && (lower < 'a' || lower > 'f')) {
        return fail(start, "the escape needs " + std::to_string(digits) + " hexadecimal digits",
                    "write \\xNN, \\uNNNN or \\UNNNNNNNN");
      }
      point = point * 16 + static_cast<std::uint32_t>(decimal ? c - '0' : lower - 'a' + 10);
    }
    if (point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) {
      return fail(start, "the escape is no Unicode character", "write the character itself, or \\UNNNNNNNN");
    }
    append_utf8(text_, point);
  }

  std::string_view node_;
  char quote_;
  std::size_t at_ = 1;
  std::string text_;
  std::size_t problem_at_ = 0;
  std::string problem_;
  std::string hint_;
};

}  // namespace

QuotedReading read_quoted(std::string_view node) { return Reader(node).read(); }

}  // namespace noema
