// Values against schemas. Every violation is reported, not only the first.
// SPDX-License-Identifier: Apache-2.0
#include "contract/schema.h"

#include <algorithm>
#include <regex>
#include <string_view>

#include "core/json.h"
#include "core/text.h"

namespace noema::contract {
namespace {

bool has_type(const Value& value, std::string_view type) {
  switch (value.kind()) {
    case Value::Kind::null:
      return type == "null";
    case Value::Kind::boolean:
      return type == "boolean";
    case Value::Kind::integer:
      return type == "integer" || type == "number";
    case Value::Kind::number:
      return type == "number";
    case Value::Kind::string:
      return type == "string";
    case Value::Kind::array:
      return type == "array";
    case Value::Kind::object:
      return type == "object";
  }
  return false;
}

std::string type_text(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::boolean:
      return "a boolean";
    case Value::Kind::integer:
      return "an integer";
    case Value::Kind::number:
      return "a number with a fraction or exponent";
    case Value::Kind::string:
      return "text";
    case Value::Kind::array:
      return "a list";
    case Value::Kind::object:
      return "an object";
  }
  return "a value";
}

std::string wanted_text(std::string_view type) {
  if (type == "null") return "null";
  if (type == "boolean") return "true or false";
  if (type == "integer") return "an integer";
  if (type == "number") return "a number";
  if (type == "string") return "text";
  if (type == "array") return "a list";
  return "an object";
}

std::string listed(const Value::Items& choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i != 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += value_text(choices[i]);
  }
  return text;
}

/// The last part of a path: what the reader calls the value.
std::string_view subject(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

class Checker {
 public:
  std::vector<Error> take() { return std::move(errors_); }

  void check(const Value& schema, const Value& value, const std::string& path) {
    if (const Value* choices = schema.find("enum")) {
      const bool found = std::ranges::any_of(choices->items(), [&](const Value& c) { return loosely_equal(c, value); });
      if (!found) return report_choice(*choices, value, path);
    }
    if (const Value* type = schema.find("type")) {
      const bool fits =
          type->is_string()
              ? has_type(value, type->string())
              : std::ranges::any_of(type->items(), [&](const Value& one) { return has_type(value, one.string()); });
      if (!fits) return report_type(*type, value, path);
    }
    if (value.is_numeric()) check_bounds(schema, value, path);
    if (value.is_string()) check_text(schema, value.string(), path);
    if (value.is_array()) check_list(schema, value, path);
    if (value.is_object()) check_object(schema, value, path);
  }

 private:
  void report(Code code, const std::string& path, std::string message, std::string hint = {}) {
    errors_.push_back(Error{code, {path, {}, 0, 0, {}}, std::move(message), std::move(hint), {}});
  }

  void report_choice(const Value& choices, const Value& value, const std::string& path) {
    std::string hint;
    if (value.is_string()) {
      std::vector<std::string> known;
      for (const Value& choice : choices.items()) {
        if (choice.is_string()) known.push_back(choice.string());
      }
      hint = did_you_mean(value.string(), known);
    }
    report(code::parameter_choice, path,
           std::string(subject(path)) + " is " + value_text(value) + "; allowed: " + listed(choices.items()), hint);
  }

  void report_type(const Value& type, const Value& value, const std::string& path) {
    std::string wanted;
    if (type.is_string()) {
      wanted = wanted_text(type.string());
    } else {
      for (const Value& one : type.items()) wanted += (wanted.empty() ? "" : " or ") + wanted_text(one.string());
    }
    std::string hint;
    const bool integral =
        value.is_number() &&
        value.number() == static_cast<double>(static_cast<std::int64_t>(std::clamp(value.number(), -1e15, 1e15)));
    if (wanted == "an integer" && integral) hint = "write it without the decimal point";
    const bool digits = value.is_string() && !value.string().empty() &&
                        value.string().find_first_not_of("0123456789+-.eE_") == std::string::npos;
    if (digits && (wanted == "an integer" || wanted == "a number")) hint = "remove the quotes";
    report(code::parameter_type, path,
           std::string(subject(path)) + " is " + value_text(value) + " (" + type_text(value) + "); " + wanted +
               " is needed",
           hint);
  }

  void check_bounds(const Value& schema, const Value& value, const std::string& path) {
    const double number = value.number();
    const auto bound = [&](std::string_view keyword, auto broken, std::string_view words) {
      const Value* limit = schema.find(keyword);
      if (limit == nullptr || !broken(number, limit->number())) return;
      report(code::parameter_out_of_range, path,
             std::string(subject(path)) + " is " + value_text(value) + "; " + std::string(words) + " " +
                 value_text(*limit) + " is allowed");
    };
    bound(
        "minimum", [](double v, double limit) { return v < limit; }, "at least");
    bound(
        "maximum", [](double v, double limit) { return v > limit; }, "at most");
    bound(
        "exclusiveMinimum", [](double v, double limit) { return v <= limit; }, "more than");
    bound(
        "exclusiveMaximum", [](double v, double limit) { return v >= limit; }, "less than");
  }

  void check_length(const Value& schema, std::string_view least, std::string_view most, std::size_t length,
                    std::string_view unit, const std::string& path) {
    const Value* low = schema.find(least);
    const Value* high = schema.find(most);
    const auto has = std::string(subject(path)) + " has " + std::to_string(length) + " " + std::string(unit) + "; at ";
    if (low != nullptr && static_cast<double>(length) < low->number()) {
      report(code::parameter_out_of_range, path, has + "least " + value_text(*low) + " are needed");
    }
    if (high != nullptr && static_cast<double>(length) > high->number()) {
      report(code::parameter_out_of_range, path, has + "most " + value_text(*high) + " are allowed");
    }
  }

  void check_text(const Value& schema, const std::string& text, const std::string& path) {
    check_length(schema, "minLength", "maxLength", code_point_count(text), "characters", path);
    const Value* pattern = schema.find("pattern");
    if (pattern == nullptr) return;
    // std::regex recurses for each character, so long text would exhaust the stack.
    constexpr std::size_t longest = 4096;
    const bool fits = text.size() <= longest && std::regex_search(text, std::regex(pattern->string()));
    if (fits) return;
    report(code::parameter_out_of_range, path,
           std::string(subject(path)) + " is " + value_text(Value(text)) + "; it must match the pattern " +
               pattern->string());
  }

  void check_list(const Value& schema, const Value& value, const std::string& path) {
    check_length(schema, "minItems", "maxItems", value.size(), "items", path);
    const Value* items = schema.find("items");
    if (items == nullptr) return;
    for (std::size_t i = 0; i < value.size(); ++i) check(*items, value[i], path + "[" + std::to_string(i) + "]");
  }

  void check_object(const Value& schema, const Value& value, const std::string& path) {
    const Value* properties = schema.find("properties");
    const Value* open = schema.find("additionalProperties");
    for (const auto& [name, member] : value.members()) {
      const Value* inner = properties == nullptr ? nullptr : properties->find(name);
      if (inner != nullptr) {
        check(*inner, member, path + "." + name);
      } else if (open != nullptr && !open->boolean()) {
        report(code::parameter_unknown, path + "." + name,
               std::string(subject(path)) + " has no member " + shown(name));
      }
    }
    const Value* required = schema.find("required");
    if (required == nullptr) return;
    for (const Value& name : required->items()) {
      if (value.find(name.string()) != nullptr) continue;
      report(code::parameter_missing, path, std::string(subject(path)) + " lacks its member " + name.string());
    }
  }

  std::vector<Error> errors_;
};

void fill(const Value& schema, Value& value) {
  if (value.is_array()) {
    const Value* items = schema.find("items");
    if (items == nullptr) return;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value[i].is_array() || value[i].is_object()) fill(*items, value.edit(i));
    }
  }
  if (value.is_object() && schema.find("properties") != nullptr) value = filled(schema, value);
}

}  // namespace

bool loosely_equal(const Value& a, const Value& b) {
  if (a.is_numeric() && b.is_numeric()) return a == b || a.number() == b.number();
  if (a.is_array() && b.is_array()) {
    return a.size() == b.size() && std::ranges::equal(a.items(), b.items(), loosely_equal);
  }
  if (a.is_object() && b.is_object()) {
    return a.size() == b.size() && std::ranges::all_of(a.members(), [&](const Value::Member& member) {
             const Value* other = b.find(member.first);
             return other != nullptr && loosely_equal(member.second, *other);
           });
  }
  return a == b;
}

std::vector<Error> schema_violations(const Value& schema, const Value& value, const std::string& path) {
  Checker checker;
  checker.check(schema, value, path);
  return checker.take();
}

std::string blocking_controller(const Value& properties, const Value& property, const Value& object) {
  const Value* conditions = property.find("x-noema-effective-when");
  if (conditions == nullptr) return {};
  for (const auto& [controller, wanted] : conditions->members()) {
    const Value* given = object.find(controller);
    if (given == nullptr) {
      const Value* sibling = properties.find(controller);
      given = sibling == nullptr ? nullptr : sibling->find("default");
    }
    if (given == nullptr || !loosely_equal(*given, wanted)) return controller;
  }
  return {};
}

bool is_effective(const Value& properties, const Value& property, const Value& object) {
  return blocking_controller(properties, property, object).empty();
}

Value filled(const Value& object_schema, const Value& object) {
  Value result = object.is_null() ? Value::object() : object;
  const Value* properties = object_schema.find("properties");
  if (properties == nullptr || !result.is_object()) return result;
  for (const auto& [name, property] : properties->members()) {
    if (const Value* given = result.find(name)) {
      if (given->is_object() || given->is_array()) fill(property, result.edit(name));
      continue;
    }
    const Value* fallback = property.find("default");
    if (fallback != nullptr && is_effective(*properties, property, object)) result.set(name, *fallback);
  }
  return result;
}

std::string value_text(const Value& value) {
  if (value.is_string()) return shown(value.string());
  if (!check_json(value)) return "a value that JSON can't carry";
  constexpr std::size_t longest = 80;
  std::string text = canonical_json(value);
  if (text.size() <= longest) return text;
  std::size_t cut = longest;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return text.substr(0, cut) + "...";
}

}  // namespace noema::contract
