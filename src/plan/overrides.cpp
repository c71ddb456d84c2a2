// Injected parameters (plan/overrides.h).
// SPDX-License-Identifier: Apache-2.0
#include "plan/overrides.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/json.h"
#include "plan/codes.h"
#include "plan/findings.h"

namespace noema::planner {
namespace {

Error refuse(const std::string& parameter, Code code, std::string message, std::string hint) {
  Error error{code, {}, std::move(message), std::move(hint), {}};
  error.at.path = "params." + parameter;
  return error;
}

bool automatic(const Selector& selector, const Value& value) {
  return value.is_null() || (value.is_string() && selector.is_automatic(value.string()));
}

/// The first value, as declared, that stands for a backend; null when there is none.
const std::string* value_for(const Selector& selector, const std::string& backend) {
  for (const auto& [value, target] : selector.mapping) {
    if (target == backend) return &value;
  }
  return nullptr;
}

Value or_null(const std::string* text) { return text == nullptr ? Value() : Value(*text); }

/// The backend that a parameter value stands for, as evidence.
Value target_of(const Selector& selector, const Value& value) {
  return value.is_string() ? or_null(selector.backend_of(value.string())) : Value();
}

class Injector {
 public:
  Injector(const Contract& contract, const Value& params, const Choice& choice, const Policy& policy)
      : contract_(contract), given_(params), choice_(choice), row_(*choice.row), policy_(policy) {}

  Result<Overrides> make() {
    if (row_.bindings.is_object()) {
      for (const auto& [name, value] : row_.bindings.members()) NOEMA_CHECK(inject(name, value));
    }
    if (const Selector* primary = contract_.primary_selector()) NOEMA_CHECK(pin_primary(*primary));
    for (const Selector& selector : contract_.selectors) {
      if (!selector.primary) NOEMA_CHECK(pin_subordinate(selector));
    }
    out_.params = given_;
    for (const auto& [name, value] : out_.injected.members()) out_.params.set(name, value);
    return std::move(out_);
  }

 private:
  Result<void> inject(const std::string& parameter, Value value) {
    if (const Value* already = out_.injected.find(parameter); already != nullptr && *already != value) {
      return refuse(parameter, code::plan_override_conflict,
                    "the row " + row_.backend + "/" + row_.implementation + " of " + contract_.id + " binds it to " +
                        canonical_json(*already) + ", and the selector needs " + canonical_json(value),
                    "this is a contradiction inside the contract: choose another row, or mend the contract");
    }
    out_.injected.set(parameter, std::move(value));
    return {};
  }

  Result<void> pin_primary(const Selector& selector) {
    const Value& value = effective_value(contract_, given_, selector.parameter);
    if (out_.injected.find(selector.parameter) == nullptr) {
      const std::string* pinned = nullptr;
      const std::string* reached = selector.backend_of(selector.automatic_value);
      if (automatic(selector, value) && reached != nullptr && *reached == row_.backend) {
        pinned = &selector.automatic_value;
      } else if (target_of(selector, value) == Value(row_.backend)) {
        pinned = &value.string();
      } else {
        pinned = value_for(selector, row_.backend);
      }
      // A row that no value of the selector stands for leaves it alone (it was demanded, or the value is automatic).
      if (pinned != nullptr) {
        NOEMA_CHECK(inject(selector.parameter, *pinned));
      } else if (!choice_.demanded && !automatic(selector, value)) {
        return refuse(selector.parameter, code::plan_selector_value,
                      "no value of it stands for the backend '" + row_.backend + "' that " + contract_.id + " runs on",
                      "choose the row with `materialization` in the step instead");
      }
    }
    const Value* pinned = out_.injected.find(selector.parameter);
    const Value& effective = pinned == nullptr ? value : *pinned;
    out_.selector = Value::object({{"name", selector.parameter},
                                   {"value", value},
                                   {"effective_value", effective},
                                   {"target_backend", target_of(selector, effective)}});
    return {};
  }

  Result<void> pin_subordinate(const Selector& selector) {
    const Value& value = effective_value(contract_, given_, selector.parameter);
    const bool is_automatic = automatic(selector, value);
    Value effective = value;
    if (is_automatic) {
      const std::string* reaching = value_for(selector, row_.backend);
      if (reaching != nullptr) {
        effective = *reaching;
      } else if (!selector.automatic_value.empty()) {
        effective = selector.automatic_value;
      }
    } else {
      NOEMA_TRY(effective, concrete_subordinate(selector, value));
    }
    Value evidence = Value::object({{"scope", "subordinate"},
                                    {"requested_value", value},
                                    {"automatic", is_automatic},
                                    {"target_backend", target_of(selector, effective)}});
    evidence.set("effective_value", effective);
    if (effective != value) NOEMA_CHECK(inject(selector.parameter, std::move(effective)));
    out_.subordinate.set(selector.parameter, std::move(evidence));
    return {};
  }

  /// A concrete value stands as it is, is moved to `cpp` by the native policy, or asks for a backend that is not there.
  Result<Value> concrete_subordinate(const Selector& selector, const Value& value) const {
    const auto rows_on = [&](const std::string& backend, const char* status) {
      return std::ranges::any_of(contract_.rows, [&](const Row& row) {
        return row.runner == policy_.runner && row.backend == backend && row.status == status;
      });
    };
    const std::string backend = requested_backend(selector, value, policy_.native, rows_on("cpp", "implemented"));
    std::vector<std::string> values = selector.automatic_values;
    for (const auto& [name, target] : selector.mapping) values.push_back(name);
    if (backend.empty()) {
      return refuse(selector.parameter, code::plan_selector_value,
                    canonical_json(value) + " names no backend that " + contract_.id + " knows",
                    "allowed: " + listed(values, "or"));
    }
    const std::string* mapped = selector.backend_of(value.string());
    if (*mapped != backend) {
      const std::string* moved = value_for(selector, backend);
      if (moved != nullptr) return Value(*moved);
    }
    if (rows_on(backend, "implemented")) return value;
    const bool is_planned = rows_on(backend, "planned");
    std::vector<std::string> have;
    for (const Row& row : contract_.rows) {
      if (row.runner != policy_.runner || row.status != "implemented") continue;
      if (std::ranges::find(have, row.backend) == have.end()) have.push_back(row.backend);
    }
    std::string hint = selector.automatic_values.empty()
                           ? std::string("its backends are ")
                           : "write `" + selector.automatic_values.front() + "`; its backends are ";
    hint += listed(have);
    if (backend != "cpp" && rows_on("cpp", "implemented")) hint += "; `--native` runs this on cpp";
    return refuse(selector.parameter, is_planned ? code::plan_row_planned : code::plan_backend_undeclared,
                  canonical_json(value) + " stands for the backend '" + backend + "', " +
                      (is_planned ? "whose rows of " + contract_.id + " are planned but have no kernel yet"
                                  : "on which " + contract_.id + " has no row"),
                  std::move(hint));
  }

  const Contract& contract_;
  const Value& given_;
  const Choice& choice_;
  const Row& row_;
  const Policy& policy_;
  Overrides out_;
};

}  // namespace

Result<Overrides> overrides_for(const Contract& contract, const Value& params, const Choice& choice,
                                const Policy& policy) {
  return Injector(contract, params, choice, policy).make();
}

}  // namespace noema::planner
