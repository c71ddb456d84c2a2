// noema/run.h: a plan becomes a run and its bundle.
// SPDX-License-Identifier: Apache-2.0
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/digest.h"
#include "core/files.h"
#include "core/json.h"
#include "core/report.h"
#include "core/text.h"
#include "noema/backend.h"
#include "noema/run.h"
#include "run/documents.h"
#include "run/engine.h"
#include "run/run_id.h"
#include "run/store.h"

namespace noema {
namespace {

namespace fs = std::filesystem;
constexpr auto progress_interval = std::chrono::milliseconds(100);

class Run final : public EngineHost {
 public:
  Run(const Plan& plan, const RunOptions& options, const std::string& run_id, const std::string& folder, int threads)
      : plan_(plan),
        options_(options),
        documents_(plan, options, run_id, folder, threads),
        store_(folder, options),
        run_id_(run_id) {}

  RunDocuments& documents() { return documents_; }
  ArtifactStore& store() { return store_; }

  OutputSink* sink(std::size_t step, const OutputPort& output) override {
    return store_.sink(plan_.steps[step].id, output);
  }

  void step_started(std::size_t step) override {
    Value event = step_event("step_started", step, "step " + plan_.steps[step].id + " started");
    event.set("runner", plan_.document.at("runner"));
    event.set("backend", plan_.steps[step].backend);
    event.set("implementation", plan_.steps[step].implementation);
    send(std::move(event));
  }

  void step_progress(std::size_t step, std::string_view phase, std::uint64_t completed, std::uint64_t total,
                     std::string_view unit) override {
    const auto now = std::chrono::steady_clock::now();
    if (!options_.events || (now - last_progress_ < progress_interval && completed != total)) return;
    last_progress_ = now;
    Value event = step_event("step_progress", step, "step " + plan_.steps[step].id + ": " + std::string(phase));
    event.set("phase", phase);
    event.set("completed", completed);
    event.set("total", total);
    event.set("unit", unit);
    event.set("percent", total == 0 ? 100.0 : 100.0 * static_cast<double>(completed) / static_cast<double>(total));
    send(std::move(event));
  }

  Result<void> step_finished(std::size_t step, const StepResult& result) override {
    NOEMA_TRY(const auto stored, store_.commit(plan_.steps[step].id, result.outputs));
    NOEMA_CHECK(check_result(step, result));
    NOEMA_CHECK(documents_.add(step, result, stored, "completed"));
    Value event = step_event("step_completed", step, "step " + plan_.steps[step].id + " completed");
    event.set("metrics", RunDocuments::step_metrics(result));
    send(std::move(event));
    return {};
  }

  void step_failed(std::size_t step, const StepResult& result) override {
    store_.discard(plan_.steps[step].id);
    const bool stopped = result.error->code == code::canceled;
    // The run's own error is reported by its end; a second failure while recording this one must not hide it.
    (void)documents_.add(step, result, {}, stopped ? "canceled" : "failed");
    Value event = step_event("step_failed", step, result.error->message);
    event.set("error", error_value(*result.error));
    send(std::move(event));
  }

  std::uint64_t seed(const StepTask& step, std::string_view stream, std::uint64_t fallback) override {
    return step_seed(plan_.seeds, step, stream, fallback);
  }

  Result<FileContent> read_file(const std::string& path, std::uint64_t limit) override {
    NOEMA_TRY(std::string bytes, read_text_file(resolve(path), limit));
    std::string digest = sha256_hex(bytes);
    return FileContent{path, std::move(bytes), std::move(digest)};
  }

  std::string resolve(const std::string& path) override {
    const fs::path authored(path);
    if (authored.is_absolute() || options_.base.empty()) return path;
    return (fs::path(options_.base) / authored).string();
  }

  void event(const char* kind, std::string message, std::initializer_list<Value::Member> more = {}) {
    Value value = Value::object({{"kind", kind}, {"message", std::move(message)}, {"run_id", run_id_}});
    for (const auto& [key, member] : more) value.set(key, member);
    send(std::move(value));
  }

 private:
  Value step_event(const char* kind, std::size_t step, std::string message) const {
    return Value::object({{"kind", kind},
                          {"message", std::move(message)},
                          {"run_id", run_id_},
                          {"step_id", plan_.steps[step].id},
                          {"op", plan_.steps[step].operation},
                          {"index", std::uint64_t{step}},
                          {"count", std::uint64_t{plan_.steps.size()}}});
  }

  void send(Value event) {
    if (!options_.events) return;
    event.set("sequence", ++sequence_);
    event.set("at_utc", utc_text(std::chrono::system_clock::now()));
    options_.events(event);
  }

  /// What leaves a kernel must be JSON and keep what its contract promises.
  Result<void> check_result(std::size_t step, const StepResult& result) const {
    const PlannedStep& planned = plan_.steps[step];
    const auto refuse = [&](std::string message) {
      Error error{
          code::kernel_failed, {}, std::move(message), "this is a bug in the kernel of " + planned.operation, {}};
      error.at.path = "steps." + planned.id;
      return error;
    };
    if (auto ok = check_json(result.metrics); !ok)
      return refuse("metric " + ok.error().at.path + ": " + ok.error().message);
    if (auto ok = check_json(result.metadata); !ok)
      return refuse("step metadata " + ok.error().at.path + ": " + ok.error().message);
    for (const OutputResult& output : result.outputs) {
      if (auto ok = check_json(output.metadata); !ok) {
        return refuse("metadata of output " + output.name + " at " + ok.error().at.path + ": " + ok.error().message);
      }
      for (const MetadataRule& rule : plan_.contracts.find(planned.operation)->second.guarantees) {
        if (rule.port != output.name) continue;
        for (const std::string& path : rule.all_of) {
          if (!has_path(output.metadata, path))
            return refuse("output " + output.name + " lacks the promised metadata '" + path + "'");
        }
      }
    }
    return {};
  }

  static bool has_path(const Value& value, const std::string& path) {
    const Value* at = &value;
    for (const std::string& part : split(path, '.')) {
      at = at->find(part);
      if (at == nullptr) return false;
    }
    return true;
  }

  const Plan& plan_;
  const RunOptions& options_;
  RunDocuments documents_;
  ArtifactStore store_;
  std::string run_id_;
  std::chrono::steady_clock::time_point last_progress_;
  std::int64_t sequence_ = 0;
};

/// Binds every step to its kernel before anything is written.
Result<std::vector<StepTask>> bind(const Plan& plan) {
  std::vector<StepTask> tasks;
  std::map<std::string, std::size_t, std::less<>> index;
  for (const PlannedStep& step : plan.steps) {
    StepTask task{step.id, step.operation, step.backend, step.implementation, nullptr, nullptr, step.params, {}};
    task.contract = &plan.contracts.find(step.operation)->second;
    if (step.backend == "cpp") task.kernel = native_kernels().find(step.operation, step.backend, step.implementation);
    if (task.kernel == nullptr) {
      Error error{
          code::backend_unavailable,
          plan.recipe.place("steps." + step.id),
          "this program has no '" + step.backend + "' backend for " + step.operation + "/" + step.implementation,
          "plan with a backend that is built in: `noema ops show " + step.operation + "` lists the rows",
          {}};
      error.at.path = "steps." + step.id;
      return error;
    }
    for (const RecipeStep::Input& input : step.inputs)
      task.inputs.push_back({input.name, index.find(input.step)->second, input.output});
    index[step.id] = tasks.size();
    tasks.push_back(std::move(task));
  }
  return tasks;
}

Error with_place(const Plan& plan, Error error) {
  if (error.code == code::io_write && error.hint.empty()) {
    error.hint = "make room where the workspace lies, or name another one; what is not retained needs none";
  }
  if (error.at.path.empty()) return error;
  Place place = plan.recipe.place(error.at.path);
  // An error about a file keeps that file's name; the place in the recipe stands in the path.
  if (error.at.file.empty()) {
    place.path = error.at.path;
    error.at = std::move(place);
  }
  return error;
}

}  // namespace

std::uint64_t step_seed(const SeedPolicy& seeds, const StepTask& step, std::string_view stream,
                        std::uint64_t fallback) {
  if (const Value* authored = step.params.find("seed"); authored != nullptr && authored->int64()) {
    return static_cast<std::uint64_t>(*authored->int64());
  }
  if (!seeds.master) return fallback;
  return derive_seed(*seeds.master, seeds.seed_namespace, step.id, stream);
}

Result<RunOutcome> run(const Plan& plan, const RunOptions& options) {
  NOEMA_TRY(std::vector<StepTask> tasks, bind(plan));
  const int threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const fs::path runs = fs::path(options.workspace) / "runs";
  if (fs::is_symlink(options.workspace) || fs::is_symlink(runs)) {
    return Error{code::io_path,
                 {},
                 "the workspace " + shown(options.workspace, 300) + " or its runs folder is a symbolic link",
                 "name the folder itself with --workspace",
                 {}};
  }
  NOEMA_CHECK(make_folders(runs.string()));
  NOEMA_TRY(const RunReservation reservation,
            RunReservation::take(options.workspace, plan.recipe.name, std::chrono::system_clock::now()));
  const std::string folder = (runs / reservation.id()).string();
  NOEMA_CHECK(make_folders(folder + "/artifacts/.staging"));

  Run state(plan, options, reservation.id(), folder, threads);
  if (auto started = state.documents().start(); !started) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return with_place(plan, std::move(started).error());
  }
  MemorySampler memory;
  state.event("run_created", "run " + reservation.id() + " created",
              {{"recipe_name", plan.recipe.name}, {"directory", folder}});
  state.event("run_started", "run started",
              {{"execution_mode", "sequential"}, {"parallel_workers", 1}, {"threads", threads}});

  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  const auto outcome = arena.execute([&]() -> Result<void> {
    Engine engine(std::move(tasks), state,
                  {.threads = threads, .chunk = options.chunk, .cancel = options.cancel.get(), .keep_outputs = false});
    return engine.run();
  });
  memory.stop();

  RunOutcome done{reservation.id(), folder, "completed", std::nullopt, {}, {}};
  if (!outcome) {
    done.error = with_place(plan, outcome.error());
    done.status = done.error->code == code::canceled ? "canceled" : "failed";
  }
  NOEMA_CHECK(state.store().close());
  if (auto sealed = state.documents().finish(done.status, done.error, memory); !sealed) {
    // Without its manifest no run is complete; the summary, which is written first, may not claim that it is.
    const Error error = with_place(plan, std::move(sealed).error());
    (void)state.documents().finish("failed", error, memory);
    return error;
  }
  done.summary = state.documents().summary();
  done.manifest = state.documents().manifest();
  if (done.status == "completed") {
    state.event("run_completed", "run completed");
  } else {
    state.event(done.status == "canceled" ? "run_canceled" : "run_failed", done.error->message,
                {{"error", error_value(*done.error)}});
  }
  return done;
}

}  // namespace noema
