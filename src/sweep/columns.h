// What a sweep shows: the recipe's `metadata.report`, and the values it takes from the runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "noema/error.h"
#include "noema/recipe.h"
#include "noema/value.h"
#include "sweep/statistics.h"

namespace noema {

/// One column of the table. Exactly one of the sources is set.
struct Column {
  std::string id;
  std::string label;
  std::string metric;        ///< `step.metric.name`, or `step.*` until complete_spec
  std::string count;         ///< Wilson: metric of the events ...
  std::string total;         ///< ... and of the trials
  std::string report;        ///< Student t: `step.output` of a report with rows
  std::string rows;          ///< its list
  std::string field;         ///< the number in each row
  std::string where_output;  ///< only rows whose item has `where_equals` in this output's metadata list
  std::string where_field;
  std::int64_t where_equals = 0;
  std::string eb_n0_of;  ///< Eb/N0 in dB from the Es/N0 metric named here ...
  std::string bits_per_symbol;
  std::string code_rate;
};

struct Panel {
  std::string column;
  std::string label;  ///< of the vertical axis
  bool logarithmic = false;
};

/// Pictures to take out of one point.
struct PictureRequest {
  std::string name;    ///< file stem
  std::string output;  ///< `step.output` of an image batch
  std::size_t index = 0;
  Value at;  ///< selection of the point
};

struct ReportSpec {
  std::string x;  ///< dimension on the horizontal axis; empty when there is none
  std::string x_label;
  std::vector<Column> columns;
  std::vector<Panel> panels;
  std::string outage_column;  ///< points where this column is below 1 are drawn hollow
  std::string outage_label;
  std::vector<PictureRequest> pictures;
};

/// Reads `metadata.report`; without one, the metrics of all `metrics.*` steps and the first numeric dimension.
Result<ReportSpec> read_report_spec(const Recipe& recipe, const Matrix& matrix);

/// One point of a sweep.
struct SweepRow {
  Variant variant;
  std::string run_id;
  std::string directory;
  std::string status;
  std::string plan_sha256;
  std::string manifest_sha256;
  std::string error;
  Value summary;                               ///< null when the point did not run
  std::vector<std::optional<Estimate>> cells;  ///< in column order
};

/// Completes a specification without columns of its own: every metric of the steps named, two panels of them.
void complete_spec(ReportSpec& spec, const std::vector<SweepRow>& rows);
/// Fills the cells from the row's summary. A value that is not there stays empty.
void fill_cells(SweepRow& row, const std::vector<Column>& columns);
/// The metadata of `step.output` in a summary, or null.
const Value* output_metadata(const Value& summary, const std::string& reference);

}  // namespace noema
