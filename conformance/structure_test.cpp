// The rules of the tree: which way includes point, that public headers stand alone, that contracts and kernels agree,
// and that cases cover every parameter, metric and metadata key.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "conformance/trial.h"
#include "core/digest.h"
#include "core/json.h"
#include "core/report.h"

namespace noema::conformance {
namespace {

namespace fs = std::filesystem;
const fs::path root = NOEMA_SOURCE_DIR;

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string suffix = entry.path().extension().string();
    if (entry.is_regular_file() && (suffix == ".h" || suffix == ".cpp")) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> includes_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> found;
  static const std::regex line_form(R"re(^\s*#\s*include\s+["<]([^">]+)[">])re");
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_search(line, match, line_form)) found.push_back(match[1]);
  }
  return found;
}

TEST(Structure, IncludesPointOneWay) {
  // What each folder may include, besides its own files and the public headers.
  const std::map<std::string, std::set<std::string>> allowed{
      {"core", {}},
      {"contract", {"core"}},
      {"kernels", {"core"}},
      {"backend", {"core"}},
      {"recipe", {"core", "contract"}},
      {"plan", {"core", "contract", "recipe"}},
      {"run", {"core", "contract", "recipe", "plan", "backend", "kernels"}},
      {"evidence", {"core", "contract", "recipe", "plan", "run"}},
      {"pack", {"core", "contract", "recipe", "plan"}},
      {"sweep", {"core", "contract", "recipe", "plan", "run", "evidence"}},
      {"cli", {"sweep", "pack", "core", "contract", "recipe", "plan", "run", "evidence", "backend", "kernels", "ops"}},
  };
  for (const auto& entry : fs::directory_iterator(root / "src")) {
    if (entry.is_directory()) {
      EXPECT_TRUE(allowed.contains(entry.path().filename().string()))
          << "src/" << entry.path().filename() << " has no rule here";
    }
  }
  for (const auto& [folder, below] : allowed) {
    for (const fs::path& file : sources_below(root / "src" / folder)) {
      for (const std::string& include : includes_of(file)) {
        const std::string top = include.substr(0, include.find('/'));
        if (top == folder || top == "noema" || include.find('/') == std::string::npos) continue;
        if (allowed.contains(top) || top == "ops") {
          EXPECT_TRUE(below.contains(top)) << file << " includes " << include << ", which lies above it";
        }
      }
    }
  }
  for (const fs::path& file : sources_below(root / "ops")) {
    if (file.filename().string().ends_with("_test.cpp")) continue;
    for (const std::string& include : includes_of(file)) {
      const std::string top = include.substr(0, include.find('/'));
      const bool fine = top == "ops" || top == "noema" || top == "kernels" || top == "core" || !allowed.contains(top);
      EXPECT_TRUE(fine) << file << " includes " << include
                        << "; operations see the public headers, kernels and core only";
    }
  }
}

TEST(Structure, PublicHeadersUseTheStandardLibraryOnly) {
  for (const fs::path& file : sources_below(root / "include")) {
    for (const std::string& include : includes_of(file)) {
      EXPECT_TRUE(include.starts_with("noema/") || include.find_first_of("./") == std::string::npos)
          << file << " includes " << include;
    }
  }
}

TEST(Structure, SourceFilesOpenWithTheirPurpose) {
  for (const char* top : {"src", "ops", "include", "conformance"}) {
    for (const fs::path& file : sources_below(root / top)) {
      std::ifstream in(file);
      std::string first;
      std::getline(in, first);
      EXPECT_TRUE(first.starts_with("//")) << file << " starts with: " << first;
      static const std::string licence = "// SPDX-License-Identifier: Apache-2.0";
      bool licensed = first == licence;
      for (std::string line; !licensed && std::getline(in, line) && line.starts_with("//");) licensed = line == licence;
      EXPECT_TRUE(licensed) << file << " lacks the licence line in its head";
    }
  }
}

TEST(Structure, ContractsAndKernelsAgree) {
  std::set<std::string> declared;
  for (const std::string& id : builtin_catalog().ids()) {
    const Contract* contract = builtin_catalog().find(id);
    for (const Row& row : contract->rows) {
      if (row.status == "implemented" && row.backend == "cpp" && row.runner != "differentiable_export") {
        declared.insert(id + "/cpp/" + row.implementation);
      }
    }
  }
  std::set<std::string> present;
  for (const std::string& name : native_kernels().names()) present.insert(name);
  for (const std::string& name : declared)
    EXPECT_TRUE(present.contains(name)) << "the contract declares " << name << ", but no kernel is listed";
  for (const std::string& name : present)
    EXPECT_TRUE(declared.contains(name)) << "the kernel " << name << " is declared by no contract";
}

TEST(Structure, EveryImplementedOperationHasCases) {
  for (const std::string& id : builtin_catalog().ids()) {
    const Contract* contract = builtin_catalog().find(id);
    if (!contract->implemented()) continue;
    const auto cases = cases_of(*contract);
    ASSERT_TRUE(cases) << error_text(cases.error());
    EXPECT_FALSE(cases->empty()) << id << " has no cases";
    std::set<std::string> covered;
    bool metrics = false;
    for (const Case& one : *cases) {
      metrics |= one.body.find("metric_names") != nullptr;
      if (const Value* keys = one.body.find("metadata_keys")) {
        for (const auto& [port, list] : keys->members()) covered.insert(port);
      }
    }
    EXPECT_TRUE(metrics) << id << ": no case states the complete set of metrics";
    for (const OutputPort& port : contract->outputs) {
      EXPECT_TRUE(covered.contains(port.name))
          << id << ": no case states the complete metadata keys of output " << port.name;
    }
  }
}

/// Digest of all that a case gives: two cases that differ in one parameter must differ here.
std::string fingerprint(const Contract& contract, const Row& row, const Setting& setting) {
  const auto outcome = run_operation(contract, row, setting, {.threads = 2, .chunk = 0});
  if (!outcome) return "refused " + std::string(outcome.error().code.text) + " " + outcome.error().message;
  Value all = Value::object({{"metrics", outcome->metrics}});
  for (const auto& [port, artifact] : outcome->outputs) {
    Value facts = Value::object({{"metadata", artifact.metadata}});
    for (const NamedArray& named : artifact.arrays) facts.set("array " + named.name, sha256_hex(named.array.bytes()));
    if (artifact.document) facts.set("document", *artifact.document);
    all.set("output " + port, facts);
  }
  return canonical_json(all);
}

/// Do all implemented rows bind the parameter to one value, so that no other can run?
bool bound_to_one_value(const Contract& contract, const Parameter& parameter) {
  const Value* only = nullptr;
  for (const Row& row : contract.rows) {
    if (row.status != "implemented") continue;
    const Value* bound = row.bindings.is_object() ? row.bindings.find(parameter.name) : nullptr;
    if (bound == nullptr || (only != nullptr && !(*only == *bound))) return false;
    only = bound;
  }
  return only != nullptr;
}

bool needs_no_pair(const Contract& contract, const Parameter& parameter) {
  if (bound_to_one_value(contract, parameter)) return true;
  if (contract.selector(parameter.name) != nullptr) return true;
  if (const Value* choices = parameter.schema.find("enum"); choices != nullptr && choices->size() == 1) return true;
  return parameter.schema.find("x-noema-effect") != nullptr;
}

TEST(Structure, EveryParameterChangesSomething) {
  for (const std::string& id : builtin_catalog().ids()) {
    const Contract* contract = builtin_catalog().find(id);
    if (!contract->implemented()) continue;
    const auto cases = cases_of(*contract);
    ASSERT_TRUE(cases);
    struct Ready {
      Setting setting;
      Value effective;
      std::string inputs;
      const Row* row;
      std::string print;
    };
    std::vector<Ready> ready;
    bool complete = true;  // false where cases need files that are not here
    for (const Case& one : *cases) {
      if (one.body.find("error") != nullptr || one.bench) continue;
      complete = complete && one.available();
      if (!one.available()) continue;
      auto setting = setting_of(one, *contract, builtin_catalog());
      ASSERT_TRUE(setting) << one.file << ": " << one.name << ": " << error_text(setting.error());
      const Value effective = with_defaults(*contract, setting->params);
      const Row* row = row_for(*contract, effective, "cpp");
      if (row == nullptr) continue;
      std::string inputs = setting->master_seed + "|" + setting->name_space + "|" + setting->step + "|";
      if (const Value* given = one.body.find("inputs")) inputs += canonical_json(*given);
      ready.push_back({*std::move(setting), effective, std::move(inputs), row, {}});
    }
    for (Ready& one : ready) one.print = fingerprint(*contract, *one.row, one.setting);
    for (const Parameter& parameter : contract->parameters) {
      if (!complete || needs_no_pair(*contract, parameter)) continue;
      bool shown = false;
      for (const Ready& a : ready) {
        for (const Ready& b : ready) {
          if (shown || a.inputs != b.inputs || a.print == b.print) continue;
          Value left = a.effective;
          Value right = b.effective;
          const Value* was = left.find(parameter.name);
          const Value* is = right.find(parameter.name);
          if ((was == nullptr ? Value() : *was) == (is == nullptr ? Value() : *is)) continue;
          left.erase(parameter.name);
          right.erase(parameter.name);
          // A controller may switch another parameter off, which then has no value on one side.
          for (const Parameter& other : contract->parameters) {
            if (other.schema.find("x-noema-effective-when") == nullptr) continue;
            left.erase(other.name);
            right.erase(other.name);
          }
          shown = left == right;
        }
      }
      EXPECT_TRUE(shown) << id << ": no two cases differ in '" << parameter.name << "' alone and in what they give";
    }
  }
}

}  // namespace
}  // namespace noema::conformance
