// SPDX-License-Identifier: Apache-2.0
#include "conformance/cases.h"

#include <filesystem>
#include <set>

#include "core/files.h"
#include "core/json.h"

namespace noema::conformance {
namespace {

const std::set<std::string, std::less<>> known_keys{
    "case",         "params",   "seed",          "namespace", "step",  "inputs", "outputs",       "metrics",
    "metric_names", "metadata", "metadata_keys", "error",     "bench", "note",   "step_metadata", "needs"};

Error bad(const std::string& file, std::string message) {
  Error error{Code{"case.invalid"}, {}, std::move(message), {}, {}};
  error.at.file = file;
  return error;
}

}  // namespace

bool Case::available() const {
  return needs.empty() || std::filesystem::exists(std::string(NOEMA_SOURCE_DIR) + "/" + needs);
}

std::string operation_folder(const Contract& contract) {
  return std::string(NOEMA_SOURCE_DIR) + "/ops/" + contract.family;
}

Result<std::vector<Case>> cases_of(const Contract& contract) {
  std::vector<Case> cases;
  const std::string file = operation_folder(contract) + "/" + contract.stem + ".cases.json";
  if (!std::filesystem::exists(file)) return cases;
  NOEMA_TRY(const std::string text, read_text_file(file, 32 << 20));
  NOEMA_TRY(const Value list, parse_json(text, file, {.bytes = 32 << 20, .depth = 64, .nodes = 4'000'000}));
  if (!list.is_array()) return bad(file, "a file of cases is a list");
  std::set<std::string> names;
  for (const Value& body : list.items()) {
    const Value* name = body.find("case");
    if (name == nullptr || !name->is_string()) return bad(file, "every case needs a name");
    for (const auto& [key, value] : body.members()) {
      if (!known_keys.contains(key))
        return bad(file, "case '" + name->string() + "' has the unknown key '" + key + "'");
    }
    if (!names.insert(name->string()).second) return bad(file, "two cases are called '" + name->string() + "'");
    const Value* bench = body.find("bench");
    const Value* needs = body.find("needs");
    cases.push_back({contract.id, "ops/" + contract.family + "/" + contract.stem + ".cases.json", name->string(), body,
                     bench != nullptr && bench->is_boolean() && bench->boolean(),
                     needs == nullptr ? "" : needs->string()});
  }
  return cases;
}

Result<std::vector<Case>> all_cases(const Catalog& catalog) {
  std::vector<Case> all;
  for (const std::string& id : catalog.ids()) {
    NOEMA_TRY(const std::vector<Case> cases, cases_of(*catalog.find(id)));
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

}  // namespace noema::conformance
