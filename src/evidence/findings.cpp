// SPDX-License-Identifier: Apache-2.0
#include "evidence/findings.h"

#include <algorithm>

#include "core/digest.h"
#include "core/json.h"
#include "core/text.h"

namespace noema::evidence {

void Findings::add(std::string status, std::string id, std::string_view file, const std::string& message,
                   Value details) {
  if (!file.empty()) details.set("file", file);
  checks_.push_back({std::move(id), std::move(status), file.empty() ? message : std::string(file) + ": " + message,
                     std::move(details)});
}

bool Findings::expect(bool holds, std::string id, std::string_view file, const std::string& right,
                      const std::string& wrong, Value details) {
  if (holds) {
    pass(std::move(id), file, right);
  } else {
    error(std::move(id), file, wrong, std::move(details));
  }
  return holds;
}

bool Findings::equal(std::string id, std::string_view file, const std::string& what, const Value& found,
                     const Value& expected) {
  if (found == expected) {
    pass(std::move(id), file, what + " agrees");
    return true;
  }
  Value details;
  // Whole documents would drown the report.
  const auto small = [](const Value& value) { return !value.is_object() && !value.is_array(); };
  if (small(found) && small(expected)) details = Value::object({{"found", found}, {"expected", expected}});
  error(std::move(id), file, what + " is " + brief(found) + "; expected " + brief(expected), std::move(details));
  return false;
}

std::size_t Findings::count(std::string_view status) const {
  return static_cast<std::size_t>(std::ranges::count(checks_, status, &Check::status));
}

const Value& member(const Value& object, std::string_view key) {
  static const Value nothing;
  const Value* found = object.find(key);
  return found == nullptr ? nothing : *found;
}

std::string text_of(const Value& object, std::string_view key) {
  const Value& found = member(object, key);
  return found.is_string() ? found.string() : std::string();
}

const Value::Items& items_of(const Value& value) {
  static const Value::Items nothing;
  return value.is_array() ? value.items() : nothing;
}

const Value::Members& members_of(const Value& value) {
  static const Value::Members nothing;
  return value.is_object() ? value.members() : nothing;
}

std::string digest_of(const Value& value) { return check_json(value) ? sha256_of(value) : std::string(); }

bool is_schema_version(const Value& value) { return value == Value(1); }

std::string brief(const Value& value) {
  if (value.is_null()) return "absent";
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  if (value.is_object()) return "an object of " + std::to_string(value.size()) + " members";
  return value.is_string() ? shown(value.string()) : canonical_json(value);
}

}  // namespace noema::evidence
