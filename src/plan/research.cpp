// Research specifications: declared, inferred, and compared with the catalogue (plan/research.h).
// SPDX-License-Identifier: Apache-2.0
#include "plan/research.h"

#include <algorithm>
#include <string_view>

#include "core/json.h"
#include "core/text.h"
#include "plan/codes.h"
#include "plan/findings.h"
#include "plan/research_specs.h"

namespace noema {

namespace {

using Level = ResearchFinding::Level;

const std::string& id_of(const Value& spec) { return spec.at("id").string(); }

/// Text of a member, or a stand-in when it is absent or no text.
std::string text_or(const Value& object, std::string_view key, std::string fallback) {
  const Value* member = object.find(key);
  return member != nullptr && member->is_string() ? member->string() : std::move(fallback);
}

bool present(const Value& object, std::string_view key) {
  const Value* member = object.find(key);
  return member != nullptr && !member->is_null();
}

bool uses(const Recipe& recipe, const std::string& operation) {
  return std::ranges::any_of(recipe.steps, [&](const RecipeStep& step) { return step.operation == operation; });
}

/// Tasks that the recipe's metric operations tell, the one that counts first.
std::vector<std::string> told_tasks(const Recipe& recipe) {
  std::vector<std::string> tasks;
  for (const Value& rule : planner::catalog_base().at("task_inference").items()) {
    const auto& operations = rule.at("operations").items();
    if (std::ranges::all_of(operations, [&](const Value& one) { return uses(recipe, one.string()); })) {
      tasks.push_back(rule.at("task").string());
    }
  }
  return tasks;
}

Value inferred_dataset(const Recipe& recipe) {
  for (const RecipeStep& step : recipe.steps) {
    const std::string named = text_or(step.params, "dataset", {});
    const Value* found = nullptr;
    for (const Value& dataset : planner::catalog_base().at("datasets").items()) {
      const auto& sources = dataset.at("source_ops").items();
      if (std::ranges::find(sources, Value(step.operation)) == sources.end()) continue;
      if (id_of(dataset) == named) {
        found = &dataset;
        break;
      }
      // Without a dataset parameter the first supported one stands for the operation.
      const bool supported = dataset.at("status") == Value("supported");
      if (found == nullptr || (supported && found->at("status") != Value("supported"))) found = &dataset;
    }
    if (found == nullptr) continue;
    const std::string id = named.empty() ? id_of(*found) : named;
    Value spec = Value::object(
        {{"schema_version", 1}, {"id", id}, {"modality", found->at("modality")}, {"params", Value::object()}});
    spec.set("source", step.operation);
    return spec;
  }
  return {};
}

Value inferred_task(const std::string& id) {
  std::vector<ResearchFinding> none;
  return planner::task_spec(Value(id), {}, none);
}

std::string channel_label(const Recipe& recipe, const Value& metadata) {
  const std::string mode = text_or(metadata, "channel_mode", {});
  if (!mode.empty()) return mode;
  if (const Value* enabled = metadata.find("channel_enabled"); enabled != nullptr && *enabled == Value(false))
    return "disabled";
  const bool wireless =
      std::ranges::any_of(recipe.steps, [](const RecipeStep& step) { return step.operation.starts_with("wireless."); });
  if (wireless) return "wireless";
  return uses(recipe, "channel.identity_link") || uses(recipe, "channel.identity_symbol_link") ? "identity"
                                                                                               : "unspecified";
}

class Study {
 public:
  Study(const Recipe& recipe, const Catalog* contracts) : recipe_(recipe), contracts_(contracts) {
    const Value* metadata = recipe.effective.find("metadata");
    metadata_ = metadata != nullptr && metadata->is_object() ? *metadata : Value::object();
  }

  Research inspect() {
    read_declared();
    told_ = told_tasks(recipe_);
    check_task();
    infer_missing();
    check_dataset_entry();
    check_task_entry();
    check_modalities();
    check_metrics();
    return {document(), std::move(findings_)};
  }

  /// Contradictions of what is declared, without inferring anything.
  std::vector<ResearchFinding> contradictions() {
    read_declared();
    if (task_declared_) told_ = told_tasks(recipe_);
    check_task();
    check_dataset_entry();
    check_task_entry();
    check_modalities();
    return std::move(findings_);
  }

 private:
  void add(Level level, Code code, std::string message, std::string path) {
    findings_.push_back({level, code, std::move(message), std::move(path)});
  }

  void read_declared() {
    const auto read = [&](const Value& object, const char* key, const std::string& path, auto reader, Value& spec) {
      if (present(object, key)) spec = reader(object.at(key), path, findings_);
    };
    std::string root = "metadata.research";
    if (present(metadata_, "research")) {
      const Value& research = metadata_.at("research");
      if (!research.is_object()) {
        add(Level::error, code::research_invalid, "research must be an object", root);
      } else {
        source_ = "recipe.metadata.research";
        read(research, "dataset", root + ".dataset", planner::dataset_spec, dataset_);
        read(research, "task", root + ".task", planner::task_spec, task_);
        read(research, "metrics", root + ".metrics", planner::metric_specs, metrics_);
        read(research, "benchmark", root + ".benchmark", planner::benchmark_spec, benchmark_);
      }
    } else {
      read(metadata_, "dataset_spec", "metadata.dataset_spec", planner::dataset_spec, dataset_);
      read(metadata_, "task_spec", "metadata.task_spec", planner::task_spec, task_);
      read(metadata_, "metric_specs", "metadata.metric_specs", planner::metric_specs, metrics_);
      read(metadata_, "benchmark_spec", "metadata.benchmark_spec", planner::benchmark_spec, benchmark_);
      if (!dataset_.is_null() || !task_.is_null() || !metrics_.is_null() || !benchmark_.is_null()) {
        source_ = "recipe.metadata.legacy_specs";
        root = "metadata";
      }
    }
    dataset_path_ = root == "metadata" ? "metadata.dataset_spec" : root + ".dataset";
    task_path_ = root == "metadata" ? "metadata.task_spec" : root + ".task";
    metrics_path_ = root == "metadata" ? "metadata.metric_specs" : root + ".metrics";
    dataset_declared_ = !dataset_.is_null();
    read_task_id();
    task_declared_ = !task_.is_null();
  }

  /// `metadata.task_id` is an older way to name the task.
  void read_task_id() {
    if (!present(metadata_, "task_id")) return;
    const Value& id = metadata_.at("task_id");
    if (!id.is_string() || trimmed(id.string()).empty()) {
      return add(Level::error, code::research_invalid, "task_id must be text, not " + canonical_json(id),
                 "metadata.task_id");
    }
    if (!task_.is_null()) {
      if (id_of(task_) != id.string()) {
        add(Level::error, code::research_task_conflict,
            "task_id is " + id.string() + ", but the research specification names the task " + id_of(task_),
            "metadata.task_id");
      }
      return;
    }
    task_ = inferred_task(id.string());
    task_path_ = "metadata.task_id";
    by_task_id_ = true;
  }

  /// Does what the author declares agree with what the recipe measures?
  void check_task() {
    if (!task_declared_ || told_.empty() || told_.front() == "bit_transport") return;
    if (std::ranges::find(told_, id_of(task_)) != told_.end()) return;
    add(Level::error, code::research_task_conflict,
        "the declared task is " + id_of(task_) + ", but the recipe's metrics are those of " +
            planner::listed(told_, "or"),
        id_path(task_path_));
  }

  void infer_missing() {
    bool filled = false;
    const auto fill = [&](Value& spec, Value inferred) {
      if (!spec.is_null() || inferred.is_null()) return;
      spec = std::move(inferred);
      filled = true;
    };
    fill(dataset_, inferred_dataset(recipe_));
    if (!told_.empty()) fill(task_, inferred_task(told_.front()));
    if (metrics_.is_null() && !task_.is_null()) {
      Value list = Value::array();
      const auto add = [&](const Value& ids) {
        for (const Value& id : ids.items()) {
          list.push(Value::object({{"schema_version", 1}, {"id", id}, {"params", Value::object()}}));
        }
      };
      add(task_.at("metrics"));
      for (const Value& rule : planner::catalog_base().at("metric_inference").items()) {
        if (rule.at("task") == task_.at("id") && uses(recipe_, rule.at("operation").string())) add(rule.at("metrics"));
      }
      if (list.size() > 0) fill(metrics_, std::move(list));
    }
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      metrics_.edit(i) = planner::filled_metric(metrics_[i]);
    }
    if (benchmark_.is_null() && present(metadata_, "benchmark_id")) {
      Value named = Value::object({{"id", metadata_.at("benchmark_id")}});
      if (present(metadata_, "benchmark_version")) named.set("version", metadata_.at("benchmark_version"));
      std::vector<ResearchFinding> found;
      benchmark_ = planner::benchmark_spec(named, "metadata.benchmark_id", found);
      for (ResearchFinding& one : found) findings_.push_back(std::move(one));
    }
    complete_benchmark();
    if (source_.empty()) {
      source_ = "inferred_from_recipe";
    } else if (filled) {
      source_ += "+inferred_from_recipe";
    }
    if (by_task_id_) source_ = "metadata.task_id+" + source_;
  }

  void complete_benchmark() {
    if (!benchmark_.is_object()) return;
    const auto name = [&](const char* key, const Value& spec) {
      if (spec.is_object() && benchmark_.find(key) == nullptr) benchmark_.set(key, spec.at("id"));
    };
    name("dataset", dataset_);
    name("task", task_);
    if (benchmark_.find("channel") == nullptr) benchmark_.set("channel", channel_label(recipe_, metadata_));
    if (benchmark_.at("metrics").size() == 0 && metrics_.is_array()) {
      Value ids = Value::array();
      for (const Value& metric : metrics_.items()) ids.push(metric.at("id"));
      benchmark_.set("metrics", std::move(ids));
    }
  }

  /// Does a declared field say what the catalogue says?
  void compare(const Value& spec, const Value& entry, const char* key, const std::string& what,
               const std::string& path) {
    const Value* have = spec.find(key);
    if (have == nullptr || *have == entry.at(key)) return;
    add(Level::error, code::research_catalog_conflict,
        std::string(key) + " of " + what + " " + id_of(spec) + " is " + canonical_json(*have) +
            "; the research catalogue has " + canonical_json(entry.at(key)),
        path + "." + key);
  }

  void report_unknown(const std::string& what, const std::string& id, const std::string& path) {
    add(Level::information, {}, "the research catalogue does not know the " + what + " " + shown(id), path);
  }

  static std::string id_path(const std::string& path) { return path == "metadata.task_id" ? path : path + ".id"; }

  void check_dataset_entry() {
    if (dataset_.is_null()) return;
    const Value* entry = planner::catalog_dataset(id_of(dataset_));
    if (entry == nullptr) return report_unknown("dataset", id_of(dataset_), dataset_path_);
    compare(dataset_, *entry, "modality", "the dataset", dataset_path_);
  }

  void check_task_entry() {
    if (task_.is_null()) return;
    const Value* entry = planner::catalog_task(id_of(task_));
    if (entry == nullptr) return report_unknown("task", id_of(task_), task_path_);
    compare(task_, *entry, "kind", "the task", task_path_);
    compare(task_, *entry, "modality", "the task", task_path_);
    if (entry->at("status") != Value("supported")) {
      add(Level::warning, {},
          "the task " + id_of(task_) + " is " + entry->at("status").string() + " in the research catalogue",
          task_path_);
    }
  }

  void check_modalities() {
    if (dataset_.is_null() || task_.is_null()) return;
    const std::string data = text_or(dataset_, "modality", {});
    const std::string task = text_or(task_, "modality", {});
    const auto open = [](const std::string& modality) {
      return modality.empty() || modality == "multimodal" || modality == "generic";
    };
    if (data == task || open(data) || open(task)) return;
    const bool declared = dataset_declared_ && task_declared_;
    add(declared ? Level::error : Level::warning, code::research_catalog_conflict,
        "the dataset " + id_of(dataset_) + " is " + data + ", but the task " + id_of(task_) + " is about " + task,
        dataset_declared_ ? dataset_path_ : task_path_);
  }

  void check_metrics() {
    if (!metrics_.is_array()) return;
    const std::vector<std::string> emitted = emitted_metrics();
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      const std::string& id = id_of(metrics_[i]);
      const std::string path = metrics_path_ + "[" + std::to_string(i) + "]";
      const Value* entry = planner::catalog_metric(id);
      if (entry == nullptr) {
        report_unknown("metric", id, path);
        continue;
      }
      if (entry->at("status") != Value("supported")) {
        add(Level::warning, {},
            "the metric " + id + " is " + entry->at("status").string() + " in the research catalogue", path);
      }
      const Value* own = task_.is_null() ? nullptr : planner::catalog_task(id_of(task_));
      if (contracts_ == nullptr || own == nullptr) continue;
      const auto& main = own->at("metrics").items();
      if (std::ranges::find(main, Value(id)) != main.end()) continue;
      if (std::ranges::none_of(emitted, [&](const std::string& pattern) { return matches(id, pattern); })) {
        add(Level::warning, {}, "no operation of this recipe emits the metric " + id, path);
      }
    }
  }

  /// Names and patterns of the metrics that the recipe's operations emit: a task's optional metrics.
  std::vector<std::string> emitted_metrics() const {
    std::vector<std::string> names;
    if (contracts_ == nullptr) return names;
    for (const RecipeStep& step : recipe_.steps) {
      const Contract* contract = contracts_->find(step.operation);
      const Value* metrics = contract == nullptr ? nullptr : contract->hashed.find("x-noema-metrics");
      if (metrics == nullptr || !metrics->is_object()) continue;
      for (const auto& [name, about] : metrics->members()) names.push_back(name);
    }
    return names;
  }

  /// `channel.<label>.ber` stands for any text where the label is.
  static bool matches(std::string_view id, std::string_view pattern) {
    const std::size_t open = pattern.find('<');
    const std::size_t close = pattern.find('>', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos) return id == pattern;
    if (!id.starts_with(pattern.substr(0, open))) return false;
    const std::string_view rest = pattern.substr(close + 1);
    for (std::size_t end = open + 1; end <= id.size(); ++end) {
      if (matches(id.substr(end), rest)) return true;
    }
    return false;
  }

  Value document() const {
    Value out = Value::object({{"schema_version", 1}, {"source", source_}});
    if (!dataset_.is_null()) out.set("dataset", dataset_);
    if (!task_.is_null()) out.set("task", task_);
    if (!metrics_.is_null()) out.set("metrics", metrics_);
    if (!benchmark_.is_null()) out.set("benchmark", benchmark_);
    Value errors = Value::array();
    Value warnings = Value::array();
    Value information = Value::array();
    for (const ResearchFinding& one : findings_) {
      Value& list = one.level == Level::error ? errors : one.level == Level::warning ? warnings : information;
      list.push(one.message);
    }
    const auto status = [](auto find_entry, const Value& spec) {
      if (spec.is_null()) return Value();
      const Value* entry = find_entry(id_of(spec));
      return Value::object(
          {{"id", spec.at("id")}, {"status", entry == nullptr ? Value("unknown") : entry->at("status")}});
    };
    Value metrics = Value::array();
    if (metrics_.is_array()) {
      for (const Value& metric : metrics_.items()) metrics.push(status(planner::catalog_metric, metric));
    }
    Value validation = Value::object({{"schema_version", 1}});
    validation.set("status", errors.size() > 0 ? "invalid" : warnings.size() > 0 ? "warning" : "valid");
    validation.set("errors", std::move(errors));
    validation.set("warnings", std::move(warnings));
    validation.set("information", std::move(information));
    validation.set("dataset", status(planner::catalog_dataset, dataset_));
    validation.set("task", status(planner::catalog_task, task_));
    validation.set("metrics", std::move(metrics));
    out.set("catalog_validation", std::move(validation));
    return out;
  }

  const Recipe& recipe_;
  const Catalog* contracts_;
  Value metadata_;
  std::string source_;
  Value dataset_, task_, metrics_, benchmark_;
  std::string dataset_path_, task_path_, metrics_path_;
  bool dataset_declared_ = false;
  bool task_declared_ = false;
  bool by_task_id_ = false;
  std::vector<std::string> told_;
  std::vector<ResearchFinding> findings_;
};

}  // namespace

const Value& research_catalog() {
  static const Value catalog = [] {
    Value whole = planner::catalog_base();
    whole.set("metrics", planner::catalog_metrics());
    return whole;
  }();
  return catalog;
}

Research inspect_research(const Recipe& recipe, const Catalog* contracts) { return Study(recipe, contracts).inspect(); }

Value infer_research(const Recipe& recipe, const Catalog* contracts) {
  return inspect_research(recipe, contracts).document;
}

std::vector<Error> research_errors(const Recipe& recipe) {
  const Value* metadata = recipe.effective.find("metadata");
  if (metadata == nullptr || !metadata->is_object()) return {};
  constexpr std::string_view declaring[] = {"research",  "task_id",      "dataset_spec",
                                            "task_spec", "metric_specs", "benchmark_spec"};
  if (std::ranges::none_of(declaring, [&](std::string_view key) { return present(*metadata, key); })) return {};
  std::vector<Error> errors;
  for (ResearchFinding& finding : Study(recipe, nullptr).contradictions()) {
    if (finding.level != Level::error) continue;
    errors.push_back(planner::error_at(recipe, finding.path, finding.code, std::move(finding.message),
                                       finding.code == code::research_invalid
                                           ? "`research` holds `dataset`, `task`, `metrics` and `benchmark`"
                                           : "correct the declaration, or leave it out and let it be inferred"));
  }
  return errors;
}

}  // namespace noema
