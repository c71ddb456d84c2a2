// SPDX-License-Identifier: Apache-2.0
#include "recipe/profile_reference.h"

#include <optional>
#include <utility>

#include "core/text.h"
#include "recipe/codes.h"
#include "recipe/python_text.h"

namespace noema {
namespace {

std::optional<Value> read_reference(const Value& value, const std::string& path, bool may_be_based,
                                    Findings& findings) {
  if (!value.is_object()) {
    findings.invalid(path, "a profile is named by a mapping with id and version, not " + kind_of(value),
                     "write `id:` below it");
    return std::nullopt;
  }
  Value reference = Value::object();
  for (const auto& [key, member] : value.members()) {
    if (key == "id" || key == "version" || (may_be_based && key == "based_on")) continue;
    findings.error_at_key(code::recipe_structure, path + "." + key, "an execution profile has no field " + shown(key),
                          hint_for(key, {"id", "version", "based_on"}, "its fields are id, version and based_on"));
  }
  const Value* id = value.find("id");
  if (id == nullptr || !id->is_string() || id->string().empty()) {
    findings.invalid(path + ".id",
                     id == nullptr ? "the profile has no id" : "the profile's id is " + kind_of(*id) + ", not a name",
                     "write `id: custom`, or the id of a profile");
  } else {
    reference.set("id", *id);
  }
  reference.set("version", 1);
  if (const Value* version = value.find("version"); version != nullptr) {
    const std::optional<std::string> number = python_integer(*version);
    if (number) {
      reference.set("version", Value::integer_text(*number));
    } else {
      findings.invalid(path + ".version", "the profile's version is " + kind_of(*version) + ", not an integer",
                       "write `version: 1`");
    }
  }
  return reference;
}

}  // namespace

Value read_profile_reference(const Value& raw_recipe, Findings& findings) {
  const Value custom = Value::object({{"id", "custom"}, {"version", 1}});
  const Value* value = raw_recipe.find("execution_profile");
  if (value == nullptr || value->is_null()) return custom;
  std::optional<Value> reference = read_reference(*value, "execution_profile", true, findings);
  if (!reference) return custom;
  if (const Value* base = value->find("based_on"); base != nullptr && !base->is_null()) {
    const Value* id = reference->find("id");
    if (id != nullptr && !(*id == Value("custom"))) {
      findings.error_at_key(code::recipe_structure, "execution_profile.based_on",
                            "only the profile custom is based on another one",
                            "remove based_on, or write `id: custom`");
    }
    if (std::optional<Value> of = read_reference(*base, "execution_profile.based_on", false, findings)) {
      reference->set("based_on", *std::move(of));
    }
  }
  return *std::move(reference);
}

}  // namespace noema
