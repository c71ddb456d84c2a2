// Inspection of a recipe against its execution profile (plan/profiles.h). The profiles themselves are profiles.json.
// SPDX-License-Identifier: Apache-2.0
#include "plan/profiles.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/json.h"
#include "core/text.h"
#include "plan/codes.h"
#include "plan/findings.h"

namespace noema {

std::string_view profiles_json();  // made from profiles.json at build time

namespace {

constexpr std::string_view custom = "custom";

std::vector<std::string> strings(const Value* list) {
  std::vector<std::string> out;
  if (list == nullptr || !list->is_array()) return out;
  for (const Value& item : list->items()) out.push_back(item.string());
  return out;
}

const std::string& text(const Value& object, std::string_view key) { return object.at(key).string(); }

const Value* find_profile(const Value& reference) {
  const Value* id = reference.find("id");
  const Value* version = reference.find("version");
  for (const Value& profile : profile_catalog().at("profiles").items()) {
    if (id != nullptr && version != nullptr && profile.at("id") == *id && profile.at("version") == *version)
      return &profile;
  }
  return nullptr;
}

class Inspector {
 public:
  explicit Inspector(const Recipe& recipe) : recipe_(recipe) {}

  ProfileInspection inspect() {
    const Value* declared = recipe_.effective.find("execution_profile");
    out_.reference =
        declared != nullptr && declared->is_object() ? *declared : Value::object({{"id", custom}, {"version", 1}});
    if (!resolve()) {
      out_.status = "invalid";
      return std::move(out_);
    }
    if (text(out_.profile, "id") == custom) {
      out_.status = custom;
      return std::move(out_);
    }
    for (const Value& stage : out_.profile.at("stages").items()) bind(stage);
    check_order();
    out_.status = out_.issues.empty() ? "conformant" : "invalid";
    return std::move(out_);
  }

 private:
  void issue(Code code, std::string message, std::string hint, std::string step, std::string path) {
    out_.issues.push_back({code, std::move(message), std::move(hint), std::move(step), std::move(path)});
  }

  /// Finds the catalogue's entry of the declaration and of what it is based on.
  bool resolve() {
    std::vector<std::string> known;
    for (const Value& profile : profile_catalog().at("profiles").items()) {
      known.push_back(text(profile, "id") + " version " + profile.at("version").integer_text());
    }
    const auto unknown = [&](const Value& reference, const std::string& path) {
      const Value* id = reference.find("id");
      const Value* version = reference.find("version");
      issue(code::profile_unknown,
            "there is no execution profile " + (id == nullptr ? std::string("without an id") : canonical_json(*id)) +
                (version == nullptr ? "" : " in version " + canonical_json(*version)),
            "known: " + joined(known, ", "), {}, path);
    };
    const Value* profile = find_profile(out_.reference);
    if (profile == nullptr) unknown(out_.reference, "execution_profile");
    if (const Value* base = out_.reference.find("based_on"); base != nullptr && !base->is_null()) {
      known.pop_back();  // `custom`, the catalogue's last, is nothing to be based on
      const Value* found = find_profile(*base);
      if (found == nullptr || text(*found, "id") == custom) unknown(*base, "execution_profile.based_on");
    }
    if (!out_.issues.empty()) return false;
    out_.profile = *profile;
    return true;
  }

  void bind(const Value& stage) {
    const std::string& role = text(stage, "role");
    const std::string& presence = text(stage, "presence");
    const std::vector<std::string> ids =
        stage.find("step_ids") == nullptr ? std::vector<std::string>{role} : strings(stage.find("step_ids"));
    std::vector<std::size_t> present;
    for (std::size_t i = 0; i < recipe_.steps.size(); ++i) {
      if (std::ranges::find(ids, recipe_.steps[i].id) != ids.end()) present.push_back(i);
    }
    const std::string& profile = text(out_.profile, "id");
    if (presence == "fused") {
      for (const std::size_t step : present) {
        issue(code::profile_fused_stage_exposed,
              "profile " + profile + " has " + shown(recipe_.steps[step].id) + " inside '" + text(stage, "fused_into") +
                  "', but the recipe has it as a step of its own",
              "remove the step, rename it, or declare the profile custom", recipe_.steps[step].id,
              planner::step_path(recipe_, step));
      }
      return;
    }
    if (present.empty()) {
      if (presence == "required") {
        issue(code::profile_step_missing, "profile " + profile + " needs a step " + planner::listed(ids, "or"),
              allowed(stage).empty()
                  ? "add it, or declare the profile custom"
                  : "add it with " + planner::listed(allowed(stage), "or") + ", or declare the profile custom",
              {}, "execution_profile");
      }
      return;
    }
    if (present.size() > 1) {
      std::vector<std::string> names;
      for (const std::size_t step : present) names.push_back(recipe_.steps[step].id);
      issue(code::profile_stage_ambiguous,
            "profile " + profile + " has one step for its stage '" + role + "', but the recipe has " +
                planner::listed(names),
            "keep one of them", recipe_.steps[present[1]].id, planner::step_path(recipe_, present[1]));
      return;
    }
    check_step(stage, present.front());
    out_.stage_bindings.set(role, recipe_.steps[present.front()].id);
    if (presence == "required") spine_.push_back(present.front());
  }

  static std::vector<std::string> allowed(const Value& stage) { return strings(stage.find("allowed_ops")); }

  void check_step(const Value& stage, std::size_t index) {
    const RecipeStep& step = recipe_.steps[index];
    const std::vector<std::string> operations = allowed(stage);
    const std::string& profile = text(out_.profile, "id");
    if (!operations.empty() && std::ranges::find(operations, step.operation) == operations.end()) {
      issue(code::profile_step_op_invalid,
            "profile " + profile + " has " + planner::listed(operations, "or") + " at step '" + step.id + "', not " +
                step.operation,
            "use one of them, or declare the profile custom", step.id, planner::step_path(recipe_, index) + ".op");
    }
    const Value* required = stage.find("required_params");
    if (required == nullptr) return;
    for (const auto& [name, value] : required->members()) {
      const Value* have = step.params.find(name);
      if (have != nullptr && *have == value) continue;
      issue(code::profile_step_param_invalid,
            "profile " + profile + " has " + name + " = " + canonical_json(value) + " at step '" + step.id + "', not " +
                (have == nullptr ? "none" : canonical_json(*have)),
            "set it, or declare the profile custom", step.id, planner::step_path(recipe_, index) + ".params." + name);
    }
  }

  /// The steps of the spine must stand in the profile's order in the list; edges are a matter for lint.
  void check_order() {
    for (std::size_t i = 1; i < spine_.size(); ++i) {
      if (spine_[i] > spine_[i - 1]) continue;
      const std::string& late = recipe_.steps[spine_[i]].id;
      issue(code::profile_stage_order_invalid,
            "profile " + text(out_.profile, "id") + " has '" + late + "' after '" + recipe_.steps[spine_[i - 1]].id +
                "', but the recipe lists it before",
            "the order is " + planner::listed(strings(out_.profile.find("required_ordered_spine")), "then"), late,
            planner::step_path(recipe_, spine_[i]));
    }
  }

  const Recipe& recipe_;
  ProfileInspection out_;
  std::vector<std::size_t> spine_;  // positions of the required steps found, in the profile's order
};

}  // namespace

std::string ProfileIssue::issue_code() const { return std::string(code.text.substr(code.text.find('.') + 1)); }

Value ProfileInspection::document() const {
  Value list = Value::array();
  for (const ProfileIssue& one : issues) {
    Value entry = Value::object({{"severity", "error"}, {"code", one.issue_code()}, {"message", one.message}});
    if (!one.step.empty()) entry.set("step_id", one.step);
    list.push(std::move(entry));
  }
  return Value::object({{"reference", reference},
                        {"status", status},
                        {"profile", profile},
                        {"stage_bindings", stage_bindings},
                        {"issues", std::move(list)}});
}

const Value& profile_catalog() {
  static const Value catalog = [] {
    Result<Value> parsed = parse_json(profiles_json(), "profiles.json");
    NOEMA_ASSERT(parsed.has_value(), "profiles.json is part of this program and must be well-formed");
    return *std::move(parsed);
  }();
  return catalog;
}

ProfileInspection inspect_profile(const Recipe& recipe) { return Inspector(recipe).inspect(); }

std::vector<Error> profile_errors(const Recipe& recipe) {
  std::vector<Error> errors;
  for (ProfileIssue& issue : inspect_profile(recipe).issues) {
    errors.push_back(
        planner::error_at(recipe, issue.path, issue.code, std::move(issue.message), std::move(issue.hint)));
  }
  return errors;
}

}  // namespace noema
