// The seed policy of a recipe. Deriving itself is core's (core/seeds.cpp).
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "core/text.h"
#include "noema/recipe.h"
#include "recipe/codes.h"
#include "recipe/findings.h"
#include "recipe/python_text.h"

namespace noema {
namespace {

constexpr std::array<std::string_view, 3> seed_keys{"seed", "experiment_seed", "ui_seed"};

Error refusal(std::string_view key, std::string message, std::string hint) {
  Error error{code::recipe_seed, {}, std::move(message), std::move(hint), {}};
  error.at.path = "metadata." + std::string(key);
  return error;
}

Result<std::string> read_master(std::string_view key, const Value& value) {
  const std::optional<std::string> number = python_integer(value);
  if (!number) {
    return refusal(key, "the master seed is " + kind_of(value) + "; it must be a whole number",
                   "write an integer from 0 up");
  }
  if (number->starts_with('-')) {
    return refusal(key, "the master seed is " + number->substr(0, 40) + "; it can't be negative",
                   "write an integer from 0 up");
  }
  return *number;
}

Result<std::string> read_namespace(const Value& recipe, const Value* metadata) {
  const Value* given = metadata == nullptr ? nullptr : metadata->find("seed_namespace");
  if (given != nullptr && !given->is_null()) {
    if (!given->is_string() && !given->is_integer()) {
      return refusal("seed_namespace", "seed_namespace is " + kind_of(*given) + "; it must be text",
                     "put it in quotes");
    }
    const std::string text = given->is_string() ? given->string() : given->integer_text();
    if (const std::string_view stripped = python_stripped(text); !stripped.empty()) return std::string(stripped);
  }
  const Value* name = recipe.find("name");
  return name != nullptr && name->is_string() ? name->string() : std::string{};
}

}  // namespace

Result<SeedPolicy> seed_policy(const Value& effective_recipe) {
  SeedPolicy policy;
  const Value* metadata = effective_recipe.find("metadata");
  for (const std::string_view key : seed_keys) {
    const Value* seed = metadata == nullptr ? nullptr : metadata->find(key);
    if (seed == nullptr || seed->is_null()) continue;
    NOEMA_TRY(policy.master, read_master(key, *seed));
    policy.source = "recipe.metadata." + std::string(key);
    break;
  }
  NOEMA_TRY(policy.seed_namespace, read_namespace(effective_recipe, metadata));
  return policy;
}

Value SeedPolicy::evidence() const {
  return Value::object({{"schema_version", 1},
                        {"master_seed", master ? Value::integer_text(*master) : Value()},
                        {"master_seed_source", source.empty() ? Value() : Value(source)},
                        {"seed_namespace", seed_namespace},
                        {"derivation",
                         "the first 16 hexadecimal digits of sha256(master_seed|seed_namespace|step_id|stream), "
                         "as an integer modulo 2147483647"},
                        {"operation_param_seed_overrides_master", true}});
}

}  // namespace noema
