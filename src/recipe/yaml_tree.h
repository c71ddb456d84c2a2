// Builds a document from the events of a YAML reader: scalars by YAML 1.1's rules, merge keys, aliases, limits. Knows
// no YAML library; src/recipe/yaml.cpp feeds it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/json.h"
#include "noema/error.h"
#include "recipe/yaml_scalar.h"

namespace noema {

/// Ends the reading from inside the library's callbacks. Thrown and caught in src/recipe only.
struct YamlStop {
  Error error;
};

/// The text, and how to stop with a place in it.
class YamlText {
 public:
  YamlText(std::string_view text, std::string_view name) : text_(text), name_(name) {}
  [[noreturn]] void stop(Code code, std::size_t offset, std::string message, std::string hint) const;
  [[noreturn]] void stop_deep(std::size_t offset) const;
  int line_of(std::size_t offset) const { return place_in_text(text_, name_, offset).line; }
  std::string_view text() const { return text_; }
  std::string_view name() const { return name_; }

 private:
  std::string_view text_;
  std::string_view name_;
};

/// Takes events in document order. Offsets are bytes; an anchor is the reader's number for it, 0 for none; a tag is the
/// full name, `?` for none on a plain node and `!` for none on a quoted one. Merge keys are expanded when their mapping
/// ends; aliases share what they stand for.
class YamlTree {
 public:
  using Anchor = std::size_t;
  explicit YamlTree(YamlText source) : source_(source) {}

  void anchor(std::size_t offset, const std::string& name);
  void null(std::size_t offset, Anchor anchor);
  void scalar(std::size_t offset, std::string_view tag, Anchor anchor, const std::string& library_text);
  void alias(std::size_t offset, Anchor anchor);
  void begin(std::size_t offset, std::string_view tag, Anchor anchor, bool mapping);
  void end();
  /// Was the last scalar block text (`|` or `>`)?
  bool ended_in_block() const { return ended_in_block_; }

  Value root;
  JsonPositions offsets;
  std::vector<std::pair<std::string, ScalarTrap>> traps;  ///< path, and what stands there

 private:
  struct Merge {
    std::size_t offset;  ///< of the `<<`
    Value value;
  };
  struct Level {
    bool mapping = false;
    Value value;
    bool has_key = false;
    bool merging = false;  ///< the key is `<<`
    std::string key;
    std::size_t key_offset = 0;
    std::unordered_map<std::string, std::size_t> keys;  ///< and where each stood
    std::vector<Merge> merges;
    Anchor anchor = 0;
    std::size_t offset = 0;
    std::size_t nodes_before = 0;
    std::size_t bytes_before = 0;
    std::size_t height = 0;  ///< levels below this one
    std::size_t path_length = 0;
  };
  struct Anchored {
    bool complete = false;
    Value value;
    std::size_t nodes = 0;
    std::size_t bytes = 0;
    std::size_t height = 0;
  };

  bool key_expected() const { return !levels_.empty() && levels_.back().mapping && !levels_.back().has_key; }
  void count(std::size_t offset, std::size_t nodes, std::size_t bytes);
  [[noreturn]] void stop_at_tag(std::size_t offset, std::string_view tag) const;
  void check_written(std::size_t offset, std::string_view tag);
  std::string exact_text(std::size_t offset, const std::string& library_text) const;
  void take_key(std::size_t offset, const ScalarReading& reading);
  void step_into_path(std::string_view key);
  void descend();
  void note(std::size_t offset);
  void remember(Anchor anchor, Value value, std::size_t nodes, std::size_t bytes, std::size_t height);
  void add_scalar(std::size_t offset, Anchor anchor, const ScalarReading& reading);
  void attach(std::size_t offset, Value value, std::size_t height);
  void add_merge(std::size_t offset, Value value);
  void expand_merges();

  YamlText source_;
  std::vector<Level> levels_;
  std::string path_;
  std::size_t nodes_ = 0;
  std::size_t bytes_ = 0;
  bool ended_in_block_ = false;
  std::unordered_map<Anchor, Anchored> anchors_;
  std::unordered_set<std::string> anchor_names_;
};

}  // namespace noema
