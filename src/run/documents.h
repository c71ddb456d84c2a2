// summary.json and manifest.json: what they say, when they are written, and the journal between two writings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "noema/plan.h"
#include "noema/run.h"
#include "run/engine.h"
#include "run/memory.h"
#include "run/store.h"

namespace noema {

/// Values in metadata whose canonical text is longer than this stand once in `values/<sha256>.json` of the bundle; the
/// documents refer to them by {"$noema_value": {"sha256", "size_bytes"}}.
inline constexpr std::size_t large_value_bytes = std::size_t{64} << 10;

/// The record of one step, as both documents need it.
struct StepRecord {
  Value summary;   ///< element of summary.steps
  Value manifest;  ///< element of manifest.steps
};

class RunDocuments {
 public:
  RunDocuments(const Plan& plan, const RunOptions& options, std::string run_id, std::string folder, int threads);
  /// Writes recipe, plan, and the two documents with status `running`.
  Result<void> start();
  /// Adds a step; rewrites the documents when a second has passed, else appends to the journal.
  Result<void> add(std::size_t step, const StepResult& result, const std::map<std::string, StoredArtifact>& stored,
                   std::string_view status);
  /// Writes the final documents and removes the journal.
  Result<void> finish(std::string_view status, const std::optional<Error>& error, const MemorySampler& memory);
  const Value& summary() const { return summary_; }
  const Value& manifest() const { return manifest_; }
  /// metrics of a step, with the engine's timing
  static Value step_metrics(const StepResult& result);

 private:
  Value shared_head(const char* kind) const;
  /// Only the last writing must survive a power failure at once; `memory` is null before it.
  Result<void> write(const MemorySampler* memory);
  Result<Value> folded(const Value& value);
  Result<Value> fold_large(const Value& value);
  Result<void> append_journal(const StepRecord& record);

  const Plan& plan_;
  const RunOptions& options_;
  std::string run_id_;
  std::string folder_;
  std::string created_;
  std::string completed_;
  std::string status_ = "running";
  Value error_;
  Value environment_;
  std::map<std::size_t, StepRecord> steps_;
  std::map<const void*, Value> folds_;  ///< large subtrees met before
  std::vector<Value> fold_owners_;      ///< keeps their addresses valid
  std::chrono::steady_clock::time_point last_write_;
  Value summary_;
  Value manifest_;
};

}  // namespace noema
