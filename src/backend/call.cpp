// noema/backend.h: the parts of Call that every implementation shares, and the errors that kernels return.
// SPDX-License-Identifier: Apache-2.0
#include "noema/backend.h"

namespace noema {

std::uint64_t Call::count(std::string_view name) const {
  const std::int64_t value = integer(name);
  NOEMA_ASSERT(value >= 0, "a count is negative: the contract lacks its minimum");
  return static_cast<std::uint64_t>(value);
}

Result<Array> Call::array(std::string_view input, std::string_view member) const {
  const Artifact& content = artifact(input);
  if (const Array* found = content.array(member)) return *found;
  std::string known;
  for (const NamedArray& named : content.arrays) known += (known.empty() ? "" : ", ") + named.name;
  return refuse_input(
      input, code::input_invalid,
      "the artifact has no array '" + std::string(member) + "'; it holds " + (known.empty() ? "none" : known));
}

Error refuse_parameter(std::string_view name, Code code, std::string message, std::string hint) {
  Error error{code, {}, std::move(message), std::move(hint), {}};
  error.at.path = "params." + std::string(name);
  return error;
}

Error refuse_input(std::string_view name, Code code, std::string message, std::string hint) {
  Error error{code, {}, std::move(message), std::move(hint), {}};
  error.at.path = "inputs." + std::string(name);
  return error;
}

}  // namespace noema
