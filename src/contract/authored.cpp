// Authored contracts: text to Contract (contract/authored.h).
// SPDX-License-Identifier: Apache-2.0
#include "contract/authored.h"

#include <algorithm>
#include <filesystem>

#include "contract/hashed.h"
#include "contract/lint.h"
#include "contract/schema.h"
#include "core/digest.h"
#include "core/files.h"
#include "core/json.h"
#include "core/report.h"
#include "core/text.h"

namespace noema::contract {
namespace {

constexpr std::uint64_t file_limit = std::uint64_t{4} << 20;

Error flawed(const std::string& file, const std::string& path, std::string message) {
  return Error{code::contract_invalid, {path, file, 0, 0, {}}, std::move(message), {}, {}};
}

std::vector<InputPort> input_ports(const Value& hashed) {
  std::vector<InputPort> ports;
  for (const char* group : {"input_kinds", "optional_input_kinds"}) {
    for (const auto& [name, kinds] : hashed.at(group).members()) {
      InputPort port{name, {}, std::string_view(group) == "optional_input_kinds"};
      for (const Value& kind : kinds.items()) port.kinds.push_back(kind.string());
      ports.push_back(std::move(port));
    }
  }
  return ports;
}

std::vector<Parameter> parameters_of(const Value& hashed) {
  const Value& schema = hashed.at("params_schema");
  std::vector<Parameter> parameters;
  for (const auto& [name, property] : schema.at("properties").members()) {
    const auto& required = schema.at("required").items();
    parameters.push_back({name, property, std::ranges::find(required, Value(name)) != required.end()});
  }
  return parameters;
}

std::vector<Row> rows_of(const Value& hashed) {
  std::vector<Row> rows;
  for (const Value& form : hashed.at("materializations").items()) {
    Row row;
    row.runner = form.at("runner").string();
    row.backend = form.at("backend").string();
    row.implementation = form.at("implementation").string();
    row.status = form.at("status").string();
    if (const Value* bindings = form.find("parameter_bindings")) row.bindings = *bindings;
    if (const Value* notes = form.find("notes")) row.notes = notes->string();
    row.explicit_only = form.find("explicit") != nullptr;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Selector> selectors_of(const std::vector<Parameter>& parameters) {
  std::vector<Selector> selectors;
  for (const Parameter& parameter : parameters) {
    const Value* form = parameter.schema.find("x-noema-materialization-selector");
    if (form == nullptr) continue;
    Selector selector;
    selector.parameter = parameter.name;
    selector.primary = form->at("role") == Value("primary");
    for (const auto& [value, backend] : form->at("mapping").members())
      selector.mapping.emplace_back(value, backend.string());
    for (const Value& value : form->at("automatic_values").items()) selector.automatic_values.push_back(value.string());
    if (const Value* chosen = form->find("automatic_value")) selector.automatic_value = chosen->string();
    selectors.push_back(std::move(selector));
  }
  return selectors;
}

std::vector<std::string> texts(const Value* list) {
  std::vector<std::string> out;
  if (list == nullptr) return out;
  for (const Value& item : list->items()) out.push_back(item.string());
  return out;
}

std::string text_or_empty(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value == nullptr ? std::string() : value->string();
}

/// Everything but the digests.
Contract assembled(const Value& authored, std::string family) {
  Contract contract;
  contract.authored = authored;
  contract.hashed = hashed_form(authored);
  const Value& hashed = contract.hashed;
  contract.id = hashed.at("id").string();
  contract.family = std::move(family);
  contract.stem = operation_stem(contract.id);
  contract.name = hashed.at("name").string();
  contract.description = text_or_empty(authored, "description");
  contract.status = hashed.at("status").string();
  contract.inputs = input_ports(hashed);
  for (const auto& [name, kind] : hashed.at("output_kinds").members())
    contract.outputs.push_back({name, kind.string()});
  contract.parameters = parameters_of(hashed);
  contract.rows = rows_of(hashed);
  contract.selectors = selectors_of(contract.parameters);
  for (const auto& [port, rule] : hashed.at("input_metadata_requirements").members()) {
    contract.requirements.push_back({port, texts(rule.find("all_of")), texts(rule.find("any_of"))});
  }
  for (const auto& [port, paths] : hashed.at("output_metadata_guarantees").members()) {
    contract.guarantees.push_back({port, texts(&paths), {}});
  }
  contract.validator = text_or_empty(authored, "validator");
  return contract;
}

}  // namespace

Result<Vocabulary> read_vocabulary(std::string_view kinds_text, std::string_view kinds_name,
                                   std::string_view fragments_text, std::string_view fragments_name) {
  NOEMA_TRY(const Value kinds, parse_json(kinds_text, kinds_name));
  NOEMA_TRY(Value fragments, parse_json(fragments_text, fragments_name));
  Vocabulary vocabulary;
  if (!kinds.is_object()) return flawed(std::string(kinds_name), "", "the kinds are an object of kind -> description");
  for (const auto& [kind, about] : kinds.members()) {
    if (!about.is_string()) return flawed(std::string(kinds_name), kind, "a kind's description is text");
    vocabulary.kinds.emplace(kind, about.string());
  }
  if (!fragments.is_object())
    return flawed(std::string(fragments_name), "", "the fragments are an object of name -> schema");
  for (const auto& [name, schema] : fragments.members()) {
    const std::vector<SchemaFlaw> flaws = schema_flaws(schema);
    if (!flaws.empty()) return flawed(std::string(fragments_name), name + "." + flaws[0].path, flaws[0].message);
  }
  vocabulary.fragments = std::move(fragments);
  return vocabulary;
}

Result<ContractFile> contract_file(std::string path, std::string text) {
  constexpr std::string_view root = "ops/";
  constexpr std::string_view suffix = ".op.json";
  const std::size_t slash = path.rfind('/');
  if (!path.starts_with(root) || !path.ends_with(suffix) || slash < root.size()) {
    return flawed(path, "", "a contract's path has the form ops/<family>/<stem>.op.json");
  }
  ContractFile file;
  file.family = path.substr(root.size(), slash - root.size());
  file.stem = path.substr(slash + 1, path.size() - slash - 1 - suffix.size());
  file.name = std::move(path);
  file.text = std::move(text);
  return file;
}

Value expanded(const Value& authored, const Vocabulary& vocabulary) {
  const Value* parameters = authored.find("parameters");
  if (parameters == nullptr || !parameters->is_object()) return authored;
  Value all = Value::object();
  for (const auto& [name, parameter] : parameters->members()) {
    const Value* use = parameter.find("use");
    const Value* fragment = use != nullptr && use->is_string() ? vocabulary.fragments.find(use->string()) : nullptr;
    if (fragment == nullptr) {
      all.append(name, parameter);
      continue;
    }
    Value schema = *fragment;
    for (const auto& [key, value] : parameter.members()) {
      if (key != "use") schema.set(key, value);
    }
    all.append(name, std::move(schema));
  }
  Value result = authored;
  result.set("parameters", std::move(all));
  return result;
}

Result<Contract> read_contract(const ContractFile& file, const Vocabulary& vocabulary) {
  AuthoredText text{file.name, file.text, {}};
  NOEMA_TRY(const Value raw, parse_json(file.text, file.name, {}, &text.positions));
  const Value authored = expanded(raw, vocabulary);
  std::vector<Error> flaws = lint_contract(authored, text, file, vocabulary);
  if (!flaws.empty()) return combined(std::move(flaws));
  return build_contract(authored, file.family);
}

Contract build_contract(const Value& authored, std::string family) {
  Contract contract = assembled(authored, std::move(family));
  contract.sha256 = sha256_of(contract.hashed);
  contract.semantic_sha256 = sha256_of(semantic_form(contract.hashed));
  return contract;
}

Contract build_contract(const Value& authored, std::string family, std::string sha256, std::string semantic_sha256) {
  Contract contract = assembled(authored, std::move(family));
  contract.sha256 = std::move(sha256);
  contract.semantic_sha256 = std::move(semantic_sha256);
  return contract;
}

Result<std::vector<ContractFile>> contract_files(const std::string& root) {
  std::vector<std::string> paths;
  std::error_code problem;
  const std::filesystem::path base(root);
  for (std::filesystem::recursive_directory_iterator entry(base / "ops", problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string path = entry->path().generic_string();
    if (path.ends_with(".op.json")) paths.push_back(std::filesystem::relative(entry->path(), base).generic_string());
  }
  if (problem)
    return Error{
        code::io_read, {{}, root + "/ops", 0, 0, {}}, "the folder can't be listed: " + problem.message(), {}, {}};
  std::ranges::sort(paths);
  std::vector<ContractFile> files;
  for (std::string& path : paths) {
    NOEMA_TRY(std::string text, read_text_file(root + "/" + path, file_limit));
    NOEMA_TRY(ContractFile file, contract_file(std::move(path), std::move(text)));
    files.push_back(std::move(file));
  }
  return files;
}

Result<Vocabulary> vocabulary_of(const std::string& root) {
  NOEMA_TRY(const std::string kinds, read_text_file(root + "/src/contract/kinds.json", file_limit));
  NOEMA_TRY(const std::string fragments, read_text_file(root + "/src/contract/fragments.json", file_limit));
  return read_vocabulary(kinds, "src/contract/kinds.json", fragments, "src/contract/fragments.json");
}

}  // namespace noema::contract
