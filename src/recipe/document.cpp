// Documents: text to values with positions, by the rules of the suffix; places of paths.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "core/files.h"
#include "core/text.h"
#include "noema/recipe.h"
#include "recipe/positions.h"

namespace noema {
namespace {

constexpr JsonLimits limits{};

/// Something to be placed: where it stands, and the two numbers that it gets.
struct Sought {
  std::size_t offset;
  int* line;
  int* column;
};

void place_all(std::string_view text, std::vector<Sought> sought) {
  std::ranges::sort(sought, {}, &Sought::offset);
  int line = 1;
  int column = 1;
  std::size_t at = 0;
  for (const Sought& one : sought) {
    for (; at < one.offset && at < text.size(); ++at) {
      if (text[at] == '\n') {
        ++line;
        column = 1;
      } else if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) {
        ++column;
      }
    }
    *one.line = line;
    *one.column = column;
  }
}

/// The parent's path; empty when there is none.
std::string_view parent_of(std::string_view path) {
  const std::size_t cut = path.find_last_of(".[");
  return cut == std::string_view::npos ? std::string_view{} : path.substr(0, cut);
}

std::string_view without_root(std::string_view path) {
  if (path.starts_with("$")) path.remove_prefix(1);
  if (path.starts_with(".")) path.remove_prefix(1);
  return path;
}

std::string_view source_line(std::string_view text, int line) {
  std::size_t start = 0;
  for (int passed = 1; passed < line; ++passed) {
    start = text.find('\n', start);
    if (start == std::string_view::npos) return {};
    ++start;
  }
  text = text.substr(start, text.find('\n', start) - start);
  if (line == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text.size() <= 200 ? text : std::string_view{};
}

Place place_in(const Document& document, std::string_view path, bool of_key) {
  path = without_root(path);
  Place place;
  place.path = std::string(path);
  if (document.source == nullptr) return place;
  place.file = document.source->name;
  auto found = document.positions.find(path);
  while (found == document.positions.end() && !path.empty()) {
    path = parent_of(path);
    found = document.positions.find(path);
  }
  // An empty document has no node; it starts where others do.
  const Position position = found == document.positions.end() ? Position{1, 1, 1, 1} : found->second;
  place.line = of_key ? position.key_line : position.line;
  place.column = of_key ? position.key_column : position.column;
  place.source_line = std::string(source_line(document.source->text, place.line));
  return place;
}

}  // namespace

std::size_t first_bad_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string_view::npos;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t start = at;
    // U+FFFD stands for a bad byte, unless the text has that very character.
    if (next_code_point(text, at) == 0xFFFD && text.substr(start, 3) != "\xEF\xBF\xBD") return start;
  }
  return std::string_view::npos;
}

std::map<std::string, Position, std::less<>> positions_of(std::string_view text, const JsonPositions& offsets,
                                                          const Value& root) {
  std::map<std::string, Position, std::less<>> positions;
  std::vector<Sought> sought;
  sought.reserve(2 * offsets.size());
  for (const auto& [path, offset] : offsets) {
    Position& position = positions.emplace_hint(positions.end(), path, Position{})->second;
    sought.push_back({offset.node, &position.line, &position.column});
    sought.push_back({offset.key, &position.key_line, &position.key_column});
  }
  place_all(text, std::move(sought));
  const Value* steps = root.find("steps");
  if (steps == nullptr || !steps->is_array()) return positions;
  for (std::size_t i = 0; i < steps->size(); ++i) {
    const Value* id = (*steps)[i].find("id");
    if (id == nullptr || !id->is_string() || id->string().empty()) continue;
    const std::string by_index = "steps[" + std::to_string(i) + "]";
    const std::string by_id = "steps." + id->string();
    if (by_id.size() > longest_position_path || positions.contains(by_id)) continue;
    for (auto one = positions.lower_bound(by_index); one != positions.end() && one->first.starts_with(by_index);
         ++one) {
      positions.emplace(by_id + one->first.substr(by_index.size()), one->second);
    }
  }
  return positions;
}

Place Document::place(std::string_view path) const { return place_in(*this, path, false); }

Place Document::key_place(std::string_view path) const { return place_in(*this, path, true); }

Result<Document> parse_json_document(const Source& source) {
  if (source.text.size() <= limits.bytes) {
    if (const std::size_t bad = first_bad_utf8(source.text); bad != std::string_view::npos) {
      return Error{code::document_syntax,
                   place_in_text(source.text, source.name, bad),
                   "the text is not valid UTF-8 here",
                   "save the file as UTF-8",
                   {}};
    }
  }
  JsonPositions offsets;
  Document document;
  NOEMA_TRY(document.value, parse_json(source.text, source.name, limits, &offsets));
  document.source = std::make_shared<const Source>(source);
  document.positions = positions_of(source.text, offsets, document.value);
  return document;
}

Result<Document> read_document(const std::string& file) {
  Source source;
  source.name = file;
  NOEMA_TRY(source.text, read_text_file(file, limits.bytes));
  const std::string suffix = lower_ascii(std::string_view(file).substr(file.size() < 5 ? 0 : file.size() - 5));
  return suffix == ".json" ? parse_json_document(source) : parse_yaml_document(source);
}

}  // namespace noema
