// Running one case on one row, in memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "conformance/cases.h"
#include "run/engine.h"

namespace noema::conformance {

/// What an operation gave.
struct Outcome {
  std::map<std::string, Artifact> outputs;
  Value metrics = Value::object();
  Value step_metadata = Value::object();
};

struct TrialOptions {
  int threads = 1;
  std::uint64_t chunk = 0;
};

/// Everything that running an operation needs besides its row.
struct Setting {
  Value params = Value::object();  ///< sparse
  std::map<std::string, Artifact> inputs;
  std::string step = "step";
  std::string name_space = "case";
  std::string master_seed;  ///< empty: none
};

/// The parameters that a kernel would get: defaults filled, the row's bindings laid over them, all checked.
Result<Value> effective_parameters(const Contract& contract, const Row& row, const Setting& setting);
Result<Outcome> run_operation(const Contract& contract, const Row& row, const Setting& setting,
                              const TrialOptions& options);
/// The case's inputs and parameters, made ready.
Result<Setting> setting_of(const Case& one, const Contract& contract, const Catalog& catalog);
/// The row that a case's parameters choose among the implemented rows of a backend; null when none fits.
const Row* row_for(const Contract& contract, const Value& effective, std::string_view backend);
/// What the case says and the outcome does not keep; empty when all holds.
std::string difference(const Case& one, const Outcome& outcome);

/// An input from its description in a case (a SOURCE, see docs/conformance.md).
Result<Artifact> make_source(const Value& source, const InputPort* port, const Catalog& catalog);
/// An array from nested or flat JSON values.
Result<Array> make_array(const Value& values, DType dtype, const Shape* shape);
std::string default_member(std::string_view kind);
Result<DType> dtype_named(std::string_view name);

}  // namespace noema::conformance
