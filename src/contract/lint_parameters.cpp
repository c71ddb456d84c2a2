// Parameters: their schemas, the conditions under which they matter, and those that choose a backend.
// SPDX-License-Identifier: Apache-2.0
#include <regex>
#include <set>

#include "contract/lint_report.h"

namespace noema::contract {
namespace {

const std::vector<std::string> backend_names{"cpp",      "numpy",  "torch",  "onnxruntime",
                                             "openvino", "sionna", "python", "external"};

void lint_condition(const Value& parameters, const std::string& name, const Value& conditions, LintReport& report) {
  const std::string path = "parameters." + name + ".x-noema-effective-when";
  if (!conditions.is_object() || conditions.size() == 0) {
    return report.add(path, "x-noema-effective-when must map at least one parameter to a value");
  }
  for (const auto& [controller, value] : conditions.members()) {
    const Value* schema = parameters.find(controller);
    const std::string at = path + "." + controller;
    if (schema == nullptr || controller == name) {
      report.add(at, "'" + controller + "' is no other parameter of this operation");
    } else if (schema->find("default") == nullptr || schema->find("x-noema-effective-when") != nullptr) {
      report.add(at,
                 "'" + controller + "' can't control others: it needs a default and may not depend on others itself");
    } else if (!schema_violations(*schema, value, controller).empty()) {
      report.add(at, "'" + controller + "' can't be " + value_text(value));
    }
  }
}

/// Is every item of `list` text that `choices` holds?
bool within(const Value& list, const Value& choices) {
  return std::ranges::all_of(list.items(), [&](const Value& item) {
    return item.is_string() && std::ranges::find(choices.items(), item) != choices.items().end();
  });
}

void lint_mapping(const Value& selector, const Value& choices, const std::string& path, LintReport& report) {
  const Value* mapping = report.object_member(selector, path, "mapping", true);
  const Value* automatic = selector.find("automatic_values");
  const Value* chosen = selector.find("automatic_value");
  if (mapping == nullptr) return;
  if (mapping->size() == 0) report.add(path + ".mapping", "the mapping must name at least one value");
  for (const auto& [value, backend] : mapping->members()) {
    const std::string at = path + ".mapping." + value;
    if (std::ranges::find(choices.items(), Value(value)) == choices.items().end()) {
      report.add(at, "'" + value + "' is not among the parameter's choices");
    }
    if (!backend.is_string() || std::ranges::find(backend_names, backend.string()) == backend_names.end()) {
      report.add(at, value_text(backend) + " is not a backend; known: " + joined(backend_names, ", "));
    }
  }
  if (automatic == nullptr || !automatic->is_array()) {
    return report.add(path, "automatic_values must be a list (it may be empty)");
  }
  if (!within(*automatic, choices))
    report.add(path + ".automatic_values", "an automatic value is not among the choices");
  for (const Value& value : choices.items()) {
    const bool mapped = value.is_string() && mapping->find(value.string()) != nullptr;
    const bool listed = std::ranges::find(automatic->items(), value) != automatic->items().end();
    if (mapped == listed) {
      report.add(path, "the choice " + value_text(value) +
                           (mapped ? " is both mapped and automatic" : " leads to no backend"));
    }
  }
  if (chosen != nullptr && (!chosen->is_string() || mapping->find(chosen->string()) == nullptr)) {
    report.add(path + ".automatic_value", value_text(*chosen) + " is not a key of the mapping");
  }
}

/// Is it a primary selector?
bool lint_selector(const std::string& name, const Value& parameter, const Value& selector, LintReport& report) {
  const std::string path = "parameters." + name + ".x-noema-materialization-selector";
  if (!selector.is_object()) {
    report.add(path, "a selector must be an object");
    return false;
  }
  report.check_keys(selector, path, {"target", "role", "mapping", "automatic_values", "automatic_value"});
  report.choice_member(selector, path, "target", {"backend"});
  const std::string* role = report.choice_member(selector, path, "role", {"primary", "subordinate"});
  const Value* choices = parameter.find("enum");
  if (choices == nullptr || !choices->is_array()) {
    report.add(path, "a selector needs an enum");
  } else {
    lint_mapping(selector, *choices, path, report);
  }
  return role != nullptr && *role == "primary";
}

}  // namespace

void lint_parameters(const Value& authored, LintReport& report) {
  const Value* parameters = report.object_member(authored, "", "parameters");
  if (parameters == nullptr) return;
  static const std::regex syntax("^[A-Za-z][A-Za-z0-9_]*$");
  std::string primary;
  for (const auto& [name, parameter] : parameters->members()) {
    const std::string path = "parameters." + name;
    if (name.size() > 100 || !std::regex_match(name, syntax)) {
      report.add(path, "a parameter's name is letters, digits and _; this is " + value_text(Value(name)));
    }
    if (!parameter.is_object()) {
      report.add(path, "a parameter is an object; this is " + value_text(parameter));
      continue;
    }
    if (const Value* use = parameter.find("use")) {
      report.add(path + ".use", "there is no fragment " + value_text(*use), "fragments stand in fragments.json");
      continue;
    }
    Value schema = parameter;
    if (const Value* required = parameter.find("required"); required != nullptr && required->is_boolean()) {
      schema.erase("required");
    }
    const std::vector<SchemaFlaw> flaws = schema_flaws(schema);
    for (const SchemaFlaw& flaw : flaws) {
      report.add(flaw.path.empty() ? path : path + "." + flaw.path, flaw.message, flaw.hint, AuthoredText::Part::key);
    }
    if (!flaws.empty()) continue;
    if (const Value* conditions = parameter.find("x-noema-effective-when")) {
      lint_condition(*parameters, name, *conditions, report);
    }
    if (const Value* selector = parameter.find("x-noema-materialization-selector")) {
      if (!lint_selector(name, parameter, *selector, report)) continue;
      if (!primary.empty()) report.add(path, "'" + primary + "' is a primary selector already; there may be one");
      primary = name;
    }
  }
}

}  // namespace noema::contract
