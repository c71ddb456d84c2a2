// Collects what the lint finds, each flaw at its place in the text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "contract/lint.h"
#include "contract/schema.h"
#include "core/text.h"

namespace noema::contract {

class LintReport {
 public:
  explicit LintReport(const AuthoredText& text) : text_(text) {}

  void add(std::string_view path, std::string message, std::string hint = {},
           AuthoredText::Part part = AuthoredText::Part::value) {
    errors_.push_back(Error{code::contract_invalid, text_.place(path, part), std::move(message), std::move(hint), {}});
  }

  /// Are all members of `object` among `known`? Adds a flaw for each that is not.
  void check_keys(const Value& object, std::string_view path, const std::vector<std::string>& known) {
    for (const auto& [key, value] : object.members()) {
      if (std::ranges::find(known, key) != known.end()) continue;
      const std::string hint = did_you_mean(key, known);
      add(joined_path(path, key), "unknown key " + value_text(Value(key)),
          hint.empty() ? "known here: " + joined(known, ", ") : hint, AuthoredText::Part::key);
    }
  }

  /// A member that must be text with something in it; a flaw when it is absent (and `needed`) or anything else.
  const std::string* text_member(const Value& object, std::string_view path, std::string_view key, bool needed = true) {
    const Value* value = object.find(key);
    if (value == nullptr) {
      if (needed) add(path, "the key '" + std::string(key) + "' is missing");
      return nullptr;
    }
    if (value->is_string() && !trimmed(value->string()).empty()) return &value->string();
    add(joined_path(path, key), std::string(key) + " must be text that is not empty; it is " + value_text(*value));
    return nullptr;
  }

  /// A member that must be one of `known`.
  const std::string* choice_member(const Value& object, std::string_view path, std::string_view key,
                                   const std::vector<std::string>& known, bool needed = true) {
    const std::string* text = text_member(object, path, key, needed);
    if (text == nullptr || std::ranges::find(known, *text) != known.end()) return text;
    add(joined_path(path, key),
        std::string(key) + " is " + value_text(Value(*text)) + "; allowed: " + joined(known, ", "),
        did_you_mean(*text, known));
    return nullptr;
  }

  /// A member that must be an object; null when it is absent or a flaw.
  const Value* object_member(const Value& object, std::string_view path, std::string_view key, bool needed = false) {
    const Value* value = object.find(key);
    if (value == nullptr) {
      if (needed) add(path, "the key '" + std::string(key) + "' is missing");
      return nullptr;
    }
    if (value->is_object()) return value;
    add(joined_path(path, key), std::string(key) + " must be an object; it is " + value_text(*value));
    return nullptr;
  }

  static std::string joined_path(std::string_view path, std::string_view key) {
    return path.empty() ? std::string(key) : std::string(path) + "." + std::string(key);
  }

  /// All flaws in document order.
  std::vector<Error> take() {
    std::ranges::stable_sort(errors_, [](const Error& a, const Error& b) {
      return a.at.line != b.at.line ? a.at.line < b.at.line : a.at.column < b.at.column;
    });
    return std::move(errors_);
  }

 private:
  const AuthoredText& text_;
  std::vector<Error> errors_;
};

void lint_parameters(const Value& authored, LintReport& report);
void lint_rows(const Value& authored, LintReport& report);
void lint_traits(const Value& authored, LintReport& report);

}  // namespace noema::contract
