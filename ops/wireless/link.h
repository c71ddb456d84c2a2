// wireless.channel as a step: what its parameters and its input's metadata ask for, and the metadata and metrics that
// say what the channel did.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "noema/backend.h"
#include "ops/common/items.h"
#include "ops/common/rates.h"
#include "ops/wireless/flat_channel.h"

namespace noema::wireless {

/// A step's channel before any sample has passed.
struct Link {
  std::uint64_t symbols = 0;
  FlatSettings flat;
  double reference_snr_db = 0;
  std::uint64_t seed = 0;                 ///< of the step
  std::optional<ops::ItemCounts> items;   ///< symbols of each source item, when the stream has items
  std::vector<std::uint64_t> item_seeds;  ///< one each; without items only `seed`
  bool order_invariant = false;           ///< items have unique names of their own, so their order changes nothing
  ops::UseRates rates;
};

/// Reads the step's parameters and the metadata of its input `symbols`.
Result<Link> read_link(const Call& call);

/// What interferers did, over all items.
struct Interference {
  std::uint64_t interferers = 1;
  double noisy_energy = 0;
  double energy = 0;
};

/// The output's metadata. Without `measured` it holds what is known before the first symbol.
Result<Value> link_metadata(const Call& call, const Link& link, const Measured* measured,
                            const Interference* interference = nullptr);
void emit_link_metrics(Call& call, const Link& link, const Measured& measured,
                       const Interference* interference = nullptr);

}  // namespace noema::wireless
