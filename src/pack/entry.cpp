// The concrete recipe of a pack's entry.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "core/digest.h"
#include "core/text.h"
#include "pack/pack.h"

namespace noema {
namespace {

namespace fs = std::filesystem;

Error entry_error(const PackEntry& entry, const std::string& field, std::string message, std::string hint = {}) {
  Error error{Code{"benchmark.entry"}, {}, "entry " + shown(entry.id) + ": " + std::move(message), std::move(hint), {}};
  error.at.path = "recipes." + entry.id + (field.empty() ? "" : ".params." + field);
  return error;
}

/// Parameters of an entry that belong to running and comparing packs, which this version does not do.
constexpr const char* later_fields[] = {"resource_budget", "fixed_channel_use_budget", "run_evidence"};

/// Parameters that only describe the entry.
constexpr const char* descriptive_fields[] = {"skip", "skip_reason", "baseline_id", "method_id"};

Result<void> check_fields(const Pack& pack, const PackEntry& entry) {
  static const std::vector<std::string> applied{"name",         "description", "metadata", "matrix_selection",
                                                "sweep_values", "step_params"};
  for (const auto& [key, value] : entry.params.members()) {
    const std::string& field = key;  // Clang 14 captures no structured bindings
    const auto is = [&](const char* name) { return field == name; };
    if (std::ranges::any_of(later_fields, is)) {
      return entry_error(entry, key, "'" + key + "' is not applied by this version",
                         "run the entry's recipe by itself, without this field");
    }
    const bool known = std::ranges::find(applied, key) != applied.end() || std::ranges::any_of(descriptive_fields, is);
    if (!known) return entry_error(entry, key, "there is no entry parameter " + shown(key), did_you_mean(key, applied));
  }
  const Value& metadata = pack.normal.at("metadata");
  for (const char* key : {"common_conditions", "require_identical_source_transform"}) {
    if (metadata.find(key) != nullptr)
      return entry_error(entry, "", std::string("the pack's '") + key + "' is not applied by this version");
  }
  const Value& dataset = pack.normal.at("dataset");
  const Value* split = dataset.find("split");
  for (const char* key : {"sample_ids", "image_ids"}) {
    if (dataset.find(key) != nullptr || (split != nullptr && split->find(key) != nullptr)) {
      return entry_error(entry, "", "binding the pack's sample ids to sources is not done by this version");
    }
  }
  return {};
}

Result<Value> selection_of(const PackEntry& entry) {
  const Value* selection = entry.params.find("matrix_selection");
  const Value* alias = entry.params.find("sweep_values");
  if (selection != nullptr && alias != nullptr && !(*selection == *alias)) {
    return entry_error(entry, "sweep_values", "'sweep_values' (deprecated) contradicts 'matrix_selection'",
                       "keep matrix_selection alone");
  }
  if (selection == nullptr) selection = alias;
  if (selection != nullptr && !selection->is_object())
    return entry_error(entry, "matrix_selection", "the selection must be a mapping");
  return selection == nullptr ? Value() : *selection;
}

Result<void> apply_step_params(Value& recipe, const PackEntry& entry,
                               const std::vector<std::pair<std::string, std::string>>& bound) {
  const Value* overrides = entry.params.find("step_params");
  if (overrides == nullptr) return {};
  if (!overrides->is_object()) return entry_error(entry, "step_params", "'step_params' must be a mapping of steps");
  Value& steps = recipe.edit("steps");
  for (const auto& [id, params] : overrides->members()) {
    if (!params.is_object())
      return entry_error(entry, "step_params." + id, "the overrides of a step must be a mapping");
    std::size_t index = 0;
    while (index < steps.size() && !(steps[index].find("id") != nullptr && *steps[index].find("id") == Value(id)))
      ++index;
    if (index == steps.size()) return entry_error(entry, "step_params." + id, "the recipe has no step " + shown(id));
    Value& target = steps.edit(index).edit("params");
    for (const auto& [name, value] : params.members()) {
      const bool is_bound = std::ranges::find(bound, std::pair(id, name)) != bound.end();
      const Value* current = target.find(name);
      if (is_bound && (current == nullptr || !(*current == value))) {
        return entry_error(entry, "step_params." + id + "." + name,
                           "the value contradicts the one that the matrix selection gives");
      }
      target.set(name, value);
    }
  }
  return {};
}

}  // namespace

std::string entry_recipe_file(const Pack& pack, const PackEntry& entry) {
  if (fs::path(entry.path).is_absolute()) return entry.path;
  const fs::path beside = (fs::path(pack.file).parent_path() / entry.path).lexically_normal();
  std::error_code ignored;
  if (fs::exists(beside, ignored)) return beside.string();
  if (fs::exists(entry.path, ignored)) return entry.path;
  return beside.string();
}

Result<Recipe> entry_recipe(const Pack& pack, const PackEntry& entry, const Catalog& catalog) {
  NOEMA_CHECK(check_fields(pack, entry));
  NOEMA_TRY(Document document, read_document(entry_recipe_file(pack, entry)));
  NOEMA_TRY(const Recipe base, require_valid(compile(std::move(document), catalog)));
  NOEMA_TRY(const Matrix matrix, read_matrix(base));
  NOEMA_TRY(const Value selection, selection_of(entry));
  Value recipe = base.normalized;
  std::vector<std::pair<std::string, std::string>> bound;
  if (!selection.is_null() && matrix.enabled) {
    NOEMA_TRY(const Variant variant, select_variant(base, matrix, selection));
    recipe = variant.recipe;
    for (const auto& [step, params] : matrix.definition.at("step_params").members()) {
      for (const auto& [name, value] : params.members()) bound.emplace_back(step, name);
    }
  } else if (!selection.is_null()) {
    // Without a matrix the selection is a note, and the point's identity.
    recipe.edit("metadata").set("matrix_selection", selection).set("matrix_variant_id", variant_id(selection));
  }
  for (const char* key : {"matrix", "sweeps", "ui_sweeps", "sweep_values"}) {
    if (!selection.is_null()) recipe.edit("metadata").erase(key);
  }
  if (entry.params.size() > 0) {
    const Value* name = entry.params.find("name");
    recipe.set("name", name != nullptr ? *name : Value(base.name + "__" + entry.id));
    if (const Value* description = entry.params.find("description")) recipe.set("description", *description);
    if (const Value* metadata = entry.params.find("metadata")) {
      if (!metadata->is_object()) return entry_error(entry, "metadata", "'metadata' must be a mapping");
      for (const auto& [key, value] : metadata->members()) recipe.edit("metadata").set(key, value);
    }
  }
  if (entry.skip) recipe.edit("metadata").set("benchmark_placeholder", true);
  NOEMA_CHECK(apply_step_params(recipe, entry, bound));
  NOEMA_TRY(Recipe made, require_valid(compile(recipe, catalog, CompileMode::strict, "benchmark_run", base.document)));
  return single_run_gate(std::move(made));
}

}  // namespace noema
