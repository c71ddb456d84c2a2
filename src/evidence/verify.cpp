// noema/evidence.h: verification, put together.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/text.h"
#include "evidence/verify_parts.h"

namespace noema {
namespace evidence {
namespace {

Value or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

/// The report as one document.
Value report(const Verdict& verdict, const Documents* documents) {
  const auto messages = [&](std::string_view level) {
    Value found = Value::array();
    for (const Check& check : verdict.checks) {
      if (check.status == level) found.push(check.message);
    }
    return found;
  };
  Value checks = Value::array();
  for (const Check& check : verdict.checks) {
    Value one = Value::object({{"id", check.id}, {"status", check.status}, {"message", check.message}});
    if (check.details.size() > 0) one.set("details", check.details);
    checks.push(std::move(one));
  }
  Value document = Value::object({{"schema_version", 1},
                                  {"status", verdict.status},
                                  {"complete", verdict.complete},
                                  {"omitted_artifacts", std::uint64_t{verdict.omitted}},
                                  {"target_type", "run"},
                                  {"target_id", verdict.target_id},
                                  {"path", verdict.path},
                                  {"errors", messages("error")},
                                  {"warnings", messages("warning")},
                                  {"information", messages("info")},
                                  {"checks", checks}});
  if (documents == nullptr) return document;
  const Value& summary = documents->summary;
  document.set("recipe_name", or_null(text_of(summary, "recipe_name")));
  document.set("recipe_sha", or_null(text_of(member(documents->manifest, "recipe"), "sha256")));
  document.set("created_time", or_null(text_of(summary, "created_at_utc")));
  document.set("completed_time", or_null(text_of(summary, "completed_at_utc")));
  document.set("bundle_of", documents->reference ? "python_reference" : "noema");
  const Value& benchmark = member(member(member(documents->recipe, "metadata"), "research"), "benchmark");
  for (const char* key : {"id", "version"}) {
    if (const std::string text = text_of(benchmark, key); !text.empty())
      document.set(std::string("benchmark_") + key, text);
  }
  return document;
}

void conclude(Verdict& verdict, Findings& findings, const Documents* documents) {
  const bool broken = findings.count("error") > 0;
  verdict.status = broken ? "invalid" : findings.count("warning") > 0 ? "warning" : "valid";
  verdict.complete = verdict.omitted == 0;
  verdict.checks = std::move(findings.checks());
  verdict.document = report(verdict, documents);
}

}  // namespace
}  // namespace evidence

Verdict verify_run(const std::string& folder, const Catalog* trusted, const VerifyOptions& options) {
  using namespace evidence;
  Findings findings;
  Verdict verdict;
  verdict.path = folder;
  const auto bundle = Bundle::open(folder);
  if (!bundle) {
    findings.error("structure.run_dir", "", bundle.error().message);
    verdict.target_id = folder;
    conclude(verdict, findings, nullptr);
    return verdict;
  }
  findings.pass("structure.run_dir", "", "the bundle's folder is there");
  verdict.target_id = bundle->name();
  Documents documents{*bundle, {}, {}, {}, {}, {}, {}, false, {}};
  read_documents(documents, findings);
  check_summary_schema(documents, findings);
  check_manifest_schema(documents, findings);
  check_origin(documents, findings);
  check_links(documents, findings);
  check_recipe(documents, findings);
  evidence::check_plan(documents, findings);
  if (trusted != nullptr) check_catalog(documents, *trusted, options, findings);
  check_backends(documents, findings);
  if (documents.manifest.is_object()) {
    verdict.omitted = check_artifacts(documents, findings);
    check_files(documents, findings);
  }
  if (documents.summary.is_object()) {
    check_status(documents, findings);
    check_metrics(documents, findings);
    check_rates(documents, findings);
  }
  conclude(verdict, findings, &documents);
  return verdict;
}

std::string verdict_text(const Verdict& verdict) {
  std::string text = verdict.status + " run: " + verdict.target_id;
  if (verdict.omitted > 0)
    text += " (" + std::to_string(verdict.omitted) + (verdict.omitted == 1 ? " artifact was" : " artifacts were") +
            " not kept)";
  text += "\n";
  for (const std::string_view level : {"error", "warning", "info"}) {
    for (const Check& check : verdict.checks) {
      // The first line has counted the dropped artifacts.
      if (check.status == level && check.id != "artifact.omitted")
        text += std::string(level) + ": " + check.message + " [" + check.id + "]\n";
    }
  }
  return text;
}

}  // namespace noema
