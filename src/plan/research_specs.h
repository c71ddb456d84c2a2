// Reading the author's dataset, task, metric and benchmark specifications into their normal forms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "noema/value.h"
#include "plan/research.h"

namespace noema::planner {

/// A normal form, or null when nothing could be read; what is wrong goes to `findings`.
Value dataset_spec(const Value& authored, const std::string& path, std::vector<ResearchFinding>& findings);
Value task_spec(const Value& authored, const std::string& path, std::vector<ResearchFinding>& findings);
Value metric_specs(const Value& authored, const std::string& path, std::vector<ResearchFinding>& findings);
Value benchmark_spec(const Value& authored, const std::string& path, std::vector<ResearchFinding>& findings);

/// An entry of the catalogue's list (`datasets`, `tasks`, `metrics`); null when the id is unknown.
const Value* catalog_entry(std::string_view list, std::string_view id);
/// A metric's normal form with everything that the catalogue knows of it.
Value catalog_metric(const std::string& id);

}  // namespace noema::planner
