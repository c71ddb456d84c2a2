// Benchmark packs: reading one, its normal form and protocol digest, and the concrete recipe of an entry.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/recipe.h"
#include "noema/value.h"

namespace noema {

struct PackMetric {
  std::string id;
  std::int64_t definition_version = 1;
  std::string source_step;  ///< empty when not stated
  std::vector<std::string> source_operations;
  std::vector<std::string> applicable_roles;  ///< empty: all
  std::string family, unit, direction;
};

struct PackEntry {
  std::string id;
  std::string label;
  std::string role;  ///< free text; baseline, reference and control act as reference
  std::string path;  ///< as written
  Value params = Value::object();
  bool skip = false;  ///< placeholder role, or `skip: true`
  std::string skip_reason;
};

/// A pack in its normal form. Unknown top-level fields are dropped; they are named in `warnings`.
struct Pack {
  std::string file;  ///< where it was read
  std::string id, version, name, description;
  std::vector<PackMetric> metrics;
  std::vector<PackEntry> entries;
  Value normal;  ///< what digests cover and what is stored
  std::string protocol_sha256;
  std::vector<std::string> warnings;
  std::shared_ptr<const Document> document;
};

/// Reads a pack (schema version 1). All independent errors are reported together, with place.
Result<Pack> read_pack(const std::string& file);

/// The recipe file of an entry: an absolute path, else the first that exists below the pack's folder, then the current
/// folder; the first candidate when none does.
std::string entry_recipe_file(const Pack& pack, const PackEntry& entry);

/// The concrete recipe of an entry: its file with matrix selection, name, metadata and step parameters applied, in that
/// order. Features of later stages (dataset binding, common conditions, resource budgets) are refused by name.
Result<Recipe> entry_recipe(const Pack& pack, const PackEntry& entry, const Catalog& catalog);

}  // namespace noema
