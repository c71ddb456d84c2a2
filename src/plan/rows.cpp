// The choice of a row (plan/rows.h).
// SPDX-License-Identifier: Apache-2.0
#include "plan/rows.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "core/json.h"
#include "core/text.h"
#include "plan/codes.h"
#include "plan/findings.h"
#include "plan/names.h"

namespace noema::planner {
namespace {

using Rows = std::vector<const Row*>;
using Filter = std::function<bool(const Row&)>;

constexpr std::size_t rows_in_message = 24;

Error refuse(std::string path, Code code, std::string message, std::string hint) {
  Error error{code, {}, std::move(message), std::move(hint), {}};
  error.at.path = std::move(path);
  return error;
}

std::string bindings_text(const Value& bindings) {
  std::vector<std::string> parts;
  if (bindings.is_object()) {
    for (const auto& [name, value] : bindings.members()) parts.push_back(name + ": " + canonical_json(value));
  }
  return joined(parts, ", ");
}

/// `cpp/awgn_matched (channel: "awgn")`, one for each row.
std::string bound_row_list(const Rows& rows) {
  std::vector<std::string> parts;
  for (const Row* row : rows) {
    if (parts.size() == rows_in_message) {
      parts.push_back("and " + std::to_string(rows.size() - rows_in_message) + " more");
      break;
    }
    const std::string bindings = bindings_text(row->bindings);
    parts.push_back(row->backend + "/" + row->implementation + (bindings.empty() ? "" : " (" + bindings + ")"));
  }
  return joined(parts, "; ");
}

std::size_t binding_count(const Row& row) { return row.bindings.size(); }

class Chooser {
 public:
  Chooser(const Contract& contract, const Value& params, const StepDemand& demand, const Policy& policy)
      : contract_(contract), params_(params), step_(demand), policy_(policy) {
    const auto named = policy.implementations.find(contract.id);
    if (named != policy.implementations.end()) implementation_ = named->second;
  }
  Result<Choice> choose();

 private:
  Result<void> collect();
  Result<void> apply_planner_demand();
  Result<void> apply_step_demand();
  Result<void> match_bindings();
  Result<void> apply_selector();
  Result<Choice> pick();

  /// Keeps the rows that pass, unless none would be left.
  bool narrow(const Filter& filter);
  /// Planned rows that pass every filter so far and this one.
  Rows planned(const Filter& filter) const;
  Error row_planned(const std::string& path, const Rows& rows) const;
  Error undeclared(const std::string& path, const std::string& backend, const std::string& implementation,
                   const Filter& filter) const;
  Error unmatched() const;
  bool planner_demands() const { return !policy_.backend.empty() || !implementation_.empty(); }

  const Contract& contract_;
  const Value& params_;
  const StepDemand& step_;
  const Policy& policy_;
  std::string implementation_;  // demanded by the policy for this operation

  Rows implemented_;
  Rows planned_;
  Rows pool_;
  std::vector<Filter> filters_;
  bool step_applied_ = false;
  const Selector* deciding_selector_ = nullptr;  // a concrete value narrowed the rows
};

bool Chooser::narrow(const Filter& filter) {
  Rows kept;
  std::ranges::copy_if(pool_, std::back_inserter(kept), [&](const Row* row) { return filter(*row); });
  if (kept.empty()) return false;
  pool_ = std::move(kept);
  filters_.push_back(filter);
  return true;
}

Rows Chooser::planned(const Filter& filter) const {
  Rows found;
  for (const Row* row : planned_) {
    const bool passes = std::ranges::all_of(filters_, [&](const Filter& earlier) { return earlier(*row); });
    if (passes && filter(*row)) found.push_back(row);
  }
  return found;
}

Error Chooser::row_planned(const std::string& path, const Rows& rows) const {
  std::string hint;
  if (implemented_.empty()) {
    hint = "no row of " + contract_.id + " has a kernel for " + policy_.runner;
  } else {
    // Bindings tell many rows apart, and drown the message when there are many.
    hint = "rows with a kernel: " + (pool_.size() > 3 ? row_list(pool_) : bound_row_list(pool_));
  }
  return refuse(path, code::plan_row_planned,
                "this step asks for " + row_list(rows) + " of " + contract_.id +
                    ", which is planned: this version has no kernel for it",
                std::move(hint));
}

Error Chooser::undeclared(const std::string& path, const std::string& backend, const std::string& implementation,
                          const Filter& filter) const {
  if (const Rows rows = planned(filter); !rows.empty()) return row_planned(path, rows);
  std::string asked;
  if (!implementation.empty()) asked += "named " + shown(implementation);
  if (!backend.empty()) asked += std::string(asked.empty() ? "" : " ") + "on backend '" + backend + "'";
  std::string hint = "its rows for " + policy_.runner + ": " + row_list(implemented_);
  if (!implementation.empty()) {
    std::vector<std::string> names;
    for (const Row* row : implemented_) names.push_back(row->implementation);
    if (const std::string near = did_you_mean(implementation, names); !near.empty()) hint = near + " " + hint;
  }
  return refuse(path, implementation.empty() ? code::plan_backend_undeclared : code::plan_implementation_undeclared,
                contract_.id + " has no row " + asked, std::move(hint));
}

Result<void> Chooser::collect() {
  std::vector<std::string> runners;
  for (const Row& row : contract_.rows) {
    if (row.runner == policy_.runner) {
      (row.status == "implemented" ? implemented_ : planned_).push_back(&row);
    } else if (std::ranges::find(runners, row.runner) == runners.end()) {
      runners.push_back(row.runner);
    }
  }
  pool_ = implemented_;
  if (!implemented_.empty()) return {};
  if (!planned_.empty()) return row_planned("op", planned_);
  return refuse("op", code::plan_runner_undeclared, contract_.id + " has no row for " + policy_.runner,
                runners.empty() ? "" : "it has rows for " + listed(runners));
}

Result<void> Chooser::apply_planner_demand() {
  if (!planner_demands()) return {};
  const Filter filter = [this](const Row& row) {
    return (policy_.backend.empty() || row.backend == policy_.backend) &&
           (implementation_.empty() || row.implementation == implementation_);
  };
  if (!narrow(filter)) return undeclared("op", policy_.backend, implementation_, filter);
  return {};
}

Result<void> Chooser::apply_step_demand() {
  const bool named = !implementation_.empty() || !step_.implementation.empty();
  const Filter unnamed = [](const Row& row) { return !row.explicit_only; };
  if (step_.any()) {
    const Filter filter = [this](const Row& row) {
      return (step_.backend.empty() || row.backend == step_.backend) &&
             (step_.implementation.empty() || row.implementation == step_.implementation);
    };
    const Filter usual = [filter](const Row& row) { return filter(row) && !row.explicit_only; };
    // A backend that has nothing but rows to be named is named well enough by the step.
    step_applied_ = (!named && narrow(usual)) || narrow(filter);
    if (step_applied_) return {};
    // The caller outranks the step: where the two contradict each other, the step's wish is dropped.
    if (!planner_demands()) {
      return undeclared("materialization", step_.backend, step_.implementation, filter);
    }
  }
  if (!implementation_.empty() || narrow(unnamed)) return {};
  const std::string where = policy_.backend.empty() ? std::string{} : " on backend '" + policy_.backend + "'";
  return refuse("op", code::plan_row_unnamed,
                "every row of " + contract_.id + where + " for " + policy_.runner + " has to be chosen by name",
                "name one in the step, as in `materialization: {implementation: " + pool_.front()->implementation +
                    "}`, or for every step of this operation with `--implementation`; there are " + row_list(pool_));
}

Error Chooser::unmatched() const {
  const Filter matches = [this](const Row& row) { return activated(contract_, row, params_); };
  // The first bound parameter whose value no row at hand knows is where the author has to look.
  std::vector<std::string> names;
  for (const Row* row : pool_) {
    for (const auto& [name, value] : row->bindings.members()) names.push_back(name);
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  std::string path = "params";
  std::vector<std::string> values;
  for (const std::string& name : names) {
    const Value& have = effective_value(contract_, params_, name);
    values.push_back(name + ": " + canonical_json(have));
    const bool served = std::ranges::any_of(pool_, [&](const Row* row) {
      const Value* bound = row->bindings.find(name);
      return bound == nullptr || *bound == have;
    });
    if (!served && path == "params") path += "." + name;
  }
  if (const Rows rows = planned(matches); !rows.empty()) return row_planned(path, rows);
  std::vector<std::string> elsewhere;
  for (const Row& row : contract_.rows) {
    if (row.runner == policy_.runner || row.bindings.size() == 0 || !matches(row)) continue;
    if (std::ranges::find(elsewhere, row.runner) == elsewhere.end()) elsewhere.push_back(row.runner);
  }
  std::string hint;
  if (!elsewhere.empty()) hint = "rows of " + listed(elsewhere) + " would match; ";
  hint += "rows to choose from: " + bound_row_list(pool_);
  return refuse(path, code::plan_bindings_unmatched,
                "no row of " + contract_.id + " for " + policy_.runner + " takes " + joined(values, ", "),
                std::move(hint));
}

Result<void> Chooser::match_bindings() {
  if (!narrow([this](const Row& row) { return activated(contract_, row, params_); })) return unmatched();
  return {};
}

Result<void> Chooser::apply_selector() {
  const Selector* selector = contract_.primary_selector();
  if (selector == nullptr) return {};
  const Value& value = effective_value(contract_, params_, selector->parameter);
  const auto on = [](std::string backend) {
    return Filter([backend = std::move(backend)](const Row& row) { return row.backend == backend; });
  };
  if (value.is_null() || (value.is_string() && selector->is_automatic(value.string()))) {
    const std::string* automatic = selector->backend_of(selector->automatic_value);
    if (automatic != nullptr) narrow(on(*automatic));
    return {};
  }
  const bool cpp_exists = std::ranges::any_of(pool_, [](const Row* row) { return row->backend == "cpp"; });
  const std::string backend = requested_backend(*selector, value, policy_.native, cpp_exists);
  const std::string path = "params." + selector->parameter;
  if (backend.empty()) {
    std::vector<std::string> values = selector->automatic_values;
    for (const auto& [name, target] : selector->mapping) values.push_back(name);
    return refuse(path, code::plan_selector_value, canonical_json(value) + " names no backend of " + contract_.id,
                  "allowed: " + listed(values, "or"));
  }
  const bool narrowed = narrow(on(backend));
  if (planner_demands() || step_applied_) return {};  // what was demanded outranks the selector
  if (!narrowed) {
    const std::string native = cpp_exists ? "; `--native` runs this on cpp" : "";
    if (const Rows rows = planned(on(backend)); !rows.empty()) {
      Error error = row_planned(path, rows);
      error.hint += native;
      return error;
    }
    std::string hint = "rows that fit: " + row_list(pool_) + native;
    return refuse(path, code::plan_backend_undeclared,
                  selector->parameter + " is " + canonical_json(value) + ", which stands for the backend '" + backend +
                      "', and " + contract_.id + " has no such row for these parameters",
                  std::move(hint));
  }
  deciding_selector_ = selector;
  return {};
}

Result<Choice> Chooser::pick() {
  const std::size_t most =
      std::ranges::max(pool_, {}, [](const Row* row) { return binding_count(*row); })->bindings.size();
  Rows best;
  std::ranges::copy_if(pool_, std::back_inserter(best), [&](const Row* row) { return binding_count(*row) == most; });
  const Row& row = *best.front();
  // A general row must not stand in for a specific one that the contract declares for just these values.
  const Rows closer = planned([&](const Row& other) {
    return other.backend == row.backend && binding_count(other) > most && activated(contract_, other, params_);
  });
  if (!closer.empty()) return row_planned("params." + closer.front()->bindings.members().front().first, closer);
  Rows alike;
  std::ranges::copy_if(best, std::back_inserter(alike),
                       [&](const Row* other) { return other->backend == row.backend; });
  if (alike.size() > 1) {
    return refuse(step_applied_ ? "materialization" : "op", code::plan_row_ambiguous,
                  "several rows of " + contract_.id + " on backend '" + row.backend + "' fit this step",
                  "name one as `materialization: {implementation: ...}`; there are " + row_list(alike));
  }

  Choice choice;
  choice.row = &row;
  choice.candidate_index = static_cast<std::size_t>(std::ranges::find(implemented_, &row) - implemented_.begin());
  choice.demanded = planner_demands() || step_applied_;
  if (!implementation_.empty()) {
    choice.requested_implementation = implementation_;
  } else if (step_applied_) {
    choice.requested_implementation = step_.implementation;
  }
  if (!policy_.backend.empty()) {
    choice.source = "planner.backend";
  } else if (!implementation_.empty()) {
    choice.source = "planner.implementation";
  } else if (step_applied_) {
    choice.source = "step.materialization";
  } else if (deciding_selector_ != nullptr) {
    choice.source = "step.params." + deciding_selector_->parameter;
  } else if (most > 0) {
    const auto& members = row.bindings.members();
    choice.source =
        "step.params." + std::ranges::min(members, {}, [](const auto& member) { return member.first; }).first;
  } else {
    choice.source = "declared_contract_order";
  }
  return choice;
}

Result<Choice> Chooser::choose() {
  NOEMA_CHECK(collect());
  NOEMA_CHECK(apply_planner_demand());
  NOEMA_CHECK(apply_step_demand());
  NOEMA_CHECK(match_bindings());
  NOEMA_CHECK(apply_selector());
  return pick();
}

}  // namespace

Result<StepDemand> step_demand(const Value& materialization) {
  StepDemand demand;
  if (materialization.is_null()) return demand;
  const std::string hint = "write `materialization: {backend: cpp}`, `{implementation: NAME}` or both";
  if (!materialization.is_object() || materialization.size() == 0) {
    return refuse("materialization", code::plan_materialization_invalid,
                  "`materialization` must be an object that names a backend, an implementation or both", hint);
  }
  for (const auto& [key, value] : materialization.members()) {
    if (key != "backend" && key != "implementation") {
      return refuse("materialization." + key, code::plan_materialization_invalid,
                    "`materialization` has no field " + shown(key), hint);
    }
    if (!value.is_string() || trimmed(value.string()).empty()) {
      return refuse("materialization." + key, code::plan_materialization_invalid,
                    "`" + key + "` must be a non-empty string, not " + canonical_json(value), hint);
    }
    if (key == "implementation") {
      demand.implementation = value.string();
      continue;
    }
    Result<std::string> backend = backend_named(value.string());
    if (!backend) {
      Error error = std::move(backend).error();
      error.at.path = "materialization.backend";
      return error;
    }
    demand.backend = *std::move(backend);
  }
  return demand;
}

const Value& effective_value(const Contract& contract, const Value& params, std::string_view name) {
  static const Value absent;
  if (const Value* given = params.find(name)) return *given;
  const Parameter* parameter = contract.parameter(name);
  const Value* fallback = parameter == nullptr ? nullptr : parameter->default_value();
  return fallback == nullptr ? absent : *fallback;
}

bool activated(const Contract& contract, const Row& row, const Value& params) {
  if (!row.bindings.is_object()) return true;
  return std::ranges::all_of(row.bindings.members(), [&](const Value::Member& bound) {
    return effective_value(contract, params, bound.first) == bound.second;
  });
}

std::string requested_backend(const Selector& selector, const Value& value, bool native, bool cpp_exists) {
  if (!value.is_string() || selector.is_automatic(value.string())) return {};
  const std::string* backend = selector.backend_of(value.string());
  if (backend == nullptr) return {};
  if (native && cpp_exists && (*backend == "sionna" || *backend == "numpy")) return "cpp";
  return *backend;
}

std::string row_list(const std::vector<const Row*>& rows) {
  std::vector<std::string> parts;
  for (const Row* row : rows) {
    if (parts.size() == rows_in_message) {
      parts.push_back("and " + std::to_string(rows.size() - rows_in_message) + " more");
      break;
    }
    parts.push_back(row->backend + "/" + row->implementation);
  }
  return joined(parts, ", ");
}

Result<Choice> choose_row(const Contract& contract, const Value& params, const StepDemand& demand,
                          const Policy& policy) {
  return Chooser(contract, params, demand, policy).choose();
}

}  // namespace noema::planner
