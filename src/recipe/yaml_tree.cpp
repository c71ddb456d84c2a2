// SPDX-License-Identifier: Apache-2.0
#include "recipe/yaml_tree.h"

#include <algorithm>

#include "core/text.h"
#include "recipe/yaml_quoted.h"

namespace noema {
namespace {

constexpr JsonLimits limits{};
/// Text that a document may hold once its aliases are expanded.
constexpr std::size_t most_expanded_bytes = std::size_t{64} << 20;
constexpr std::size_t most_remarks = 20;
constexpr std::string_view core_tags = "tag:yaml.org,2002:";

std::string kind_name(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return value.boolean() ? "true" : "false";
    case Value::Kind::integer:
    case Value::Kind::number:
      return "a number";
    case Value::Kind::string:
      return "text";
    case Value::Kind::array:
      return "a list";
    default:
      return "a mapping";
  }
}

/// The first word of the properties in front of a node, when it is a tag (with an anchor before it or not).
std::string_view written_tag(std::string_view node) {
  constexpr std::string_view blanks = " \t\n";
  if (node.starts_with('&')) {
    node.remove_prefix(std::min(node.find_first_of(blanks), node.size()));
    node.remove_prefix(std::min(node.find_first_not_of(blanks), node.size()));
  }
  return node.starts_with('!') ? node.substr(0, node.find_first_of(" \t\n,[]{}")) : std::string_view{};
}

/// A node without its tag and anchor.
std::string_view without_properties(std::string_view node) {
  while (node.starts_with('&') || node.starts_with('!')) {
    node.remove_prefix(std::min(node.find_first_of(" \t\n,[]{}"), node.size()));
    node.remove_prefix(std::min(node.find_first_not_of(" \t\n"), node.size()));
  }
  return node;
}

bool is_anchor_name(std::string_view name) {
  return std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

}  // namespace

void YamlText::stop(Code code, std::size_t offset, std::string message, std::string hint) const {
  throw YamlStop{Error{code, place_in_text(text_, name_, offset), std::move(message), std::move(hint), {}}};
}

void YamlText::stop_deep(std::size_t offset) const {
  stop(code::document_limit, offset,
       "the document is nested more than " + std::to_string(limits.depth) + " levels deep",
       "flatten it; a recipe needs fewer than ten levels");
}

void YamlTree::anchor(std::size_t offset, const std::string& name) {
  if (!is_anchor_name(name)) {
    source_.stop(code::document_syntax, offset,
                 "the anchor " + shown(name, 40) + " has other characters than A-Z a-z 0-9 _ -",
                 "rename it, or put text that starts with & in quotes");
  }
  if (anchor_names_.insert(name).second) return;
  source_.stop(code::document_syntax, offset, "the anchor " + shown(name, 40) + " is defined twice",
               "give one of the two another name");
}

void YamlTree::null(std::size_t offset, Anchor anchor) {
  check_written(offset, "?");
  const std::string_view node = source_.text().substr(std::min(offset, source_.text().size()));
  // At the end of the text the library forgets the tag of an absent value.
  if (!written_tag(node).empty()) {
    source_.stop(code::document_value, offset, "the text ends where a tagged value should stand", "write the value");
  }
  if (key_expected()) return take_key(offset, {});
  if (!levels_.empty() && !levels_.back().mapping && node.starts_with(',')) {
    source_.stop(code::document_syntax, offset, "there is no item in front of this comma",
                 "remove a comma, or write the item");
  }
  if (!levels_.empty() && levels_.back().mapping && offset == levels_.back().key_offset) {
    source_.stop(code::document_syntax, offset,
                 "this line has no ':', so it is neither a key nor part of the value above",
                 "write key: value, or indent it further if it continues the text above");
  }
  // The mark of a value that is not there stands at whatever comes next; its key is the better place.
  const bool written = !node.empty() && std::string_view("~nN&").find(node[0]) != std::string_view::npos;
  if (!written && !levels_.empty() && levels_.back().mapping) offset = levels_.back().key_offset;
  add_scalar(offset, anchor, {});
}

/// Refuses what YAML readers take for different things, or the library for nothing.
void YamlTree::check_written(std::size_t offset, std::string_view tag) {
  const std::string_view node = source_.text().substr(std::min(offset, source_.text().size()));
  if (tag == "!" && !written_tag(node).empty()) {
    source_.stop(code::document_value, offset, "a tag without a name means different things to YAML readers",
                 "remove the !");
  }
  const std::string_view scalar = without_properties(node);
  ended_in_block_ = scalar.starts_with('|') || scalar.starts_with('>');
  if (!ended_in_block_) return;
  const std::string_view marks = scalar.substr(1, scalar.find_first_not_of("0123456789+-", 1) - 1);
  const std::string_view rest = scalar.substr(1 + marks.size());
  if (!rest.empty() && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '\n') {
    source_.stop(code::document_syntax, offset, "something stands right after | or >", "put the text on the next line");
  }
  if (scalar[0] == '>' && marks.find('+') != std::string_view::npos) {
    source_.stop(code::document_value, offset, "folded text that keeps its last line ends (>+) is not read here",
                 "use |+, or > without the +");
  }
}

/// The text of a scalar: ours for quoted ones, the library's for plain and block ones.
std::string YamlTree::exact_text(std::size_t offset, const std::string& library_text) const {
  const std::string_view text = source_.text().substr(std::min(offset, source_.text().size()));
  const std::string_view scalar = without_properties(text);
  if (!scalar.starts_with('\'') && !scalar.starts_with('"')) return library_text;
  QuotedReading quoted = read_quoted(scalar);
  if (quoted.problem.empty()) return std::move(quoted.text);
  source_.stop(code::document_syntax, offset + (text.size() - scalar.size()) + quoted.problem_at, quoted.problem,
               quoted.hint);
}

void YamlTree::scalar(std::size_t offset, std::string_view tag, Anchor anchor, const std::string& library_text) {
  check_written(offset, tag);
  const std::string text = exact_text(offset, library_text);
  ScalarReading reading;
  if (tag == "?") {
    reading = read_plain_scalar(text);
  } else if (tag == "!") {
    reading.value = text;
  } else if (tag.starts_with(core_tags)) {
    reading = read_tagged_scalar(tag.substr(core_tags.size()), text);
  } else {
    stop_at_tag(offset, tag);
  }
  if (!reading.refusal.empty()) source_.stop(code::document_value, offset, reading.refusal, reading.hint);
  if (!key_expected()) return add_scalar(offset, anchor, reading);
  remember(anchor, reading.value, 1, text.size(), 0);
  take_key(offset, reading);
}

void YamlTree::alias(std::size_t offset, Anchor anchor) {
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end() || !found->second.complete) {
    source_.stop(code::document_value, offset, "the alias stands inside the node that it names, which would never end",
                 "move the alias out of the anchored node");
  }
  const Anchored& anchored = found->second;
  if (key_expected()) {
    ScalarReading reading;
    reading.value = anchored.value;
    return take_key(offset, reading);
  }
  count(offset, anchored.nodes, anchored.bytes);
  if (levels_.size() + anchored.height > limits.depth) source_.stop_deep(offset);
  descend();
  note(offset);
  attach(offset, anchored.value, anchored.height);
}

void YamlTree::begin(std::size_t offset, std::string_view tag, Anchor anchor, bool mapping) {
  if (key_expected()) {
    source_.stop(code::document_value, offset, "a list or a mapping can't be a key", "use text as the key");
  }
  const bool fits = tag == "?" || tag == "!" ||
                    (tag.starts_with(core_tags) && tag.substr(core_tags.size()) == (mapping ? "map" : "seq"));
  if (!fits) stop_at_tag(offset, tag);
  check_written(offset, tag);
  if (levels_.size() >= limits.depth) source_.stop_deep(offset);
  count(offset, 1, 0);
  descend();
  note(offset);
  if (anchor != 0) anchors_[anchor] = {};
  Level level;
  level.mapping = mapping;
  level.value = mapping ? Value::object() : Value::array();
  level.anchor = anchor;
  level.offset = offset;
  level.nodes_before = nodes_ - 1;
  level.bytes_before = bytes_;
  level.path_length = path_.size();
  levels_.push_back(std::move(level));
}

void YamlTree::end() {
  if (levels_.back().mapping) expand_merges();
  Level level = std::move(levels_.back());
  levels_.pop_back();
  remember(level.anchor, level.value, nodes_ - level.nodes_before, bytes_ - level.bytes_before, level.height + 1);
  attach(level.offset, std::move(level.value), level.height + 1);
}

void YamlTree::count(std::size_t offset, std::size_t nodes, std::size_t bytes) {
  nodes_ += nodes;
  bytes_ += bytes;
  if (nodes_ > limits.nodes) {
    source_.stop(code::document_limit, offset,
                 "the document has more than " + std::to_string(limits.nodes) + " values once its aliases are expanded",
                 "write less, or alias less");
  }
  if (bytes_ > most_expanded_bytes) {
    source_.stop(code::document_limit, offset,
                 "the document holds more than " + std::to_string(most_expanded_bytes >> 20) +
                     " MiB of text once its aliases are expanded",
                 "write less, or alias less");
  }
}

void YamlTree::stop_at_tag(std::size_t offset, std::string_view tag) const {
  if (tag.starts_with(core_tags)) tag.remove_prefix(core_tags.size());
  source_.stop(code::document_value, offset, "the tag " + shown(tag, 40) + " does not fit a JSON value here",
               "remove the tag: a recipe holds text, numbers, booleans, null, lists and mappings only");
}

void YamlTree::take_key(std::size_t offset, const ScalarReading& reading) {
  Level& level = levels_.back();
  level.has_key = true;
  level.merging = reading.merge;
  level.key_offset = offset;
  if (reading.merge) {
    level.key = "<<";
    return;
  }
  if (!reading.value.is_string()) {
    const std::string_view rest = source_.text().substr(offset);
    const std::string_view key = trimmed(rest.substr(0, rest.find_first_of(":\r\n")));
    source_.stop(code::document_value, offset,
                 "the key " + shown(key, 40) + " is not text: YAML 1.1 reads it as " + kind_name(reading.value),
                 "put the key in quotes");
  }
  level.key = reading.value.string();
  count(offset, 0, level.key.size());
  if (const auto [first, is_new] = level.keys.emplace(level.key, offset); !is_new) {
    source_.stop(code::document_duplicate_key, offset,
                 "the key " + shown(level.key) + " stands twice in one mapping, first on line " +
                     std::to_string(source_.line_of(first->second)),
                 "keep one of the two");
  }
}

void YamlTree::step_into_path(std::string_view key) {
  path_.resize(levels_.back().path_length);
  if (!path_.empty()) path_ += '.';
  path_ += key;
}

void YamlTree::descend() {
  if (levels_.empty()) return;
  const Level& level = levels_.back();
  if (level.mapping) return step_into_path(level.key);
  path_.resize(level.path_length);
  path_ += "[" + std::to_string(level.value.size()) + "]";
}

void YamlTree::note(std::size_t offset) {
  if (path_.size() > longest_position_path || offsets.size() >= most_positions) return;
  const bool keyed = !levels_.empty() && levels_.back().mapping;
  offsets.emplace(path_, JsonOffset{offset, keyed ? levels_.back().key_offset : offset});
}

void YamlTree::remember(Anchor anchor, Value value, std::size_t nodes, std::size_t bytes, std::size_t height) {
  if (anchor != 0) anchors_[anchor] = {true, std::move(value), nodes, bytes, height};
}

void YamlTree::add_scalar(std::size_t offset, Anchor anchor, const ScalarReading& reading) {
  if (reading.merge) {
    source_.stop(code::document_value, offset, "the merge key << stands where a value is expected",
                 "put it in quotes if it is text");
  }
  const std::size_t bytes = reading.value.is_string() ? reading.value.string().size() : 0;
  count(offset, 1, bytes);
  descend();
  note(offset);
  if (reading.trap != ScalarTrap::none && traps.size() < most_remarks) traps.emplace_back(path_, reading.trap);
  remember(anchor, reading.value, 1, bytes, 0);
  attach(offset, reading.value, 0);
}

void YamlTree::attach(std::size_t offset, Value value, std::size_t height) {
  if (levels_.empty()) {
    root = std::move(value);
    return;
  }
  Level& level = levels_.back();
  // What is merged does not nest: its members become members of this level.
  const std::size_t merged_away = !level.mapping || !level.merging ? 0 : value.is_array() ? 2 : 1;
  level.height = std::max(level.height, height - std::min(height, merged_away));
  if (!level.mapping) {
    level.value.push(std::move(value));
    return;
  }
  level.has_key = false;
  if (level.merging) return add_merge(offset, std::move(value));
  level.value.append(std::move(level.key), std::move(value));
}

void YamlTree::add_merge(std::size_t offset, Value value) {
  const bool list =
      value.is_array() && std::ranges::all_of(value.items(), [](const Value& item) { return item.is_object(); });
  if (!value.is_object() && !list) {
    source_.stop(code::document_value, offset,
                 "<< merges a mapping or a list of mappings, not " +
                     (value.is_array() ? "a list with other things in it" : kind_name(value)),
                 "merge with <<: *name, where &name stands at a mapping");
  }
  levels_.back().merges.push_back({levels_.back().key_offset, std::move(value)});
}

/// What `<<` brings in stands in front of the mapping's own members. As in the reference's strict loader, a key that
/// comes in and is also written is a duplicate.
void YamlTree::expand_merges() {
  Level& level = levels_.back();
  if (level.merges.empty()) return;
  std::unordered_set<std::string> merged_keys;
  Value expanded = Value::object();
  for (const Merge& merge : level.merges) {
    const Value::Items sources = merge.value.is_array() ? merge.value.items() : Value::Items{merge.value};
    for (const Value& source : sources) {
      for (const auto& [key, value] : source.members()) {
        if (const auto own = level.keys.find(key); own != level.keys.end()) {
          source_.stop(code::document_duplicate_key, own->second,
                       "the key " + shown(key) + " comes in through << on line " +
                           std::to_string(source_.line_of(merge.offset)) + " too, and a merged key can't be overridden",
                       "leave the key out of the merged mapping, or don't merge");
        }
        if (!merged_keys.insert(key).second) {
          source_.stop(code::document_duplicate_key, merge.offset, "<< brings in the key " + shown(key) + " twice",
                       "keep the key in one of the merged mappings");
        }
        step_into_path(key);
        note(merge.offset);
        expanded.append(key, value);
      }
    }
  }
  for (const auto& [key, value] : level.value.members()) expanded.append(key, value);
  level.value = std::move(expanded);
}

}  // namespace noema
