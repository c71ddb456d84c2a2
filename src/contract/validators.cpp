// The list of named rules (contract/validators.h).
// SPDX-License-Identifier: Apache-2.0
#include "contract/validators.h"

#include <algorithm>
#include <array>
#include <utility>

#include "contract/schema.h"

namespace noema::contract {
namespace {

constexpr std::array<std::pair<std::string_view, Validator>, 3> all{{
    {"demodulation.digital_demodulate", check_digital_demodulate},
    {"wireless.channel", check_wireless_channel},
    {"wireless.digital_link", check_digital_link},
}};

}  // namespace

Value Preflight::parameter(std::string_view name) const {
  if (const Value* given = params.find(name)) return *given;
  const Parameter* declared = contract.parameter(name);
  const Value* fallback = declared == nullptr ? nullptr : declared->default_value();
  if (fallback == nullptr) return {};
  const Value& properties = contract.hashed.at("params_schema").at("properties");
  return is_effective(properties, declared->schema, params) ? *fallback : Value();
}

bool Preflight::is_connected(std::string_view input) const {
  return std::ranges::find(connected, input) != connected.end();
}

bool Preflight::is(std::string_view name, std::string_view text) const { return parameter(name) == Value(text); }

Validator find_validator(std::string_view name) {
  const auto found = std::ranges::find(all, name, &std::pair<std::string_view, Validator>::first);
  return found == all.end() ? nullptr : found->second;
}

std::vector<std::string> validator_names() {
  std::vector<std::string> names;
  for (const auto& [name, check] : all) names.emplace_back(name);
  return names;
}

Error conflict(std::string_view parameter, std::string message, std::string hint) {
  return Error{code::parameter_conflict,
               {"params." + std::string(parameter), {}, 0, 0, {}},
               std::move(message),
               std::move(hint),
               {}};
}

}  // namespace noema::contract
