// Parameters of one step against their contract: names, types, choices, bounds, conditions; defaults; cross-checks.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "contract/schema.h"
#include "contract/validators.h"
#include "core/report.h"
#include "core/text.h"
#include "noema/contract.h"

namespace noema {
namespace {

Error violation(Code code, const std::string& name, std::string message, std::string hint) {
  return Error{
      code, {name.empty() ? "params" : "params." + name, {}, 0, 0, {}}, std::move(message), std::move(hint), {}};
}

Error unknown(const Contract& contract, const std::string& name) {
  std::vector<std::string> known;
  for (const Parameter& parameter : contract.parameters) known.push_back(parameter.name);
  std::string hint = did_you_mean(name, known);
  if (hint.empty() && !known.empty()) hint = "its parameters are " + joined(known, ", ");
  if (known.empty()) hint = "it takes none";
  return violation(code::parameter_unknown, name, contract.id + " has no parameter " + shown(name), hint);
}

Error inactive(const Value& properties, const Parameter& parameter, const Value& params,
               const std::string& controller) {
  const Value& wanted = parameter.schema.at("x-noema-effective-when").at(controller);
  const Value* given = params.find(controller);
  if (given == nullptr) given = properties.at(controller).find("default");
  const std::string current = given == nullptr ? "unset" : contract::value_text(*given);
  return violation(code::parameter_inactive, parameter.name,
                   parameter.name + " has no effect while " + controller + " is " + current,
                   "remove " + parameter.name + ", or set " + controller + " to " + contract::value_text(wanted));
}

Error missing(const Contract& contract, const Parameter& parameter) {
  const Value* about = parameter.schema.find("description");
  return violation(code::parameter_missing, parameter.name,
                   parameter.name + " is missing; " + contract.id + " can't do without it",
                   about == nullptr ? std::string() : about->string());
}

}  // namespace

Result<void> check_parameters(const Contract& contract, const Value& params, bool require_all) {
  if (!params.is_null() && !params.is_object()) {
    return violation(code::parameter_type, "", "params is " + contract::value_text(params) + "; an object is needed",
                     {});
  }
  const Value given = params.is_null() ? Value::object() : params;
  const Value& properties = contract.hashed.at("params_schema").at("properties");
  std::vector<Error> errors;
  for (const auto& [name, value] : given.members()) {
    const Parameter* parameter = contract.parameter(name);
    if (parameter == nullptr) {
      errors.push_back(unknown(contract, name));
      continue;
    }
    const std::string controller = contract::blocking_controller(properties, parameter->schema, given);
    if (!controller.empty()) {
      errors.push_back(inactive(properties, *parameter, given, controller));
      continue;
    }
    for (Error& error : contract::schema_violations(parameter->schema, value, "params." + name)) {
      if (error.hint.empty() && error.at.path == "params." + name) {
        if (const Value* about = parameter->schema.find("description")) error.hint = about->string();
      }
      errors.push_back(std::move(error));
    }
  }
  for (const Parameter& parameter : contract.parameters) {
    if (!require_all || !parameter.required || given.find(parameter.name) != nullptr) continue;
    errors.push_back(missing(contract, parameter));
  }
  if (errors.empty()) return {};
  return combined(std::move(errors));
}

Result<void> preflight(const Contract& contract, const Value& params, const std::vector<std::string>& connected) {
  if (contract.validator.empty()) return {};
  const contract::Validator check = contract::find_validator(contract.validator);
  NOEMA_ASSERT(check != nullptr, "the lint lets no contract name an unknown validator");
  const Value given = params.is_null() ? Value::object() : params;
  std::vector<Error> errors = check({contract, given, connected});
  if (errors.empty()) return {};
  return combined(std::move(errors));
}

Value with_defaults(const Contract& contract, const Value& params) {
  if (!params.is_null() && !params.is_object()) return params;
  return contract::filled(contract.hashed.at("params_schema"), params);
}

}  // namespace noema
