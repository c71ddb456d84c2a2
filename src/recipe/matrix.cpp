// The parameter space of a recipe: reading `metadata.matrix`, and its points one by one.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/digest.h"
#include "core/json.h"
#include "core/report.h"
#include "core/text.h"
#include "noema/recipe.h"
#include "recipe/codes.h"
#include "recipe/typed_identity.h"

namespace noema {
namespace {

constexpr std::size_t longest_suffix = 160;

Error refusal(const Recipe& recipe, Code code, std::string_view path, std::string message, std::string hint) {
  return Error{code, recipe.place(path), std::move(message), std::move(hint), {}};
}

Error no_matrix(const Recipe& recipe) {
  return refusal(recipe, code::recipe_matrix_point, "metadata.matrix",
                 "the recipe has no matrix to choose a point from",
                 "add `metadata.matrix` with `dimensions` and `step_params`");
}

/// A template with each marker replaced by the chosen value of its dimension.
Value filled(const Value& form, const Value& selection) {
  if (form.is_object()) {
    if (const Value* dimension = form.find("matrix"); dimension != nullptr) return selection.at(dimension->string());
    Value out = Value::object();
    for (const auto& [key, member] : form.members()) out.append(key, filled(member, selection));
    return out;
  }
  if (!form.is_array()) return form;
  Value::Items items;
  for (const Value& item : form.items()) items.push_back(filled(item, selection));
  return items;
}

/// `[A-Za-z0-9][A-Za-z0-9_.-]{0,47}`
bool is_short_name(std::string_view text) {
  const auto alphanumeric = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !text.empty() && text.size() <= 48 && alphanumeric(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return alphanumeric(c) || c == '_' || c == '.' || c == '-'; });
}

/// What tells the points' names apart: `snr_8__code_3`, or the id where that would be unreadable.
std::string suffix_of(const Value& selection, const std::string& id) {
  std::vector<Value::Member> sorted = selection.members();
  std::ranges::sort(sorted, {}, &Value::Member::first);
  std::string suffix;
  for (const auto& [name, value] : sorted) {
    if (value.is_array() || value.is_object() || !is_short_name(name)) return id;
    const std::string rendered = value.is_string() ? value.string() : canonical_json(value);
    if (!is_short_name(rendered.starts_with('-') ? std::string_view(rendered).substr(1) : rendered)) return id;
    if (!suffix.empty()) suffix += "__";
    suffix += name + "_" + rendered;
  }
  return code_point_count(suffix) <= longest_suffix ? suffix : id;
}

/// The concrete recipe of a selection: steps that the matrix does not touch are shared with the base.
Variant variant_of(const Recipe& recipe, const Matrix& matrix, Value selection, std::size_t index) {
  Variant variant;
  variant.index = index;
  variant.id = variant_id(selection);
  variant.name = recipe.name + "__" + suffix_of(selection, variant.id);
  variant.recipe = recipe.normalized;
  variant.recipe.set("name", variant.name);
  Value& metadata = variant.recipe.edit("metadata");
  for (const char* key : {"matrix", "sweeps", "ui_sweeps"}) metadata.erase(key);
  metadata.set("matrix_selection", selection);
  metadata.set("matrix_index", std::uint64_t{index});
  metadata.set("matrix_variant_id", variant.id);
  const Value& step_params = matrix.definition.at("step_params");
  Value& steps = variant.recipe.edit("steps");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Value* forms = step_params.find(steps[i].at("id").string());
    if (forms == nullptr) continue;
    Value& params = steps.edit(i).edit("params");
    for (const auto& [name, form] : forms->members()) params.set(name, filled(form, selection));
  }
  variant.selection = std::move(selection);
  return variant;
}

Value diagnostic_value(const Diagnostic& one) {
  return Value::object({{"severity", one.severity == Diagnostic::Severity::error ? "error" : "warning"},
                        {"code", one.code},
                        {"message", one.message},
                        {"path", one.path}});
}

bool is_present(const Value& metadata, std::string_view key) {
  const Value* value = metadata.find(key);
  return value != nullptr && !value->is_null();
}

}  // namespace

Value typed_identity(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::null:
      return Value::Items{"null"};
    case Value::Kind::boolean:
      return Value::Items{"boolean", value};
    case Value::Kind::integer:
      return Value::Items{"integer", value.integer_text()};
    case Value::Kind::number:
      return Value::Items{"float", number_text(value.number())};
    case Value::Kind::string:
      return Value::Items{"string", value};
    case Value::Kind::array: {
      Value::Items items;
      for (const Value& item : value.items()) items.push_back(typed_identity(item));
      return Value::Items{"array", items};
    }
    default: {
      std::vector<Value::Member> sorted = value.members();
      std::ranges::sort(sorted, {}, &Value::Member::first);
      Value::Items items;
      for (const auto& [key, member] : sorted) items.push_back(Value::Items{key, typed_identity(member)});
      return Value::Items{"object", items};
    }
  }
}

std::string variant_id(const Value& selection) {
  std::vector<Value::Member> sorted = selection.members();
  std::ranges::sort(sorted, {}, &Value::Member::first);
  Value::Items items;
  for (const auto& [name, value] : sorted) items.push_back(Value::Items{name, typed_identity(value)});
  const Value identity =
      Value::object({{"contract", "noema.recipe-matrix-selection.v1"}, {"selection", Value(std::move(items))}});
  return "mxv1-" + sha256_of(identity);
}

Result<Variant> matrix_variant(const Recipe& recipe, const Matrix& matrix, std::size_t index) {
  if (!matrix.enabled) return no_matrix(recipe);
  if (index >= matrix.variant_count) {
    return refusal(recipe, code::recipe_matrix_point, "metadata.matrix",
                   "there is no point " + std::to_string(index) + "; the matrix has " +
                       std::to_string(matrix.variant_count) + " points, counted from 0",
                   "see `noema recipe expand-matrix`");
  }
  std::size_t rest = index;
  Value::Items chosen(matrix.dimensions.size());
  for (std::size_t i = matrix.dimensions.size(); i-- > 0;) {
    const Value::Items& values = matrix.dimensions[i].second.items();
    chosen[i] = values[rest % values.size()];
    rest /= values.size();
  }
  Value selection = Value::object();
  for (std::size_t i = 0; i < chosen.size(); ++i) selection.append(matrix.dimensions[i].first, std::move(chosen[i]));
  return variant_of(recipe, matrix, std::move(selection), index);
}

Result<Variant> select_variant(const Recipe& recipe, const Matrix& matrix, const Value& selection) {
  if (!matrix.enabled) return no_matrix(recipe);
  if (!selection.is_object()) {
    return refusal(recipe, code::recipe_matrix_point, "", "a selection is a mapping from dimensions to values",
                   "name each dimension once");
  }
  std::size_t index = 0;
  std::vector<Error> errors;
  for (const auto& [name, values] : matrix.dimensions) {
    const Value* chosen = selection.find(name);
    std::vector<std::string> authored;
    std::size_t at = values.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
      authored.push_back(canonical_json(values[i]));
      if (chosen != nullptr && typed_identity(values[i]) == typed_identity(*chosen)) at = i;
    }
    index = index * values.size() + at;
    if (at < values.size()) continue;
    errors.push_back(
        refusal(recipe, code::recipe_matrix_point, "metadata.matrix.dimensions." + name,
                chosen == nullptr ? "the selection does not name the dimension " + shown(name)
                                  : "the dimension " + shown(name) + " has no value " + shown(canonical_json(*chosen)),
                "choose one of " + joined(authored, ", ") + "; an integer and a double are different values"));
  }
  if (!errors.empty()) return combined(std::move(errors));
  return variant_of(recipe, matrix, selection, index);
}

Result<Value> expand_matrix(const Recipe& recipe, const Catalog& catalog) {
  NOEMA_TRY(const Matrix matrix, read_matrix(recipe));
  Value::Items variants;
  for (std::size_t i = 0; i < matrix.variant_count; ++i) {
    NOEMA_TRY(Variant variant, matrix_variant(recipe, matrix, i));
    NOEMA_TRY(const Recipe compiled,
              require_valid(compile(variant.recipe, catalog, CompileMode::strict, "benchmark_run", recipe.document)));
    variants.push_back(Value::object({{"matrix_index", std::uint64_t{i}},
                                      {"matrix_variant_id", variant.id},
                                      {"name", variant.name},
                                      {"matrix_selection", variant.selection},
                                      {"effective_recipe_sha256", compiled.effective_sha256},
                                      {"recipe", variant.recipe}}));
  }
  Value::Items diagnostics;
  std::ranges::transform(matrix.diagnostics, std::back_inserter(diagnostics), diagnostic_value);
  return Value::object({{"recipe", recipe.name},
                        {"expanded_count", std::uint64_t{matrix.variant_count}},
                        {"canonical_matrix", Value::object({{"source", matrix.source},
                                                            {"enabled", matrix.enabled},
                                                            {"variant_count", std::uint64_t{matrix.variant_count}},
                                                            {"matrix", matrix.definition},
                                                            {"diagnostics", Value(std::move(diagnostics))}})},
                        {"variants", Value(std::move(variants))}});
}

Result<Recipe> single_run_gate(Recipe recipe) {
  NOEMA_TRY(const Matrix matrix, read_matrix(recipe));
  if (matrix.enabled) {
    return refusal(recipe, code::recipe_matrix_open, "metadata.matrix",
                   "the recipe stands for " + std::to_string(matrix.variant_count) + " points; one run is one point",
                   "use `noema recipe run-matrix`, or choose a point");
  }
  const Value& metadata = recipe.effective.at("metadata");
  const bool has_selection = is_present(metadata, "matrix_selection");
  if (!has_selection) {
    if (!is_present(metadata, "matrix_variant_id")) return recipe;
    return refusal(recipe, code::recipe_variant_id, "metadata.matrix_variant_id",
                   "the recipe names a point of a matrix by its id, but not the point's selection",
                   "add `metadata.matrix_selection`, or remove the id");
  }
  const Value& selection = metadata.at("matrix_selection");
  if (!selection.is_object()) {
    return refusal(recipe, code::recipe_variant_id, "metadata.matrix_selection", "matrix_selection is not a mapping",
                   "map dimension names to values");
  }
  const std::string id = variant_id(selection);
  if (is_present(metadata, "matrix_variant_id")) {
    if (metadata.at("matrix_variant_id") == Value(id)) return recipe;
    return refusal(recipe, code::recipe_variant_id, "metadata.matrix_variant_id",
                   "the id does not belong to this selection, whose id is " + id, "correct the id, or remove it");
  }
  recipe.effective.edit("metadata").set("matrix_variant_id", id);
  recipe.effective_sha256 = sha256_of(recipe.effective);
  return recipe;
}

}  // namespace noema
