// Verification: the manifest preserves what the summary says, digest by digest.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "core/digest.h"
#include "core/text.h"
#include "evidence/verify_parts.h"

namespace noema::evidence {
namespace {

using StepMap = std::map<std::string, const Value*, std::less<>>;
using RecordMap = std::map<std::pair<std::string, std::string>, const Value*>;

void check_preserved(const Value& evidence, const Value& summary, const std::string& name, Findings& findings) {
  const std::string id = "manifest.summary_evidence." + name;
  const Value& copy = member(evidence, name);
  if (!findings.expect(copy.is_object(), id, manifest_file, "keeps the summary's " + name,
                       "summary_evidence." + name + " must be an object"))
    return;
  findings.equal(id + "_digest", manifest_file, "the digest of summary_evidence." + name,
                 member(evidence, name + "_sha256"), digest_of(copy));
  findings.equal(id + "_binding", manifest_file, "summary_evidence." + name + ", compared with the summary,", copy,
                 member(summary, name));
}

void check_summary_evidence(const Documents& documents, Findings& findings) {
  const Value& evidence = member(documents.manifest, "summary_evidence");
  if (!findings.expect(evidence.is_object(), "manifest.summary_evidence", manifest_file, "present",
                       "summary_evidence must be an object"))
    return;
  findings.equal("manifest.summary_evidence.schema_version", manifest_file, "the schema version of summary_evidence",
                 member(evidence, "schema_version"), 1);
  findings.equal("manifest.summary_evidence.kind", manifest_file, "the kind of summary_evidence",
                 member(evidence, "kind"), "noema.run_summary_evidence");
  check_preserved(evidence, documents.summary, "metrics", findings);
  check_preserved(evidence, documents.summary, "measurement_evidence", findings);
}

/// Steps by id; errors for what is no step or comes twice.
StepMap steps_of(const Value& document, const char* file, const std::string& name, Findings& findings) {
  StepMap steps;
  std::size_t good = 0;
  for (const Value& step : items_of(member(document, "steps"))) {
    if (!step.is_object()) {
      findings.error("manifest." + name + "_step", file, "each step must be an object");
      continue;
    }
    const std::string id = text_of(step, "id");
    if (id.empty() || !steps.emplace(id, &step).second) {
      findings.error("manifest." + name + "_step_id", file, "the step id " + shown(id) + " is empty or occurs twice");
      continue;
    }
    ++good;
  }
  findings.pass("manifest." + name + "_step", file, std::to_string(good) + " steps with ids of their own");
  return steps;
}

RecordMap artifact_records(const Documents& documents, Findings& findings) {
  RecordMap records;
  bool unique = true;
  for (const Value& record : items_of(member(documents.manifest, "artifacts"))) {
    const std::string step = text_of(record, "step_id");
    const std::string output = text_of(record, "output_name");
    unique &= !step.empty() && !output.empty() && records.emplace(std::pair(step, output), &record).second;
  }
  findings.expect(unique, "manifest.artifacts.identity", manifest_file,
                  "each artifact has a step and an output of its own",
                  "artifacts must name a step and an output, no pair twice");
  return records;
}

class StepLinks {
 public:
  StepLinks(const std::string& id, const Value& in_manifest, const Value& in_summary, const RecordMap& records,
            Findings& findings)
      : id_(id), manifest_(in_manifest), summary_(in_summary), records_(records), findings_(findings) {}

  void check() {
    equal("manifest.step.identity", "operation and status",
          Value(Value::Items{member(manifest_, "op"), member(manifest_, "status")}),
          Value(Value::Items{member(summary_, "op"), member(summary_, "status")}));
    check_metrics();
    check_outputs();
  }

 private:
  std::string what(const std::string& text) const { return "step " + shown(id_) + ": " + text; }
  bool equal(const char* id, const std::string& text, const Value& found, const Value& expected) {
    return findings_.equal(id, manifest_file, what(text), found, expected);
  }
  bool expect(bool holds, const char* id, const std::string& right, const std::string& wrong) {
    return findings_.expect(holds, id, manifest_file, what(right), what(wrong));
  }

  void check_metrics() {
    const Value& metrics = member(manifest_, "metrics");
    if (!expect(metrics.is_object(), "manifest.step_metrics", "metrics present", "metrics must be an object")) return;
    std::vector<std::string> keys;
    for (const auto& [key, value] : metrics.members()) keys.push_back(key);
    std::ranges::sort(keys);
    equal("manifest.step_metric_keys", "metrics_keys", member(manifest_, "metrics_keys"), keys);
    equal("manifest.step_metrics_digest", "the digest of its metrics", member(manifest_, "metrics_sha256"),
          digest_of(metrics));
    equal("manifest.step_metrics_binding", "metrics, compared with the summary,", metrics, member(summary_, "metrics"));
  }

  void check_outputs() {
    const Value& outputs = member(manifest_, "outputs");
    if (!expect(outputs.is_object(), "manifest.step_outputs", "outputs present", "outputs must be an object")) return;
    const auto names = [](const Value& object) {
      std::set<std::string> found;
      for (const auto& [name, value] : members_of(object)) found.insert(name);
      return found;
    };
    expect(names(outputs) == names(member(summary_, "outputs")), "manifest.step_outputs.identity",
           "the same outputs as in the summary", "other outputs than in the summary");
    for (const auto& [name, record] : outputs.members())
      check_output(name, record, member(member(summary_, "outputs"), name));
  }

  void check_output(const std::string& name, const Value& record, const Value& in_summary) {
    const std::string output = "output " + shown(name);
    const bool shaped = record.is_object() && member(record, "kind").is_string() &&
                        member(record, "relative_path").is_string() && text_of(record, "step_id") == id_ &&
                        text_of(record, "output_name") == name;
    if (!expect(shaped, "manifest.output_schema", output + " is a record of this step",
                output + " must be an artifact record of this step"))
      return;
    const auto linked = records_.find({id_, name});
    expect(linked != records_.end() && *linked->second == record, "manifest.output_artifact_link",
           output + " equals the artifact's record", output + " differs from its record in artifacts, or has none");
    const Value& metadata = member(record, "metadata");
    if (expect(metadata.is_object(), "manifest.output_metadata", output + " has metadata",
               output + ": metadata must be an object")) {
      equal("manifest.output_metadata_digest", output + ": the digest of its metadata",
            member(record, "metadata_sha256"), digest_of(metadata));
      equal("manifest.output_metadata_binding", output + ": metadata, compared with the summary,", metadata,
            member(in_summary, "metadata"));
    }
    equal("manifest.output_metric_binding", output + ": the digest of its producer's metrics",
          member(record, "producer_metrics_sha256"), digest_of(member(manifest_, "metrics")));
    equal("manifest.output_identity_binding", output + ": kind and digest, compared with the summary,",
          Value(Value::Items{member(record, "kind"), member(record, "sha256")}),
          Value(Value::Items{member(in_summary, "kind"), member(in_summary, "sha256")}));
    if (const Value* retained = record.find("retained")) {
      equal("manifest.output_retained_binding", output + ": retained, compared with the summary,", *retained,
            member(in_summary, "retained"));
    }
  }

  const std::string& id_;
  const Value& manifest_;
  const Value& summary_;
  const RecordMap& records_;
  Findings& findings_;
};

void check_summary_binding(const Documents& documents, Findings& findings) {
  const Value& bound = member(documents.manifest, "summary");
  const bool shaped = bound.is_object() && bound.size() == 4 && text_of(bound, "kind") == "noema.run_summary" &&
                      text_of(bound, "relative_path") == summary_file && is_sha256_hex(text_of(bound, "sha256")) &&
                      member(bound, "size_bytes").is_integer();
  if (!findings.expect(shaped, "manifest.summary_binding", manifest_file, "binds the summary's bytes",
                       "summary must state kind, relative_path, sha256 and size_bytes, and nothing else")) {
    return;
  }
  findings.equal("manifest.summary_binding", summary_file, "its size", std::uint64_t{documents.summary_text.size()},
                 member(bound, "size_bytes"));
  findings.equal("manifest.summary_binding", summary_file, "its digest", sha256_hex(documents.summary_text),
                 member(bound, "sha256"));
}

}  // namespace

void check_links(const Documents& documents, Findings& findings) {
  if (documents.manifest.is_null() || documents.summary.is_null()) return;
  const Value& manifest = documents.manifest;
  const Value& summary = documents.summary;
  findings.equal("manifest.status", manifest_file, "status, compared with the summary,", member(manifest, "status"),
                 member(summary, "status"));
  findings.equal("manifest.steps.count", manifest_file, "the number of steps, compared with the summary,",
                 std::uint64_t{items_of(member(manifest, "steps")).size()},
                 std::uint64_t{items_of(member(summary, "steps")).size()});
  if (!documents.reference) {
    findings.equal("manifest.seed_policy_binding", manifest_file, "seed_policy, compared with the summary,",
                   member(manifest, "seed_policy"), member(summary, "seed_policy"));
    for (const char* time : {"created_at_utc", "completed_at_utc"}) {
      findings.equal(std::string("manifest.") + time, manifest_file, std::string(time) + ", compared with the summary,",
                     member(manifest, time), member(summary, time));
    }
  }
  check_summary_evidence(documents, findings);
  const StepMap in_summary = steps_of(summary, summary_file, "summary", findings);
  const StepMap in_manifest = steps_of(manifest, manifest_file, "manifest", findings);
  findings.expect(
      std::ranges::equal(in_summary, in_manifest, {}, &StepMap::value_type::first, &StepMap::value_type::first),
      "manifest.steps.identity", manifest_file, "the same step ids as in the summary",
      "other step ids than in the summary");
  const RecordMap records = artifact_records(documents, findings);
  std::size_t recorded = 0;
  for (const auto& [id, step] : in_manifest) {
    const auto other = in_summary.find(id);
    if (other == in_summary.end()) continue;
    StepLinks(id, *step, *other->second, records, findings).check();
    recorded += members_of(member(*step, "outputs")).size();
  }
  findings.equal("manifest.artifacts.count", manifest_file,
                 "the number of artifacts, compared with the outputs of all steps,",
                 std::uint64_t{items_of(member(manifest, "artifacts")).size()}, std::uint64_t{recorded});
  check_summary_binding(documents, findings);
}

}  // namespace noema::evidence
