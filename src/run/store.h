// Where artifacts go: into a staging folder of the bundle, committed step by step, or only through a digest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "noema/run.h"
#include "run/engine.h"

namespace noema {

/// How an artifact ended: the digest of its file, written or not.
struct StoredArtifact {
  std::string sha256;      ///< empty when digests were not asked for
  std::uint64_t size = 0;  ///< bytes of the file
  bool retained = true;
  std::string relative_path;  ///< where it stands, or would stand
};

class ArtifactStore {
 public:
  ArtifactStore(std::string folder, const RunOptions& options);
  ~ArtifactStore();
  /// The sink of an output. Null when neither file nor digest is wanted.
  OutputSink* sink(const std::string& step, const OutputPort& output);
  /// Moves a step's staged files to `artifacts/<step>`; gives one entry for each output of the step.
  Result<std::map<std::string, StoredArtifact>> commit(const std::string& step,
                                                       const std::vector<OutputResult>& outputs);
  /// Removes what a step left in staging.
  void discard(const std::string& step);
  /// Removes the staging folder's content and flushes what was committed.
  Result<void> close();

 private:
  class Sink;
  std::string folder_;
  const RunOptions& options_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Sink>> sinks_;
  std::vector<std::string> unflushed_;  ///< committed, but not yet flushed to the disk
};

/// Is this output a document (stored as .json) rather than arrays (stored as .npz)?
bool is_document_kind(std::string_view kind);

}  // namespace noema
