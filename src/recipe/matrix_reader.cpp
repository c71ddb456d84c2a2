// Reading `metadata.matrix`: dimensions, and the templates that use them.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include "core/json.h"
#include "core/report.h"
#include "core/text.h"
#include "noema/recipe.h"
#include "recipe/codes.h"
#include "recipe/findings.h"
#include "recipe/python_text.h"
#include "recipe/typed_identity.h"

namespace noema {
namespace {

constexpr std::size_t most_variants = 256;
constexpr std::string_view root = "metadata.matrix";
constexpr std::string_view dimensions_path = "metadata.matrix.dimensions";
constexpr std::string_view step_params_path = "metadata.matrix.step_params";

class Reader {
 public:
  explicit Reader(const Recipe& recipe) : recipe_(recipe) {}

  Result<Matrix> read() {
    const Value& metadata = recipe_.normalized.at("metadata");
    const Value* matrix = metadata.find("matrix");
    const bool absent = matrix == nullptr || matrix->is_null();
    NOEMA_CHECK(meet_legacy(metadata, absent));
    out_.source = absent ? "none" : "matrix";
    if (absent) return std::move(out_);
    out_.definition = *matrix;
    if (!matrix->is_object()) {
      error(root, "the matrix is " + kind_of(*matrix) + ", not a mapping",
            "write `dimensions:` and `step_params:` below it");
    } else if (matrix->size() > 0) {
      read_definition(*matrix);
    }
    if (!errors_.empty()) return combined(std::move(errors_));
    return std::move(out_);
  }

 private:
  void error(std::string_view path, std::string message, std::string hint) {
    if (errors_.size() < 100) {
      errors_.push_back({code::recipe_matrix, recipe_.place(path), std::move(message), std::move(hint), {}});
    }
  }

  /// The older form is not read: with a matrix beside it, it has no effect; alone, it must not be taken for nothing.
  Result<void> meet_legacy(const Value& metadata, bool alone) {
    for (const std::string key : {"sweeps", "ui_sweeps"}) {
      const Value* sweeps = metadata.find(key);
      if (sweeps == nullptr || sweeps->is_null() || (sweeps->is_object() && sweeps->size() == 0)) continue;
      if (alone) {
        return Error{code::recipe_legacy_sweep,
                     recipe_.place("metadata." + key),
                     key + " is the older form of a matrix, which is not read yet",
                     "write `metadata.matrix` with `dimensions` and `step_params`",
                     {}};
      }
      Diagnostic ignored;
      ignored.severity = Diagnostic::Severity::warning;
      ignored.code = "legacy_sweep_ignored";
      ignored.message = key + " is ignored, since there is a matrix";
      ignored.path = "$.metadata." + key;
      ignored.at = recipe_.place("metadata." + key);
      out_.diagnostics.push_back(std::move(ignored));
    }
    return {};
  }

  void read_definition(const Value& matrix) {
    for (const auto& [key, value] : matrix.members()) {
      if (key == "dimensions" || key == "step_params") continue;
      error(std::string(root) + "." + key, "a matrix has no field " + shown(key),
            hint_for(key, {"dimensions", "step_params"}, "its fields are dimensions and step_params"));
    }
    read_dimensions(matrix.find("dimensions"));
    Value step_params = read_step_params(matrix.find("step_params"));
    for (const auto& [name, values] : out_.dimensions) {
      if (!used_.contains(name)) {
        error(std::string(dimensions_path) + "." + name, "no parameter uses the dimension " + shown(name),
              "write `{matrix: " + name + "}` as the value of a parameter below step_params");
      }
    }
    if (!errors_.empty()) return;
    Value dimensions = Value::object();
    std::size_t count = 1;
    for (const auto& [name, values] : out_.dimensions) {
      dimensions.append(name, values);
      // Below the limit before, so the product fits whatever it is.
      if (count <= most_variants) count *= values.size();
    }
    if (count > most_variants) {
      error(dimensions_path,
            "the matrix has more than " + std::to_string(most_variants) +
                " points: the product of its dimensions' lengths",
            "split it into several recipes");
      return;
    }
    out_.variant_count = count;
    out_.enabled = true;
    out_.definition = Value::object({{"dimensions", std::move(dimensions)}, {"step_params", std::move(step_params)}});
  }

  void read_dimensions(const Value* dimensions) {
    const std::string path(dimensions_path);
    if (dimensions == nullptr || !dimensions->is_object() || dimensions->size() == 0) {
      return error(path, "dimensions is a mapping from names to lists of values, and can't be empty",
                   "write `snr: [0, 5, 10]` below it");
    }
    for (const auto& [key, values] : dimensions->members()) {
      const std::string name(python_stripped(key));
      const std::string at = path + "." + key;
      if (name.empty()) {
        error(at, "a dimension has no name", "name it");
      } else if (!names_.insert(name).second) {
        error(at, "the dimension " + shown(name) + " is there twice once blanks are dropped", "keep one of the two");
      }
      if (!values.is_array() || values.size() == 0) {
        error(at, "the dimension " + shown(name) + " is " + kind_of(values) + "; it needs a list of one or more values",
              "write `" + name + ": [...]`");
        continue;
      }
      check_distinct(values, at, name);
      out_.dimensions.emplace_back(name, values);
    }
    std::ranges::sort(out_.dimensions, {}, [](const auto& dimension) -> const std::string& { return dimension.first; });
  }

  void check_distinct(const Value& values, const std::string& path, const std::string& name) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (seen.insert(canonical_json(typed_identity(values[i]))).second) continue;
      error(path + "[" + std::to_string(i) + "]",
            "the dimension " + shown(name) + " has the value " + shown(canonical_json(values[i]), 40) + " twice",
            "keep one of the two");
    }
  }

  Value read_step_params(const Value* step_params) {
    const std::string path(step_params_path);
    Value out = Value::object();
    if (step_params == nullptr || !step_params->is_object() || step_params->size() == 0) {
      error(path, "step_params is a mapping from step ids to parameters, and can't be empty",
            "write `my_step: {my_parameter: {matrix: my_dimension}}` below it");
      return out;
    }
    std::vector<std::string> ids;
    for (const Value& step : recipe_.normalized.at("steps").items()) ids.push_back(step.at("id").string());
    for (const auto& [id, params] : step_params->members()) {
      const std::string at = path + "." + id;
      if (std::ranges::find(ids, id) == ids.end()) {
        error(at, "there is no step " + shown(id), hint_for(id, ids, "name a step of the recipe"));
      }
      if (!params.is_object() || params.size() == 0) {
        error(at,
              "the parameters of " + shown(id) + " are " + kind_of(params) + "; a mapping with one or more is needed",
              "write `my_parameter: {matrix: my_dimension}` below it");
        continue;
      }
      Value read = Value::object();
      for (const auto& [name, form] : params.members()) read.append(name, read_template(form, at + "." + name));
      out.append(id, std::move(read));
    }
    return out;
  }

  /// The template with tidy markers; notes which dimensions it uses.
  Value read_template(const Value& form, const std::string& path) {
    if (form.is_array()) {
      Value::Items items;
      for (std::size_t i = 0; i < form.size(); ++i) {
        items.push_back(read_template(form[i], path + "[" + std::to_string(i) + "]"));
      }
      return items;
    }
    if (!form.is_object()) return form;
    if (const Value* dimension = form.find("matrix"); dimension != nullptr) return read_marker(form, *dimension, path);
    Value out = Value::object();
    for (const auto& [key, member] : form.members()) out.append(key, read_template(member, path + "." + key));
    return out;
  }

  Value read_marker(const Value& marker, const Value& dimension, const std::string& path) {
    const std::string name = dimension.is_string() ? std::string(python_stripped(dimension.string())) : std::string{};
    if (marker.size() > 1) {
      error(path, "`matrix` marks the place of a dimension's value and has no fields beside it",
            "write `{matrix: name}` alone");
    }
    if (name.empty()) {
      error(path + ".matrix", "the marker names no dimension, but " + kind_of(dimension), "write `{matrix: name}`");
    } else if (!names_.contains(name)) {
      error(path + ".matrix", "there is no dimension " + shown(name),
            hint_for(name, {names_.begin(), names_.end()}, "define it below dimensions"));
    }
    used_.insert(name);
    return Value::object({{"matrix", name}});
  }

  const Recipe& recipe_;
  Matrix out_;
  std::vector<Error> errors_;
  std::set<std::string> names_;
  std::set<std::string> used_;
};

}  // namespace

Result<Matrix> read_matrix(const Recipe& recipe) {
  if (!recipe.normalized.is_object()) {
    NOEMA_TRY(const Recipe valid, require_valid(recipe));
    NOEMA_ASSERT(valid.normalized.is_object(), "a valid recipe has a normalised form");
  }
  return Reader(recipe).read();
}

}  // namespace noema
