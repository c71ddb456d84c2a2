// Reading the author's dataset, task, metric and benchmark specifications into their normal forms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "noema/value.h"
#include "plan/research.h"

namespace noema::planner {

/// A normal form, or null when nothing could be read; what is wrong goes to `findings`. Gaps are filled from the
/// catalogue, those of metrics by `filled_metric` alone: planning needs none of the metrics' many entries.
Value dataset_spec(const Value& authored, const std::string& path, std::vector<ResearchFinding>& findings);
Value task_spec(const Value& authored, const std::string& path, std::vector<ResearchFinding>& findings);
Value metric_specs(const Value& authored, const std::string& path, std::vector<ResearchFinding>& findings);
Value benchmark_spec(const Value& authored, const std::string& path, std::vector<ResearchFinding>& findings);
Value filled_metric(Value spec);

/// The catalogue without its metrics, and its metrics: parsed apart, each on first use.
const Value& catalog_base();
const Value& catalog_metrics();
/// Entries by id; null when the id is unknown.
const Value* catalog_dataset(std::string_view id);
const Value* catalog_task(std::string_view id);
const Value* catalog_metric(std::string_view id);

}  // namespace noema::planner
