// SPDX-License-Identifier: Apache-2.0
#include "run/documents.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "core/digest.h"
#include "core/files.h"
#include "core/json.h"
#include "core/report.h"
#include "plan/research.h"
#include "run/environment.h"
#include "run/run_id.h"

namespace noema {
namespace {

namespace fs = std::filesystem;
constexpr auto rewrite_interval = std::chrono::seconds(1);

/// Is the canonical text certainly shorter than the limit? Counts until the limit is passed.
bool surely_small(const Value& value, std::size_t& budget) {
  const auto spend = [&](std::size_t bytes) {
    if (bytes > budget) return false;
    budget -= bytes;
    return true;
  };
  switch (value.kind()) {
    case Value::Kind::string:
      return spend(6 * value.string().size() + 2);
    case Value::Kind::array:
      return std::ranges::all_of(value.items(),
                                 [&](const Value& item) { return spend(1) && surely_small(item, budget); });
    case Value::Kind::object:
      return std::ranges::all_of(value.members(), [&](const Value::Member& member) {
        return spend(6 * member.first.size() + 4) && surely_small(member.second, budget);
      });
    default:
      return spend(24);
  }
}

}  // namespace

RunDocuments::RunDocuments(const Plan& plan, const RunOptions& options, std::string run_id, std::string folder,
                           int threads)
    : plan_(plan),
      options_(options),
      run_id_(std::move(run_id)),
      folder_(std::move(folder)),
      created_(utc_text(std::chrono::system_clock::now())),
      environment_(capture_environment(threads)) {}

Result<void> RunDocuments::start() {
  NOEMA_CHECK(
      write_file_atomic(folder_ + "/recipe.authored.json", pretty_json(plan_.recipe.normalized), Durable::later));
  NOEMA_CHECK(write_file_atomic(folder_ + "/recipe.json", pretty_json(plan_.recipe.effective), Durable::later));
  NOEMA_CHECK(write_file_atomic(folder_ + "/execution-plan.json", pretty_json(plan_.document), Durable::later));
  return write(nullptr);
}

Value RunDocuments::step_metrics(const StepResult& result) {
  Value metrics = result.metrics;
  metrics.set("timing.step.wall_time_s", result.busy_seconds);
  return metrics;
}

Result<Value> RunDocuments::fold_large(const Value& value) {
  const auto known = folds_.find(value.identity());
  if (known != folds_.end()) return known->second;
  const std::string text = canonical_json(value);
  Value folded = value;
  if (text.size() > large_value_bytes) {
    const std::string digest = sha256_hex(text);
    const std::string path = folder_ + "/values/" + digest + ".json";
    if (!fs::exists(path)) {
      NOEMA_CHECK(make_folders(folder_ + "/values"));
      NOEMA_CHECK(write_file_atomic(path, text, Durable::later));
    }
    folded = Value::object(
        {{"$noema_value", Value::object({{"sha256", digest}, {"size_bytes", std::uint64_t{text.size()}}})}});
  }
  fold_owners_.push_back(value);
  folds_.emplace(value.identity(), folded);
  return folded;
}

Result<Value> RunDocuments::folded(const Value& value) {
  if (!value.is_object()) return value;
  Value out = value;
  for (const auto& [key, member] : value.members()) {
    if (member.identity() == nullptr) continue;
    std::size_t budget = large_value_bytes;
    if (surely_small(member, budget)) continue;
    NOEMA_TRY(Value small, fold_large(member));
    out.set(key, std::move(small));
  }
  return out;
}

Result<void> RunDocuments::add(std::size_t step, const StepResult& result,
                               const std::map<std::string, StoredArtifact>& stored, std::string_view status) {
  const PlannedStep& planned = plan_.steps[step];
  const bool completed = status == "completed";
  const Value metrics = completed ? step_metrics(result) : Value::object();
  Value metadata = completed ? result.metadata : Value::object();
  if (completed)
    metadata.set("timing", Value::object({{"step_wall_time_s", result.busy_seconds}, {"clock", "steady_clock"}}));
  NOEMA_TRY(metadata, folded(metadata));

  const std::string metrics_sha256 = sha256_of(metrics);
  Value summary_outputs = Value::object();
  Value manifest_outputs = Value::object();
  if (completed) {
    for (const OutputResult& output : result.outputs) {
      const StoredArtifact& file = stored.at(output.name);
      NOEMA_TRY(const Value facts, folded(output.metadata));
      const auto projected = [&](const char* key) {
        const Value* found = output.arrays.empty() ? nullptr : facts.find(key);
        return found == nullptr ? Value() : *found;
      };
      const Value digest = file.sha256.empty() ? Value() : Value(file.sha256);
      summary_outputs.set(output.name, Value::object({{"kind", output.kind},
                                                      {"path", file.relative_path},
                                                      {"metadata", facts},
                                                      {"sha256", digest},
                                                      {"retained", file.retained}}));
      Value record = Value::object({{"step_id", planned.id},
                                    {"output_name", output.name},
                                    {"kind", output.kind},
                                    {"path", file.relative_path},
                                    {"relative_path", file.relative_path},
                                    {"sha256", digest},
                                    {"dtype", projected("dtype")},
                                    {"shape", projected("shape")},
                                    {"array", projected("array")},
                                    {"metadata", facts},
                                    {"metadata_sha256", sha256_of(facts)},
                                    {"producer_metrics_sha256", metrics_sha256},
                                    {"retained", file.retained}});
      if (!file.sha256.empty()) record.set("size_bytes", file.size);
      manifest_outputs.set(output.name, record);
    }
  }

  StepRecord record;
  record.summary = Value::object({{"id", planned.id},
                                  {"op", planned.operation},
                                  {"status", status},
                                  {"execution_binding", planned.binding},
                                  {"outputs", summary_outputs},
                                  {"metrics", metrics},
                                  {"metadata", metadata}});
  if (result.error) {
    record.summary.set("error", result.error->message);
    record.summary.set("error_type", result.error->code.text);
  }
  std::vector<std::string> keys;
  for (const auto& [key, value] : metrics.members()) keys.push_back(key);
  std::ranges::sort(keys);
  record.manifest = Value::object({{"id", planned.id},
                                   {"op", planned.operation},
                                   {"status", status},
                                   {"metrics_keys", keys},
                                   {"metrics", metrics},
                                   {"metrics_sha256", metrics_sha256},
                                   {"outputs", manifest_outputs},
                                   {"execution_binding", planned.binding}});
  if (!result.files.empty()) {
    Value files = Value::array();
    for (const InputFile& file : result.files) {
      files.push(Value::object({{"path", file.path}, {"sha256", file.sha256}, {"size_bytes", file.size}}));
    }
    record.manifest.set("input_files", files);
  }
  steps_[step] = record;
  if (std::chrono::steady_clock::now() - last_write_ >= rewrite_interval) return write(nullptr);
  return append_journal(record);
}

Result<void> RunDocuments::append_journal(const StepRecord& record) {
  const std::string path = folder_ + "/journal.jsonl";
  const std::string line =
      canonical_json(Value::object({{"summary", record.summary}, {"manifest", record.manifest}})) + "\n";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const bool written = file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const int failure = errno;
  if (file >= 0) ::close(file);
  if (!written) {
    Error error{code::io_write, {}, "can't write the journal: " + system_message(failure), {}, {}};
    error.at.file = path;
    return error;
  }
  return {};
}

Value RunDocuments::shared_head(const char* kind) const {
  Value head = Value::object({{"schema_version", 1},
                              {"kind", kind},
                              {"run_id", run_id_},
                              {"recipe_name", plan_.recipe.name},
                              {"status", status_},
                              {"created_at_utc", created_}});
  if (!completed_.empty()) head.set("completed_at_utc", completed_);
  if (!error_.is_null()) head.set("error", error_.at("message"));
  head.set("execution", Value::object({{"mode", "sequential"}, {"parallel_workers", 1}}));
  head.set("seed_policy", plan_.seeds.evidence());
  return head;
}

Result<void> RunDocuments::write(const MemorySampler* memory) {
  const Recipe& recipe = plan_.recipe;
  const Value cache = Value::object({{"schema_version", 1},
                                     {"enabled", false},
                                     {"outcome", "bypass"},
                                     {"plan_sha256", plan_.sha256},
                                     {"effective_recipe_sha256", recipe.effective_sha256},
                                     {"authored_recipe_sha256", recipe.authored_sha256}});
  const Value metrics = memory == nullptr ? Value::object() : memory->metrics();
  Value measurements = Value::object();
  if (memory != nullptr) measurements.set("memory.run.rss", memory->evidence());

  Value summary_steps = Value::array();
  Value manifest_steps = Value::array();
  Value artifacts = Value::array();
  for (const auto& [index, record] : steps_) {
    summary_steps.push(record.summary);
    manifest_steps.push(record.manifest);
    for (const auto& [name, artifact] : record.manifest.at("outputs").members()) artifacts.push(artifact);
  }

  summary_ = shared_head("noema.run_summary");
  summary_.set("manifest", "manifest.json");
  summary_.set("recipe_sha256", recipe.effective_sha256);
  summary_.set("effective_recipe_sha256", recipe.effective_sha256);
  summary_.set("authored_recipe_sha256", recipe.authored_sha256);
  summary_.set("execution_plan", Value::object({{"schema_version", 1},
                                                {"path", "execution-plan.json"},
                                                {"sha256", plan_.sha256},
                                                {"runner", plan_.document.at("runner")},
                                                {"cache", cache}}));
  summary_.set("steps", summary_steps);
  summary_.set("metrics", metrics);
  summary_.set("measurement_evidence", measurements);
  const std::string summary_text = pretty_json(summary_);
  NOEMA_CHECK(write_file_atomic(folder_ + "/summary.json", summary_text, Durable::later));

  const Value* recipe_metadata = recipe.effective.find("metadata");
  std::vector<std::string> metadata_keys;
  for (const auto& [key, value] : recipe_metadata->members()) metadata_keys.push_back(key);
  std::ranges::sort(metadata_keys);

  manifest_ = shared_head("noema.run_manifest");
  manifest_.set("recipe", Value::object({{"schema_version", 1},
                                         {"sha256", recipe.effective_sha256},
                                         {"authored_sha256", recipe.authored_sha256},
                                         {"effective_sha256", recipe.effective_sha256},
                                         {"step_count", std::uint64_t{recipe.steps.size()}},
                                         {"metadata_keys", metadata_keys},
                                         {"research", infer_research(recipe)}}));
  manifest_.set("environment", environment_);
  manifest_.set("operation_contracts", plan_.document.at("operation_contracts"));
  manifest_.set("execution_plan", Value::object({{"schema_version", 1},
                                                 {"kind", "noema.execution_plan"},
                                                 {"path", "execution-plan.json"},
                                                 {"sha256", plan_.sha256},
                                                 {"runner", plan_.document.at("runner")},
                                                 {"authored_recipe_sha256", recipe.authored_sha256},
                                                 {"effective_recipe_sha256", recipe.effective_sha256},
                                                 {"steps", plan_.document.at("steps")},
                                                 {"cache", cache}}));
  manifest_.set("steps", manifest_steps);
  manifest_.set("artifacts", artifacts);
  manifest_.set("storage", Value::object({{"retain", options_.retain == Retain::all       ? "all"
                                                     : options_.retain == Retain::reports ? "reports"
                                                                                          : "none"},
                                          {"digest", options_.digest == DigestScope::all ? "all" : "reports"},
                                          {"npz_compression", options_.compress ? "deflated" : "stored"}}));
  manifest_.set("summary_evidence", Value::object({{"schema_version", 1},
                                                   {"kind", "noema.run_summary_evidence"},
                                                   {"metrics", metrics},
                                                   {"metrics_sha256", sha256_of(metrics)},
                                                   {"measurement_evidence", measurements},
                                                   {"measurement_evidence_sha256", sha256_of(measurements)}}));
  manifest_.set("summary", Value::object({{"kind", "noema.run_summary"},
                                          {"relative_path", "summary.json"},
                                          {"sha256", sha256_hex(summary_text)},
                                          {"size_bytes", std::uint64_t{summary_text.size()}}}));
  manifest_.set("sha256", sha256_of(manifest_));
  if (memory != nullptr) {
    std::vector<std::string> paths{folder_ + "/recipe.authored.json", folder_ + "/recipe.json",
                                   folder_ + "/execution-plan.json", folder_ + "/summary.json", folder_};
    std::error_code none;
    for (const auto& value : fs::directory_iterator(folder_ + "/values", none)) paths.push_back(value.path().string());
    NOEMA_CHECK(flush_paths(paths));
  }
  NOEMA_CHECK(write_file_atomic(folder_ + "/manifest.json", pretty_json(manifest_),
                                memory != nullptr ? Durable::now : Durable::later));
  last_write_ = std::chrono::steady_clock::now();
  return {};
}

Result<void> RunDocuments::finish(std::string_view status, const std::optional<Error>& error,
                                  const MemorySampler& memory) {
  status_ = std::string(status);
  completed_ = utc_text(std::chrono::system_clock::now());
  if (error) error_ = error_value(*error);
  NOEMA_CHECK(write(&memory));
  std::error_code ignored;
  fs::remove(folder_ + "/journal.jsonl", ignored);
  return {};
}

}  // namespace noema
