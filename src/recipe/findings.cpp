// SPDX-License-Identifier: Apache-2.0
#include "recipe/findings.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/json.h"
#include "core/text.h"
#include "recipe/codes.h"

namespace noema {
namespace {

std::string diagnostic_code(Code code) { return std::string(code.text.substr(std::string_view("recipe.").size())); }

}  // namespace

std::string kind_of(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return value.boolean() ? "true" : "false";
    case Value::Kind::integer:
      return "the integer " + value.integer_text().substr(0, 40);
    case Value::Kind::number:
      return "the number " + canonical_json(value);
    case Value::Kind::string:
      return "the text " + shown(value.string(), 40);
    case Value::Kind::array:
      return "a list";
    default:
      return "a mapping";
  }
}

std::string hint_for(std::string_view name, const std::vector<std::string>& known, std::string otherwise) {
  std::string hint = did_you_mean(name, known);
  return hint.empty() ? std::move(otherwise) : hint;
}

void Findings::add(Diagnostic::Severity severity, Code code, std::string_view path, std::string message,
                   std::string hint, bool at_key) {
  if (severity == Diagnostic::Severity::error) sound_ = false;
  if (full()) {
    ++dropped_;
    dropped_error_ = dropped_error_ || severity == Diagnostic::Severity::error;
    return;
  }
  Diagnostic one;
  one.severity = severity;
  one.code = diagnostic_code(code);
  one.message = std::move(message);
  one.path = path.empty() ? "$" : "$." + std::string(path);
  one.hint = std::move(hint);
  if (recipe_.document != nullptr) one.at = at_key ? recipe_.document->key_place(path) : recipe_.document->place(path);
  one.at.path = std::string(path);
  recipe_.diagnostics.push_back(std::move(one));
}

void Findings::invalid(std::string_view path, std::string message, std::string hint) {
  error(code::recipe_structure, path, std::move(message), std::move(hint));
}

void Findings::unwelcome(Code code, std::string_view path, std::string message, std::string hint, bool at_key) {
  const bool strict = recipe_.mode == CompileMode::strict;
  add(strict ? Diagnostic::Severity::error : Diagnostic::Severity::warning, code, path, std::move(message),
      std::move(hint), at_key);
}

void Findings::finish(const std::vector<std::string>& step_ids) {
  if (recipe_.document != nullptr) {
    for (const Diagnostic& remark : recipe_.document->remarks) recipe_.diagnostics.push_back(remark);
  }
  std::ranges::stable_sort(recipe_.diagnostics, {},
                           [](const Diagnostic& one) { return std::pair(one.at.line, one.at.column); });
  constexpr std::string_view steps = "steps[";
  for (Diagnostic& one : recipe_.diagnostics) {
    std::string& path = one.at.path;
    if (!path.starts_with(steps) || path.ends_with("].id")) continue;
    std::size_t index = 0;
    const auto [end, failure] = std::from_chars(path.data() + steps.size(), path.data() + path.size(), index);
    if (failure != std::errc{} || index >= step_ids.size() || std::ranges::count(step_ids, step_ids[index]) != 1)
      continue;
    path = "steps." + step_ids[index] + path.substr(path.find(']') + 1);
  }
  tell_dropped();
}

void Findings::tell_dropped() {
  if (dropped_ == 0) return;
  Diagnostic rest;
  rest.severity = dropped_error_ ? Diagnostic::Severity::error : Diagnostic::Severity::warning;
  rest.code = diagnostic_code(code::recipe_structure);
  rest.message = std::to_string(dropped_) + " further findings are not shown";
  rest.path = "$";
  if (recipe_.document != nullptr) rest.at.file = recipe_.document->source->name;
  recipe_.diagnostics.push_back(std::move(rest));
}

}  // namespace noema
