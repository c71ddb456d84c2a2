// ops/wireless/link.h: reading a wireless.channel step.
// SPDX-License-Identifier: Apache-2.0
#include "ops/wireless/link.h"

#include <map>
#include <string_view>
#include <utility>

#include "kernels/math.h"
#include "noema/recipe.h"

namespace noema::wireless {
namespace {

constexpr std::string_view port = "symbols";

/// A seed for each source item, from its name and how often that name came before: what an item meets does not depend
/// on its neighbours.
void seed_items(const Value& metadata, Link& link) {
  const ops::ItemNames names = ops::link_item_names(metadata, link.items->size());
  std::map<std::string, std::uint64_t, std::less<>> met;
  bool unique = true;
  for (const std::string& name : names.names) {
    const std::uint64_t occurrence = met[name]++;
    unique = unique && occurrence == 0;
    link.item_seeds.push_back(derive_seed(std::to_string(link.seed), "wireless.channel.source_item", name,
                                          "occurrence_" + std::to_string(occurrence)));
  }
  link.order_invariant = unique && !names.key.empty();
}

}  // namespace

Result<Link> read_link(const Call& call) {
  const Value& metadata = call.metadata(port);
  Link link;
  link.symbols = call.length(port);
  link.seed = call.seed("wireless_channel");
  link.flat.threads = call.threads();
  if (call.text("noise_mode") == "fixed_variance") {
    if (!call.has("noise_variance")) {
      return refuse_parameter("noise_variance", code::parameter_missing,
                              "noise_mode fixed_variance needs a noise_variance",
                              "set noise_variance, or let noise_mode be snr_at_unit_power");
    }
    link.flat.noise_variance = call.number("noise_variance");
    link.reference_snr_db = -math::to_db(link.flat.noise_variance);
  } else {
    link.reference_snr_db = call.number("snr_db");
    link.flat.noise_variance = kernels::noise_variance_from_snr_db(link.reference_snr_db);
  }

  NOEMA_TRY(link.items, ops::item_symbol_counts(metadata, link.symbols, port));
  if (link.items) {
    seed_items(metadata, link);
  } else {
    link.item_seeds.push_back(link.seed);
  }
  NOEMA_TRY(link.rates, ops::UseRates::read(metadata, link.symbols, link.items, port));

  if (call.text("channel") == "flat_rayleigh") {
    const bool per_item = call.text("fading_scope") == "source_item";
    if (per_item && !link.items) {
      return refuse_parameter(
          "fading_scope", code::parameter_conflict,
          "fading_scope source_item needs source items, and the symbols carry none",
          "feed symbols whose metadata has source_item_symbol_counts, or set fading_scope to symbol");
    }
    link.flat.fading = per_item ? Fading::per_item : Fading::per_symbol;
    link.flat.equalize = call.text("receiver_processing") == "matched";
  }
  return link;
}

}  // namespace noema::wireless
