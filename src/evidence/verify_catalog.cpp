// Verification: the plan's contracts against a catalogue that the user trusts, and the recipe against its rules.
// SPDX-License-Identifier: Apache-2.0
#include "contract/hashed.h"
#include "core/digest.h"
#include "core/report.h"
#include "core/text.h"
#include "evidence/verify_parts.h"
#include "noema/plan.h"
#include "noema/recipe.h"

namespace noema::evidence {
namespace {

constexpr const char* registry_check = "execution_plan.operation_contract_registry";

void check_contract(const std::string& id, const Value& embedded, const Catalog& trusted, Findings& findings) {
  const Contract* contract = trusted.find(id);
  if (contract == nullptr) {
    findings.error(registry_check, plan_file, "the trusted catalogue has no operation " + shown(id));
    return;
  }
  const Value stated = digest_of(embedded);
  if (stated == Value(contract->sha256)) {
    findings.pass(registry_check, plan_file, "the contract of " + id + " is the catalogue's");
    return;
  }
  const Value meaning = digest_of(contract::semantic_form(embedded));
  if (meaning == Value(contract->semantic_sha256)) {
    findings.info(registry_check, plan_file,
                  "the contract of " + id + " is worded otherwise in the catalogue, and means the same");
    return;
  }
  findings.error(registry_check, plan_file, "the contract of " + id + " means something else in the trusted catalogue",
                 Value::object({{"semantic_sha256", meaning}, {"trusted_semantic_sha256", contract->semantic_sha256}}));
}

void check_sources(const Documents& documents, const Catalog& trusted, Findings& findings) {
  for (const Value& step : items_of(member(documents.plan, "steps"))) {
    const std::string operation = text_of(step, "operation_id");
    const KernelSource* source = trusted.source(operation, text_of(step, "backend"));
    const std::string ran = text_of(member(step, "implementation_metadata"), "source_sha256");
    if (source == nullptr || source->sha256 == ran) continue;
    findings.info("execution_plan.source_drift", plan_file,
                  "step " + shown(text_of(step, "step_id")) + " ran another version of " + source->module +
                      " than this program has");
  }
}

void check_rules(const Documents& documents, const Catalog& trusted, const VerifyOptions& options, Findings& findings) {
  const auto report = [&](bool serious, const std::string& code, const std::string& message) {
    const char* const level = !options.strict ? "info" : serious ? "error" : "warning";
    findings.add(level, "recipe.lint." + code, recipe_file, message);
  };
  const Recipe recipe = compile(documents.recipe, trusted, CompileMode::compat, text_of(documents.plan, "runner"));
  std::size_t remarks = recipe.diagnostics.size();
  for (const Diagnostic& found : recipe.diagnostics) {
    report(found.severity == Diagnostic::Severity::error, found.code,
           found.message + (found.path.empty() ? "" : " (" + found.path + ")"));
  }
  if (recipe.valid()) {
    if (auto checked = validate(recipe, trusted); !checked) {
      for (const Error& error : flattened(std::move(checked).error())) {
        ++remarks;
        report(true, std::string(error.code.text),
               error.message + (error.at.path.empty() ? "" : " (" + error.at.path + ")"));
      }
    }
  }
  if (remarks == 0) findings.pass("recipe.lint", recipe_file, "keeps the rules of the catalogue");
}

}  // namespace

void check_catalog(const Documents& documents, const Catalog& trusted, const VerifyOptions& options,
                   Findings& findings) {
  if (documents.reference) {
    findings.not_applicable(registry_check, plan_file,
                            "a bundle of the Python reference carries the reference's contracts");
    return;
  }
  for (const auto& [id, contract] : members_of(member(member(documents.plan, "operation_contracts"), "operations"))) {
    check_contract(id, contract, trusted, findings);
  }
  check_sources(documents, trusted, findings);
  if (documents.recipe.is_object()) check_rules(documents, trusted, options, findings);
}

}  // namespace noema::evidence
