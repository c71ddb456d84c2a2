// Rows: identity, status, bindings, and that no two of them could be meant by the same parameters.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "contract/lint_report.h"

namespace noema::contract {
namespace {

const std::vector<std::string> row_keys{
    "runner", "backend", "implementation", "status", "explicit", "parameter_bindings", "notes"};
const std::vector<std::string> runners{"benchmark_run", "dataset_capture", "differentiable_export"};
const std::vector<std::string> backends{"cpp",      "numpy",  "torch",  "onnxruntime",
                                        "openvino", "sionna", "python", "external"};

struct CheckedRow {
  std::string path;
  std::string runner;
  std::string backend;
  std::string implementation;
  bool explicit_only = false;
  const Value* bindings = nullptr;
};

void lint_bindings(const Value& bindings, const std::string& path, const Value* parameters, LintReport& report) {
  if (!bindings.is_object() || bindings.size() == 0) {
    return report.add(path, "parameter_bindings must bind at least one parameter",
                      "leave the key out when nothing is bound");
  }
  for (const auto& [name, value] : bindings.members()) {
    const Value* schema = parameters == nullptr ? nullptr : parameters->find(name);
    if (schema == nullptr) {
      report.add(path + "." + name, "a row binds '" + name + "', which is no parameter of this operation");
    } else if (schema->find("use") == nullptr && schema_flaws(*schema).empty()) {
      for (const Error& error : schema_violations(*schema, value, name)) {
        report.add(path + "." + name, "a row binds a value that the parameter refuses: " + error.message, error.hint);
      }
    }
  }
}

bool lint_row(const Value& row, const Value* parameters, CheckedRow& checked, LintReport& report) {
  if (!row.is_object()) {
    report.add(checked.path, "a row is an object; this is " + value_text(row));
    return false;
  }
  report.check_keys(row, checked.path, row_keys);
  const std::string* runner = report.choice_member(row, checked.path, "runner", runners);
  const std::string* backend = report.choice_member(row, checked.path, "backend", backends);
  const std::string* implementation = report.text_member(row, checked.path, "implementation", false);
  report.choice_member(row, checked.path, "status", {"implemented", "planned"});
  report.text_member(row, checked.path, "notes", false);
  if (const Value* flag = row.find("explicit")) {
    if (flag->is_boolean())
      checked.explicit_only = flag->boolean();
    else
      report.add(checked.path + ".explicit", "explicit must be true or false");
  }
  if (const Value* bindings = row.find("parameter_bindings")) {
    lint_bindings(*bindings, checked.path + ".parameter_bindings", parameters, report);
    if (bindings->is_object()) checked.bindings = bindings;
  }
  if (runner == nullptr || backend == nullptr) return false;
  checked.runner = *runner;
  checked.backend = *backend;
  checked.implementation = implementation == nullptr ? "default" : *implementation;
  return true;
}

/// Could one set of parameters match both rows equally well?
bool ambiguous(const CheckedRow& a, const CheckedRow& b) {
  if (a.runner != b.runner || a.backend != b.backend || a.explicit_only || b.explicit_only) return false;
  const std::size_t bound = a.bindings == nullptr ? 0 : a.bindings->size();
  if (bound != (b.bindings == nullptr ? 0 : b.bindings->size())) return false;
  if (bound == 0) return true;
  return std::ranges::none_of(a.bindings->members(), [&](const Value::Member& binding) {
    const Value* other = b.bindings->find(binding.first);
    return other != nullptr && *other != binding.second;
  });
}

void lint_pairs(const std::vector<CheckedRow>& rows, LintReport& report) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const CheckedRow& a = rows[k];
      const CheckedRow& b = rows[i];
      const bool same = a.runner == b.runner && a.backend == b.backend && a.implementation == b.implementation;
      if (same) {
        report.add(b.path, "the row " + b.runner + "/" + b.backend + "/" + b.implementation + " stands twice");
      } else if (ambiguous(a, b)) {
        report.add(b.path,
                   "rows " + a.implementation + " and " + b.implementation + " of " + b.runner + "/" + b.backend +
                       " could both be meant by the same parameters",
                   "bind one parameter to different values, or mark one row explicit");
      }
    }
  }
}

}  // namespace

void lint_rows(const Value& authored, LintReport& report) {
  const Value* list = authored.find("materializations");
  if (list == nullptr) return report.add("", "the key 'materializations' is missing");
  if (!list->is_array() || list->size() == 0) {
    return report.add("materializations", "a list with at least one row is needed");
  }
  const Value* parameters = authored.find("parameters");
  if (parameters != nullptr && !parameters->is_object()) parameters = nullptr;
  std::vector<CheckedRow> rows;
  bool any_implemented = false;
  std::map<std::string, std::set<std::string>> backends_of;
  for (std::size_t i = 0; i < list->size(); ++i) {
    CheckedRow checked;
    checked.path = "materializations[" + std::to_string(i) + "]";
    if (!lint_row((*list)[i], parameters, checked, report)) continue;
    const Value* status = (*list)[i].find("status");
    any_implemented = any_implemented || (status != nullptr && *status == Value("implemented"));
    backends_of[checked.runner].insert(checked.backend);
    rows.push_back(checked);
  }
  lint_pairs(rows, report);
  const Value* status = authored.find("status");
  if (status != nullptr && status->is_string() && (status->string() == "implemented") != any_implemented) {
    report.add("status", any_implemented ? "the operation is planned but has an implemented row"
                                         : "the operation is implemented but has no implemented row");
  }
  const bool several = std::ranges::any_of(backends_of, [](const auto& entry) { return entry.second.size() > 1; });
  if (several && authored.find("equivalence") == nullptr) {
    report.add("", "an operation with several backends must declare its equivalence",
               "add \"equivalence\": { \"type\": \"exact\" } or another class");
  }
}

}  // namespace noema::contract
