// Checks of a stored plan (plan/plan_check.h).
// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_check.h"

#include <algorithm>
#include <optional>

#include "core/digest.h"
#include "core/json.h"
#include "core/text.h"
#include "plan/document.h"
#include "plan/names.h"

namespace noema {
namespace {

/// A member that is text; empty otherwise.
std::string text_of(const Value& object, std::string_view key) {
  const Value* member = object.find(key);
  return member != nullptr && member->is_string() ? member->string() : std::string{};
}

bool is_one(const Value* version) { return version != nullptr && *version == Value(1); }

/// Canonical digest of an object without one member; empty for what can't be written as JSON.
std::string digest_without(Value object, std::string_view key) {
  if (!object.is_object()) return {};
  object.erase(key);
  return check_json(object) ? sha256_of(object) : std::string{};
}

class Checks {
 public:
  explicit Checks(std::string prefix) : prefix_(std::move(prefix)) {}

  /// Records a check; `wrong` says what is wrong when it failed.
  bool expect(const std::string& id, bool passed, const std::string& right, const std::string& wrong,
              Value details = {}) {
    done_.push_back({prefix_ + id, passed, passed ? right : wrong, passed ? Value() : std::move(details)});
    return passed;
  }
  bool equal(const std::string& id, const std::string& what, const Value& found, const Value& expected) {
    return expect(id, found == expected, what + " agrees", what + " differs",
                  Value::object({{"found", found}, {"expected", expected}}));
  }
  void append(std::vector<PlanCheck> others) {
    for (PlanCheck& other : others) done_.push_back(std::move(other));
  }
  std::vector<PlanCheck> take() { return std::move(done_); }

 private:
  std::string prefix_;
  std::vector<PlanCheck> done_;
};

/// The rows of a contract's hashed form that a tuple names, and the position of the first among the runner's
/// implemented rows.
struct NamedRow {
  std::size_t count = 0;
  const Value* row = nullptr;
  std::int64_t candidate_index = 0;
};

NamedRow named_row(const Value& contract, const Value& binding) {
  NamedRow found;
  const Value* rows = contract.find("materializations");
  if (rows == nullptr || !rows->is_array()) return found;
  std::int64_t index = 0;
  for (const Value& row : rows->items()) {
    if (text_of(row, "runner") != text_of(binding, "runner")) continue;
    const bool implemented = text_of(row, "status") == "implemented";
    if (text_of(row, "backend") == text_of(binding, "backend") &&
        text_of(row, "implementation") == text_of(binding, "implementation")) {
      if (found.count == 0) {
        found.row = &row;
        found.candidate_index = index;
      }
      ++found.count;
    }
    if (implemented) ++index;
  }
  return found;
}

Value object_member(const Value& object, std::string_view key) {
  const Value* member = object.find(key);
  return member == nullptr ? Value() : *member;
}

void check_metadata(Checks& checks, const Value& binding, const Value& contract, const NamedRow& named) {
  const Value metadata = object_member(binding, "implementation_metadata");
  const Value selection = object_member(metadata, "selection");
  const bool consistent = text_of(metadata, "status") == text_of(*named.row, "status") &&
                          text_of(metadata, "operation_name") == text_of(contract, "name") &&
                          text_of(metadata, "operation_class") == text_of(binding, "implementation_identity") &&
                          text_of(selection, "resolved_backend") == text_of(binding, "backend") &&
                          object_member(selection, "candidate_index") == Value(named.candidate_index) &&
                          is_sha256_hex(text_of(metadata, "source_sha256"));
  checks.expect("_materialization_metadata", consistent, "the recorded selection agrees with the contract's row",
                "the recorded selection does not agree with the contract's row",
                Value::object({{"candidate_index", named.candidate_index}, {"recorded", selection}}));

  const Value declared = object_member(*named.row, "parameter_bindings");
  const Value recorded = object_member(selection, "parameter_bindings");
  const bool same = declared.size() == 0 ? recorded.size() == 0 : declared == recorded;
  checks.expect("_materialization_parameter_bindings", same, "the recorded bindings are the declared ones",
                "the recorded bindings are not those that the contract declares",
                Value::object({{"declared", declared}, {"recorded", recorded}}));

  const Value overrides = object_member(metadata, "parameter_overrides");
  bool active = declared.size() == 0 || overrides.is_object();
  if (active && declared.is_object()) {
    active = std::ranges::all_of(declared.members(), [&](const Value::Member& bound) {
      const Value* value = overrides.find(bound.first);
      return value != nullptr && *value == bound.second;
    });
  }
  checks.expect("_materialization_parameter_overrides", active, "the injected parameters activate the row",
                "the injected parameters do not activate the row",
                Value::object({{"declared", declared}, {"injected", overrides}}));
}

void check_row(Checks& checks, const Value& binding, const Value& contract) {
  checks.equal("_materialization_id", "the materialization id of its tuple",
               object_member(binding, "materialization_id"),
               planner::materialization_id(text_of(binding, "operation_id"), text_of(binding, "runner"),
                                           text_of(binding, "backend"), text_of(binding, "implementation")));
  const NamedRow named = named_row(contract, binding);
  if (!checks.expect("_materialization_contract", named.count == 1, "the contract declares the row once",
                     "the contract declares the row " + std::to_string(named.count) + " times; once is right")) {
    return;
  }
  checks.expect("_materialization_status", text_of(*named.row, "status") == "implemented", "the row is implemented",
                "the row that ran is not declared as implemented");
  check_metadata(checks, binding, contract, named);
}

std::vector<PlanCheck> check_binding(const Value& binding, const Value& contracts, const std::string& scope,
                                     bool with_row) {
  Checks checks("execution_plan." + scope);
  checks.expect("_step_schema_version", is_one(binding.find("schema_version")), "schema version 1",
                "a step's schema version must be the integer 1");
  bool complete = true;
  for (const char* field : {"step_id", "operation_id", "runner", "backend", "implementation", "materialization_id",
                            "implementation_identity"}) {
    complete &= checks.expect(std::string("_step_") + field, !text_of(binding, field).empty(), "present",
                              std::string(field) + " must be text that is not empty");
  }
  const Value metadata = object_member(binding, "implementation_metadata");
  complete &= checks.expect("_step_implementation_metadata", metadata.is_object(), "present",
                            "implementation_metadata must be an object");
  checks.equal("_binding_sha256", "the step's own digest", object_member(binding, "binding_sha256"),
               digest_without(binding, "binding_sha256"));
  const Value* contract = contracts.find(text_of(binding, "operation_id"));
  if (!checks.expect("_operation_contract", contract != nullptr && contract->is_object(),
                     "the plan carries the contract",
                     "the plan carries no contract of " + shown(text_of(binding, "operation_id")))) {
    return checks.take();
  }
  checks.equal("_operation_contract_sha256", "the contract's digest",
               object_member(binding, "operation_contract_sha256"), sha256_of(*contract));
  if (with_row && complete) check_row(checks, binding, *contract);
  return checks.take();
}

/// The embedded contracts; null when they are malformed.
const Value* check_contracts(Checks& checks, const Value& document) {
  const Value* set = document.find("operation_contracts");
  if (!checks.expect("operation_contracts_schema", set != nullptr && set->is_object(), "present",
                     "operation_contracts must be an object")) {
    return nullptr;
  }
  checks.expect("operation_contracts_schema_version", is_one(set->find("schema_version")), "schema version 1",
                "the schema version of operation_contracts must be the integer 1");
  const Value* operations = set->find("operations");
  if (!checks.expect("operation_contracts_operations",
                     operations != nullptr && operations->is_object() && operations->size() > 0, "present",
                     "operation_contracts.operations must be an object with at least one contract")) {
    return nullptr;
  }
  checks.equal("operation_contracts_sha256", "the digest of the contracts", object_member(*set, "sha256"),
               sha256_of(*operations));
  for (const auto& [id, contract] : operations->members()) {
    if (!checks.expect("operation_contract", contract.is_object(), "present",
                       "the contract of " + shown(id) + " must be an object")) {
      continue;
    }
    checks.equal("operation_contract_id", "the id of the contract of " + id, object_member(contract, "id"), id);
  }
  return operations;
}

bool known_runner(const std::string& runner) {
  return std::ranges::find(planner::runner_names(), runner) != planner::runner_names().end();
}

}  // namespace

std::vector<PlanCheck> check_step_binding(const Value& binding, const Value& contracts, const std::string& scope) {
  return check_binding(binding, contracts, scope, scope == "execution-plan");
}

std::vector<PlanCheck> check_plan_document(const Value& document) {
  Checks checks("execution_plan.");
  if (!checks.expect("schema", document.is_object() && check_json(document).has_value(), "an object",
                     "the plan must be a JSON object")) {
    return checks.take();
  }
  checks.expect("schema_version", is_one(document.find("schema_version")), "schema version 1",
                "the plan's schema version must be the integer 1");
  checks.equal("kind", "the plan's kind", object_member(document, "kind"), planner::plan_kind);
  if (checks.expect("sha256_schema", is_sha256_hex(text_of(document, "sha256")), "well-formed",
                    "sha256 must be 64 lower-case hex characters")) {
    checks.equal("sha256", "the plan's own digest", object_member(document, "sha256"),
                 digest_without(document, "sha256"));
  }
  const std::string runner = text_of(document, "runner");
  checks.expect("runner", known_runner(runner), "known", "there is no runner " + shown(runner));
  const Value recipe = object_member(document, "recipe");
  checks.expect("recipe_schema", recipe.is_object(), "present", "recipe must be an object");
  checks.expect("recipe_sha256_schema", is_sha256_hex(text_of(recipe, "sha256")), "well-formed",
                "recipe.sha256 must be 64 lower-case hex characters");
  const Value* operations = check_contracts(checks, document);

  const Value* steps = document.find("steps");
  if (!checks.expect("steps_schema", steps != nullptr && steps->is_array() && steps->size() > 0, "present",
                     "steps must be a list with at least one step")) {
    return checks.take();
  }
  checks.equal("steps_count", "the number of steps", object_member(recipe, "step_count"),
               static_cast<std::int64_t>(steps->size()));
  std::vector<std::string> seen;
  for (const Value& step : steps->items()) {
    if (!checks.expect("step_schema", step.is_object(), "an object", "each step must be an object")) continue;
    const std::string id = text_of(step, "step_id");
    checks.expect("step_id", !id.empty() && std::ranges::find(seen, id) == seen.end(), "unique",
                  "step id " + shown(id) + " is empty or occurs twice");
    seen.push_back(id);
    checks.equal("step_runner", "the runner of step " + id, object_member(step, "runner"), runner);
    if (operations != nullptr) checks.append(check_binding(step, *operations, "execution-plan", true));
  }
  return checks.take();
}

std::vector<PlanCheck> check_plan_recipe(const Value& document, const Value& recipe) {
  Checks checks("execution_plan.");
  const Value link = object_member(document, "recipe");
  checks.equal("recipe_sha256", "the digest of the effective recipe", object_member(link, "sha256"),
               check_json(recipe) ? sha256_of(recipe) : std::string{});
  checks.equal("recipe_name", "the recipe's name", object_member(link, "name"), object_member(recipe, "name"));
  const Value* authored = recipe.find("steps");
  const Value* planned = document.find("steps");
  const std::size_t count = authored == nullptr ? 0 : authored->size();
  checks.equal("recipe_step_count", "the number of steps in the recipe", object_member(link, "step_count"),
               static_cast<std::int64_t>(count));
  bool same = planned != nullptr && planned->is_array() && authored != nullptr && authored->is_array() &&
              planned->size() == count;
  for (std::size_t i = 0; same && i < count; ++i) {
    same = object_member((*planned)[i], "step_id") == object_member((*authored)[i], "id") &&
           object_member((*planned)[i], "operation_id") == object_member((*authored)[i], "op");
  }
  checks.expect("recipe_steps", same, "the planned steps are the recipe's, in its order",
                "the planned steps are not the recipe's steps in its order");
  return checks.take();
}

}  // namespace noema
