// Compiling: the shape of a recipe, its typed (normalised) form, and the form with defaults filled in.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/digest.h"
#include "core/json.h"
#include "core/text.h"
#include "noema/recipe.h"
#include "recipe/codes.h"
#include "recipe/findings.h"
#include "recipe/profile_reference.h"

namespace noema {
namespace {

constexpr std::array<std::string_view, 8> top_level_fields{
    "schema_version", "name", "description", "execution_profile", "metadata", "suite", "steps", "dataset_capture"};
constexpr std::array<std::string_view, 6> step_fields{"id", "op", "params", "inputs", "description", "materialization"};

template <std::size_t N>
std::vector<std::string> names(const std::array<std::string_view, N>& fields) {
  return {fields.begin(), fields.end()};
}

/// What Python takes for nothing: such a description is left out.
bool is_falsy(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::null:
      return true;
    case Value::Kind::boolean:
      return !value.boolean();
    case Value::Kind::integer:
      return value.integer_text() == "0";
    case Value::Kind::number:
      return value.number() == 0;
    case Value::Kind::string:
      return value.string().empty();
    default:
      return value.size() == 0;
  }
}

bool is_step_id(std::string_view id) {
  const auto alphanumeric = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !id.empty() && alphanumeric(id[0]) &&
         std::ranges::all_of(id, [&](char c) { return alphanumeric(c) || c == '_' || c == '.' || c == '-'; });
}

class Compiler {
 public:
  Compiler(Recipe& recipe, const Catalog& catalog, std::string_view runner)
      : recipe_(recipe), findings_(recipe), catalog_(catalog), capture_(runner == "dataset_capture") {}

  void compile() {
    if (const auto checked = check_json(recipe_.raw); !checked) {
      findings_.error(code::recipe_json_value, checked.error().at.path, checked.error().message,
                      "a recipe holds JSON values only");
    } else if (!recipe_.raw.is_object()) {
      findings_.error(code::recipe_top_level, "", "a recipe is a mapping, not " + kind_of(recipe_.raw),
                      "start with `name:` and `steps:`");
    } else {
      read_top_level();
      read_steps();
      if (findings_.sound()) normalise();
      if (findings_.sound()) make_effective();
    }
    std::vector<std::string> step_ids;
    for (const Step& step : steps_) step_ids.push_back(step.id);
    findings_.finish(step_ids);
  }

 private:
  struct Step {
    std::string id;
    std::string op;
    Value params = Value::object();
    Value inputs = Value::object();
    const Contract* contract = nullptr;
  };

  /// A member that may be absent or null, else must be an object.
  Value object_or_nothing(const Value& holder, std::string_view key, const std::string& path) {
    const Value* value = holder.find(key);
    if (value == nullptr || value->is_null()) return Value::object();
    if (value->is_object()) return *value;
    findings_.invalid(path, std::string(key) + " is a mapping, not " + kind_of(*value),
                      "write `" + std::string(key) + ":` and its members below");
    return Value::object();
  }

  void read_top_level() {
    const Value& raw = recipe_.raw;
    for (const auto& [key, value] : raw.members()) {
      if (std::ranges::find(top_level_fields, key) != top_level_fields.end()) continue;
      findings_.unwelcome(code::recipe_unknown_field, key, "a recipe has no field " + shown(key),
                          hint(key, names(top_level_fields), "free data belongs under `metadata`"), true);
    }
    if (const Value* version = raw.find("schema_version"); version != nullptr) {
      if (!version->is_integer() || version->integer_text() != "1") {
        findings_.invalid("schema_version", "schema_version is " + kind_of(*version) + "; only the integer 1 is known",
                          "write `schema_version: 1`");
      }
    }
    const Value* name = raw.find("name");
    if (name == nullptr) {
      findings_.invalid("name", "the recipe has no name", "add `name: my_experiment`");
    } else if (!name->is_string() || name->string().empty()) {
      findings_.invalid("name", "name is " + kind_of(*name) + "; it must be text that is not empty",
                        name->is_string() ? "name the experiment" : "put the name in quotes");
    } else {
      recipe_.name = name->string();
    }
    profile_ = read_profile_reference(raw, findings_);
    metadata_ = object_or_nothing(raw, "metadata", "metadata");
    suite_ = object_or_nothing(raw, "suite", "suite");
    dataset_capture_ = object_or_nothing(raw, "dataset_capture", "dataset_capture");
    for (const std::string key : {"sweeps", "ui_sweeps"}) {
      const Value* sweeps = metadata_.find(key);
      if (sweeps == nullptr || is_falsy(*sweeps)) continue;
      const Value* matrix = metadata_.find("matrix");
      if (matrix != nullptr && !matrix->is_null()) {
        findings_.warn(code::recipe_legacy_sweep_ignored, "metadata." + key,
                       key + " is ignored, since there is a matrix", "remove it");
      } else {
        findings_.warn(code::recipe_legacy_sweep, "metadata." + key,
                       key + " is the older form of a matrix, which is not read yet: such a recipe can't be run",
                       "write `metadata.matrix` with `dimensions` and `step_params`");
      }
    }
  }

  void read_steps() {
    const Value* steps = recipe_.raw.find("steps");
    if (steps == nullptr || !steps->is_array() || steps->size() == 0) {
      findings_.invalid("steps",
                        steps == nullptr    ? "the recipe has no steps"
                        : steps->is_array() ? "the list of steps is empty"
                                            : "steps is a list, not " + kind_of(*steps),
                        "list at least one step: `- id: data` and `op: source.random_bits`");
      return;
    }
    note_ids(*steps);
    for (std::size_t i = 0; i < steps->size(); ++i) read_step((*steps)[i], i);
  }

  /// Where each id stands, so that a reference to a later step can be told from one to no step.
  void note_ids(const Value& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Value* id = steps[i].find("id");
      std::string text = "step_" + std::to_string(i + 1);
      if (id != nullptr && id->is_string() && !id->string().empty()) text = id->string();
      // A number is an error of its own; a reference to it need not be another.
      if (id != nullptr && id->is_integer()) text = id->integer_text();
      if (first_index_.emplace(text, i).second) ids_.push_back(text);
    }
  }

  void read_step(const Value& raw, std::size_t index) {
    Step& step = steps_.emplace_back();
    const std::string path = "steps[" + std::to_string(index) + "]";
    step.id = "step_" + std::to_string(index + 1);
    if (!raw.is_object()) {
      findings_.invalid(path, "a step is a mapping, not " + kind_of(raw), "write `- id:` and `op:` below it");
      return;
    }
    for (const auto& [key, value] : raw.members()) {
      if (std::ranges::find(step_fields, key) != step_fields.end()) continue;
      findings_.unwelcome(code::recipe_unknown_step_field, path + "." + key, "a step has no field " + shown(key),
                          hint(key, names(step_fields), "the operation's own settings belong under `params`"), true);
    }
    read_id(raw, path, index, step);
    const Value* op = raw.find("op");
    if (op == nullptr || !op->is_string() || op->string().empty()) {
      findings_.invalid(path + ".op",
                        op == nullptr ? "the step names no operation" : "op is " + kind_of(*op) + ", not an operation",
                        "write `op:` and the id of an operation; `noema ops list` shows them");
    } else {
      step.op = op->string();
      find_contract(path, step);
    }
    step.params = object_or_nothing(raw, "params", path + ".params");
    step.inputs = object_or_nothing(raw, "inputs", path + ".inputs");
    for (const auto& [name, reference] : step.inputs.members())
      check_reference(reference, path + ".inputs." + name, index);
  }

  void read_id(const Value& raw, const std::string& path, std::size_t index, Step& step) {
    const Value* id = raw.find("id");
    if (id == nullptr || id->is_null() || (id->is_string() && id->string().empty())) {
      findings_.unwelcome(code::recipe_implicit_step_id, path + ".id", "the step has no id",
                          "write `id: " + step.id + "`", false);
    } else if (!id->is_string()) {
      findings_.invalid(path + ".id", "id is " + kind_of(*id) + "; it must be text", "put it in quotes");
      return;
    } else {
      step.id = id->string();
    }
    if (!is_step_id(step.id)) {
      findings_.invalid(path + ".id", "the step id " + shown(step.id) + " has characters that ids can't have",
                        "start with a letter or digit, and go on with letters, digits, _ . or -");
    }
    if (const auto first = first_index_.find(step.id); first != first_index_.end() && first->second != index) {
      findings_.invalid(path + ".id",
                        "the id " + shown(step.id) + " is taken by step " + std::to_string(first->second + 1),
                        "give each step an id of its own");
    }
  }

  void find_contract(const std::string& path, Step& step) {
    step.contract = catalog_.find(step.op);
    if (step.contract == nullptr) {
      findings_.error(code::recipe_operation, path + ".op", "there is no operation " + shown(step.op),
                      hint(step.op, catalog_.ids(), "`noema ops list` shows all operations"));
      return;
    }
    const Value* schema = step.contract->hashed.find("params_schema");
    const Value* type = schema == nullptr ? nullptr : schema->find("type");
    if (schema != nullptr && (type == nullptr || !(*type == Value("object")))) {
      findings_.error(code::recipe_schema, path + ".op", "the contract of " + step.op + " describes no parameters",
                      "the contract is damaged: `noema ops show " + step.op + "`");
      step.contract = nullptr;
    }
  }

  /// Looks for a near name only while findings are still shown one by one.
  std::string hint(std::string_view name, const std::vector<std::string>& known, std::string otherwise) const {
    return findings_.full() ? std::string{} : hint_for(name, known, std::move(otherwise));
  }

  /// Ids of steps above one, the nearest hundreds of them; of all steps for the first.
  std::vector<std::string> names_above(std::size_t index) const {
    constexpr std::size_t most = 500;
    if (findings_.full()) return {};
    const std::size_t end = index == 0 ? ids_.size() : std::min(index, ids_.size());
    const std::size_t start = end - std::min(end, most);
    return {ids_.begin() + static_cast<std::ptrdiff_t>(start), ids_.begin() + static_cast<std::ptrdiff_t>(end)};
  }

  void check_reference(const Value& value, const std::string& path, std::size_t index) {
    if (!value.is_string()) {
      return findings_.invalid(path, "an input is text like step.output, not " + kind_of(value),
                               "name the step and its output");
    }
    const std::string& reference = value.string();
    const std::vector<std::string> parts = split(reference, '.');
    if (parts.size() != 2 || parts[0].empty() || parts[1].empty()) {
      const auto dotted = std::ranges::find_if(ids_, [&](const std::string& id) {
        return id.find('.') != std::string::npos && reference.starts_with(id + ".");
      });
      if (dotted != ids_.end()) {
        return findings_.invalid(
            path, "the input " + shown(reference) + " can't be told apart: the id " + shown(*dotted) + " has a dot",
            "rename the step to an id without dots");
      }
      return findings_.invalid(path, "the input " + shown(reference) + " is not of the form step.output",
                               "name a step above and one of its outputs, as in `data.bits`");
    }
    const auto found = first_index_.find(parts[0]);
    if (found == first_index_.end()) {
      return findings_.invalid(path, "there is no step " + shown(parts[0]),
                               hint(parts[0], names_above(index), "name a step above"));
    }
    if (found->second == index) {
      return findings_.invalid(path, "the step " + shown(parts[0]) + " can't read its own output", "name a step above");
    }
    if (found->second > index) {
      findings_.invalid(path, "the step " + shown(parts[0]) + " comes later",
                        "move it above this one: steps are listed in the order of their data");
    }
  }

  void normalise() {
    Value& out = recipe_.normalized;
    out = Value::object();
    for (const auto& [key, value] : recipe_.raw.members()) {
      if (std::ranges::find(top_level_fields, key) == top_level_fields.end()) out.append(key, value);
    }
    out.append("schema_version", 1);
    out.append("name", recipe_.name);
    const Value* description = recipe_.raw.find("description");
    if (description != nullptr && !is_falsy(*description)) out.append("description", *description);
    out.append("execution_profile", profile_);
    out.append("metadata", metadata_);
    if (dataset_capture_.size() > 0) out.append("dataset_capture", dataset_capture_);
    if (suite_.size() > 0) out.append("suite", suite_);
    Value::Items steps;
    const Value& raw_steps = recipe_.raw.at("steps");
    for (std::size_t i = 0; i < steps_.size(); ++i) steps.push_back(normalised_step(raw_steps[i], steps_[i]));
    out.append("steps", std::move(steps));
    recipe_.authored_sha256 = sha256_of(out);
  }

  static Value normalised_step(const Value& raw, const Step& step) {
    Value out = Value::object();
    for (const auto& [key, value] : raw.members()) {
      if (key != "id" && key != "op" && key != "params" && key != "inputs" && key != "description")
        out.append(key, value);
    }
    out.append("id", step.id);
    out.append("op", step.op);
    out.append("params", step.params);
    out.append("inputs", step.inputs);
    const Value* description = raw.find("description");
    if (description != nullptr && !is_falsy(*description)) out.append("description", *description);
    return out;
  }

  void make_effective() {
    recipe_.effective = recipe_.normalized;
    Value& steps = recipe_.effective.edit("steps");
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      Step& step = steps_[i];
      Value params = with_defaults(*step.contract, step.params);
      const Value* authored_seed = step.params.find("seed");
      const Parameter* seed = step.contract->parameter("seed");
      // A capture is governed by its master seed; a schema default must not hide it.
      if (capture_ && seed != nullptr && seed->default_value() != nullptr &&
          (authored_seed == nullptr || authored_seed->is_null())) {
        params.erase("seed");
      }
      check_ofdm_link(i, params);
      RecipeStep planned;
      planned.id = step.id;
      planned.operation = step.op;
      planned.params = params;
      for (const auto& [name, reference] : step.inputs.members()) {
        std::vector<std::string> parts = split(reference.string(), '.');
        planned.inputs.push_back({name, std::move(parts[0]), std::move(parts[1])});
      }
      if (const Value* materialization = steps[i].find("materialization")) planned.materialization = *materialization;
      recipe_.steps.push_back(std::move(planned));
      steps.edit(i).set("params", std::move(params));
    }
    recipe_.effective_sha256 = sha256_of(recipe_.effective);
  }

  /// Core 1.4 copies OFDM parameters between a channel and the step that makes its state. Neither is here yet, and a
  /// recipe that leans on it must not be read as if it did not.
  void check_ofdm_link(std::size_t index, const Value& params) {
    const Step& step = steps_[index];
    const Value* channel = params.find("channel");
    const Value* state = step.inputs.find("channel_state");
    if (step.op != "wireless.channel" || channel == nullptr || !(*channel == Value("ofdm_tdl")) || state == nullptr)
      return;
    const std::vector<std::string> parts = split(state->string(), '.');
    const auto producer = std::ranges::find(steps_, parts[0], &Step::id);
    if (producer == steps_.end() || producer->op != "wireless.ofdm_channel_state" || parts[1] != "state") return;
    findings_.error(code::recipe_ofdm_link, "steps[" + std::to_string(index) + "].inputs.channel_state",
                    "an OFDM channel that shares its parameters with wireless.ofdm_channel_state is not supported yet",
                    "use another channel until it is");
  }

  Recipe& recipe_;
  Findings findings_;
  const Catalog& catalog_;
  bool capture_;
  Value profile_;
  Value metadata_ = Value::object();
  Value suite_ = Value::object();
  Value dataset_capture_ = Value::object();
  std::vector<Step> steps_;
  std::vector<std::string> ids_;  ///< in document order
  std::map<std::string, std::size_t, std::less<>> first_index_;
};

Recipe compiled(Value raw, std::shared_ptr<const Document> document, const Catalog& catalog, CompileMode mode,
                std::string_view runner) {
  Recipe recipe;
  recipe.mode = mode;
  recipe.raw = std::move(raw);
  recipe.document = std::move(document);
  Compiler(recipe, catalog, runner).compile();
  return recipe;
}

}  // namespace

Recipe compile(Document document, const Catalog& catalog, CompileMode mode, std::string_view runner) {
  auto shared = std::make_shared<const Document>(std::move(document));
  return compiled(shared->value, shared, catalog, mode, runner);
}

Recipe compile(Value raw, const Catalog& catalog, CompileMode mode, std::string_view runner,
               std::shared_ptr<const Document> origin) {
  return compiled(std::move(raw), std::move(origin), catalog, mode, runner);
}

}  // namespace noema
