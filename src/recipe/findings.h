// Collecting what is wrong with a recipe, each finding with its path and place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "noema/recipe.h"

namespace noema {

/// Findings of one compilation. Paths are those of the document, `steps[2].params.snr_db`, and empty for the root.
class Findings {
 public:
  explicit Findings(Recipe& recipe) : recipe_(recipe) {}

  void error(Code code, std::string_view path, std::string message, std::string hint) {
    add(Diagnostic::Severity::error, code, path, std::move(message), std::move(hint), false);
  }
  /// The same, pointing at the key instead of the value.
  void error_at_key(Code code, std::string_view path, std::string message, std::string hint) {
    add(Diagnostic::Severity::error, code, path, std::move(message), std::move(hint), true);
  }
  /// A structural error.
  void invalid(std::string_view path, std::string message, std::string hint);
  /// What strict mode refuses and compat mode lets pass.
  void unwelcome(Code code, std::string_view path, std::string message, std::string hint, bool at_key);
  void warn(Code code, std::string_view path, std::string message, std::string hint) {
    add(Diagnostic::Severity::warning, code, path, std::move(message), std::move(hint), true);
  }
  /// Enough findings that further ones are only counted: then a hint need not be looked for.
  bool full() const { return recipe_.diagnostics.size() >= 200; }
  /// No errors so far?
  bool sound() const { return sound_; }
  /// Puts all in document order, names steps by their ids where that is clear, and says how many were left out.
  void finish(const std::vector<std::string>& step_ids);

 private:
  void add(Diagnostic::Severity severity, Code code, std::string_view path, std::string message, std::string hint,
           bool at_key);
  void tell_dropped();
  Recipe& recipe_;
  bool sound_ = true;
  std::size_t dropped_ = 0;
  bool dropped_error_ = false;
};

/// A value as messages name it: `the integer 3`, `the text 'x'`, `a list`.
std::string kind_of(const Value& value);
/// The nearest known name as a question, else another hint.
std::string hint_for(std::string_view name, const std::vector<std::string>& known, std::string otherwise);

}  // namespace noema
