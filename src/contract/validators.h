// Rules between parameters (and connected inputs) that a schema can't say. A contract names its rule; the planner calls
// it. Rules know parameters only: they touch no file, clock or kernel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema::contract {

/// What a rule sees.
struct Preflight {
  const Contract& contract;
  const Value& params;
  const std::vector<std::string>& connected;  ///< connected input ports

  /// The given value, else the default, else null. Inactive parameters are null.
  Value parameter(std::string_view name) const;
  bool is_connected(std::string_view input) const;
  /// Is the parameter's value this text?
  bool is(std::string_view name, std::string_view text) const;
};

/// Returns every violation; none when the parameters agree.
using Validator = std::vector<Error> (*)(const Preflight& preflight);

/// Null when there is none of this name.
Validator find_validator(std::string_view name);
std::vector<std::string> validator_names();

/// A violation at `params.<name>`.
Error conflict(std::string_view parameter, std::string message, std::string hint = {});

// The rules, one file a family.
std::vector<Error> check_digital_demodulate(const Preflight& preflight);
std::vector<Error> check_wireless_channel(const Preflight& preflight);
std::vector<Error> check_digital_link(const Preflight& preflight);

}  // namespace noema::contract
