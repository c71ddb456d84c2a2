// Normal forms of research specifications (plan/research_specs.h).
// SPDX-License-Identifier: Apache-2.0
#include "plan/research_specs.h"

#include <algorithm>

#include "core/json.h"
#include "core/text.h"
#include "plan/codes.h"

namespace noema {

std::string_view research_json();          // made from research.json at build time
std::string_view research_metrics_json();  // made from research_metrics.json

}  // namespace noema

namespace noema::planner {
namespace {

using Findings = std::vector<ResearchFinding>;

/// Reads the fields of one authored specification and remembers which were asked for.
class Fields {
 public:
  Fields(const Value& authored, std::string what, std::string path, Findings& findings)
      : authored_(authored), what_(std::move(what)), path_(std::move(path)), findings_(findings) {
    spec_ = Value::object({{"schema_version", 1}});
  }

  /// A bare string stands for an object with that id. False when there is nothing to read.
  bool open() {
    if (authored_.is_string()) {
      as_object_ = Value::object({{"id", authored_}});
      return identify();
    }
    if (!authored_.is_object()) {
      error({}, what_ + " must be an object or an id");
      return false;
    }
    as_object_ = authored_;
    if (const Value* version = member("schema_version"); version != nullptr && *version != Value(1)) {
      error("schema_version",
            "the schema version of " + what_ + " must be the integer 1, not " + canonical_json(*version));
    }
    return identify();
  }

  /// Copies a field that must be text; versions may be written as numbers.
  void text(const char* key) {
    const Value* value = member(key);
    if (value == nullptr) return;
    if (value->is_string() && !trimmed(value->string()).empty()) {
      spec_.set(key, *value);
    } else if (std::string_view(key) == "version" && value->is_numeric()) {
      spec_.set(key, canonical_json(*value));
    } else {
      error(key, std::string(key) + " of " + what_ + " must be text, not " + canonical_json(*value));
    }
  }
  void text_or_object(const char* key) {
    const Value* value = member(key);
    if (value != nullptr && value->is_object()) {
      spec_.set(key, *value);
    } else {
      text(key);
    }
  }
  void choice(const char* key, const std::vector<std::string>& allowed) {
    const Value* value = member(key);
    if (value == nullptr) return;
    if (value->is_string() && std::ranges::find(allowed, value->string()) != allowed.end()) {
      spec_.set(key, *value);
    } else {
      error(key, std::string(key) + " of " + what_ + " is " + canonical_json(*value) +
                     "; allowed: " + joined(allowed, ", "));
    }
  }
  /// A list of ids, each a string or an object with an `id`.
  void ids(const char* key) {
    const Value* value = member(key);
    if (value == nullptr) return;
    Value list = Value::array();
    bool good = value->is_array();
    for (std::size_t i = 0; good && i < value->size(); ++i) {
      const Value& item = (*value)[i];
      const Value* id = item.is_object() ? item.find("id") : &item;
      good = id != nullptr && id->is_string() && !trimmed(id->string()).empty();
      if (good) list.push(*id);
    }
    if (!good) return error(key, std::string(key) + " of " + what_ + " must be a list of ids");
    spec_.set(key, std::move(list));
  }
  void params() {
    const Value* value = member("params");
    if (value != nullptr && !value->is_object()) error("params", "params of " + what_ + " must be an object");
    spec_.set("params", value != nullptr && value->is_object() ? *value : Value::object());
  }
  Value close() {
    for (const auto& [key, value] : as_object_.members()) {
      if (std::ranges::find(asked_, key) != asked_.end()) continue;
      findings_.push_back({ResearchFinding::Level::warning,
                           {},
                           what_ + " has no field " + shown(key) + "; it is left out",
                           path_ + "." + key});
    }
    return std::move(spec_);
  }

 private:
  bool identify() {
    const Value* id = member("id");
    if (id == nullptr || !id->is_string() || trimmed(id->string()).empty()) {
      error(id == nullptr ? std::string{} : "id", what_ + " needs an id that is text");
      return false;
    }
    spec_.set("id", std::string(trimmed(id->string())));
    return true;
  }
  /// A field that is there and not null.
  const Value* member(const std::string& key) {
    asked_.push_back(key);
    const Value* value = as_object_.find(key);
    return value == nullptr || value->is_null() ? nullptr : value;
  }
  void error(const std::string& key, std::string message) {
    findings_.push_back({ResearchFinding::Level::error, code::research_invalid, std::move(message),
                         key.empty() ? path_ : path_ + "." + key});
  }

  const Value& authored_;
  std::string what_;
  std::string path_;
  Findings& findings_;
  Value as_object_;
  Value spec_;
  std::vector<std::string> asked_;
};

void fill(Value& spec, const char* key, const Value* entry) {
  if (entry == nullptr || spec.find(key) != nullptr) return;
  if (const Value* value = entry->find(key)) spec.set(key, *value);
}

const Value* entry_of(const Value& list, std::string_view id) {
  const auto found =
      std::ranges::find(list.items(), Value(id), [](const Value& entry) -> const Value& { return entry.at("id"); });
  return found == list.items().end() ? nullptr : &*found;
}

const Value& embedded(std::string_view text, const char* name, Value& kept) {
  Result<Value> parsed = parse_json(text, name);
  NOEMA_ASSERT(parsed.has_value(), "the research catalogue is part of this program and must be well-formed");
  return kept = *std::move(parsed);
}

}  // namespace

const Value& catalog_base() {
  static Value kept;
  static const Value& base = embedded(research_json(), "research.json", kept);
  return base;
}

const Value& catalog_metrics() {
  static Value kept;
  static const Value& metrics = embedded(research_metrics_json(), "research_metrics.json", kept).at("metrics");
  return metrics;
}

const Value* catalog_dataset(std::string_view id) { return entry_of(catalog_base().at("datasets"), id); }
const Value* catalog_task(std::string_view id) { return entry_of(catalog_base().at("tasks"), id); }
const Value* catalog_metric(std::string_view id) { return entry_of(catalog_metrics(), id); }

Value filled_metric(Value spec) {
  const Value* entry = catalog_metric(spec.at("id").string());
  for (const char* key : {"direction", "reduction", "family", "unit"}) fill(spec, key, entry);
  if (spec.find("direction") == nullptr) spec.set("direction", "neutral");
  if (spec.find("reduction") == nullptr) spec.set("reduction", "mean");
  return spec;
}

Value dataset_spec(const Value& authored, const std::string& path, Findings& findings) {
  Fields fields(authored, "the dataset", path, findings);
  if (!fields.open()) return {};
  for (const char* key : {"modality", "version", "source"}) fields.text(key);
  fields.text_or_object("split");
  fields.params();
  Value spec = fields.close();
  fill(spec, "modality", catalog_dataset(spec.at("id").string()));
  return spec;
}

Value task_spec(const Value& authored, const std::string& path, Findings& findings) {
  Fields fields(authored, "the task", path, findings);
  if (!fields.open()) return {};
  for (const char* key : {"kind", "modality", "target"}) fields.text(key);
  fields.ids("metrics");
  fields.params();
  Value spec = fields.close();
  const Value* entry = catalog_task(spec.at("id").string());
  for (const char* key : {"kind", "modality", "metrics"}) fill(spec, key, entry);
  if (spec.find("metrics") == nullptr) spec.set("metrics", Value::array());
  return spec;
}

Value metric_specs(const Value& authored, const std::string& path, Findings& findings) {
  if (!authored.is_array()) {
    findings.push_back({ResearchFinding::Level::error, code::research_invalid, "metrics must be a list", path});
    return {};
  }
  Value list = Value::array();
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < authored.size(); ++i) {
    const std::string place = path + "[" + std::to_string(i) + "]";
    Fields fields(authored[i], "the metric", place, findings);
    if (!fields.open()) continue;
    for (const char* key : {"family", "unit", "reduction"}) fields.text(key);
    fields.choice("direction", {"higher_is_better", "lower_is_better", "neutral"});
    fields.params();
    Value spec = fields.close();
    const std::string& id = spec.at("id").string();
    if (std::ranges::find(seen, id) != seen.end()) {
      findings.push_back({ResearchFinding::Level::warning, {}, "the metric " + id + " is listed twice", place});
      continue;
    }
    seen.push_back(id);
    list.push(std::move(spec));
  }
  return list;
}

Value benchmark_spec(const Value& authored, const std::string& path, Findings& findings) {
  Fields fields(authored, "the benchmark", path, findings);
  if (!fields.open()) return {};
  for (const char* key : {"version", "dataset", "task", "channel"}) fields.text(key);
  for (const char* key : {"metrics", "baselines"}) fields.ids(key);
  fields.params();
  Value spec = fields.close();
  if (spec.find("version") == nullptr) spec.set("version", "1");
  for (const char* key : {"metrics", "baselines"}) {
    if (spec.find(key) == nullptr) spec.set(key, Value::array());
  }
  return spec;
}

}  // namespace noema::planner
