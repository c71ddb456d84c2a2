// SPDX-License-Identifier: Apache-2.0
#include "conformance/trial.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "core/digest.h"
#include "core/files.h"
#include "core/json.h"
#include "core/report.h"
#include "noema/recipe.h"
#include "run/store.h"

namespace noema::conformance {
namespace {

Error bad(std::string message) { return {Code{"case.invalid"}, {}, std::move(message), {}, {}}; }

/// An engine host without disk: outputs stay in memory, files come from the repository.
class Host final : public EngineHost {
 public:
  explicit Host(const Setting& setting) : setting_(setting) {}
  OutputSink* sink(std::size_t, const OutputPort&) override { return nullptr; }
  void step_started(std::size_t) override {}
  void step_progress(std::size_t, std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {}
  Result<void> step_finished(std::size_t, const StepResult& finished) override {
    if (auto ok = check_json(finished.metrics); !ok)
      return bad("metrics: " + ok.error().at.path + ": " + ok.error().message);
    for (const OutputResult& output : finished.outputs) {
      if (auto ok = check_json(output.metadata); !ok) {
        return bad("metadata of " + output.name + ": " + ok.error().at.path + ": " + ok.error().message);
      }
    }
    result = finished;
    return {};
  }
  void step_failed(std::size_t, const StepResult&) override {}
  std::uint64_t seed(const StepTask& step, std::string_view stream, std::uint64_t fallback) override {
    SeedPolicy seeds;
    if (!setting_.master_seed.empty()) seeds.master = setting_.master_seed;
    seeds.seed_namespace = setting_.name_space;
    return step_seed(seeds, step, stream, fallback);
  }
  Result<FileContent> read_file(const std::string& path, std::uint64_t limit) override {
    NOEMA_TRY(std::string bytes, read_text_file(resolve(path), limit));
    std::string digest = sha256_hex(bytes);
    return FileContent{path, std::move(bytes), std::move(digest)};
  }
  std::string resolve(const std::string& path) override {
    if (std::filesystem::path(path).is_absolute()) return path;
    return std::string(NOEMA_SOURCE_DIR) + "/" + path;
  }
  StepResult result;

 private:
  const Setting& setting_;
};

bool close_to(double got, double want, double atol, double rtol) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) == std::isnan(want);
  return std::abs(got - want) <= atol + rtol * std::abs(want);
}

template <class T>
std::string compare(const Array& got, const Array& want, double atol, double rtol) {
  const auto g = got.span<T>();
  const auto w = want.span<T>();
  for (std::size_t i = 0; i < g.size(); ++i) {
    bool same = false;
    if constexpr (std::is_same_v<T, Complex>) {
      same = close_to(g[i].real(), w[i].real(), atol, rtol) && close_to(g[i].imag(), w[i].imag(), atol, rtol);
    } else {
      same = atol == 0 && rtol == 0 ? g[i] == w[i]
                                    : close_to(static_cast<double>(g[i]), static_cast<double>(w[i]), atol, rtol);
    }
    if (!same) return "element " + std::to_string(i) + " differs";
  }
  return {};
}

std::string compare_arrays(const Array& got, const Array& want, double atol, double rtol) {
  if (got.shape() != want.shape()) {
    return "shape " + canonical_json(shape_value(got.shape())) + ", expected " +
           canonical_json(shape_value(want.shape()));
  }
  switch (got.dtype()) {
    case DType::u8:
      return compare<std::uint8_t>(got, want, atol, rtol);
    case DType::i64:
      return compare<std::int64_t>(got, want, atol, rtol);
    case DType::f32:
      return compare<float>(got, want, atol, rtol);
    case DType::f64:
      return compare<double>(got, want, atol, rtol);
    case DType::c64:
      return compare<Complex>(got, want, atol, rtol);
    default:
      return "cases do not compare arrays of " + std::string(dtype_name(got.dtype()));
  }
}

/// Every member of `want` stands in `got` with an equal value; objects are compared member by member. Doubles may
/// differ by a relative 1e-12, since a case states them as text.
std::string subset(const Value& got, const Value& want, const std::string& where) {
  if (want.is_object() && got.is_object()) {
    for (const auto& [key, member] : want.members()) {
      const Value* found = got.find(key);
      if (found == nullptr) return where + "." + key + " is missing";
      if (std::string problem = subset(*found, member, where + "." + key); !problem.empty()) return problem;
    }
    return {};
  }
  if (want.is_array() && got.is_array() && want.size() == got.size()) {
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (std::string problem = subset(got[i], want[i], where + "[" + std::to_string(i) + "]"); !problem.empty())
        return problem;
    }
    return {};
  }
  if (want.is_number() && got.is_number() && close_to(got.number(), want.number(), 1e-300, 1e-12)) return {};
  if (got == want) return {};
  return where + " is " + canonical_json(got) + ", expected " + canonical_json(want);
}

std::string compare_output(const Artifact& got, const Value& want, const std::string& port) {
  const Value* document = want.find("document");
  if (document != nullptr) {
    if (!got.document) return "output " + port + " is no document";
    return subset(*got.document, *document, "output " + port);
  }
  if (got.arrays.empty()) return "output " + port + " holds no array";
  const Value* member = want.find("member");
  const Array* array = member == nullptr ? &got.arrays.front().array : got.array(member->string());
  if (array == nullptr) return "output " + port + " has no member " + member->string();
  if (const Value* length = want.find("length")) {
    if (static_cast<std::int64_t>(array->size()) != length->integer()) {
      return "output " + port + " has " + std::to_string(array->size()) + " elements, expected " +
             length->integer_text();
    }
    if (want.find("sha256") == nullptr && want.find("values") == nullptr) return {};
  }
  if (const Value* digest = want.find("sha256")) {
    const std::string found = sha256_hex(array->bytes());
    return found == digest->string() ? std::string{}
                                     : "output " + port + " has SHA-256 " + found + ", expected " + digest->string();
  }
  const Value* values = want.is_array() ? &want : want.find("values");
  if (values == nullptr) return "output " + port + ": the case expects nothing that can be checked";
  const Value* atol = want.find("atol");
  const Value* rtol = want.find("rtol");
  const Shape shape = array->shape();
  auto expected = make_array(*values, array->dtype(), nullptr);
  if (!expected) return "output " + port + ": " + expected.error().message;
  Array wanted = *expected;
  if (wanted.size() == array->size()) wanted = wanted.reshaped(shape);  // values may be listed flat
  const std::string problem =
      compare_arrays(*array, wanted, atol == nullptr ? 0 : atol->number(), rtol == nullptr ? 0 : rtol->number());
  return problem.empty() ? std::string{} : "output " + port + ": " + problem;
}

std::string key_difference(std::set<std::string> got, const Value& want, const std::string& what) {
  std::set<std::string> expected;
  for (const Value& key : want.items()) expected.insert(key.string());
  std::string problem;
  for (const std::string& key : expected) {
    if (!got.contains(key)) problem += " lacks '" + key + "';";
  }
  for (const std::string& key : got) {
    if (!expected.contains(key)) problem += " has '" + key + "' besides;";
  }
  return problem.empty() ? std::string{} : what + problem;
}

std::set<std::string> keys_of(const Value& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.members()) keys.insert(key);
  return keys;
}

}  // namespace

Result<Value> effective_parameters(const Contract& contract, const Row& row, const Setting& setting) {
  NOEMA_CHECK(check_parameters(contract, setting.params));
  Value params = with_defaults(contract, setting.params);
  if (row.bindings.is_object()) {
    for (const auto& [name, value] : row.bindings.members()) params.set(name, value);
  }
  for (const Selector& selector : contract.selectors) {
    const Value* current = params.find(selector.parameter);
    if (current == nullptr || !selector.is_automatic(current->string())) continue;
    for (const auto& [value, backend] : selector.mapping) {
      if (backend == row.backend) params.set(selector.parameter, value);
    }
  }
  std::vector<std::string> connected;
  for (const auto& [port, artifact] : setting.inputs) connected.push_back(port);
  NOEMA_CHECK(preflight(contract, params, connected));
  return params;
}

const Row* row_for(const Contract& contract, const Value& effective, std::string_view backend) {
  const Row* best = nullptr;
  for (const Row& row : contract.rows) {
    if (row.runner != "benchmark_run" || row.status != "implemented" || row.backend != backend || row.explicit_only)
      continue;
    bool fits = true;
    if (row.bindings.is_object()) {
      for (const auto& [name, value] : row.bindings.members()) {
        const Value* given = effective.find(name);
        fits &= given != nullptr && *given == value;
      }
    }
    if (fits && (best == nullptr || row.bindings.size() > best->bindings.size())) best = &row;
  }
  return best;
}

Result<Outcome> run_operation(const Contract& contract, const Row& row, const Setting& setting,
                              const TrialOptions& options) {
  NOEMA_TRY(const Value params, effective_parameters(contract, row, setting));
  const Kernel* kernel = native_kernels().find(contract.id, row.backend, row.implementation);
  if (kernel == nullptr) return bad(contract.id + " has no kernel " + row.backend + "/" + row.implementation);
  for (const InputPort& port : contract.inputs) {
    const auto given = setting.inputs.find(port.name);
    if (given == setting.inputs.end()) {
      if (port.optional) continue;
      return Error{
          Code{"plan.input_missing"}, {"inputs." + port.name, {}, 0, 0, {}}, "the input is not connected", {}, {}};
    }
    if (std::ranges::find(port.kinds, given->second.kind) == port.kinds.end()) {
      return Error{Code{"plan.input_kind"},
                   {"inputs." + port.name, {}, 0, 0, {}},
                   "the kind " + given->second.kind + " is not accepted",
                   {},
                   {}};
    }
  }
  // Each input comes from a task of its own that has no kernel.
  std::vector<StepTask> tasks;
  StepTask step{setting.step, contract.id, row.backend, row.implementation, &contract, kernel, params, {}};
  for (const auto& [port, artifact] : setting.inputs) {
    step.inputs.push_back({port, tasks.size(), "value"});
    tasks.push_back({"input_" + port, "", "", "", nullptr, nullptr, Value::object(), {}});
  }
  tasks.push_back(step);
  Host host(setting);
  Engine engine(std::move(tasks), host,
                {.threads = options.threads, .chunk = options.chunk, .cancel = nullptr, .keep_outputs = true});
  std::size_t index = 0;
  for (const auto& [port, artifact] : setting.inputs) engine.provide(index++, "value", artifact);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(options.threads));
  tbb::task_arena arena(options.threads);
  NOEMA_CHECK(arena.execute([&] { return engine.run(); }));
  Outcome outcome;
  outcome.metrics = host.result.metrics;
  outcome.step_metadata = host.result.metadata;
  for (const OutputPort& port : contract.outputs) {
    const auto artifact = engine.output(index, port.name);
    if (artifact == nullptr) return bad("output " + port.name + " was not kept");
    outcome.outputs.emplace(port.name, *artifact);
  }
  return outcome;
}

Result<Setting> setting_of(const Case& one, const Contract& contract, const Catalog& catalog) {
  Setting setting;
  const auto text_or = [&](const char* key, std::string otherwise) {
    const Value* found = one.body.find(key);
    return found == nullptr ? otherwise : found->string();
  };
  if (const Value* params = one.body.find("params")) setting.params = *params;
  setting.step = text_or("step", "step");
  setting.name_space = text_or("namespace", "case");
  if (const Value* seed = one.body.find("seed")) setting.master_seed = seed->integer_text();
  if (const Value* inputs = one.body.find("inputs")) {
    for (const auto& [port, description] : inputs->members()) {
      NOEMA_TRY(Artifact made, make_source(description, contract.input(port), catalog));
      setting.inputs.emplace(port, std::move(made));
    }
  }
  return setting;
}

std::string difference(const Case& one, const Outcome& outcome) {
  std::string problems;
  const auto note = [&](std::string problem) {
    if (!problem.empty()) problems += "\n  " + problem;
  };
  if (const Value* outputs = one.body.find("outputs")) {
    for (const auto& [port, want] : outputs->members()) {
      const auto got = outcome.outputs.find(port);
      note(got == outcome.outputs.end() ? "there is no output " + port : compare_output(got->second, want, port));
    }
  }
  if (const Value* metrics = one.body.find("metrics")) note(subset(outcome.metrics, *metrics, "metrics"));
  if (const Value* metadata = one.body.find("step_metadata"))
    note(subset(outcome.step_metadata, *metadata, "step metadata"));
  if (const Value* names = one.body.find("metric_names"))
    note(key_difference(keys_of(outcome.metrics), *names, "the set of metrics"));
  if (const Value* metadata = one.body.find("metadata")) {
    for (const auto& [port, want] : metadata->members()) {
      const auto got = outcome.outputs.find(port);
      note(got == outcome.outputs.end() ? "there is no output " + port
                                        : subset(got->second.metadata, want, "metadata of " + port));
    }
  }
  if (const Value* keys = one.body.find("metadata_keys")) {
    for (const auto& [port, want] : keys->members()) {
      const auto got = outcome.outputs.find(port);
      if (got == outcome.outputs.end()) {
        note("there is no output " + port);
        continue;
      }
      std::set<std::string> found = keys_of(got->second.metadata);
      if (!got->second.document) {
        for (const char* engine_key : {"array", "arrays", "dtype", "shape"}) found.erase(engine_key);
      }
      note(key_difference(found, want, "the metadata of " + port));
    }
  }
  return problems;
}

}  // namespace noema::conformance
