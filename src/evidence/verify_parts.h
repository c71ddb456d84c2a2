// The parts of verification: each adds its checks, in the order of the table of core 7.2.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/bundle.h"
#include "evidence/findings.h"
#include "noema/contract.h"
#include "noema/evidence.h"
#include "noema/value.h"

namespace noema::evidence {

/// A bundle's documents, read once. Null where a document can't be read.
struct Documents {
  const Bundle& bundle;
  Value summary, manifest, recipe, authored, plan;
  std::string summary_text;
  bool reference = false;  ///< left by the Python reference: recognised by its environment
  mutable std::map<std::string, Value, std::less<>> large_values;  ///< by digest, as far as they were needed

  bool completed() const { return text_of(summary, "status") == "completed"; }
  /// The value that a reference to `values/<sha256>.json` stands for; null when it can't be trusted.
  Value unfolded(const Value& value) const;
};

/// Is this an object that refers to a value kept once in the bundle?
bool is_large_value(const Value& value);

/// Reads the documents: presence, strict JSON, the form in which they were written.
void read_documents(Documents& documents, Findings& findings);
void check_summary_schema(const Documents& documents, Findings& findings);
void check_manifest_schema(const Documents& documents, Findings& findings);
/// The manifest's own digest, where the program came from, how it was run.
void check_origin(const Documents& documents, Findings& findings);
/// What the manifest repeats from the summary.
void check_links(const Documents& documents, Findings& findings);
void check_recipe(const Documents& documents, Findings& findings);
void check_plan(const Documents& documents, Findings& findings);
/// Contracts of the plan against a catalogue that the user trusts, and the recipe against its rules.
void check_catalog(const Documents& documents, const Catalog& trusted, const VerifyOptions& options,
                   Findings& findings);
/// Metadata that names backends against the rows that the plan bound.
void check_backends(const Documents& documents, Findings& findings);
/// Files, digests and metadata of artifacts; returns how many were not kept.
std::size_t check_artifacts(const Documents& documents, Findings& findings);
/// Values kept once, and files that nothing refers to.
void check_files(const Documents& documents, Findings& findings);
void check_status(const Documents& documents, Findings& findings);
void check_metrics(const Documents& documents, Findings& findings);
void check_rates(const Documents& documents, Findings& findings);

}  // namespace noema::evidence
