// Operation contracts: what an operation takes, gives, accepts as parameters, and which rows can run it.
// Contracts are data (`ops/<family>/**/<stem>.op.json`), embedded at build time and parsed on first use.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "noema/error.h"
#include "noema/value.h"

namespace noema {

/// An input port. Kinds match by exact string membership.
struct InputPort {
  std::string name;
  std::vector<std::string> kinds;
  bool optional = false;
};

struct OutputPort {
  std::string name;
  std::string kind;
};

/// One way to run an operation: (runner, backend, implementation).
struct Row {
  std::string runner;          ///< benchmark_run, dataset_capture or differentiable_export
  std::string backend;         ///< cpp, numpy, torch, onnxruntime, openvino, sionna, python or external
  std::string implementation;  ///< `default` unless several exist
  std::string status;          ///< implemented or planned
  Value bindings;              ///< object parameter -> value; null when the row binds nothing
  std::string notes;
  bool explicit_only = false;  ///< chosen only by name, never automatically
};

/// A parameter whose value names a backend.
struct Selector {
  std::string parameter;
  bool primary = false;                                      ///< a subordinate selector never changes the row
  std::vector<std::pair<std::string, std::string>> mapping;  ///< value -> backend, in declared order
  std::vector<std::string> automatic_values;
  std::string automatic_value;  ///< a key of the mapping; empty when there is none
  const std::string* backend_of(std::string_view value) const;
  bool is_automatic(std::string_view value) const;
};

/// What a parameter must be, from the contract's schema.
struct Parameter {
  std::string name;
  Value schema;  ///< the property's schema, as hashed
  bool required = false;
  const Value* default_value() const { return schema.find("default"); }
};

/// A metadata promise or demand about one port.
struct MetadataRule {
  std::string port;
  std::vector<std::string> all_of;
  std::vector<std::string> any_of;  ///< empty for guarantees
};

/// One operation's contract.
struct Contract {
  std::string id;      ///< such as `channel.repetition_encoder`
  std::string family;  ///< folder below ops/, such as `channel` or `model/jpeg`
  std::string stem;    ///< such as `repetition_encoder`
  std::string name;
  std::string description;
  std::string status;             ///< implemented or planned
  std::vector<InputPort> inputs;  ///< required ones first, each group in declared order
  std::vector<OutputPort> outputs;
  std::vector<Parameter> parameters;       ///< in declared order
  std::vector<Row> rows;                   ///< in declared order
  std::vector<Selector> selectors;         ///< in parameter order
  std::vector<MetadataRule> requirements;  ///< of inputs
  std::vector<MetadataRule> guarantees;    ///< of outputs
  std::string validator;                   ///< name of the planner's cross-parameter check; empty when there is none
  Value authored;                          ///< the .op.json with fragments expanded
  Value hashed;                            ///< the form that digests cover (`noema ops show --json`)
  std::string sha256;                      ///< canonical digest of `hashed`
  std::string semantic_sha256;             ///< the same without wording

  bool implemented() const { return status == "implemented"; }
  const InputPort* input(std::string_view port) const;
  const OutputPort* output(std::string_view port) const;
  const Parameter* parameter(std::string_view name) const;
  const Selector* selector(std::string_view parameter) const;
  /// The primary selector, or null.
  const Selector* primary_selector() const;
};

/// A kernel's source file as it was at build time.
struct KernelSource {
  std::string module;  ///< path in the repository
  std::string sha256;  ///< of its text with LF line ends
};

/// All contracts of this build. Immutable and safe to share between threads.
class Catalog {
 public:
  virtual ~Catalog() = default;
  virtual const std::vector<std::string>& ids() const = 0;  ///< sorted
  /// The contract, parsed on first use; null when there is no such operation.
  virtual const Contract* find(std::string_view id) const = 0;
  /// The contract, or an error with the nearest known id as its hint.
  Result<const Contract*> get(std::string_view id) const;
  /// The source file of an operation's kernel on a backend; null when no row on that backend is implemented.
  virtual const KernelSource* source(std::string_view id, std::string_view backend) const = 0;
  /// Canonical digest of {id: sha256 of the contract} over all operations.
  virtual const std::string& sha256() const = 0;
};

/// The contracts compiled into this program.
const Catalog& builtin_catalog();

/// `channel.packetize_crc32.v2` -> `packetize_crc32_v2`: the operation's file stem.
std::string operation_stem(std::string_view id);

/// Checks effective or sparse parameters against a contract: unknown names, types, choices, bounds, inactive ones.
/// Every violation is reported (the first, with the rest in `also`), at `params.<name>`.
/// With `require_all`, missing required parameters are violations too.
Result<void> check_parameters(const Contract& contract, const Value& params, bool require_all = true);

/// Runs the contract's cross-parameter validator, if it names one. `connected` lists the connected input ports.
Result<void> preflight(const Contract& contract, const Value& params, const std::vector<std::string>& connected);

/// Adds the schema defaults of absent, effective parameters (core defaults rule); recurses into nested schemas.
Value with_defaults(const Contract& contract, const Value& params);

}  // namespace noema
