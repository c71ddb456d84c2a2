// SPDX-License-Identifier: Apache-2.0
#include "sweep/columns.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/files.h"
#include "core/json.h"
#include "core/text.h"

namespace noema {
namespace {

class SpecReader {
 public:
  explicit SpecReader(const Recipe& recipe) : recipe_(recipe) {}

  Error refuse(const std::string& path, std::string message, std::string hint = {}) const {
    Error error{Code{"recipe.report"}, recipe_.place(path), std::move(message), std::move(hint), {}};
    error.at.path = path;
    return error;
  }

  Result<void> keys(const Value& object, const std::string& path, const std::vector<std::string>& known) const {
    if (!object.is_object()) return refuse(path, "this must be a mapping");
    for (const auto& [key, value] : object.members()) {
      if (std::ranges::find(known, key) == known.end()) {
        return refuse(path + "." + key, "there is no report field " + shown(key), did_you_mean(key, known));
      }
    }
    return {};
  }

  Result<std::string> text(const Value& object, const std::string& path, const char* key,
                           std::optional<std::string> otherwise = {}) const {
    const Value* found = object.find(key);
    if (found == nullptr && otherwise) return *otherwise;
    if (found == nullptr || !found->is_string() || found->string().empty()) {
      return refuse(path + "." + key, std::string("'") + key + "' must be text");
    }
    return found->string();
  }

 private:
  const Recipe& recipe_;
};

/// `step.output.or.metric`: the longest step id that fits.
std::pair<std::string, std::string> split_reference(const Value& summary, const std::string& reference) {
  for (std::size_t dot = reference.rfind('.'); dot != std::string::npos && dot > 0;
       dot = reference.rfind('.', dot - 1)) {
    const std::string step = reference.substr(0, dot);
    for (const Value& item : summary.at("steps").items()) {
      if (item.at("id").string() == step) return {step, reference.substr(dot + 1)};
    }
  }
  return {};
}

const Value* step_of(const Value& summary, const std::string& id) {
  for (const Value& item : summary.at("steps").items()) {
    if (item.at("id").string() == id) return &item;
  }
  return nullptr;
}

std::optional<double> metric_of(const Value& summary, const std::string& reference) {
  const auto [step, name] = split_reference(summary, reference);
  const Value* found = step_of(summary, step);
  const Value* metric = found == nullptr ? nullptr : found->at("metrics").find(name);
  if (metric == nullptr || !metric->is_numeric()) return std::nullopt;
  return metric->number();
}

/// Does a metric differ between points? One that does not makes a dull panel.
bool value_varies(const std::vector<SweepRow>& rows, const std::string& metric) {
  std::set<double> values;
  for (const SweepRow& row : rows) {
    if (!row.summary.is_object()) continue;
    if (const auto value = metric_of(row.summary, metric)) values.insert(*value);
  }
  return values.size() > 1;
}

/// A value that stands in the bundle's `values` folder, or the value itself.
Value resolved(const Value& value, const std::string& directory) {
  const Value* reference = value.find("$noema_value");
  if (reference == nullptr) return value;
  const std::string path = directory + "/values/" + reference->at("sha256").string() + ".json";
  const auto text = read_text_file(path, std::uint64_t{1} << 30);
  if (!text) return {};
  auto read = parse_json(*text, path, {.bytes = std::size_t{1} << 30, .depth = 256, .nodes = 100'000'000});
  return read ? *std::move(read) : Value();
}

std::optional<Estimate> sample_mean(const SweepRow& row, const Column& column) {
  const Value* metadata = output_metadata(row.summary, column.report);
  const Value* found = metadata == nullptr ? nullptr : metadata->find(column.rows);
  if (found == nullptr) return std::nullopt;
  const Value rows = resolved(*found, row.directory);
  if (!rows.is_array()) return std::nullopt;
  Value flags;
  if (!column.where_output.empty()) {
    const Value* where = output_metadata(row.summary, column.where_output);
    const Value* list = where == nullptr ? nullptr : where->find(column.where_field);
    if (list == nullptr) return std::nullopt;
    flags = resolved(*list, row.directory);
  }
  std::vector<double> samples;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (flags.is_array()) {
      const bool kept =
          i < flags.size() &&
          (flags[i].is_integer() ? flags[i].integer() == column.where_equals
                                 : flags[i].is_boolean() && flags[i].boolean() == (column.where_equals != 0));
      if (!kept) continue;
    }
    const Value* number = rows[i].find(column.field);
    if (number != nullptr && number->is_numeric()) samples.push_back(number->number());
  }
  if (samples.empty()) return std::nullopt;
  return student_t(samples);
}

Result<Column> read_column(const SpecReader& reader, const Value& body, const std::string& path) {
  NOEMA_CHECK(reader.keys(body, path, {"id", "label", "metric", "wilson", "student_t", "eb_n0"}));
  Column column;
  NOEMA_TRY(column.id, reader.text(body, path, "id"));
  NOEMA_TRY(column.label, reader.text(body, path, "label", column.id));
  const int sources = (body.find("metric") != nullptr) + (body.find("wilson") != nullptr) +
                      (body.find("student_t") != nullptr) + (body.find("eb_n0") != nullptr);
  if (sources != 1) return reader.refuse(path, "a column has exactly one of metric, wilson, student_t and eb_n0");
  if (body.find("metric") != nullptr) {
    NOEMA_TRY(column.metric, reader.text(body, path, "metric"));
  }
  if (const Value* wilson = body.find("wilson")) {
    const std::string inner = path + ".wilson";
    NOEMA_CHECK(reader.keys(*wilson, inner, {"count", "total"}));
    NOEMA_TRY(column.count, reader.text(*wilson, inner, "count"));
    NOEMA_TRY(column.total, reader.text(*wilson, inner, "total"));
  }
  if (const Value* mean = body.find("student_t")) {
    const std::string inner = path + ".student_t";
    NOEMA_CHECK(reader.keys(*mean, inner, {"report", "rows", "field", "where"}));
    NOEMA_TRY(column.report, reader.text(*mean, inner, "report"));
    NOEMA_TRY(column.rows, reader.text(*mean, inner, "rows"));
    NOEMA_TRY(column.field, reader.text(*mean, inner, "field"));
    if (const Value* where = mean->find("where")) {
      NOEMA_CHECK(reader.keys(*where, inner + ".where", {"output", "field", "equals"}));
      NOEMA_TRY(column.where_output, reader.text(*where, inner + ".where", "output"));
      NOEMA_TRY(column.where_field, reader.text(*where, inner + ".where", "field"));
      const Value* equals = where->find("equals");
      if (equals == nullptr || !equals->int64())
        return reader.refuse(inner + ".where.equals", "'equals' must be an integer");
      column.where_equals = equals->integer();
    }
  }
  if (const Value* ratio = body.find("eb_n0")) {
    const std::string inner = path + ".eb_n0";
    NOEMA_CHECK(reader.keys(*ratio, inner, {"es_n0_db", "bits_per_symbol", "code_rate"}));
    NOEMA_TRY(column.eb_n0_of, reader.text(*ratio, inner, "es_n0_db"));
    NOEMA_TRY(column.bits_per_symbol, reader.text(*ratio, inner, "bits_per_symbol"));
    NOEMA_TRY(column.code_rate, reader.text(*ratio, inner, "code_rate"));
  }
  return column;
}

/// The first dimension whose values are all numbers and more than one.
std::string numeric_dimension(const Matrix& matrix) {
  for (const auto& [name, values] : matrix.dimensions) {
    if (values.size() > 1 && std::ranges::all_of(values.items(), [](const Value& value) { return value.is_numeric(); }))
      return name;
  }
  return {};
}

Column wildcard(const std::string& step) {
  Column column;
  column.id = step;
  column.label = step;
  column.metric = step + ".*";
  return column;
}

ReportSpec default_spec(const Matrix& matrix) {
  ReportSpec spec;
  spec.x = numeric_dimension(matrix);
  spec.x_label = spec.x;
  return spec;
}

}  // namespace

const Value* output_metadata(const Value& summary, const std::string& reference) {
  const auto [step, output] = split_reference(summary, reference);
  const Value* found = step_of(summary, step);
  const Value* artifact = found == nullptr ? nullptr : found->at("outputs").find(output);
  return artifact == nullptr ? nullptr : artifact->find("metadata");
}

Result<ReportSpec> read_report_spec(const Recipe& recipe, const Matrix& matrix) {
  ReportSpec spec = default_spec(matrix);
  const Value* metadata = recipe.normalized.find("metadata");
  const Value* report = metadata == nullptr ? nullptr : metadata->find("report");
  if (report == nullptr) {
    // Everything that the metric operations say, by name.
    for (const RecipeStep& step : recipe.steps) {
      if (step.operation.starts_with("metrics.")) spec.columns.push_back(wildcard(step.id));
    }
    return spec;
  }
  const SpecReader reader(recipe);
  const std::string top = "metadata.report";
  NOEMA_CHECK(reader.keys(*report, top, {"x", "x_label", "columns", "panels", "outage", "pictures"}));
  NOEMA_TRY(spec.x, reader.text(*report, top, "x", spec.x));
  NOEMA_TRY(spec.x_label, reader.text(*report, top, "x_label", spec.x));
  const auto known = std::ranges::find(matrix.dimensions, spec.x, &std::pair<std::string, Value>::first);
  if (!spec.x.empty() && known == matrix.dimensions.end()) {
    return reader.refuse(top + ".x", "the matrix has no dimension " + shown(spec.x));
  }
  std::set<std::string> ids;
  const auto list = [&](const char* key) -> Value {
    const Value* found = report->find(key);
    return found != nullptr && found->is_array() ? *found : Value::array();
  };
  const Value columns = list("columns");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string path = top + ".columns[" + std::to_string(i) + "]";
    NOEMA_TRY(Column column, read_column(reader, columns[i], path));
    if (!ids.insert(column.id).second) return reader.refuse(path + ".id", "two columns are called " + shown(column.id));
    spec.columns.push_back(std::move(column));
  }
  const auto known_column = [&](const std::string& id, const std::string& path) -> Result<void> {
    if (ids.contains(id)) return {};
    return reader.refuse(path, "there is no column " + shown(id), did_you_mean(id, {ids.begin(), ids.end()}));
  };
  const Value panels = list("panels");
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::string path = top + ".panels[" + std::to_string(i) + "]";
    NOEMA_CHECK(reader.keys(panels[i], path, {"column", "label", "logarithmic"}));
    Panel panel;
    NOEMA_TRY(panel.column, reader.text(panels[i], path, "column"));
    NOEMA_CHECK(known_column(panel.column, path + ".column"));
    NOEMA_TRY(panel.label, reader.text(panels[i], path, "label", panel.column));
    if (const Value* logarithmic = panels[i].find("logarithmic")) {
      if (!logarithmic->is_boolean())
        return reader.refuse(path + ".logarithmic", "'logarithmic' must be true or false");
      panel.logarithmic = logarithmic->boolean();
    }
    spec.panels.push_back(std::move(panel));
  }
  if (const Value* outage = report->find("outage")) {
    NOEMA_CHECK(reader.keys(*outage, top + ".outage", {"column", "label"}));
    NOEMA_TRY(spec.outage_column, reader.text(*outage, top + ".outage", "column"));
    NOEMA_CHECK(known_column(spec.outage_column, top + ".outage.column"));
    NOEMA_TRY(spec.outage_label, reader.text(*outage, top + ".outage", "label", "some items lost"));
  }
  const Value pictures = list("pictures");
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const std::string path = top + ".pictures[" + std::to_string(i) + "]";
    NOEMA_CHECK(reader.keys(pictures[i], path, {"name", "output", "index", "at"}));
    PictureRequest request;
    NOEMA_TRY(request.name, reader.text(pictures[i], path, "name"));
    if (!is_safe_component(request.name)) return reader.refuse(path + ".name", "the name must serve as a file name");
    NOEMA_TRY(request.output, reader.text(pictures[i], path, "output"));
    if (const Value* index = pictures[i].find("index")) {
      if (!index->int64() || index->integer() < 0) return reader.refuse(path + ".index", "'index' must be 0 or more");
      request.index = static_cast<std::size_t>(index->integer());
    }
    const Value* at = pictures[i].find("at");
    if (at == nullptr || !at->is_object()) return reader.refuse(path + ".at", "'at' must name a point of the matrix");
    request.at = *at;
    spec.pictures.push_back(std::move(request));
  }
  return spec;
}

void complete_spec(ReportSpec& spec, const std::vector<SweepRow>& rows) {
  const auto ran = std::ranges::find_if(rows, [](const SweepRow& row) { return row.summary.is_object(); });
  if (ran == rows.end()) return;
  std::vector<Column> columns;
  for (Column& column : spec.columns) {
    if (!column.metric.ends_with(".*")) {
      columns.push_back(std::move(column));
      continue;
    }
    const std::string step = column.metric.substr(0, column.metric.size() - 2);
    const Value* found = step_of(ran->summary, step);
    if (found == nullptr) continue;
    std::vector<std::string> names;
    for (const auto& [name, value] : found->at("metrics").members()) {
      if (value.is_numeric() && name != "timing.step.wall_time_s") names.push_back(name);
    }
    std::ranges::sort(names);
    for (const std::string& name : names) {
      Column made;
      made.id = step + "." + name;
      made.label = name;
      made.metric = made.id;
      if (value_varies(rows, made.metric) && spec.panels.size() < 2) spec.panels.push_back({made.id, name, false});
      columns.push_back(std::move(made));
    }
  }
  spec.columns = std::move(columns);
}

void fill_cells(SweepRow& row, const std::vector<Column>& columns) {
  row.cells.assign(columns.size(), std::nullopt);
  if (!row.summary.is_object()) return;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    if (!column.metric.empty()) {
      if (const auto value = metric_of(row.summary, column.metric))
        row.cells[i] = Estimate{*value, std::nullopt, std::nullopt};
    } else if (!column.count.empty()) {
      const auto count = metric_of(row.summary, column.count);
      const auto total = metric_of(row.summary, column.total);
      constexpr double largest_exact = 9007199254740992.0;  // beyond it a double is no count
      if (count && total && *total >= 1 && *total <= largest_exact && *count >= 0 && *count <= *total) {
        row.cells[i] = wilson(static_cast<std::uint64_t>(*count), static_cast<std::uint64_t>(*total));
      }
    } else if (!column.report.empty()) {
      row.cells[i] = sample_mean(row, column);
    } else {
      const auto snr = metric_of(row.summary, column.eb_n0_of);
      const auto bits = metric_of(row.summary, column.bits_per_symbol);
      const auto rate = metric_of(row.summary, column.code_rate);
      if (snr && bits && rate && *bits * *rate > 0) {
        row.cells[i] = Estimate{*snr - 10 * std::log10(*bits * *rate), std::nullopt, std::nullopt};
      }
    }
  }
}

}  // namespace noema
