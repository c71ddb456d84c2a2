// YAML text to a document: the only file that knows yaml-cpp. The text is parsed twice, because the library may hand
// out events that an error found later contradicts: once for syntax and shape, then to build. Its messages are never
// shown: they echo whole tokens.
// SPDX-License-Identifier: Apache-2.0
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <exception>
#include <sstream>
#include <utility>

#include "core/text.h"
#include "noema/recipe.h"
#include "recipe/positions.h"
#include "recipe/yaml_tree.h"

namespace noema {
namespace {

constexpr JsonLimits limits{};

/// The library counts bytes, after a byte-order mark.
std::size_t offset_of(const YAML::Mark& mark, std::string_view text) {
  return mark.pos < 0 ? text.size() : std::min(static_cast<std::size_t>(mark.pos), text.size());
}

/// First pass: refuses what the second must never meet, and lets the library find its syntax errors.
class Checker : public YAML::EventHandler {
 public:
  explicit Checker(YamlText source) : source_(source) {}
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1) return;
    const std::size_t offset = offset_of(mark, source_.text());
    if (source_.text().substr(offset).starts_with("---")) {
      source_.stop(code::document_syntax, offset, "a second document starts here", "keep one document in the file");
    }
    source_.stop(code::document_syntax, offset, "the document has ended before this",
                 "check the quotes and the indentation above");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    descend(mark);
  }
  void OnSequenceEnd() override { --depth_; }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    descend(mark);
  }
  void OnMapEnd() override { --depth_; }

 private:
  void descend(const YAML::Mark& mark) {
    if (++depth_ > limits.depth) source_.stop_deep(offset_of(mark, source_.text()));
  }
  YamlText source_;
  std::size_t documents_ = 0;
  std::size_t depth_ = 0;
};

/// Second pass: hands the events to the tree.
class Builder : public YAML::EventHandler {
 public:
  explicit Builder(YamlText source) : tree(source), text_(source.text()) {}
  YamlTree tree;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override { tree.anchor(offset_of(mark, text_), name); }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { tree.null(offset_of(mark, text_), anchor); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override { tree.alias(offset_of(mark, text_), anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    tree.scalar(offset_of(mark, text_), tag, anchor, text);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    tree.begin(offset_of(mark, text_), tag, anchor, false);
  }
  void OnSequenceEnd() override { tree.end(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    tree.begin(offset_of(mark, text_), tag, anchor, true);
  }
  void OnMapEnd() override { tree.end(); }

 private:
  std::string_view text_;
};

/// The library's messages in our words.
struct Wording {
  std::string_view starts;
  std::string_view message;
  std::string_view hint;
};
const std::array wordings{
    Wording{YAML::ErrorMsg::END_OF_MAP_FLOW, "a mapping in braces is not closed here", "check for a missing , or }"},
    Wording{YAML::ErrorMsg::END_OF_SEQ_FLOW, "a list in brackets is not closed here", "check for a missing , or ]"},
    Wording{YAML::ErrorMsg::END_OF_MAP, "a mapping breaks off here",
            "give all keys of one mapping the same indentation"},
    Wording{YAML::ErrorMsg::END_OF_SEQ, "a list breaks off here", "give all items of one list the same indentation"},
    Wording{YAML::ErrorMsg::TAB_IN_INDENTATION, "a tab stands in the indentation", "indent with spaces"},
    Wording{YAML::ErrorMsg::MAP_VALUE, "a ':' stands where no value can start",
            "put text that holds ': ' in quotes, and give keys of one mapping the same indentation"},
    Wording{YAML::ErrorMsg::MAP_KEY, "a '?' key can't start here", "check the indentation"},
    Wording{YAML::ErrorMsg::BLOCK_ENTRY, "a list item can't start here",
            "put the '-' on a line of its own, indented like the other items"},
    Wording{YAML::ErrorMsg::FLOW_END, "a bracket closes here that was not opened", "check the brackets and braces"},
    Wording{YAML::ErrorMsg::EOF_IN_SCALAR, "the text ends inside quotes", "close the quotes"},
    Wording{YAML::ErrorMsg::DOC_IN_SCALAR, "a document marker stands inside quotes", "close the quotes before it"},
    Wording{YAML::ErrorMsg::UNKNOWN_ANCHOR, "the alias names no anchor above it", "define it first, as in &name"},
    Wording{YAML::ErrorMsg::INVALID_ESCAPE, "the backslash starts an unknown escape",
            "use single quotes, or write \\\\ for a backslash"},
    Wording{YAML::ErrorMsg::INVALID_HEX, "the escape needs hexadecimal digits", "write \\xNN, \\uNNNN or \\UNNNNNNNN"},
    Wording{YAML::ErrorMsg::INVALID_UNICODE, "the escape is no Unicode character", "write the character itself"},
    Wording{YAML::ErrorMsg::CHAR_IN_BLOCK, "something stands after | or > on its line",
            "put the text on the next line"},
    Wording{YAML::ErrorMsg::UNKNOWN_TOKEN, "no value starts with this character", "put the text in quotes"},
};

Error worded(const YAML::Exception& problem, std::string_view text, std::string_view name) {
  Error error{code::document_syntax,
              place_in_text(text, name, offset_of(problem.mark, text)),
              "this is not valid YAML here",
              "check quotes, brackets and indentation",
              {}};
  for (const Wording& wording : wordings) {
    if (!problem.msg.starts_with(wording.starts)) continue;
    error.message = wording.message;
    error.hint = wording.hint;
    break;
  }
  return error;
}

Result<void> parse(std::string_view text, std::string_view name, YAML::EventHandler& handler) {
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(handler)) {
    }
    return {};
  } catch (YamlStop& stopped) {
    return std::move(stopped.error);
  } catch (const YAML::Exception& problem) {
    return worded(problem, text, name);
  } catch (const std::exception&) {
    return Error{code::document_syntax,
                 place_in_text(text, name, text.size()),
                 "this is not valid YAML",
                 "check quotes, brackets and indentation",
                 {}};
  }
}

/// Characters that YAML forbids, or that its versions 1.1 and 1.2 read differently.
Result<void> check_characters(std::string_view text, std::string_view name) {
  std::size_t indicators = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const std::uint32_t point = next_code_point(text, at);
    if (point == '[' || point == '{' || point == ',') {
      // The library holds a bracketed collection in memory, token by token, until it knows how it ends.
      if (++indicators > limits.nodes) {
        return Error{code::document_limit,
                     place_in_text(text, name, start),
                     "the document has more than " + std::to_string(limits.nodes) + " brackets, braces and commas",
                     "use JSON, or one item a line without brackets",
                     {}};
      }
      continue;
    }
    if (point == '\r') {
      if (at < text.size() && text[at] == '\n') continue;
      return Error{code::document_syntax,
                   place_in_text(text, name, start),
                   "a carriage return ends the line without a line feed",
                   "save the file with LF or CR LF line ends",
                   {}};
    }
    const bool breaks = point == 0x85 || point == 0x2028 || point == 0x2029;
    const bool control = (point < 0x20 && point != '\t' && point != '\n') || (point >= 0x7F && point < 0xA0) ||
                         point == 0xFFFE || point == 0xFFFF;
    if (!breaks && !control) continue;
    std::array<char, 16> code_point{};
    std::snprintf(code_point.data(), code_point.size(), "%04X", point);
    Error error{code::document_syntax, place_in_text(text, name, start), {}, {}, {}};
    error.message = "the character U+" + std::string(code_point.data()) + " can't stand in YAML text";
    error.hint = breaks ? "it is a line break to some YAML readers only: write it as an escape in double quotes"
                        : "remove it, or write it as an escape in double quotes";
    error.at.source_line.clear();
    return error;
  }
  return {};
}

/// Lines that start with % are directives in front of `---` and nothing anywhere else; the library skips them all.
Result<void> check_directives(std::string_view text, std::string_view name) {
  bool in_front = true;
  bool directed = false;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    const auto refused = [&](std::string message) {
      return Error{code::document_syntax,
                   place_in_text(text, name, start),
                   std::move(message),
                   "put text in quotes; %YAML and %TAG stand in front of a line with ---",
                   {}};
    };
    if (line.starts_with('%')) {
      if (!in_front) return refused("a line can't start with % inside the document");
      if (!line.starts_with("%YAML 1.") && !line.starts_with("%TAG ")) return refused("the directive is not known");
      directed = true;
    } else if (in_front && !trimmed(line).empty() && !trimmed(line).starts_with('#')) {
      if (directed && !line.starts_with("---")) return refused("a line with --- must follow the directives");
      in_front = false;
    }
    start = end + 1;
  }
  if (in_front && directed) {
    return Error{code::document_syntax,
                 place_in_text(text, name, text.size()),
                 "no document follows the directives",
                 "write it after a line with ---",
                 {}};
  }
  return {};
}

Diagnostic remark_on(const Document& document, const std::string& path, ScalarTrap trap) {
  Diagnostic remark;
  remark.severity = Diagnostic::Severity::warning;
  remark.path = path.empty() ? "$" : "$." + path;
  remark.at = document.place(path);
  switch (trap) {
    case ScalarTrap::base_60:
      remark.code = "yaml_base_60";
      remark.message = "YAML 1.1 reads numbers with ':' to the base 60";
      remark.hint = "put it in quotes if it is text";
      break;
    case ScalarTrap::octal:
      remark.code = "yaml_octal";
      remark.message = "YAML 1.1 reads whole numbers with a leading 0 to the base 8";
      remark.hint = "drop the 0, or put it in quotes if it is text";
      break;
    default:
      remark.code = "yaml_number_as_text";
      remark.message = "this looks like a number, but YAML 1.1 reads it as text";
      remark.hint = "put text in quotes; write numbers as in 1.0e+3, -0.5, 15";
  }
  return remark;
}

}  // namespace

Result<Document> parse_yaml_document(const Source& source) {
  if (source.text.size() > limits.bytes) {
    Error error{code::document_limit, {}, {}, "split it, or keep bulk data in files of its own", {}};
    error.at.file = source.name;
    error.message = "the document has " + std::to_string(source.text.size()) + " bytes; at most " +
                    std::to_string(limits.bytes) + " are read";
    return error;
  }
  if (const std::size_t bad = first_bad_utf8(source.text); bad != std::string_view::npos) {
    return Error{code::document_syntax,
                 place_in_text(source.text, source.name, bad),
                 "the text is not valid UTF-8 here",
                 "save the file as UTF-8",
                 {}};
  }
  std::string_view text = source.text;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  NOEMA_CHECK(check_characters(text, source.name));
  // Block text keeps the library's line ends; they are LF here, and the line numbers stay what they were.
  std::string unix_text;
  if (text.find('\r') != std::string_view::npos) {
    unix_text = text;
    std::erase(unix_text, '\r');
    text = unix_text;
  }
  NOEMA_CHECK(check_directives(text, source.name));
  // A last line of blanks alone would become part of block text in front of it.
  const std::size_t last_line = text.find_last_not_of(" \t") + 1;
  const bool blank_tail = last_line < text.size() && last_line > 0 && text[last_line - 1] == '\n';
  if (blank_tail) text = text.substr(0, last_line);
  Checker checker(YamlText(text, source.name));
  NOEMA_CHECK(parse(text, source.name, checker));
  Builder builder(YamlText(text, source.name));
  NOEMA_CHECK(parse(text, source.name, builder));
  if (blank_tail && builder.tree.ended_in_block()) {
    return Error{code::document_syntax,
                 place_in_text(text, source.name, text.size()),
                 "the file ends in a line of blanks after block text",
                 "remove the blanks",
                 {}};
  }

  Document document;
  document.value = std::move(builder.tree.root);
  document.source = std::make_shared<const Source>(source);
  document.positions = positions_of(text, builder.tree.offsets, document.value);
  for (const auto& [path, trap] : builder.tree.traps) document.remarks.push_back(remark_on(document, path, trap));
  return document;
}

}  // namespace noema
