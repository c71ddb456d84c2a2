// Support of runners (plan/runner_support.h).
// SPDX-License-Identifier: Apache-2.0
#include "plan/runner_support.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "plan/document.h"
#include "plan/rows.h"

namespace noema {
namespace {

struct Runner {
  const char* id;
  const char* label;
  const char* path;  ///< what kind of value flows: stored artifacts or live tensors
};
constexpr std::array<Runner, 3> runners{{{"benchmark_run", "Benchmark Run", "artifact"},
                                         {"dataset_capture", "Dataset Capture", "artifact"},
                                         {"differentiable_export", "Differentiable Export", "tensor"}}};

bool flag(const Value& object, std::string_view key) {
  const Value* member = object.find(key);
  return member != nullptr && member->is_boolean() && member->boolean();
}

/// Gradients that training can use flow through the operation.
bool differentiable(const Contract& contract) {
  const Value* about = contract.hashed.find("differentiability");
  const Value* gradient = about == nullptr ? nullptr : about->find("gradient");
  return gradient != nullptr && (*gradient == Value("full") || *gradient == Value("surrogate"));
}

bool exportable(const Contract& contract) {
  const Value* about = contract.hashed.find("differentiability");
  return about != nullptr && flag(*about, "exportable");
}

/// An operation that training neither passes through nor replaces is no business of the export.
bool applicable(const Contract& contract, const Runner& runner) {
  if (std::string_view(runner.id) != "differentiable_export") return true;
  const Value* training = contract.hashed.find("training_capabilities");
  return contract.hashed.find("trained_artifact_abi") != nullptr ||
         (training != nullptr && flag(*training, "built_in_fine_tuning")) || exportable(contract) ||
         differentiable(contract);
}

std::vector<std::string> ids(const Contract& contract, const std::vector<const Row*>& rows) {
  std::vector<std::string> out;
  for (const Row* row : rows) {
    out.push_back(planner::materialization_id(contract.id, row->runner, row->backend, row->implementation));
  }
  return out;
}

std::vector<const Row*> implemented(const std::vector<const Row*>& rows) {
  std::vector<const Row*> out;
  std::ranges::copy_if(rows, std::back_inserter(out), [](const Row* row) { return row->status == "implemented"; });
  return out;
}

Value support(const Contract& contract, const Runner& runner, const std::vector<const Row*>& rows) {
  const std::vector<const Row*> ready = implemented(rows);
  const bool applies = applicable(contract, runner);
  std::string status = "implemented";
  std::string reason;
  if (!applies) {
    status = "not_applicable";
    reason = "training neither passes through it nor replaces it";
  } else if (rows.empty()) {
    status = "unsupported";
    reason = "no row is declared";
  } else if (ready.empty()) {
    status = "planned";
    reason = "its rows are planned";
  } else if (std::string_view(runner.id) == "differentiable_export" &&
             !(differentiable(contract) && exportable(contract))) {
    status = "unsupported";
    reason = "it declares no gradient that can be exported";
  }
  Value out = Value::object({{"runner", runner.id},
                             {"label", runner.label},
                             {"path", runner.path},
                             {"applicable", applies},
                             {"status", status},
                             {"supported", status == "implemented"}});
  out.set("reason", reason.empty() ? Value() : Value(reason));
  out.set("materializations", ids(contract, rows));
  out.set("implemented_materializations", ids(contract, ready));
  return out;
}

std::vector<const Row*> rows_of(const Contract& contract, const Runner& runner) {
  std::vector<const Row*> rows;
  for (const Row& row : contract.rows) {
    if (row.runner == runner.id) rows.push_back(&row);
  }
  return rows;
}

/// Backend selectors do not rule a row out here: the caller's policy may outrank them.
bool fits(const Contract& contract, const Row& row, const Value& params) {
  Row relaxed = row;
  if (relaxed.bindings.is_object()) {
    for (const char* selector : {"data_plane_backend", "wireless_backend"}) relaxed.bindings.erase(selector);
  }
  return planner::activated(contract, relaxed, params);
}

}  // namespace

Value operation_runner_support(const Contract& contract) {
  Value out = Value::object();
  for (const Runner& runner : runners) out.set(runner.id, support(contract, runner, rows_of(contract, runner)));
  return out;
}

Value step_runner_support(const Contract& contract, const RecipeStep& step) {
  Value out = Value::object();
  for (const Runner& runner : runners) {
    std::vector<const Row*> fitting;
    Value selected = Value::object();
    for (const Row* row : rows_of(contract, runner)) {
      if (row->bindings.is_object()) {
        for (const auto& [name, value] : row->bindings.members()) {
          selected.set(name, planner::effective_value(contract, step.params, name));
        }
      }
      if (fits(contract, *row, step.params)) fitting.push_back(row);
    }
    Value entry = support(contract, runner, fitting);
    entry.set("materializations", ids(contract, rows_of(contract, runner)));
    entry.set("implemented_materializations", ids(contract, implemented(rows_of(contract, runner))));
    entry.set("selected_materializations", ids(contract, fitting));
    entry.set("selected_params", std::move(selected));
    out.set(runner.id, std::move(entry));
  }
  return out;
}

Value recipe_runner_support(const Recipe& recipe, const Catalog& catalog) {
  Value out = Value::object();
  for (const Runner& runner : runners) {
    std::vector<std::string> relevant;
    std::vector<std::string> unsupported;
    std::vector<std::string> not_applicable;
    for (const RecipeStep& step : recipe.steps) {
      const Contract* contract = catalog.find(step.operation);
      if (contract != nullptr && !applicable(*contract, runner)) {
        not_applicable.push_back(step.id);
        continue;
      }
      relevant.push_back(step.id);
      if (contract == nullptr || !flag(step_runner_support(*contract, step).at(runner.id), "supported")) {
        unsupported.push_back(step.id);
      }
    }
    const bool applies = !relevant.empty();
    const bool supported = applies && unsupported.empty();
    const auto count = [](const std::vector<std::string>& steps) { return static_cast<std::int64_t>(steps.size()); };
    out.set(runner.id, Value::object({{"runner", runner.id},
                                      {"label", runner.label},
                                      {"applicable", applies},
                                      {"status", !applies    ? "not_applicable"
                                                 : supported ? "supported"
                                                             : "unsupported"},
                                      {"supported", supported},
                                      {"relevant_steps", relevant},
                                      {"relevant_step_count", count(relevant)},
                                      {"unsupported_steps", unsupported},
                                      {"unsupported_step_count", count(unsupported)},
                                      {"not_applicable_steps", not_applicable},
                                      {"not_applicable_step_count", count(not_applicable)}}));
  }
  return out;
}

}  // namespace noema
