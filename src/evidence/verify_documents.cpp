// Verification: are the documents there, well-formed, and of the right shape?
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "core/digest.h"
#include "core/json.h"
#include "evidence/verify_parts.h"

namespace noema::evidence {
namespace {

enum class Shape { integer, text, object, list };

struct Field {
  const char* name;
  Shape shape;
};

bool has_shape(const Value& value, Shape shape) {
  switch (shape) {
    case Shape::integer:
      return value.is_integer();
    case Shape::text:
      return value.is_string() && !value.string().empty();
    case Shape::object:
      return value.is_object();
    case Shape::list:
      return value.is_array();
  }
  return false;
}

std::string shape_name(Shape shape) {
  switch (shape) {
    case Shape::integer:
      return "an integer";
    case Shape::text:
      return "text that is not empty";
    case Shape::object:
      return "an object";
    case Shape::list:
      return "a list";
  }
  return {};
}

constexpr std::array<Field, 9> summary_fields{{{"schema_version", Shape::integer},
                                               {"kind", Shape::text},
                                               {"run_id", Shape::text},
                                               {"recipe_name", Shape::text},
                                               {"status", Shape::text},
                                               {"created_at_utc", Shape::text},
                                               {"steps", Shape::list},
                                               {"metrics", Shape::object},
                                               {"measurement_evidence", Shape::object}}};
constexpr std::array<Field, 13> manifest_fields{{{"schema_version", Shape::integer},
                                                 {"kind", Shape::text},
                                                 {"run_id", Shape::text},
                                                 {"created_at_utc", Shape::text},
                                                 {"status", Shape::text},
                                                 {"recipe", Shape::object},
                                                 {"operation_contracts", Shape::object},
                                                 {"execution_plan", Shape::object},
                                                 {"environment", Shape::object},
                                                 {"seed_policy", Shape::object},
                                                 {"steps", Shape::list},
                                                 {"artifacts", Shape::list},
                                                 {"summary_evidence", Shape::object}}};

/// A document's label in ids: `recipe.authored` for recipe.authored.json.
std::string label(std::string_view file) { return std::string(file.substr(0, file.size() - 5)); }

/// Reads one document; null and an error when it can't be had.
Value read(const Bundle& bundle, const char* file, Findings& findings, std::string* text) {
  const std::string name = label(file);
  auto bytes = bundle.text(file, document_limits.bytes);
  if (!bytes) {
    findings.error("structure." + name, file, bytes.error().message);
    return {};
  }
  findings.pass("structure." + name, file, "present");
  auto value = parse_json(*bytes, file, document_limits);
  if (!value) {
    const Place& at = value.error().at;
    const std::string where =
        at.line > 0 ? " (line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ")" : "";
    findings.error("schema." + name + "_json", file, "is not strict JSON" + where + ": " + value.error().message);
    return {};
  }
  findings.pass("schema." + name + "_json", file, "strict JSON");
  if (!findings.expect(value->is_object(), "schema." + name + "_mapping", file, "an object", "must be a JSON object"))
    return {};
  if (text != nullptr) *text = std::move(*bytes);
  return std::move(*value);
}

/// Documents of ours are written in one form; another spelling of the same values was not written by us.
void check_form(const Value& value, const char* file, const std::string& text, Findings& findings) {
  if (value.is_null()) return;
  findings.expect(pretty_json(value) == text, "structure." + label(file) + "_form", file,
                  "bytes are as they were written",
                  "bytes were changed after writing: the same values are written otherwise");
}

}  // namespace

void read_documents(Documents& documents, Findings& findings) {
  std::string manifest, recipe, authored, plan;
  documents.summary = read(documents.bundle, summary_file, findings, &documents.summary_text);
  documents.manifest = read(documents.bundle, manifest_file, findings, &manifest);
  documents.recipe = read(documents.bundle, recipe_file, findings, &recipe);
  documents.plan = read(documents.bundle, plan_file, findings, &plan);
  documents.authored = read(documents.bundle, authored_file, findings, &authored);
  const Value& environment = member(documents.manifest, "environment");
  documents.reference = environment.find("python") != nullptr && environment.find("noema") == nullptr;
  if (documents.reference) {
    findings.info("structure.reference", manifest_file,
                  "a bundle of the Python reference: digests and links are checked, "
                  "the manifest has no digest of its own");
    return;
  }
  check_form(documents.summary, summary_file, documents.summary_text, findings);
  check_form(documents.manifest, manifest_file, manifest, findings);
  check_form(documents.recipe, recipe_file, recipe, findings);
  check_form(documents.plan, plan_file, plan, findings);
  check_form(documents.authored, authored_file, authored, findings);
}

void check_summary_schema(const Documents& documents, Findings& findings) {
  const Value& summary = documents.summary;
  if (summary.is_null()) return;
  for (const Field& field : summary_fields) {
    findings.expect(has_shape(member(summary, field.name), field.shape), std::string("schema.summary.") + field.name,
                    summary_file, std::string(field.name) + " is " + shape_name(field.shape),
                    std::string(field.name) + " must be " + shape_name(field.shape) + "; it is " +
                        brief(member(summary, field.name)));
  }
  findings.equal("schema.summary.schema_version_supported", summary_file, "the schema version",
                 member(summary, "schema_version"), 1);
  findings.equal("schema.summary.kind_value", summary_file, "the kind", member(summary, "kind"), "noema.run_summary");
  findings.equal("schema.summary.run_id", summary_file, "the run id, which is the folder's name,",
                 member(summary, "run_id"), documents.bundle.name());
}

void check_manifest_schema(const Documents& documents, Findings& findings) {
  const Value& manifest = documents.manifest;
  if (manifest.is_null()) return;
  for (const Field& field : manifest_fields) {
    findings.expect(has_shape(member(manifest, field.name), field.shape), std::string("schema.manifest.") + field.name,
                    manifest_file, std::string(field.name) + " is " + shape_name(field.shape),
                    std::string(field.name) + " must be " + shape_name(field.shape) + "; it is " +
                        brief(member(manifest, field.name)));
  }
  findings.equal("schema.manifest.run_id", manifest_file, "the run id, which is the folder's name,",
                 member(manifest, "run_id"), documents.bundle.name());
  findings.equal("schema.manifest.schema_version_supported", manifest_file, "the schema version",
                 member(manifest, "schema_version"), 1);
  findings.equal("schema.manifest.kind_value", manifest_file, "the kind", member(manifest, "kind"),
                 "noema.run_manifest");
}

bool is_large_value(const Value& value) {
  return value.is_object() && value.size() == 1 && value.members().front().first == "$noema_value";
}

Value Documents::unfolded(const Value& value) const {
  if (!is_large_value(value)) return value;
  const std::string digest = text_of(value.members().front().second, "sha256");
  if (!is_sha256_hex(digest)) return {};
  if (const auto known = large_values.find(digest); known != large_values.end()) return known->second;
  std::string text;
  auto read = bundle.document("values/" + digest + ".json", &text);
  const Value& kept = large_values[digest] = read && sha256_hex(text) == digest ? *std::move(read) : Value();
  return kept;
}

}  // namespace noema::evidence
