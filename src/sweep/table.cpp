// SPDX-License-Identifier: Apache-2.0
#include "sweep/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/json.h"
#include "core/text.h"

namespace noema {
namespace {

std::string number(double value) {
  if (value != 0 && (std::abs(value) < 1e-3 || std::abs(value) >= 1e6)) return fmt::format("{:.2e}", value);
  return fmt::format("{:.4g}", value);
}

std::string cell_text(const std::optional<Estimate>& cell) {
  if (!cell) return "-";
  if (!cell->low) return number(cell->value);
  return fmt::format("{} [{}, {}]", number(cell->value), number(*cell->low), number(*cell->high));
}

std::string quoted_csv(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

bool has_interval(const Column& column) { return !column.count.empty() || !column.report.empty(); }

}  // namespace

std::string plain_text(const Value& value) { return value.is_string() ? value.string() : canonical_json(value); }

std::string sweep_table(const Matrix& matrix, const std::vector<Column>& columns, const std::vector<SweepRow>& rows) {
  std::vector<std::vector<std::string>> lines(1);
  for (const auto& [name, values] : matrix.dimensions) lines[0].push_back(name);
  for (const Column& column : columns) lines[0].push_back(column.label);
  for (const SweepRow& row : rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const auto& [name, values] : matrix.dimensions) line.push_back(plain_text(row.variant.selection.at(name)));
    if (row.status != "completed") {
      line.push_back(row.status.empty() ? "not run" : row.status);
      continue;
    }
    for (const auto& cell : row.cells) line.push_back(cell_text(cell));
  }
  std::vector<std::size_t> widths(lines[0].size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], code_point_count(line[i]));
  }
  std::string out;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    std::string text;
    for (std::size_t i = 0; i < lines[n].size(); ++i) {
      const std::string& cell = lines[n][i];
      text += (i == 0 ? "" : "  ") + std::string(widths[i] - code_point_count(cell), ' ') + cell;
    }
    out += text + "\n";
    if (n == 0) {
      for (std::size_t i = 0; i < widths.size(); ++i) out += (i == 0 ? "" : "  ") + std::string(widths[i], '-');
      out += "\n";
    }
  }
  return out;
}

std::string sweep_csv(const Matrix& matrix, const std::vector<Column>& columns, const std::vector<SweepRow>& rows) {
  std::vector<std::string> head{"index", "variant_id", "run_id", "status"};
  for (const auto& [name, values] : matrix.dimensions) head.push_back(quoted_csv(name));
  for (const Column& column : columns) {
    head.push_back(quoted_csv(column.id));
    if (!has_interval(column)) continue;
    head.push_back(quoted_csv(column.id + "_low"));
    head.push_back(quoted_csv(column.id + "_high"));
  }
  std::string out = joined(head, ",") + "\n";
  for (const SweepRow& row : rows) {
    std::vector<std::string> line{std::to_string(row.variant.index), row.variant.id, quoted_csv(row.run_id),
                                  row.status};
    for (const auto& [name, values] : matrix.dimensions)
      line.push_back(quoted_csv(plain_text(row.variant.selection.at(name))));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::optional<Estimate> cell = i < row.cells.size() ? row.cells[i] : std::nullopt;
      line.push_back(cell ? number_text(cell->value) : "");
      if (!has_interval(columns[i])) continue;
      line.push_back(cell && cell->low ? number_text(*cell->low) : "");
      line.push_back(cell && cell->high ? number_text(*cell->high) : "");
    }
    out += joined(line, ",") + "\n";
  }
  return out;
}

}  // namespace noema
