// Verification: the artifacts' files against their records, and what else lies in the bundle.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "core/digest.h"
#include "core/files.h"
#include "core/npz_reader.h"
#include "core/text.h"
#include "evidence/verify_parts.h"

namespace noema::evidence {
namespace {

constexpr std::size_t most_files = 1'000'000;

class ArtifactCheck {
 public:
  ArtifactCheck(const Documents& documents, const Value& record,
                const std::map<std::string, std::string>& metric_digests, Findings& findings)
      : documents_(documents),
        record_(record),
        metric_digests_(metric_digests),
        findings_(findings),
        path_(text_of(record, "relative_path")),
        title_("the artifact " + shown(text_of(record, "step_id") + "." + text_of(record, "output_name"))) {}

  /// Returns whether the artifact was dropped.
  bool check() {
    check_metadata();
    if (text_of(record_, "kind").empty())
      findings_.warning("artifact.kind_missing", manifest_file, title_ + " has no kind");
    if (!located()) return false;
    const Presence presence = documents_.bundle.presence(path_);
    const bool dropped = member(record_, "retained") == Value(false);
    if (dropped && presence == Presence::absent) {
      check_digest_stated();
      findings_.info("artifact.omitted", path_, "was not kept; the manifest states the digest it would have",
                     Value::object({{"sha256", member(record_, "sha256")}}));
      return true;
    }
    if (presence == Presence::unsafe) {
      findings_.error("artifact.location", path_, "is no regular file, or a symbolic link leads to it");
      return dropped;
    }
    if (findings_.expect(presence == Presence::regular, "artifact.exists", path_, "present", "is missing"))
      check_file();
    return dropped;
  }

 private:
  void check_metadata() {
    const Value& metadata = member(record_, "metadata");
    if (record_.find("metadata") == nullptr) {
      findings_.error("artifact.metadata_missing", manifest_file, title_ + " has no metadata");
      return;
    }
    if (!findings_.expect(metadata.is_object(), "artifact.metadata", manifest_file, title_ + " has metadata",
                          title_ + ": metadata must be an object"))
      return;
    findings_.equal("artifact.metadata_sha256", manifest_file, title_ + ": the digest of its metadata",
                    member(record_, "metadata_sha256"), digest_of(metadata));
    const auto producer = metric_digests_.find(text_of(record_, "step_id"));
    findings_.equal("artifact.producer_metrics_sha256", manifest_file,
                    title_ + ": the digest of its producer's metrics", member(record_, "producer_metrics_sha256"),
                    producer == metric_digests_.end() ? Value() : Value(producer->second));
    for (const char* key : {"dtype", "shape", "array"}) {
      // A document whose content happens to use such a word has no array to project.
      const Value& projected = member(record_, key);
      if (projected.is_null() && path_.ends_with(".json")) continue;
      findings_.equal("artifact.metadata_projection", manifest_file,
                      title_ + ": " + key + ", compared with its metadata,", projected, member(metadata, key));
    }
  }

  bool located() {
    const std::string step = text_of(record_, "step_id");
    const std::string output = text_of(record_, "output_name");
    bool inside = is_safe_relative_path(path_);
    // Ours have one place only, so that no two records can share a file.
    if (!documents_.reference)
      inside = inside && (path_ == "artifacts/" + step + "/" + output + ".npz" ||
                          path_ == "artifacts/" + step + "/" + output + ".json");
    if (!findings_.expect(inside, "artifact.location", manifest_file, title_ + " lies inside the bundle",
                          title_ + ": relative_path " + brief(member(record_, "relative_path")) +
                              " is not its place inside the bundle")) {
      return false;
    }
    if (!documents_.reference)
      findings_.equal("artifact.path", manifest_file, title_ + ": path", member(record_, "path"), path_);
    return true;
  }

  /// Is there a digest to compare with?
  bool check_digest_stated() {
    const Value& stated = member(record_, "sha256");
    if (stated.is_null() && !documents_.reference && record_.find("sha256") != nullptr) {
      findings_.warning("artifact.sha256_missing", manifest_file,
                        title_ + " was stored without a digest (--digest reports): nothing binds its content");
      return false;
    }
    return findings_.expect(is_sha256_hex(text_of(record_, "sha256")), "artifact.sha256_missing", manifest_file,
                            title_ + " states its digest", title_ + ": sha256 must be 64 lower-case hex characters");
  }

  void check_file() {
    const auto file = documents_.bundle.file(path_);
    const auto found = file ? Bundle::digest(*file, path_) : Result<FileDigest>(file.error());
    if (!found) {
      findings_.error("artifact.exists", path_, found.error().message);
      return;
    }
    if (check_digest_stated())
      findings_.equal("artifact.sha256", path_, "the file's digest", found->sha256, member(record_, "sha256"));
    if (const Value* size = record_.find("size_bytes"))
      findings_.equal("artifact.size", path_, "the file's size", found->size, *size);
    if (path_.ends_with(".npz")) check_arrays(*file);
  }

  /// The headers of the stored arrays against what the metadata says of them.
  void check_arrays(const OpenFile& file) {
    auto reader = NpzReader::from_descriptor(file.number(), path_, {.map = false});
    if (!reader) {
      findings_.error("artifact.content", path_, reader.error().message);
      return;
    }
    Value stored = Value::object();
    for (const NpzMember& npz_member : reader->members()) {
      if (npz_member.name == "metadata_json") continue;
      const auto header = reader->header(npz_member.name);
      if (!header) {
        findings_.error("artifact.content", path_, header.error().message);
        return;
      }
      if (header->content != NpyHeader::Content::numbers) continue;
      stored.append(npz_member.name,
                    Value::object({{"dtype", dtype_name(header->dtype)}, {"shape", shape_value(header->shape)}}));
    }
    // The reference lets stale facts survive a change of shape, so only ours are held to this.
    if (documents_.reference) return;
    findings_.equal("artifact.content", path_, "types and shapes of its arrays, compared with the metadata,", stored,
                    documents_.unfolded(member(member(record_, "metadata"), "arrays")));
    check_embedded_metadata(*reader);
  }

  void check_embedded_metadata(const NpzReader& reader) {
    const auto embedded = reader.metadata();
    if (!embedded) {
      findings_.error("artifact.content", path_, embedded.error().message);
      return;
    }
    const Value& recorded = member(record_, "metadata");
    for (const auto& [key, value] : embedded->members()) {
      if (documents_.unfolded(member(recorded, key)) == value) continue;
      findings_.error("artifact.content", path_,
                      "the metadata inside says something else under " + shown(key) + " than the manifest");
      return;
    }
    findings_.pass("artifact.content", path_, "the metadata inside agrees with the manifest");
  }

  const Documents& documents_;
  const Value& record_;
  const std::map<std::string, std::string>& metric_digests_;
  Findings& findings_;
  std::string path_;
  std::string title_;
};

/// Digests of values that the documents refer to.
void collect_references(const Value& value, std::map<std::string, Value>& found) {
  if (is_large_value(value)) {
    const Value& reference = value.members().front().second;
    found.emplace(text_of(reference, "sha256"), member(reference, "size_bytes"));
    return;
  }
  for (const auto& [key, inner] : members_of(value)) {
    if (inner.is_object()) collect_references(inner, found);
  }
}

}  // namespace

std::size_t check_artifacts(const Documents& documents, Findings& findings) {
  const auto& records = items_of(member(documents.manifest, "artifacts"));
  if (records.empty()) {
    findings.warning("artifacts.present", manifest_file, "the run left no artifacts");
    return 0;
  }
  findings.pass("artifacts.present", manifest_file, std::to_string(records.size()) + " artifacts");
  std::map<std::string, std::string> metric_digests;
  for (const Value& step : items_of(member(documents.manifest, "steps")))
    metric_digests[text_of(step, "id")] = digest_of(member(step, "metrics"));
  std::size_t omitted = 0;
  for (const Value& record : records) {
    if (!findings.expect(record.is_object(), "artifact.record", manifest_file, "an artifact record",
                         "each artifact must be an object"))
      continue;
    omitted += ArtifactCheck(documents, record, metric_digests, findings).check() ? 1U : 0U;
  }
  return omitted;
}

void check_files(const Documents& documents, Findings& findings) {
  std::map<std::string, Value> references;
  for (const Value* document : {&documents.summary, &documents.manifest}) {
    for (const Value& step : items_of(member(*document, "steps"))) collect_references(step, references);
  }
  std::set<std::string> known{summary_file, manifest_file, recipe_file, authored_file, plan_file};
  for (const auto& [digest, size] : references) {
    if (!findings.expect(is_sha256_hex(digest), "values.sha256_schema", manifest_file,
                         "refers to a value by its digest",
                         "a reference to a stored value must state 64 lower-case hex characters")) {
      continue;
    }
    const std::string path = "values/" + digest + ".json";
    known.insert(path);
    const auto file = documents.bundle.file(path);
    const auto found = file ? Bundle::digest(*file, path) : Result<FileDigest>(file.error());
    if (!findings.expect(found.has_value(), "values.exists", path, "present", found ? "" : found.error().message))
      continue;
    findings.equal("values.sha256", path, "the value's digest", found->sha256, digest);
    findings.equal("values.size", path, "the value's size", found->size, size);
  }
  for (const Value& record : items_of(member(documents.manifest, "artifacts")))
    known.insert(text_of(record, "relative_path"));
  for (const std::string& path : documents.bundle.files(most_files)) {
    if (known.contains(path)) continue;
    findings.info("structure.unlisted_file", path, "is no part of the evidence: no digest covers it");
  }
}

}  // namespace noema::evidence
