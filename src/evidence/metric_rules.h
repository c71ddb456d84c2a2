// Which values a metric can have: from its unit where a contract declares it, else from the words in its name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "noema/value.h"

namespace noema::evidence {

enum class MetricRange { any, nonnegative, unit_interval, flag };

/// `declared` is a contract's `x-noema-metrics` (name or pattern -> {unit, direction}), or null.
MetricRange metric_range(std::string_view name, const Value& declared);
/// Does a name match a pattern in which `<word>` stands for any text?
bool matches_metric(std::string_view pattern, std::string_view name);

}  // namespace noema::evidence
