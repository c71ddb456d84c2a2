// Traits: differentiability, equivalence, formats, trained artifacts, metrics, validators.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <regex>
#include <set>

#include "contract/lint_report.h"
#include "contract/validators.h"

namespace noema::contract {
namespace {

void lint_flag(const Value& object, const std::string& path, const char* key, LintReport& report) {
  const Value* value = object.find(key);
  if (value != nullptr && !value->is_boolean())
    report.add(path + "." + key, std::string(key) + " must be true or false");
}

void lint_differentiability(const Value& authored, LintReport& report) {
  const std::string path = "differentiability";
  const Value* traits = report.object_member(authored, "", path);
  if (traits == nullptr) return;
  report.check_keys(*traits, path, {"framework", "gradient", "trainable_params", "exportable", "reason"});
  report.choice_member(*traits, path, "framework", {"torch", "sionna", "tensorflow", "numpy", "blackbox", "none"},
                       false);
  report.choice_member(*traits, path, "gradient", {"full", "stop", "surrogate", "none"}, false);
  report.text_member(*traits, path, "reason", false);
  lint_flag(*traits, path, "trainable_params", report);
  lint_flag(*traits, path, "exportable", report);
}

void lint_equivalence(const Value& authored, LintReport& report) {
  const std::string path = "equivalence";
  const Value* traits = report.object_member(authored, "", path);
  if (traits == nullptr) return;
  report.check_keys(*traits, path, {"type", "tolerance", "reason"});
  const std::string* type =
      report.choice_member(*traits, path, "type", {"exact", "numerical", "statistical", "behavioral"});
  report.text_member(*traits, path, "reason", false);
  const Value* tolerance = report.object_member(*traits, path, "tolerance");
  if (type == nullptr) return;
  if ((*type == "numerical") != (traits->find("tolerance") != nullptr)) {
    return report.add(path, "a tolerance belongs to the class numerical, and to it alone");
  }
  if (tolerance == nullptr) return;
  report.check_keys(*tolerance, path + ".tolerance", {"atol", "rtol"});
  for (const char* key : {"atol", "rtol"}) {
    const Value* bound = tolerance->find(key);
    const bool fits = bound != nullptr && bound->is_numeric() && std::isfinite(bound->number()) && bound->number() >= 0;
    if (!fits) report.add(path + ".tolerance", std::string(key) + " must be a number of at least 0");
  }
}

void lint_formats(const Value& authored, LintReport& report) {
  const Value* formats = report.object_member(authored, "", "formats");
  if (formats == nullptr) return;
  for (const auto& [key, value] : formats->members()) {
    const bool list =
        value.is_array() && std::ranges::all_of(value.items(), [](const Value& v) { return v.is_string(); });
    if (!value.is_string() && !value.is_null() && !list)
      report.add("formats." + key, "a format is text or a list of texts");
  }
}

void lint_binding_params(const Value& abi, const Value* parameters, LintReport& report) {
  const std::string path = "trained_artifact_abi.binding_params";
  const Value* bindings = report.object_member(abi, "trained_artifact_abi", "binding_params", true);
  if (bindings == nullptr) return;
  for (const auto& [name, value] : bindings->members()) {
    if (parameters == nullptr || parameters->find(name) == nullptr) {
      report.add(path + "." + name, "'" + name + "' is no parameter of this operation");
    }
  }
  report.text_member(*bindings, path, "artifact_manifest_path");
  const std::string* entrypoint = report.text_member(*bindings, path, "artifact_entrypoint");
  const Value* declared = abi.find("entrypoint_id");
  if (entrypoint != nullptr && declared != nullptr && *declared != Value(*entrypoint)) {
    report.add(path + ".artifact_entrypoint", "artifact_entrypoint must equal entrypoint_id, " + value_text(*declared));
  }
}

void lint_abi(const Value& authored, LintReport& report) {
  const std::string path = "trained_artifact_abi";
  const Value* abi = report.object_member(authored, "", path);
  if (abi == nullptr) return;
  report.check_keys(*abi, path,
                    {"component_id", "component_role", "entrypoint_id", "constraint_adapter", "inputs", "outputs",
                     "binding_params", "required_operation_inputs"});
  for (const char* key : {"component_id", "component_role", "entrypoint_id"}) report.text_member(*abi, path, key);
  for (const char* key : {"inputs", "outputs"}) {
    const Value* tensors = report.object_member(*abi, path, key, true);
    if (tensors != nullptr && tensors->size() == 0)
      report.add(path + "." + key, "at least one tensor must be declared");
  }
  lint_binding_params(*abi, authored.find("parameters"), report);
  const Value* inputs = abi->find("required_operation_inputs");
  if (inputs == nullptr || !inputs->is_array())
    return report.add(path, "required_operation_inputs must be a list of inputs");
  std::set<std::string> seen;
  for (const Value& name : inputs->items()) {
    const Value* required = authored.find("inputs");
    const Value* optional = authored.find("optional_inputs");
    const bool declared = name.is_string() && ((required != nullptr && required->find(name.string()) != nullptr) ||
                                               (optional != nullptr && optional->find(name.string()) != nullptr));
    if (!declared)
      report.add(path + ".required_operation_inputs", value_text(name) + " is no input of this operation");
    else if (!seen.insert(name.string()).second)
      report.add(path + ".required_operation_inputs", value_text(name) + " stands twice");
  }
}

void lint_capabilities(const Value& authored, LintReport& report) {
  const std::string path = "training_capabilities";
  const Value* traits = report.object_member(authored, "", path);
  if (traits == nullptr) return;
  report.check_keys(*traits, path, {"built_in_fine_tuning", "portable_replacement"});
  lint_flag(*traits, path, "built_in_fine_tuning", report);
  lint_flag(*traits, path, "portable_replacement", report);
  const Value* portable = traits->find("portable_replacement");
  if (portable != nullptr && *portable != Value(authored.find("trained_artifact_abi") != nullptr)) {
    report.add(path + ".portable_replacement",
               "portable_replacement is true exactly when trained_artifact_abi is there");
  }
}

void lint_metrics(const Value& authored, LintReport& report) {
  const Value* metrics = report.object_member(authored, "", "metrics");
  if (metrics == nullptr) return;
  static const std::regex syntax("^[A-Za-z0-9_<>-]+(\\.[A-Za-z0-9_<>-]+)*$");
  for (const auto& [name, traits] : metrics->members()) {
    const std::string path = "metrics." + name;
    if (name.size() > 200 || !std::regex_match(name, syntax)) {
      report.add(path, value_text(Value(name)) + " is not a metric's name",
                 "names joined by dots; <label> stands for any text");
    }
    if (!traits.is_object()) {
      report.add(path, "a metric has a unit and a direction");
      continue;
    }
    report.check_keys(traits, path, {"unit", "direction", "description"});
    report.text_member(traits, path, "unit");
    report.choice_member(traits, path, "direction", {"higher_is_better", "lower_is_better", "neutral"});
    report.text_member(traits, path, "description", false);
  }
}

void lint_validator(const Value& authored, LintReport& report) {
  const std::string* name = report.text_member(authored, "", "validator", false);
  if (name == nullptr || find_validator(*name) != nullptr) return;
  report.add("validator", "there is no validator " + value_text(Value(*name)), did_you_mean(*name, validator_names()));
}

}  // namespace

void lint_traits(const Value& authored, LintReport& report) {
  lint_differentiability(authored, report);
  lint_equivalence(authored, report);
  lint_formats(authored, report);
  lint_abi(authored, report);
  lint_capabilities(authored, report);
  lint_metrics(authored, report);
  lint_validator(authored, report);
  report.object_member(authored, "", "entropy_payload_info");
}

}  // namespace noema::contract
