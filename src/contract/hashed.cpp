// Authored form to hashed and semantic form (contract/hashed.h).
// SPDX-License-Identifier: Apache-2.0
#include "contract/hashed.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace noema::contract {
namespace {

constexpr std::array<std::string_view, 3> runners{"benchmark_run", "dataset_capture", "differentiable_export"};

Value member_or(const Value& object, std::string_view key, Value fallback) {
  const Value* found = object.find(key);
  return found == nullptr ? std::move(fallback) : *found;
}

Value output_kinds(const Value& outputs) {
  Value kinds = Value::object();
  for (const auto& [port, list] : outputs.members()) kinds.append(port, list[0]);
  return kinds;
}

Value params_schema(const Value& parameters) {
  Value properties = Value::object();
  Value required = Value::array();
  for (const auto& [name, authored] : parameters.members()) {
    Value property = authored;
    const Value* demanded = authored.find("required");
    if (demanded != nullptr && demanded->is_boolean()) {
      if (demanded->boolean()) required.push(name);
      property.erase("required");
    }
    properties.append(name, std::move(property));
  }
  return Value::object({{"type", "object"},
                        {"additionalProperties", false},
                        {"properties", std::move(properties)},
                        {"required", std::move(required)}});
}

Value differentiability(const Value* authored) {
  Value form =
      Value::object({{"framework", "numpy"}, {"gradient", "none"}, {"trainable_params", false}, {"exportable", false}});
  if (authored == nullptr) return form;
  for (const auto& [key, value] : authored->members()) form.set(key, value);
  return form;
}

Value formats(const Value* authored) {
  Value form = Value::object({{"artifact", "operation-defined"}, {"tensor", "none"}});
  if (authored == nullptr) return form;
  for (const auto& [key, value] : authored->members()) form.set(key, value.is_null() ? Value("none") : value);
  return form;
}

Value rows(const Value& authored) {
  Value form = Value::array();
  for (const Value& row : authored.items()) {
    Value copy = row;
    if (copy.find("implementation") == nullptr) copy.set("implementation", "default");
    if (const Value* flag = copy.find("explicit"); flag != nullptr && !flag->boolean()) copy.erase("explicit");
    form.push(std::move(copy));
  }
  return form;
}

Value backends(const Value& materializations) {
  Value form = Value::object();
  for (const std::string_view runner : runners) {
    Value list = Value::array();
    for (const Value& row : materializations.items()) {
      if (row.at("runner").string() != runner) continue;
      const Value& backend = row.at("backend");
      if (std::ranges::find(list.items(), backend) == list.items().end()) list.push(backend);
    }
    form.append(std::string(runner), std::move(list));
  }
  return form;
}

Value training_capabilities(const Value& authored) {
  Value form = Value::object(
      {{"built_in_fine_tuning", false}, {"portable_replacement", authored.find("trained_artifact_abi") != nullptr}});
  if (const Value* given = authored.find("training_capabilities")) {
    for (const auto& [key, value] : given->members()) form.set(key, value);
  }
  return form;
}

bool is_wording(std::string_view key) {
  return key == "name" || key == "description" || key == "title" || key == "notes" || key == "reason" ||
         key == "status" || key == "x-noema-ui";
}

bool is_verbatim(std::string_view key) { return key == "default" || key == "enum" || key == "parameter_bindings"; }

Value without_wording(const Value& value, bool keys_are_names) {
  if (value.is_array()) {
    Value list = Value::array();
    for (const Value& item : value.items()) list.push(without_wording(item, false));
    return list;
  }
  if (!value.is_object()) return value;
  Value object = Value::object();
  for (const auto& [key, member] : value.members()) {
    if (!keys_are_names && is_wording(key)) continue;
    const bool verbatim = !keys_are_names && is_verbatim(key);
    object.append(key, verbatim ? member : without_wording(member, !keys_are_names && key == "properties"));
  }
  return object;
}

}  // namespace

Value hashed_form(const Value& authored) {
  const Value none = Value::object();
  Value materializations = rows(authored.at("materializations"));
  Value form = Value::object({
      {"schema_version", 1},
      {"id", authored.at("id")},
      {"name", authored.at("name")},
      {"status", authored.at("status")},
      {"input_kinds", member_or(authored, "inputs", none)},
      {"optional_input_kinds", member_or(authored, "optional_inputs", none)},
      {"output_kinds", output_kinds(member_or(authored, "outputs", none))},
      {"input_metadata_requirements", member_or(authored, "input_metadata_requirements", none)},
      {"output_metadata_guarantees", member_or(authored, "output_metadata_guarantees", none)},
      {"params_schema", params_schema(member_or(authored, "parameters", none))},
      {"differentiability", differentiability(authored.find("differentiability"))},
      {"backends", backends(materializations)},
      {"equivalence", member_or(authored, "equivalence", Value::object({{"type", "behavioral"}}))},
      {"formats", formats(authored.find("formats"))},
      {"materializations", std::move(materializations)},
      {"execution_safety",
       Value::object(
           {{"thread_safe", true}, {"dispatch_instance", "stateless"}, {"undeclared_parallel_policy", "exclusive"}})},
      {"training_capabilities", training_capabilities(authored)},
  });
  const auto carry = [&](std::string_view from, std::string_view to) {
    if (const Value* given = authored.find(from)) form.append(std::string(to), *given);
  };
  carry("entropy_payload_info", "entropy_info");
  carry("trained_artifact_abi", "trained_artifact_abi");
  carry("metrics", "x-noema-metrics");
  carry("validator", "x-noema-validator");
  return form;
}

Value semantic_form(const Value& hashed) { return without_wording(hashed, false); }

}  // namespace noema::contract
