// channel.symbol_power_normalize: scales symbols to a target mean power, item by item or as one stream. The power must
// be known before the first symbol leaves, so the kernel sees the whole input.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/boundary.h"
#include "kernels/channel.h"
#include "ops/channel/channel.h"
#include "ops/channel/symbols.h"
#include "ops/common/checks.h"
#include "ops/common/items.h"
#include "ops/common/power.h"

namespace noema::channel {
namespace {

constexpr std::string_view port = "symbols";

/// What became of one stretch of symbols.
struct Normalized {
  double before = 0;
  double after = 0;
  double scale = 1;
};

/// Scales `symbols` into `out` so that the mean power becomes `target`. Power at or below `eps` counts as silence,
/// which no factor can lift; a target of 0 silences everything.
Normalized normalize(std::span<const Complex> symbols, double target, double eps, std::span<Complex> out) {
  Normalized result;
  result.before = kernels::mean_power(symbols);
  if (target == 0) {
    result.scale = 0;
    std::ranges::fill(out, Complex{});
    return result;
  }
  if (result.before > eps) result.scale = std::sqrt(target / result.before);
  kernels::scale(symbols, static_cast<float>(result.scale), out);
  result.after = kernels::mean_power(out);
  return result;
}

template <class Field>
Value listed(const std::vector<Normalized>& items, Field field) {
  Value values = Value::array();
  for (const Normalized& item : items) values.push(Value(item.*field));
  return values;
}

Result<void> run(Call& call) {
  const bool received =
      call.artifact(port).array("symbols") == nullptr && call.artifact(port).array("rx_symbols") != nullptr;
  NOEMA_TRY(const Array stored, call.array(port, received ? "rx_symbols" : "symbols"));
  const std::string_view boundary = ops::symbol_boundary_of(call.kind(port));
  NOEMA_TRY(const kernels::Checked checked, ops::at_port(kernels::check_symbols(boundary, stored, "complex"), port));
  const std::span<const Complex> symbols = checked.array.span<Complex>();
  const double target = call.number("target_power");
  const double eps = call.number("eps");
  const bool by_item = call.text("normalization_scope") == "source_item";

  std::optional<ops::ItemCounts> items;
  if (by_item) {
    NOEMA_TRY(items, ops::item_symbol_counts(call.metadata(port), symbols.size(), port));
  }
  Array normalized = Array::make(DType::c64, {symbols.size()});
  const std::span<Complex> out = normalized.edit<Complex>();
  std::vector<Normalized> parts;
  std::uint64_t start = 0;
  for (const std::uint64_t count : items ? *items : ops::ItemCounts{symbols.size()}) {
    parts.push_back(normalize(symbols.subspan(start, count), target, eps, out.subspan(start, count)));
    start += count;
    NOEMA_CHECK(call.progress("normalize", start, symbols.size(), "symbols"));
  }

  ops::PowerTrace trace(symbols.size());
  trace.add(out);
  const double before = kernels::mean_power(symbols);
  Value metadata = call.metadata(port);
  for (const std::string_view earlier :
       {"power_normalization_scope", "power_normalization_warning", "source_item_power_before",
        "source_item_power_after", "source_item_power_normalization_scales", "max_source_item_tx_power_after"}) {
    metadata.erase(earlier);
  }
  metadata.set("power_normalized", true);
  metadata.set("power_normalization_target", target);
  metadata.set("power_normalization_label", call.text("label"));
  metadata.set("power_normalization_eps", eps);
  metadata.set("power_normalization_scale", items ? Value() : Value(parts.front().scale));
  metadata.set("power_before", before);
  metadata.set("power_after", trace.average());
  metadata.set("power_total_energy", trace.energy());
  metadata.set("power_unit", "normalized");
  metadata.set("power_budget_unit", "average_symbol_power");
  metadata.set("tx_power_preview", trace.preview("tx_power_trace", call.text("label"), "normalized"));
  emit_transmit_power(call, {before, trace.average(), trace.energy(), symbols.size()});
  emit_power_target(call, target);
  if (by_item) {
    metadata.set("power_normalization_scope", items ? "source_item" : "global");
    if (!items) {
      metadata.set("power_normalization_warning",
                   "source_item scope without item boundaries: the whole stream was normalised as one");
    }
  }
  if (items) {
    const double most = std::ranges::max(parts, {}, &Normalized::after).after;
    metadata.set("source_item_power_before", listed(parts, &Normalized::before));
    metadata.set("source_item_power_after", listed(parts, &Normalized::after));
    metadata.set("source_item_power_normalization_scales", listed(parts, &Normalized::scale));
    metadata.set("max_source_item_tx_power_after", most);
    call.metric("channel.max_source_item_tx_power.after", most);
    call.metric("channel.power_normalization.source_item_scope", 1.0);
  }
  call.emit(port, {{"symbols", std::move(normalized)}}, std::move(metadata));
  return {};
}

}  // namespace

void add_symbol_power_normalize(KernelList& kernels) {
  for (const char* implementation : {"source_item_power_normalizer", "global_power_normalizer"}) {
    kernels.add("channel.symbol_power_normalize", "cpp", implementation, run);
  }
}

}  // namespace noema::channel
