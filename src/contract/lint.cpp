// The lint of a contract: identity, ports, metadata; and of all contracts together (contract/lint.h).
// SPDX-License-Identifier: Apache-2.0
#include "contract/lint.h"

#include <map>
#include <regex>
#include <set>

#include "contract/lint_report.h"

namespace noema::contract {
namespace {

const std::vector<std::string> contract_keys{"id",
                                             "name",
                                             "description",
                                             "status",
                                             "inputs",
                                             "optional_inputs",
                                             "outputs",
                                             "parameters",
                                             "validator",
                                             "input_metadata_requirements",
                                             "output_metadata_guarantees",
                                             "differentiability",
                                             "equivalence",
                                             "formats",
                                             "materializations",
                                             "entropy_payload_info",
                                             "trained_artifact_abi",
                                             "training_capabilities",
                                             "metrics"};

void lint_identity(const Value& authored, const ContractFile& file, LintReport& report) {
  report.text_member(authored, "", "name");
  report.text_member(authored, "", "description", false);
  report.choice_member(authored, "", "status", {"implemented", "planned"});
  const std::string* id = report.text_member(authored, "", "id");
  if (id == nullptr) return;
  static const std::regex syntax("^[A-Za-z0-9][A-Za-z0-9_.-]*\\.[A-Za-z0-9_.-]+$");
  if (id->size() > 200 || !std::regex_match(*id, syntax)) {
    report.add("id", "the id " + value_text(Value(*id)) + " is not of the form family.name (letters, digits, _ . -)");
    return;
  }
  const std::string family = id->substr(0, id->find('.'));
  const std::string folder = file.family.substr(0, file.family.find('/'));
  if (family != folder) {
    report.add("id", "the id belongs to family '" + family + "' but the file lies in ops/" + file.family);
  }
  if (operation_stem(*id) != file.stem) {
    report.add("id", "the file is named '" + file.stem + "'; this id needs '" + operation_stem(*id) + "'",
               "a file is named after the id without its family, with _ for each dot");
  }
}

void lint_kinds(const Value& kinds, const std::string& path, const Vocabulary& vocabulary, LintReport& report) {
  if (!kinds.is_array() || kinds.size() == 0) {
    return report.add(path, "a port needs a list with at least one kind");
  }
  std::vector<std::string> known;
  for (const auto& [kind, about] : vocabulary.kinds) known.push_back(kind);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string item = path + "[" + std::to_string(i) + "]";
    if (!kinds[i].is_string() || !vocabulary.kinds.contains(kinds[i].string())) {
      const std::string hint = kinds[i].is_string() ? did_you_mean(kinds[i].string(), known) : std::string();
      report.add(item, "unknown artifact kind " + value_text(kinds[i]),
                 hint.empty() ? "kinds stand in kinds.json" : hint);
    } else if (!seen.insert(kinds[i].string()).second) {
      report.add(item, "the kind " + value_text(kinds[i]) + " stands twice");
    }
  }
}

void lint_ports(const Value& authored, const Vocabulary& vocabulary, LintReport& report) {
  const Value* required = report.object_member(authored, "", "inputs", true);
  const Value* optional = report.object_member(authored, "", "optional_inputs");
  const Value* outputs = report.object_member(authored, "", "outputs", true);
  for (const auto& [key, ports] :
       {std::pair{"inputs", required}, {"optional_inputs", optional}, {"outputs", outputs}}) {
    if (ports == nullptr) continue;
    for (const auto& [port, kinds] : ports->members()) {
      const std::string path = std::string(key) + "." + port;
      lint_kinds(kinds, path, vocabulary, report);
      if (ports == outputs && kinds.is_array() && kinds.size() > 1) report.add(path, "an output has exactly one kind");
    }
  }
  if (required == nullptr || optional == nullptr) return;
  for (const auto& [port, kinds] : optional->members()) {
    if (required->find(port) != nullptr)
      report.add("optional_inputs." + port, "the input '" + port + "' is required already");
  }
}

void lint_paths(const Value& list, const std::string& path, LintReport& report) {
  if (!list.is_array() || list.size() == 0) return report.add(path, "a list with at least one metadata path is needed");
  static const std::regex syntax("^[A-Za-z_][A-Za-z0-9_-]*(\\.[A-Za-z_][A-Za-z0-9_-]*)*$");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string item = path + "[" + std::to_string(i) + "]";
    const bool fits =
        list[i].is_string() && list[i].string().size() <= 200 && std::regex_match(list[i].string(), syntax);
    if (!fits) {
      report.add(item, value_text(list[i]) + " is not a metadata path",
                 "names joined by dots, such as rate.payload_bpp");
    } else if (!seen.insert(list[i].string()).second) {
      report.add(item, "the path " + value_text(list[i]) + " stands twice");
    }
  }
}

void lint_metadata(const Value& authored, LintReport& report) {
  const auto declared = [&](const char* group, const std::string& port) {
    const Value* ports = authored.find(group);
    return ports != nullptr && ports->find(port) != nullptr;
  };
  if (const Value* requirements = report.object_member(authored, "", "input_metadata_requirements")) {
    for (const auto& [port, rule] : requirements->members()) {
      const std::string path = "input_metadata_requirements." + port;
      if (!declared("inputs", port) && !declared("optional_inputs", port))
        report.add(path, "there is no input '" + port + "'");
      if (!rule.is_object() || rule.size() == 0) {
        report.add(path, "a requirement is an object with all_of, any_of or both");
        continue;
      }
      report.check_keys(rule, path, {"all_of", "any_of"});
      for (const char* key : {"all_of", "any_of"}) {
        if (const Value* list = rule.find(key)) lint_paths(*list, path + "." + key, report);
      }
    }
  }
  if (const Value* guarantees = report.object_member(authored, "", "output_metadata_guarantees")) {
    for (const auto& [port, list] : guarantees->members()) {
      const std::string path = "output_metadata_guarantees." + port;
      if (!declared("outputs", port)) report.add(path, "there is no output '" + port + "'");
      lint_paths(list, path, report);
    }
  }
}

/// The path without its last part; false when nothing is left.
bool drop_last(std::string_view& path) {
  const std::size_t cut = path.find_last_of(".[");
  if (cut == std::string_view::npos) return false;
  path = path.substr(0, cut);
  return true;
}

}  // namespace

Place AuthoredText::place(std::string_view path, Part part) const {
  std::string_view known = path;
  auto found = positions.find(known);
  while (found == positions.end() && drop_last(known)) found = positions.find(known);
  std::size_t offset = 0;
  if (found != positions.end()) offset = part == Part::key && known == path ? found->second.key : found->second.node;
  Place place = place_in_text(text, name, offset);
  place.path = std::string(path);
  return place;
}

std::vector<Error> lint_contract(const Value& authored, const AuthoredText& text, const ContractFile& file,
                                 const Vocabulary& vocabulary) {
  LintReport report(text);
  if (!authored.is_object()) {
    report.add("", "a contract is an object; this is " + value_text(authored));
    return report.take();
  }
  report.check_keys(authored, "", contract_keys);
  lint_identity(authored, file, report);
  lint_ports(authored, vocabulary, report);
  lint_parameters(authored, report);
  lint_metadata(authored, report);
  lint_traits(authored, report);
  lint_rows(authored, report);
  return report.take();
}

std::vector<Error> lint_collection(const std::vector<ContractFile>& files, const std::vector<Contract>& contracts,
                                   const Vocabulary& vocabulary) {
  std::vector<Error> errors;
  std::map<std::string, std::string, std::less<>> first;
  for (std::size_t i = 0; i < contracts.size(); ++i) {
    const auto [entry, added] = first.emplace(contracts[i].id, files[i].name);
    if (added) continue;
    errors.push_back(Error{code::contract_invalid,
                           {"id", files[i].name, 0, 0, {}},
                           "the operation " + contracts[i].id + " is declared already, in " + entry->second,
                           {},
                           {}});
  }
  for (const auto& [fragment, schema] : vocabulary.fragments.members()) {
    const std::string use = "\"use\": \"" + fragment + "\"";
    const bool used =
        std::ranges::any_of(files, [&](const ContractFile& file) { return file.text.find(use) != std::string::npos; });
    if (used) continue;
    errors.push_back(Error{code::contract_invalid,
                           {fragment, "fragments.json", 0, 0, {}},
                           "no contract uses the fragment '" + fragment + "'",
                           "remove it",
                           {}});
  }
  return errors;
}

}  // namespace noema::contract
