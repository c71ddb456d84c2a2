// SPDX-License-Identifier: Apache-2.0
#include "pack/pack.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/digest.h"
#include "core/report.h"
#include "core/text.h"

namespace noema {
namespace {

constexpr Code pack_invalid{"benchmark.pack"};

class Reader {
 public:
  explicit Reader(const Document& document) : document_(document) {}

  void refuse(const std::string& path, std::string message, std::string hint = {}) {
    Error error{pack_invalid, document_.place(path), std::move(message), std::move(hint), {}};
    error.at.path = path;
    errors_.push_back(std::move(error));
  }

  /// A text field; empty when absent. With `required`, absence and emptiness are errors.
  std::string text(const Value& object, const std::string& path, const char* key, bool required = false) {
    const Value* found = object.find(key);
    if (found == nullptr || found->is_null()) {
      if (required) refuse(join(path, key), std::string("'") + key + "' is missing");
      return {};
    }
    if (!found->is_string() || (required && trimmed(found->string()).empty())) {
      refuse(join(path, key), std::string("'") + key + "' must be " + (required ? "non-empty text" : "text"));
      return {};
    }
    return found->string();
  }

  /// A mapping; empty when absent.
  Value mapping(const Value& object, const std::string& path, const char* key) {
    const Value* found = object.find(key);
    if (found == nullptr || found->is_null()) return Value::object();
    if (!found->is_object()) {
      refuse(join(path, key), std::string("'") + key + "' must be a mapping");
      return Value::object();
    }
    return *found;
  }

  std::vector<std::string> texts(const Value& object, const std::string& path, const char* key, bool unique) {
    std::vector<std::string> out;
    const Value* found = object.find(key);
    if (found == nullptr || found->is_null()) return out;
    if (!found->is_array()) {
      refuse(join(path, key), std::string("'") + key + "' must be a list of texts");
      return out;
    }
    for (const Value& item : found->items()) {
      if (!item.is_string() || item.string().empty()) {
        refuse(join(path, key), std::string("every item of '") + key + "' must be non-empty text");
        return out;
      }
      if (unique && std::ranges::find(out, item.string()) != out.end())
        refuse(join(path, key), shown(item.string()) + " stands twice");
      out.push_back(item.string());
    }
    return out;
  }

  static std::string join(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : path + "." + std::string(key);
  }
  std::vector<Error> take() { return std::move(errors_); }
  bool good() const { return errors_.empty(); }

 private:
  const Document& document_;
  std::vector<Error> errors_;
};

PackMetric read_metric(Reader& reader, const Value& body, const std::string& path, Value& normal) {
  PackMetric metric;
  normal = Value::object();
  if (body.is_string()) {
    metric.id = std::string(trimmed(body.string()));
    if (metric.id.empty()) reader.refuse(path, "a metric needs an id");
    normal.set("id", metric.id).set("definition_version", 1);
    return metric;
  }
  if (!body.is_object()) {
    reader.refuse(path, "a metric is a text or a mapping");
    return metric;
  }
  normal = body;
  metric.id = std::string(trimmed(reader.text(body, path, "id", true)));
  normal.set("id", metric.id);
  if (const Value* version = body.find("definition_version"); version != nullptr) {
    if (!version->int64() || version->integer() < 1) {
      reader.refuse(path + ".definition_version", "'definition_version' must be an integer of at least 1");
    } else {
      metric.definition_version = version->integer();
    }
  }
  normal.set("definition_version", metric.definition_version);
  metric.source_step = reader.text(body, path, "source_step");
  const std::string producer = reader.text(body, path, "producer_step");
  if (!producer.empty() && !metric.source_step.empty() && producer != metric.source_step) {
    reader.refuse(path + ".producer_step", "'producer_step' (deprecated) contradicts 'source_step'",
                  "keep source_step alone");
  }
  if (metric.source_step.empty()) metric.source_step = producer;
  const std::string operation = reader.text(body, path, "source_operation");
  metric.source_operations = reader.texts(body, path, "source_operations", true);
  if (!operation.empty() && body.find("source_operations") != nullptr) {
    reader.refuse(path + ".source_operation", "give source_operation or source_operations, not both");
  }
  if (!operation.empty()) metric.source_operations = {operation};
  metric.applicable_roles = reader.texts(body, path, "applicable_roles", true);
  metric.family = reader.text(body, path, "family");
  metric.unit = reader.text(body, path, "unit");
  metric.direction = reader.text(body, path, "direction");
  static const std::set<std::string> directions{"", "higher_is_better", "lower_is_better", "neutral"};
  if (!directions.contains(metric.direction)) {
    reader.refuse(path + ".direction", "direction is " + shown(metric.direction) +
                                           "; allowed are higher_is_better, lower_is_better and neutral");
  }
  return metric;
}

PackEntry read_entry(Reader& reader, const Value& body, const std::string& path, Value& normal) {
  PackEntry entry;
  normal = Value::object();
  if (!body.is_object()) {
    reader.refuse(path, "an entry is a mapping with a path");
    return entry;
  }
  entry.path = reader.text(body, path, "path", true);
  entry.id = reader.text(body, path, "id");
  if (entry.id.empty()) entry.id = std::filesystem::path(entry.path).stem().string();
  entry.label = reader.text(body, path, "label");
  entry.role = reader.text(body, path, "role");
  if (entry.role.empty()) entry.role = "candidate";
  entry.params = reader.mapping(body, path, "params");
  entry.skip_reason = reader.text(entry.params, path + ".params", "skip_reason");
  if (const Value* skip = entry.params.find("skip")) {
    if (!skip->is_boolean()) reader.refuse(path + ".params.skip", "'skip' must be true or false");
    entry.skip = skip->is_boolean() && skip->boolean();
  }
  entry.skip |= entry.role.find("placeholder") != std::string::npos;
  normal.set("id", entry.id).set("path", entry.path).set("role", entry.role).set("params", entry.params);
  if (!entry.label.empty()) normal.set("label", entry.label);
  return entry;
}

}  // namespace

Result<Pack> read_pack(const std::string& file) {
  NOEMA_TRY(Document document, read_document(file));
  Pack pack;
  pack.file = file;
  pack.document = std::make_shared<const Document>(std::move(document));
  const Value& body = pack.document->value;
  Reader reader(*pack.document);
  if (!body.is_object()) {
    reader.refuse("", "a benchmark pack is a mapping");
    return combined(reader.take());
  }
  static const std::vector<std::string> known{"schema_version", "id",       "version", "name",    "description",
                                              "suite",          "dataset",  "task",    "metrics", "baselines",
                                              "recipes",        "metadata", "path"};
  for (const auto& [key, value] : body.members()) {
    if (std::ranges::find(known, key) == known.end()) {
      const std::string hint = did_you_mean(key, known);
      pack.warnings.push_back("the field " + shown(key) + " is not part of a pack and is dropped" +
                              (hint.empty() ? "" : "; " + hint));
    }
  }
  if (const Value* version = body.find("schema_version"); version != nullptr && !(*version == Value(1))) {
    reader.refuse("schema_version", "unsupported benchmark schema_version; this program reads version 1");
  }
  pack.id = reader.text(body, "", "id", true);
  const Value* version = body.find("version");
  pack.version = version == nullptr || version->is_null() ? "1"
                 : version->is_string()                   ? version->string()
                 : version->is_integer()                  ? version->integer_text()
                                                          : "";
  if (pack.version.empty()) reader.refuse("version", "'version' must be text");
  pack.name = reader.text(body, "", "name");
  pack.description = reader.text(body, "", "description");
  const Value dataset = reader.mapping(body, "", "dataset");
  const Value task = reader.mapping(body, "", "task");
  const Value suite = reader.mapping(body, "", "suite");
  const Value metadata = reader.mapping(body, "", "metadata");
  const std::vector<std::string> baselines = reader.texts(body, "", "baselines", false);

  Value metrics = Value::array();
  std::set<std::string> metric_ids;
  const Value* authored_metrics = body.find("metrics");
  if (authored_metrics != nullptr && !authored_metrics->is_array()) {
    reader.refuse("metrics", "'metrics' must be a list");
    authored_metrics = nullptr;
  }
  for (std::size_t i = 0; authored_metrics != nullptr && i < authored_metrics->size(); ++i) {
    const std::string path = "metrics[" + std::to_string(i) + "]";
    Value normal;
    PackMetric metric = read_metric(reader, (*authored_metrics)[i], path, normal);
    if (!metric_ids.insert(metric.id).second) reader.refuse(path, "the metric " + shown(metric.id) + " stands twice");
    pack.metrics.push_back(std::move(metric));
    metrics.push(normal);
  }

  Value recipes = Value::array();
  std::set<std::string> entry_ids;
  const Value* entries = body.find("recipes");
  if (entries == nullptr || !entries->is_array() || entries->size() == 0) {
    reader.refuse("recipes", "a pack needs a non-empty list 'recipes'");
  } else {
    for (std::size_t i = 0; i < entries->size(); ++i) {
      const std::string path = "recipes[" + std::to_string(i) + "]";
      Value normal;
      PackEntry entry = read_entry(reader, (*entries)[i], path, normal);
      if (!entry_ids.insert(entry.id).second) reader.refuse(path + ".id", "two entries are called " + shown(entry.id));
      pack.entries.push_back(std::move(entry));
      recipes.push(normal);
    }
  }
  if (!reader.good()) return combined(reader.take());

  pack.normal = Value::object({{"schema_version", 1},
                               {"id", pack.id},
                               {"version", pack.version},
                               {"dataset", dataset},
                               {"task", task},
                               {"metrics", metrics},
                               {"baselines", baselines},
                               {"recipes", recipes},
                               {"metadata", metadata}});
  if (suite.size() > 0) pack.normal.set("suite", suite);
  if (!pack.name.empty()) pack.normal.set("name", pack.name);
  if (!pack.description.empty()) pack.normal.set("description", pack.description);
  pack.protocol_sha256 = sha256_of(pack.normal);
  return pack;
}

}  // namespace noema
