// The Call that kernels see, for steps that the engine runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "run/engine.h"
#include "run/strand.h"
#include "run/stream.h"

namespace noema {

/// One output while its step runs.
struct OutputState {
  const OutputPort* port = nullptr;
  bool opened = false;  ///< a stream was declared, or a whole output handed over
  bool is_stream = false;
  std::string member;
  DType dtype = DType::u8;
  std::uint64_t length = 0;
  std::uint64_t committed = 0;
  Value metadata = Value::object();
  std::shared_ptr<std::byte> block;  ///< between reserve and commit
  std::uint64_t block_room = 0;
  std::vector<InputQueue*> consumers;  ///< in this group
  std::unique_ptr<Array> collected;    ///< the whole content, when a later group or the harness reads it
  std::byte* collect_at = nullptr;
  std::shared_ptr<Artifact> artifact;  ///< of a whole output
  OutputSink* sink = nullptr;          ///< null when nobody wants the bytes
  std::unique_ptr<Strand> strand;      ///< of the sink
};

/// One connected input while its step runs.
struct InputState {
  const InputPort* port = nullptr;
  std::string kind;
  OutputState* producer = nullptr;        ///< in this group
  std::shared_ptr<const Artifact> whole;  ///< from an earlier group
  std::unique_ptr<InputQueue> queue;      ///< how a stream kernel reads it
  std::uint64_t fed = 0;                  ///< elements of `whole` given to the queue so far
};

class StepCall final : public Call {
 public:
  StepCall(const StepTask& task, std::size_t index, EngineHost& host, const EngineOptions& options, BlockPool& pool);

  std::string_view operation() const override { return task_.operation; }
  std::string_view step() const override { return task_.id; }
  std::string_view backend() const override { return task_.backend; }
  std::string_view implementation() const override { return task_.implementation; }
  const Value& parameter(std::string_view name) const override;
  std::uint64_t seed(std::string_view stream, std::uint64_t fallback) const override;
  bool connected(std::string_view input) const override;
  const std::string& kind(std::string_view input) const override;
  const Value& metadata(std::string_view input) const override;
  std::uint64_t length(std::string_view input) const override;
  const Artifact& artifact(std::string_view input) const override;
  void emit(std::string_view output, std::vector<NamedArray> arrays, Value metadata) override;
  void emit_document(std::string_view output, Value document, Value metadata) override;
  void metric(std::string_view name, double value) override;
  void count_metric(std::string_view name, std::uint64_t value) override;
  void signed_count_metric(std::string_view name, std::int64_t value) override;
  void step_metadata(std::string_view key, Value value) override;
  Result<void> progress(std::string_view phase, std::uint64_t completed, std::uint64_t total,
                        std::string_view unit) override;
  Result<FileContent> read_file(const std::string& path, std::uint64_t limit) override;
  std::string resolve(const std::string& path) const override { return host_.resolve(path); }
  int threads() const override { return options_.threads; }
  void open_output(std::string_view output, std::string_view member, DType dtype, std::uint64_t length,
                   Value opening) override;
  void close_output(std::string_view output, Value metadata) override;
  void consume(std::string_view input, std::uint64_t count) override;
  std::uint64_t consumed(std::string_view input) const override;
  void commit(std::string_view output, std::uint64_t count) override;
  std::uint64_t committed(std::string_view output) const override;
  std::uint64_t chunk() const override { return options_.chunk; }
  void forward(std::string_view input, std::string_view output, std::uint64_t count) override;

  // The engine's side.
  enum class Phase { open, work, close, whole };
  std::size_t index() const { return index_; }
  const StepTask& task() const { return task_; }
  std::vector<InputState>& inputs() { return inputs_; }
  std::vector<OutputState>& outputs() { return outputs_; }
  StepResult& result() { return result_; }
  void enter(Phase phase) { phase_ = phase; }
  /// Counts elements moved, so that the engine sees whether a call of `work` did anything.
  std::uint64_t moved() const { return moved_; }

 protected:
  std::pair<const void*, std::uint64_t> peek_bytes(std::string_view input, DType dtype,
                                                   std::uint64_t multiple) override;
  void* reserve_bytes(std::string_view output, DType dtype, std::uint64_t count) override;

 private:
  InputState* find_input(std::string_view name);
  const InputState& input(std::string_view name) const;
  InputState& stream_input(std::string_view name);
  OutputState& output(std::string_view name);
  const OutputState& output(std::string_view name) const;
  void deliver(OutputState& out, Segment segment);
  [[noreturn]] void misuse(std::string_view what, std::string_view name) const;

  const StepTask& task_;
  std::size_t index_;
  EngineHost& host_;
  const EngineOptions& options_;
  BlockPool& pool_;
  std::vector<InputState> inputs_;
  std::vector<OutputState> outputs_;
  StepResult result_;
  Phase phase_ = Phase::whole;
  std::uint64_t moved_ = 0;
};

/// Sets `array`, `dtype`, `shape` and `arrays` from what an NPZ holds.
void set_array_facts(Value& metadata, const std::vector<std::pair<std::string, Value>>& arrays);
Value array_facts(DType dtype, const Shape& shape);

}  // namespace noema
