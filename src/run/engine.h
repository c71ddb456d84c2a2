// Runs planned steps: groups stream steps that feed each other, moves chunks between them, and hands every output to
// its sink. Knows nothing of folders, manifests or recipes; the run and the conformance harness both stand on it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "noema/backend.h"
#include "noema/contract.h"
#include "noema/run.h"
#include "run/stream.h"

namespace noema {

/// One step, bound to its kernel.
struct StepTask {
  struct Input {
    std::string name;
    std::size_t step = 0;  ///< index of the producer among the tasks
    std::string output;
  };
  std::string id;
  std::string operation;
  std::string backend;
  std::string implementation;
  const Contract* contract = nullptr;
  const Kernel* kernel = nullptr;
  Value params;  ///< effective
  std::vector<Input> inputs;
};

/// A file that a kernel read.
struct InputFile {
  std::string path;
  std::string sha256;
  std::uint64_t size = 0;
};

/// What became of one output.
struct OutputResult {
  std::string name;
  std::string kind;
  Value metadata = Value::object();
  std::vector<std::pair<std::string, Value>> arrays;  ///< member -> {dtype, shape}; empty for documents
};

struct StepResult {
  Value metrics = Value::object();
  Value metadata = Value::object();   ///< of the step
  std::vector<OutputResult> outputs;  ///< in contract order
  std::vector<InputFile> files;
  double busy_seconds = 0;     ///< time inside this step's kernel
  std::optional<Error> error;  ///< set when the step failed or was canceled
};

/// Takes the content of one output: either begin, append..., finish for a stream, or one call of `whole`.
/// Called from one thread at a time, but not always the same one.
class OutputSink {
 public:
  virtual ~OutputSink() = default;
  virtual Result<void> begin(const std::string& member, DType dtype, std::uint64_t length) = 0;
  virtual Result<void> append(std::span<const std::byte> bytes) = 0;
  virtual Result<void> finish(const Value& metadata) = 0;
  virtual Result<void> whole(const Artifact& artifact) = 0;
};

/// What the engine's user provides and is told.
class EngineHost {
 public:
  virtual ~EngineHost() = default;
  /// The sink of an output; null when nobody wants its bytes. The host owns it.
  virtual OutputSink* sink(std::size_t step, const OutputPort& output) = 0;
  virtual void step_started(std::size_t step) = 0;
  virtual void step_progress(std::size_t step, std::string_view phase, std::uint64_t completed, std::uint64_t total,
                             std::string_view unit) = 0;
  /// All sinks of the step are finished; an error stops the run.
  virtual Result<void> step_finished(std::size_t step, const StepResult& result) = 0;
  /// The step failed, or was stopped by the failure of another step that ran with it.
  virtual void step_failed(std::size_t step, const StepResult& result) = 0;
  virtual std::uint64_t seed(const StepTask& step, std::string_view stream, std::uint64_t fallback) = 0;
  virtual Result<FileContent> read_file(const std::string& path, std::uint64_t limit) = 0;
  virtual std::string resolve(const std::string& path) = 0;
};

struct EngineOptions {
  int threads = 1;
  std::uint64_t chunk = 0;  ///< elements; 0 = default_chunk
  const CancelToken* cancel = nullptr;
  bool keep_outputs = false;  ///< keep every output in `Engine::outputs` (for the harness)
};

/// Elements a source emits at a time: large enough to amortise a hand-over, small enough for the second-level cache.
inline constexpr std::uint64_t default_chunk = std::uint64_t{1} << 18;

class Engine {
 public:
  Engine(std::vector<StepTask> steps, EngineHost& host, EngineOptions options);
  ~Engine();
  /// Provides an artifact as the output of a pseudo step (a task without kernel).
  void provide(std::size_t step, const std::string& output, Artifact artifact);
  /// Runs every step. The error is the first step's that failed.
  Result<void> run();
  /// The steps that run together, in the order of execution (for reports and tests).
  const std::vector<std::vector<std::size_t>>& groups() const { return groups_; }
  /// With keep_outputs: the artifact of an output after the run, or null.
  std::shared_ptr<const Artifact> output(std::size_t step, const std::string& name) const;

 private:
  struct Slot;
  class Group;
  void arrange();
  bool streams(std::size_t step) const;
  bool reads_whole(const StepTask& step, const StepTask::Input& input) const;
  Slot& slot(std::size_t step, const std::string& output);
  void release_inputs(std::size_t step);

  std::vector<StepTask> steps_;
  EngineHost& host_;
  EngineOptions options_;
  std::vector<std::vector<std::size_t>> groups_;
  std::vector<std::size_t> group_of_;
  std::map<std::pair<std::size_t, std::string>, std::unique_ptr<Slot>> slots_;
  BlockPool pool_;
};

struct SeedPolicy;
/// The seed of a step's stream by core rule 1.7: the parameter `seed`, else derived from the master seed, else
/// `fallback`.
std::uint64_t step_seed(const SeedPolicy& seeds, const StepTask& step, std::string_view stream, std::uint64_t fallback);

}  // namespace noema
