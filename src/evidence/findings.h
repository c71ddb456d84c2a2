// What verification finds, in order, and small readers of documents that may be anything.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "noema/evidence.h"
#include "noema/value.h"

namespace noema::evidence {

inline constexpr const char* manifest_file = "manifest.json";
inline constexpr const char* summary_file = "summary.json";
inline constexpr const char* recipe_file = "recipe.json";
inline constexpr const char* authored_file = "recipe.authored.json";
inline constexpr const char* plan_file = "execution-plan.json";

/// Collects checks. Every message opens with the file that it is about.
class Findings {
 public:
  void add(std::string status, std::string id, std::string_view file, const std::string& message, Value details = {});
  void pass(std::string id, std::string_view file, const std::string& message) {
    add("pass", std::move(id), file, message);
  }
  void info(std::string id, std::string_view file, const std::string& message, Value details = {}) {
    add("info", std::move(id), file, message, std::move(details));
  }
  void warning(std::string id, std::string_view file, const std::string& message, Value details = {}) {
    add("warning", std::move(id), file, message, std::move(details));
  }
  void error(std::string id, std::string_view file, const std::string& message, Value details = {}) {
    add("error", std::move(id), file, message, std::move(details));
  }
  /// A check that a bundle of another kind can't have.
  void not_applicable(std::string id, std::string_view file, const std::string& why) {
    add("not_applicable", std::move(id), file, why);
  }
  /// Pass with `right`, or error with `wrong`.
  bool expect(bool holds, std::string id, std::string_view file, const std::string& right, const std::string& wrong,
              Value details = {});
  /// Pass when both are the same, typed.
  bool equal(std::string id, std::string_view file, const std::string& what, const Value& found, const Value& expected);

  std::vector<Check>& checks() { return checks_; }
  std::size_t count(std::string_view status) const;

 private:
  std::vector<Check> checks_;
};

/// A member, or null.
const Value& member(const Value& object, std::string_view key);
/// A member that is text, or empty.
std::string text_of(const Value& object, std::string_view key);
/// The items of an array; nothing for everything else.
const Value::Items& items_of(const Value& value);
/// The members of an object; nothing for everything else.
const Value::Members& members_of(const Value& value);
/// Canonical digest; empty for what JSON can't carry.
std::string digest_of(const Value& value);
bool is_schema_version(const Value& value);
/// A value as a message shows it: short, on one line.
std::string brief(const Value& value);

}  // namespace noema::evidence
