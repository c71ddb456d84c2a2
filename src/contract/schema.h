// The subset of JSON Schema that contracts use: checking a value, filling defaults, and checking a schema itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "noema/error.h"
#include "noema/value.h"

namespace noema::contract {

/// Equal as people compare: 1 equals 1.0, wherever it stands. Booleans equal only booleans.
bool loosely_equal(const Value& a, const Value& b);

/// Every way in which `value` breaks `schema`. `path` is where the value stands, such as `params.factor`.
std::vector<Error> schema_violations(const Value& schema, const Value& value, const std::string& path);

/// A copy of an object with the defaults of absent properties, at every depth. An inactive property
/// (x-noema-effective-when) gets none.
Value filled(const Value& object_schema, const Value& object);

/// Is the property of an object schema in effect, given the object's values and its siblings' defaults?
bool is_effective(const Value& properties, const Value& property, const Value& object);

/// The controller of x-noema-effective-when that keeps the property inactive; empty when it is in effect.
std::string blocking_controller(const Value& properties, const Value& property, const Value& object);

/// A flaw of a schema: the keyword path below the schema (`minimum`, `items.type`), and what is wrong.
struct SchemaFlaw {
  std::string path;
  std::string message;
  std::string hint;
};
/// Flaws of one parameter's schema: unknown keywords, wrong keyword types, contradictory bounds, a default that breaks
/// its own schema. Rules between parameters are not looked at.
std::vector<SchemaFlaw> schema_flaws(const Value& schema);

/// A value in a message: `'text'`, `3`, `[1,2]`, cut when long.
std::string value_text(const Value& value);

}  // namespace noema::contract
