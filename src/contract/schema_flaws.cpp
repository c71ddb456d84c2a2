// Schemas themselves: keywords, their types, bounds that contradict each other, defaults outside their own bounds.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <string_view>

#include "contract/schema.h"
#include "core/text.h"

namespace noema::contract {
namespace {

constexpr std::array<std::string_view, 7> type_names{"array",  "boolean", "integer", "null",
                                                     "number", "object",  "string"};

const std::vector<std::string>& keywords() {
  static const std::vector<std::string> names{"type",
                                              "properties",
                                              "required",
                                              "additionalProperties",
                                              "enum",
                                              "default",
                                              "minimum",
                                              "maximum",
                                              "exclusiveMinimum",
                                              "exclusiveMaximum",
                                              "minLength",
                                              "maxLength",
                                              "minItems",
                                              "maxItems",
                                              "pattern",
                                              "items",
                                              "title",
                                              "description",
                                              "x-noema-effective-when",
                                              "x-noema-materialization-selector",
                                              "x-noema-effect",
                                              "x-noema-ui"};
  return names;
}

const std::vector<std::string>& ui_keys() {
  static const std::vector<std::string> names{
      "label",       "visible_when", "enabled_when", "hidden",         "hidden_when_input_connected", "allow_sweep",
      "enum_labels", "control",      "accept",       "derived_params", "inherited_from_consumer"};
  return names;
}

bool is_type_name(const Value& name) {
  return name.is_string() && std::ranges::find(type_names, name.string()) != type_names.end();
}

bool is_compilable(const std::string& pattern) {
  try {
    const std::regex compiled(pattern);
    return true;
  } catch (const std::regex_error&) {
    return false;
  }
}

class Examiner {
 public:
  std::vector<SchemaFlaw> take() { return std::move(flaws_); }

  void examine(const Value& schema, const std::string& path) {
    if (!schema.is_object()) return flaw(path, "", "a schema must be an object");
    const std::size_t before = flaws_.size();
    for (const auto& [keyword, value] : schema.members()) examine_keyword(keyword, value, schema, path);
    examine_pair(schema, "minimum", "maximum", path);
    examine_pair(schema, "exclusiveMinimum", "exclusiveMaximum", path);
    examine_pair(schema, "minLength", "maxLength", path);
    examine_pair(schema, "minItems", "maxItems", path);
    if (schema.find("type") == nullptr) flaw(path, "type", "the schema states no type");
    if (flaws_.size() != before) return;  // a broken schema can't judge its own values
    if (const Value* fallback = schema.find("default")) examine_value(schema, *fallback, path, "default");
    if (const Value* choices = schema.find("enum")) examine_choices(schema, *choices, path);
  }

 private:
  void flaw(const std::string& path, std::string_view keyword, std::string message, std::string hint = {}) {
    std::string where = path;
    if (!keyword.empty()) where += (where.empty() ? "" : ".") + std::string(keyword);
    flaws_.push_back({std::move(where), std::move(message), std::move(hint)});
  }

  void examine_keyword(const std::string& keyword, const Value& value, const Value& schema, const std::string& path) {
    const auto need = [&](bool fits, const char* what) {
      if (!fits) flaw(path, keyword, keyword + " must be " + what + "; it is " + value_text(value));
    };
    if (keyword == "type") {
      const bool names = value.is_array() && value.size() != 0 && std::ranges::all_of(value.items(), is_type_name);
      need(is_type_name(value) || names,
           "one of array, boolean, integer, null, number, object, string, or a list of them");
    } else if (keyword == "enum") {
      need(value.is_array() && value.size() != 0, "a list with at least one value");
    } else if (keyword == "minimum" || keyword == "maximum" || keyword == "exclusiveMinimum" ||
               keyword == "exclusiveMaximum") {
      need(value.is_numeric() && std::isfinite(value.number()), "a finite number");
    } else if (keyword == "minLength" || keyword == "maxLength" || keyword == "minItems" || keyword == "maxItems") {
      need(value.int64().value_or(-1) >= 0, "an integer of at least 0");
    } else if (keyword == "pattern") {
      need(value.is_string() && is_compilable(value.string()), "a regular expression");
    } else if (keyword == "title" || keyword == "description") {
      need(value.is_string() && !trimmed(value.string()).empty(), "text that is not empty");
    } else if (keyword == "additionalProperties") {
      need(value.is_boolean(), "true or false");
    } else if (keyword == "items") {
      examine(value, path.empty() ? keyword : path + "." + keyword);
    } else if (keyword == "properties") {
      examine_properties(value, path);
    } else if (keyword == "required") {
      examine_required(value, schema, path);
    } else if (keyword == "x-noema-effect") {
      need(value == Value("training") || value == Value("recorded"), "'training' or 'recorded'");
    } else if (keyword == "x-noema-ui") {
      examine_ui(value, path);
    } else if (std::ranges::find(keywords(), keyword) == keywords().end()) {
      flaw(path, keyword, "unknown schema keyword " + shown(keyword), did_you_mean(keyword, keywords()));
    }
  }

  void examine_properties(const Value& value, const std::string& path) {
    if (!value.is_object()) return flaw(path, "properties", "properties must be an object");
    const std::string below = path.empty() ? "properties." : path + ".properties.";
    for (const auto& [name, schema] : value.members()) examine(schema, below + name);
  }

  void examine_required(const Value& value, const Value& schema, const std::string& path) {
    if (!value.is_array()) return flaw(path, "required", "required must be a list of names");
    const Value* properties = schema.find("properties");
    for (const Value& name : value.items()) {
      const bool declared = name.is_string() && properties != nullptr && properties->find(name.string()) != nullptr;
      if (!declared) flaw(path, "required", value_text(name) + " is required but not declared");
    }
  }

  void examine_ui(const Value& value, const std::string& path) {
    if (!value.is_object()) return flaw(path, "x-noema-ui", "x-noema-ui must be an object");
    for (const auto& [key, ignored] : value.members()) {
      if (std::ranges::find(ui_keys(), key) != ui_keys().end()) continue;
      flaw(path, "x-noema-ui." + key, "unknown x-noema-ui key " + shown(key), did_you_mean(key, ui_keys()));
    }
  }

  void examine_pair(const Value& schema, std::string_view low, std::string_view high, const std::string& path) {
    const Value* least = schema.find(low);
    const Value* most = schema.find(high);
    if (least == nullptr || most == nullptr || !least->is_numeric() || !most->is_numeric()) return;
    if (least->number() <= most->number()) return;
    flaw(path, low,
         std::string(low) + " " + value_text(*least) + " is above " + std::string(high) + " " + value_text(*most));
  }

  void examine_value(const Value& schema, const Value& value, const std::string& path, std::string_view keyword) {
    for (const Error& error : schema_violations(schema, value, std::string(keyword))) {
      flaw(path, keyword, "the " + std::string(keyword) + " breaks its own schema: " + error.message, error.hint);
    }
  }

  void examine_choices(const Value& schema, const Value& choices, const std::string& path) {
    Value rest = schema;
    rest.erase("enum");
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const std::string name = "enum[" + std::to_string(i) + "]";
      for (const Error& error : schema_violations(rest, choices[i], "choice"))
        flaw(path, name, error.message, error.hint);
      for (std::size_t k = 0; k < i; ++k) {
        if (loosely_equal(choices[k], choices[i]))
          flaw(path, name, value_text(choices[i]) + " stands twice in the enum");
      }
    }
  }

  std::vector<SchemaFlaw> flaws_;
};

}  // namespace

std::vector<SchemaFlaw> schema_flaws(const Value& schema) {
  Examiner examiner;
  examiner.examine(schema, "");
  return examiner.take();
}

}  // namespace noema::contract
