// SPDX-License-Identifier: Apache-2.0
#include "evidence/metric_rules.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/text.h"
#include "evidence/findings.h"

namespace noema::evidence {
namespace {

using namespace std::string_view_literals;

/// Units that count or measure something that can't be negative. Power and energy are absent: cross terms have a sign.
constexpr std::array counted{"bit"sv,
                             "bits"sv,
                             "byte"sv,
                             "bytes"sv,
                             "symbol"sv,
                             "symbols"sv,
                             "block"sv,
                             "blocks"sv,
                             "packet"sv,
                             "packets"sv,
                             "item"sv,
                             "items"sv,
                             "channel_use"sv,
                             "channel_uses"sv,
                             "sample"sv,
                             "samples"sv,
                             "pixel"sv,
                             "pixels"sv,
                             "count"sv,
                             "image"sv,
                             "images"sv,
                             "example"sv,
                             "examples"sv,
                             "s"sv,
                             "second"sv,
                             "seconds"sv,
                             "ms"sv,
                             "antenna"sv,
                             "antennas"sv,
                             "subcarriers"sv,
                             "resource_elements"sv,
                             "interferers"sv,
                             "words"sv,
                             "characters"sv};
constexpr std::array unit_interval{"fraction"sv, "probability"sv};

/// A difference of counts has the unit of a count, and a sign.
constexpr std::array signed_words{"delta"sv, "difference"sv, "offset"sv, "margin"sv, "bias"sv};

constexpr std::array nonnegative_words{"bpp"sv,         "bit_count"sv, "bits"sv,     "byte_count"sv, "bytes"sv,
                                       "channel_use"sv, "count"sv,     "duration"sv, "latency"sv,    "memory"sv,
                                       "pixel"sv,       "rate"sv,      "rss"sv,      "time"sv,       "wall_time_s"sv};
constexpr std::array fraction_words{
    ".ber"sv,         ".bler"sv,        "_probability"sv,      ".probability"sv,     "_fraction"sv,
    ".fraction"sv,    "_utilization"sv, ".utilization"sv,      "_success_rate"sv,    ".success_rate"sv,
    "_outage_rate"sv, ".outage_rate"sv, "_delivery_success"sv, ".delivery_success"sv};

bool contains_any(std::string_view text, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// The name without a leading `recipes.<x>.` and `steps.<x>.`, in lower case.
std::string bare_name(std::string_view name) {
  for (const std::string_view before : {"recipes."sv, "steps."sv}) {
    if (!name.starts_with(before)) continue;
    const std::size_t dot = name.find('.', before.size());
    if (dot != std::string_view::npos) name = name.substr(dot + 1);
  }
  return lower_ascii(name);
}

MetricRange range_of_unit(std::string_view unit, std::string_view name) {
  if (unit == "flag") return MetricRange::flag;
  if (std::ranges::find(unit_interval, unit) != unit_interval.end()) return MetricRange::unit_interval;
  const std::string_view over = unit.substr(0, unit.find('/'));  // bits/pixel, channel_uses/pixel
  if (std::ranges::find(counted, over) == counted.end()) return MetricRange::any;
  const std::size_t dot = name.rfind('.');
  const bool has_sign = contains_any(dot == std::string_view::npos ? name : name.substr(dot + 1), signed_words);
  return has_sign ? MetricRange::any : MetricRange::nonnegative;
}

}  // namespace

bool matches_metric(std::string_view pattern, std::string_view name) {
  // The text between two placeholders is looked for from the left and never again: a bundle brings its own patterns,
  // and trying every split of the name would let it keep the verifier busy for ever.
  bool placeholder = false;
  while (true) {
    const std::size_t open = pattern.find('<');
    const std::size_t close = pattern.find('>', open == std::string_view::npos ? 0 : open);
    const bool last = open == std::string_view::npos || close == std::string_view::npos;
    const std::string_view fixed = last ? pattern : pattern.substr(0, open);
    // A placeholder stands for one character or more.
    if (placeholder && name.empty()) return false;
    const std::string_view rest = placeholder ? name.substr(1) : name;
    if (last) return placeholder ? rest.ends_with(fixed) : name == fixed;
    const std::size_t at = placeholder ? rest.find(fixed) : rest.starts_with(fixed) ? 0 : std::string_view::npos;
    if (at == std::string_view::npos) return false;
    name = rest.substr(at + fixed.size());
    pattern.remove_prefix(close + 1);
    placeholder = true;
  }
}

MetricRange metric_range(std::string_view name, const Value& declared) {
  if (const Value* exact = declared.find(name)) return range_of_unit(text_of(*exact, "unit"), name);
  for (const auto& [pattern, traits] : members_of(declared)) {
    if (matches_metric(pattern, name)) return range_of_unit(text_of(traits, "unit"), name);
  }
  const std::string bare = bare_name(name);
  if (contains_any(bare, fraction_words)) return MetricRange::unit_interval;
  if (contains_any(bare, nonnegative_words) && bare.find("psnr") == std::string::npos) return MetricRange::nonnegative;
  return MetricRange::any;
}

}  // namespace noema::evidence
