// Writing the plan document (plan/document.h).
// SPDX-License-Identifier: Apache-2.0
#include "plan/document.h"

#include <algorithm>
#include <vector>

#include "core/digest.h"
#include "core/json.h"

namespace noema::planner {
namespace {

Value selection_record(const Contract& contract, const Choice& choice, const Overrides& overrides) {
  const Row& row = *choice.row;
  const Value* selected = overrides.selector.find("value");
  Value selection = Value::object({{"source", choice.source},
                                   {"requested_backend", selected == nullptr ? Value() : *selected},
                                   {"resolved_backend", row.backend},
                                   {"candidate_index", static_cast<std::int64_t>(choice.candidate_index)}});
  if (!choice.requested_implementation.empty()) {
    selection.set("requested_implementation", choice.requested_implementation);
  }
  if (row.bindings.size() > 0) {
    const auto& members = row.bindings.members();
    const auto& first = *std::ranges::min_element(members, {}, [](const auto& member) { return member.first; });
    selection.set(
        "requested_parameter",
        Value::object({{"name", first.first}, {"value", effective_value(contract, overrides.params, first.first)}}));
    selection.set("parameter_bindings", row.bindings);
  }
  if (!overrides.selector.is_null()) selection.set("selector", overrides.selector);
  return selection;
}

/// The contracts used, each written once: its text serves both the digest of the set and that of the plan, which are
/// most of what planning costs.
class ContractTexts {
 public:
  explicit ContractTexts(const std::map<std::string, Contract, std::less<>>& contracts) {
    for (const auto& [id, contract] : contracts) {
      texts_.push_back(canonical_json(Value(id)) + ":" + canonical_json(contract.hashed));
    }
  }
  /// Feeds canonical JSON of {id: contract}.
  void feed(Sha256& hash) const {
    hash.update("{");
    for (const std::string& text : texts_) {
      if (&text != &texts_.front()) hash.update(",");
      hash.update(text);
    }
    hash.update("}");
  }

 private:
  std::vector<std::string> texts_;  // in order of id, as the canonical form has them
};

/// The digest of the document, whose contracts are fed from their texts.
std::string document_sha256(const Value& document, const ContractTexts& texts, const std::string& contracts_sha256) {
  std::vector<const Value::Member*> sorted;
  for (const Value::Member& member : document.members()) sorted.push_back(&member);
  std::ranges::sort(sorted, {}, [](const Value::Member* member) -> const std::string& { return member->first; });
  Sha256 hash;
  for (const Value::Member* member : sorted) {
    hash.update(member == sorted.front() ? "{" : ",");
    hash.update(canonical_json(Value(member->first)) + ":");
    if (member->first != "operation_contracts") {
      hash.update(canonical_json(member->second));
      continue;
    }
    hash.update("{\"operations\":");
    texts.feed(hash);
    hash.update(",\"schema_version\":1,\"sha256\":\"" + contracts_sha256 + "\"}");
  }
  hash.update("}");
  return hash.hex();
}

}  // namespace

std::string materialization_id(const std::string& operation, const std::string& runner, const std::string& backend,
                               const std::string& implementation) {
  return operation + "@" + runner + "/" + backend + "/" + implementation;
}

std::string implementation_identity(const Contract& contract, const std::string& backend) {
  std::string identity = "noema::" + contract.id.substr(0, contract.id.find('.')) + "::" + contract.stem;
  if (backend != "cpp") identity += "." + backend;
  return identity;
}

Value step_binding(const std::string& step, const Contract& contract, const Choice& choice, const Overrides& overrides,
                   const KernelSource& source) {
  const Row& row = *choice.row;
  const std::string identity = implementation_identity(contract, row.backend);
  Value metadata = Value::object({{"operation_name", contract.name},
                                  {"operation_class", identity},
                                  {"status", row.status},
                                  {"selection", selection_record(contract, choice, overrides)},
                                  {"source_module", source.module},
                                  {"source_sha256", source.sha256}});
  if (overrides.injected.size() > 0) metadata.set("parameter_overrides", overrides.injected);
  if (overrides.subordinate.size() > 0) metadata.set("subordinate_runtime_selectors", overrides.subordinate);
  if (!row.notes.empty()) metadata.set("notes", row.notes);
  Value binding = Value::object(
      {{"schema_version", 1},
       {"step_id", step},
       {"operation_id", contract.id},
       {"runner", row.runner},
       {"backend", row.backend},
       {"implementation", row.implementation},
       {"materialization_id", materialization_id(contract.id, row.runner, row.backend, row.implementation)},
       {"implementation_identity", identity},
       {"implementation_metadata", std::move(metadata)},
       {"operation_contract_sha256", contract.sha256}});
  binding.set("binding_sha256", sha256_of(binding));
  return binding;
}

Value policy_record(const Policy& policy) {
  Value record = Value::object();
  if (!policy.backend.empty()) record.set("backend", policy.backend);
  if (!policy.implementations.empty()) {
    Value named = Value::object();
    for (const auto& [operation, implementation] : policy.implementations) named.set(operation, implementation);
    record.set("implementations", std::move(named));
  }
  if (policy.native) record.set("native", true);
  if (!policy.enforce_execution_profile) record.set("enforce_execution_profile", false);
  return record;
}

Value plan_document(const Recipe& recipe, const Policy& policy,
                    const std::map<std::string, Contract, std::less<>>& contracts, Value steps) {
  const ContractTexts texts(contracts);
  Sha256 set_hash;
  texts.feed(set_hash);
  const std::string operations_sha256 = set_hash.hex();
  Value used = Value::object();
  for (const auto& [id, contract] : contracts) used.append(id, contract.hashed);

  Value document = Value::object(
      {{"schema_version", 1},
       {"kind", plan_kind},
       {"runner", policy.runner},
       {"recipe", Value::object({{"name", recipe.name},
                                 {"sha256", recipe.effective_sha256},
                                 {"step_count", static_cast<std::int64_t>(recipe.steps.size())}})},
       {"operation_contracts",
        Value::object({{"schema_version", 1}, {"sha256", operations_sha256}, {"operations", std::move(used)}})},
       {"steps", std::move(steps)}});
  if (Value record = policy_record(policy); record.size() > 0) document.set("policy", std::move(record));
  document.set("sha256", document_sha256(document, texts, operations_sha256));
  return document;
}

}  // namespace noema::planner
