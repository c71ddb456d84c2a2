// All that the author of a kernel or a backend sees: Call, the two kinds of kernel, KernelList and Backend.
//
// A kernel is `whole` (a function that sees complete inputs) or `stream` (an object that is fed chunk by chunk, so that
// a run larger than memory needs no more than a few chunks). Both read parameters that the planner has already checked
// and defaulted; neither parses, times, logs to the terminal or touches a global.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "noema/error.h"
#include "noema/value.h"

namespace noema {

/// The content of a file that a kernel read through its Call.
struct FileContent {
  std::string path;  ///< as authored
  std::string bytes;
  std::string sha256;  ///< 64 lower-case hex characters
};

/// One step's world. Ports and parameters that the contract does not declare are bugs and stop the program.
///
/// Metadata: in a whole kernel `metadata(input)` is complete. In a stream kernel it is the *opening* metadata until
/// `close`, where it is complete.
class Call {
 public:
  virtual ~Call() = default;

  // ---- the step -----------------------------------------------------------------------------------------------
  virtual std::string_view operation() const = 0;
  virtual std::string_view step() const = 0;
  virtual std::string_view backend() const = 0;         ///< of the row that runs, such as `cpp`
  virtual std::string_view implementation() const = 0;  ///< such as `default`

  // ---- parameters (effective: defaults and injected bindings are in) -----------------------------------------
  virtual const Value& parameter(std::string_view name) const = 0;  ///< null when absent without a default
  bool has(std::string_view name) const { return !parameter(name).is_null(); }
  bool flag(std::string_view name) const { return parameter(name).boolean(); }
  std::int64_t integer(std::string_view name) const { return parameter(name).integer(); }
  std::uint64_t count(std::string_view name) const;  ///< an integer that the contract keeps at 0 or more
  double number(std::string_view name) const { return parameter(name).number(); }
  const std::string& text(std::string_view name) const { return parameter(name).string(); }

  // ---- randomness ---------------------------------------------------------------------------------------------
  /// The seed of a named stream: the parameter `seed` when it is set; else derived from the recipe's master seed,
  /// its namespace, this step and the stream's name; else `fallback` when the recipe has no master seed.
  virtual std::uint64_t seed(std::string_view stream, std::uint64_t fallback = 0) const = 0;

  // ---- inputs -------------------------------------------------------------------------------------------------
  virtual bool connected(std::string_view input) const = 0;  ///< false for an optional input left open
  virtual const std::string& kind(std::string_view input) const = 0;
  virtual const Value& metadata(std::string_view input) const = 0;
  virtual std::uint64_t length(std::string_view input) const = 0;  ///< elements of the input's first array
  /// The complete content: in whole kernels, and for the `whole_inputs` of a stream kernel.
  virtual const Artifact& artifact(std::string_view input) const = 0;
  /// A member of such an input's NPZ, or an error that names port and member.
  Result<Array> array(std::string_view input, std::string_view member) const;

  // ---- outputs, metrics, step metadata -----------------------------------------------------------------------
  /// Whole kernels: hand over an output. `array`, `dtype`, `shape` and `arrays` are set in the metadata from what is
  /// stored; the caller need not. Call it once for each output.
  virtual void emit(std::string_view output, std::vector<NamedArray> arrays, Value metadata) = 0;
  virtual void emit_document(std::string_view output, Value document, Value metadata) = 0;
  /// A report: the document serves as its own metadata. Allowed in `close` of a stream kernel too.
  void emit_report(std::string_view output, const Value& report) { emit_document(output, report, report); }
  virtual void metric(std::string_view name, double value) = 0;               ///< written as a JSON double
  virtual void count_metric(std::string_view name, std::uint64_t value) = 0;  ///< written as a JSON integer
  virtual void signed_count_metric(std::string_view name, std::int64_t value) = 0;
  virtual void step_metadata(std::string_view key, Value value) = 0;  ///< of the step, not of an artifact

  // ---- progress, cancellation, files -------------------------------------------------------------------------
  /// Reports progress; an error when the run is to stop. Whole kernels call it once an item.
  virtual Result<void> progress(std::string_view phase, std::uint64_t completed, std::uint64_t total,
                                std::string_view unit) = 0;
  /// Reads a file whose authored path is absolute or relative to the run's base folder; its digest is recorded in the
  /// evidence. Refuses what is not a regular file or is larger than `limit` bytes.
  virtual Result<FileContent> read_file(const std::string& path, std::uint64_t limit) = 0;
  /// Where a relative authored path resolves to, for listing a folder.
  virtual std::string resolve(const std::string& path) const = 0;
  /// Threads this step may use (at least 1). Results never depend on it.
  virtual int threads() const = 0;

  // ---- stream kernels only ------------------------------------------------------------------------------------
  /// In `open`: declares a flat output array of `length` elements. `opening` is what consumers may read before the end.
  virtual void open_output(std::string_view output, std::string_view member, DType dtype, std::uint64_t length,
                           Value opening) = 0;
  /// In `close`: the complete metadata (else the opening metadata stands).
  virtual void close_output(std::string_view output, Value metadata) = 0;
  /// In `work`: unread elements of an input, contiguous, a whole multiple of `multiple` unless the stream ends here.
  /// Empty when fewer have arrived so far, or when all were consumed.
  template <class T>
  std::span<const T> peek(std::string_view input, std::uint64_t multiple = 1) {
    const auto [data, count] = peek_bytes(input, dtype_of<T>(), multiple);
    return {static_cast<const T*>(data), count};
  }
  virtual void consume(std::string_view input, std::uint64_t count) = 0;
  virtual std::uint64_t consumed(std::string_view input) const = 0;  ///< elements consumed so far
  /// In `work`: room for `count` elements of an output; follow it with one `commit`.
  template <class T>
  std::span<T> reserve(std::string_view output, std::uint64_t count) {
    return {static_cast<T*>(reserve_bytes(output, dtype_of<T>(), count)), count};
  }
  virtual void commit(std::string_view output, std::uint64_t count) = 0;
  virtual std::uint64_t committed(std::string_view output) const = 0;  ///< elements committed so far
  /// What a source should produce in one `work`, in elements.
  virtual std::uint64_t chunk() const = 0;
  /// Passes `count` elements of an input on to an output of the same dtype without copying; consumes and commits them.
  virtual void forward(std::string_view input, std::string_view output, std::uint64_t count) = 0;

 protected:
  virtual std::pair<const void*, std::uint64_t> peek_bytes(std::string_view input, DType dtype,
                                                           std::uint64_t multiple) = 0;
  virtual void* reserve_bytes(std::string_view output, DType dtype, std::uint64_t count) = 0;
};

/// Fed chunk by chunk. One object serves one step of one run.
///
/// `open` reads parameters, opening metadata and input lengths, checks them, and declares every array output.
/// `work` is called while inputs arrive (for a source: until its outputs are complete); it consumes as much as it can
/// and commits what follows from it. All outputs must reach their declared length once all inputs are consumed.
/// `close` writes the final metadata, metrics and reports.
class StreamKernel {
 public:
  virtual ~StreamKernel() = default;
  virtual Result<void> open(Call& call) = 0;
  virtual Result<void> work(Call& call) = 0;
  virtual Result<void> close(Call& call) = 0;
};

/// Exactly one of `whole` and `stream` is set.
struct Kernel {
  std::function<Result<void>(Call&)> whole;
  std::function<std::unique_ptr<StreamKernel>()> stream;
  /// Inputs that a stream kernel needs complete from the start (side information of many arrays): read them with
  /// `artifact` and `array`, not with `peek`.
  std::vector<std::string> whole_inputs;
};

/// The native backend's kernels, filled by the families' lists.
class KernelList {
 public:
  void add(std::string_view operation, std::string_view backend, std::string_view implementation,
           std::function<Result<void>(Call&)> whole);
  template <class Stream>
  void add_stream(std::string_view operation, std::string_view backend, std::string_view implementation,
                  std::vector<std::string> whole_inputs = {}) {
    insert(operation, backend, implementation,
           Kernel{{}, [] { return std::make_unique<Stream>(); }, std::move(whole_inputs)});
  }
  const Kernel* find(std::string_view operation, std::string_view backend, std::string_view implementation) const;
  /// `operation/backend/implementation` of every kernel, sorted.
  std::vector<std::string> names() const;

 private:
  void insert(std::string_view operation, std::string_view backend, std::string_view implementation, Kernel kernel);
  std::map<std::string, Kernel, std::less<>> kernels_;
};

/// Every native kernel in this program (the root list; `ops/ops.cpp`).
const KernelList& native_kernels();

/// An error of a kernel about one of its parameters, at `params.<name>` of the step.
Error refuse_parameter(std::string_view name, Code code, std::string message, std::string hint = {});
/// An error of a kernel about one of its inputs, at `inputs.<name>` of the step.
Error refuse_input(std::string_view name, Code code, std::string message, std::string hint = {});

}  // namespace noema
