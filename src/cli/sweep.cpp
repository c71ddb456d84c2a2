// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "cli/interrupt.h"
#include "cli/pictures.h"
#include "core/digest.h"
#include "core/files.h"
#include "core/json.h"
#include "core/report.h"
#include "noema/plan.h"
#include "noema/run.h"
#include "run/run_id.h"
#include "sweep/columns.h"
#include "sweep/figure.h"
#include "sweep/table.h"

namespace noema::cli {
namespace {

namespace fs = std::filesystem;

struct Point {
  Variant variant;
  Plan plan;
};

/// Every point is planned before the first one runs: a sweep that can't end does not start.
Result<std::vector<Point>> plan_points(const Recipe& recipe, const Matrix& matrix, const Policy& policy) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < matrix.variant_count; ++i) {
    NOEMA_TRY(Variant variant, matrix_variant(recipe, matrix, i));
    NOEMA_TRY(Recipe concrete, require_valid(compile(variant.recipe, builtin_catalog(), CompileMode::strict,
                                                     "benchmark_run", recipe.document)));
    NOEMA_TRY(const Recipe point, single_run_gate(std::move(concrete)));
    NOEMA_TRY(Plan planned, plan(point, builtin_catalog(), policy));
    points.push_back({std::move(variant), std::move(planned)});
  }
  return points;
}

Result<std::string> make_sweep_folder(const std::string& workspace, const std::string& name, std::string& id) {
  const fs::path sweeps = fs::path(workspace) / "sweeps";
  NOEMA_CHECK(make_folders(sweeps.string()));
  const std::string stamp = utc_text(std::chrono::system_clock::now());
  std::string base;
  for (const char c : stamp.substr(0, 19)) {
    if (c != '-' && c != ':') base += c;
  }
  base += "Z_" + safe_name(name);
  for (int n = 1;; ++n) {
    id = n == 1 ? base : base + "_" + std::to_string(n);
    std::error_code failure;
    if (fs::create_directory(sweeps / id, failure)) return (sweeps / id).string();
    if (failure || n > 100'000) {
      return Error{code::io_write,
                   {},
                   "can't make a folder for the sweep in " + sweeps.string() + ": " + failure.message(),
                   {},
                   {}};
    }
  }
}

Value cell_value(const std::optional<Estimate>& cell) {
  if (!cell) return {};
  Value value = Value::object({{"value", cell->value}});
  if (cell->low) value.set("low", *cell->low).set("high", *cell->high);
  return value;
}

Value sweep_document(const std::string& id, const Recipe& recipe, const Matrix& matrix, const ReportSpec& spec,
                     const std::vector<SweepRow>& rows, std::string_view status) {
  Value dimensions = Value::object();
  for (const auto& [name, values] : matrix.dimensions) dimensions.set(name, values);
  Value columns = Value::array();
  for (const Column& column : spec.columns) columns.push(Value::object({{"id", column.id}, {"label", column.label}}));
  Value variants = Value::array();
  for (const SweepRow& row : rows) {
    Value metrics = Value::object();
    for (std::size_t i = 0; i < row.cells.size(); ++i) metrics.set(spec.columns[i].id, cell_value(row.cells[i]));
    Value variant =
        Value::object({{"index", std::uint64_t{row.variant.index}},
                       {"variant_id", row.variant.id},
                       {"selection", row.variant.selection},
                       {"run_id", row.run_id.empty() ? Value() : Value(row.run_id)},
                       {"status", row.status},
                       {"plan_sha256", row.plan_sha256},
                       {"manifest_sha256", row.manifest_sha256.empty() ? Value() : Value(row.manifest_sha256)},
                       {"metrics", metrics}});
    if (!row.error.empty()) variant.set("error", row.error);
    variants.push(variant);
  }
  Value document = Value::object({{"schema_version", 1},
                                  {"kind", "noema.sweep"},
                                  {"sweep_id", id},
                                  {"status", status},
                                  {"recipe_name", recipe.name},
                                  {"authored_recipe_sha256", recipe.authored_sha256},
                                  {"dimensions", dimensions},
                                  {"columns", columns},
                                  {"variants", variants}});
  document.set("sha256", sha256_of(document));
  return document;
}

}  // namespace

Result<int> run_sweep(Context& context, const Recipe& recipe, const RunFlags& flags) {
  NOEMA_TRY(const Matrix matrix, read_matrix(recipe));
  if (!matrix.enabled) {
    return Error{Code{"recipe.matrix_missing"}, {}, "the recipe has no matrix", "run it with `noema recipe run`", {}};
  }
  NOEMA_TRY(ReportSpec spec, read_report_spec(recipe, matrix));
  NOEMA_TRY(const std::vector<Point> points, plan_points(recipe, matrix, flags.policy()));
  std::string id;
  NOEMA_TRY(const std::string folder, make_sweep_folder(context.workspace, recipe.name, id));

  const auto cancel = std::make_shared<CancelToken>();
  const InterruptGuard guard(cancel);
  std::vector<SweepRow> rows;
  int status = exit_done;
  for (const Point& point : points) {
    SweepRow row;
    row.variant = point.variant;
    row.plan_sha256 = point.plan.sha256;
    const bool stopped = status == exit_canceled || (status == exit_failed && !flags.continue_on_error);
    if (stopped) {
      row.status = "not_run";
      rows.push_back(std::move(row));
      continue;
    }
    RunFlags point_flags = flags;
    // A picture can only be taken out of a point whose artifacts were kept.
    const auto pictured = [&](const PictureRequest& request) { return request.at == point.variant.selection; };
    if (std::ranges::any_of(spec.pictures, pictured)) point_flags.retain = "all";
    const auto outcome =
        run_watched(context, point.plan, point_flags, fmt::format("[{}/{}]", rows.size() + 1, points.size()), cancel);
    if (!outcome) {
      row.status = "failed";
      row.error = outcome.error().message;
      context.note(error_text(outcome.error()));
      status = exit_failed;
    } else {
      row.run_id = outcome->run_id;
      row.directory = outcome->directory;
      row.status = outcome->status;
      row.manifest_sha256 = outcome->manifest.at("sha256").string();
      if (outcome->error) {
        row.error = outcome->error->message;
        context.note(error_text(*outcome->error));
        status = outcome->status == "canceled" ? exit_canceled : exit_failed;
      } else {
        row.summary = outcome->summary;
      }
    }
    rows.push_back(std::move(row));
  }
  complete_spec(spec, rows);
  for (SweepRow& row : rows) fill_cells(row, spec.columns);

  const char* word = status == exit_done ? "completed" : status == exit_canceled ? "canceled" : "failed";
  const Value document = sweep_document(id, recipe, matrix, spec, rows, word);
  NOEMA_CHECK(write_file_atomic(folder + "/table.csv", sweep_csv(matrix, spec.columns, rows)));
  std::vector<std::string> written{"sweep.json", "table.csv"};
  if (const auto figure = sweep_figure(recipe.name, matrix, spec, rows)) {
    NOEMA_CHECK(write_file_atomic(folder + "/figure.svg", figure_svg(*figure)));
    written.push_back("figure.svg");
  }
  for (const PictureRequest& request : spec.pictures) {
    auto saved = save_picture(request, rows, folder);
    if (saved) {
      written.push_back(request.name + ".png");
    } else {
      context.note(error_text(saved.error()));
      if (status == exit_done) status = exit_failed;
    }
  }
  NOEMA_CHECK(write_file_atomic(folder + "/sweep.json", pretty_json(document)));
  if (context.json) {
    context.print_document(document);
  } else {
    context.print(sweep_table(matrix, spec.columns, rows));
    context.print(fmt::format("\n{} of {} points completed\n",
                              std::ranges::count(rows, std::string("completed"), &SweepRow::status), rows.size()));
    for (const std::string& file : written) context.print(fmt::format("  {}/{}\n", folder, file));
  }
  return status;
}

}  // namespace noema::cli
