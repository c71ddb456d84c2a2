// Verification: can the metrics be what they claim to be, and is the run one that can be compared?
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "core/text.h"
#include "evidence/metric_rules.h"
#include "evidence/verify_parts.h"

namespace noema::evidence {
namespace {

void check_metric(const std::string& name, const Value& value, MetricRange range, Findings& findings) {
  if (!value.is_numeric()) {
    findings.error("metrics.type", summary_file, name + " must be a number; it is " + brief(value));
    return;
  }
  const double number = value.number();
  if (!std::isfinite(number)) {
    findings.error("metrics.finite", summary_file, name + " is not finite");
    return;
  }
  if (range != MetricRange::any && number < 0) {
    findings.error("metrics.nonnegative", summary_file, name + " is " + brief(value) + "; it can't be negative");
  } else if (range == MetricRange::unit_interval && number > 1) {
    findings.error("metrics.unit_interval", summary_file, name + " is " + brief(value) + "; it can't exceed 1");
  } else if (range == MetricRange::flag && number != 0 && number != 1) {
    findings.error("metrics.unit_interval", summary_file, name + " is " + brief(value) + "; it is 0 or 1");
  }
}

}  // namespace

void check_status(const Documents& documents, Findings& findings) {
  const std::string status = text_of(documents.summary, "status");
  if (status == "completed") {
    findings.pass("status.completed", summary_file, "the run completed");
  } else if (status == "failed" || status == "canceled" || status == "running") {
    findings.error("status.comparable", summary_file,
                   "the run is " + status + (status == "running" ? " or was cut off" : "") +
                       "; only a completed run can be compared");
  } else {
    findings.error("status.unknown", summary_file, "the status " + shown(status) + " is unknown");
  }
  for (const Value& step : items_of(member(documents.summary, "steps"))) {
    const std::string of_step = text_of(step, "status");
    if (status != "completed" || of_step == "completed") continue;
    findings.error("status.steps", summary_file,
                   "the run is completed, yet step " + shown(text_of(step, "id")) + " is " + shown(of_step));
  }
  if (status == "running") return;
  if (text_of(documents.summary, "completed_at_utc").empty()) {
    findings.warning("status.completed_time", summary_file, "does not say when the run ended");
  }
  if (text_of(documents.manifest, "completed_at_utc").empty()) {
    findings.warning("status.manifest_completed_time", manifest_file, "does not say when the run ended");
  }
}

void check_metrics(const Documents& documents, Findings& findings) {
  const std::size_t before = findings.count("error");
  std::size_t seen = 0;
  for (const auto& [name, value] : members_of(member(documents.summary, "metrics"))) {
    ++seen;
    check_metric(name, value, metric_range(name, Value()), findings);
  }
  const Value& contracts = member(member(documents.plan, "operation_contracts"), "operations");
  for (const Value& step : items_of(member(documents.summary, "steps"))) {
    const Value& declared = member(member(contracts, text_of(step, "op")), "x-noema-metrics");
    for (const auto& [name, value] : members_of(member(step, "metrics"))) {
      ++seen;
      check_metric("steps." + text_of(step, "id") + "." + name, value, metric_range(name, declared), findings);
    }
  }
  if (seen == 0) {
    findings.warning("metrics.present", summary_file, "the run has no metrics");
  } else if (findings.count("error") == before) {
    findings.pass("metrics.plausibility", summary_file,
                  std::to_string(seen) + " metrics are numbers within their ranges");
  }
}

}  // namespace noema::evidence
