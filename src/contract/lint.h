// The build's check of one authored contract: every flaw with file, line and caret.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contract/authored.h"
#include "core/json.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema::contract {

/// Where an authored contract came from: the text and what is known of its nodes' places.
struct AuthoredText {
  std::string_view name;
  std::string_view text;
  JsonPositions positions;
  enum class Part { key, value };
  /// The place of a node's key or value; of its nearest known ancestor's value when it has none.
  Place place(std::string_view path, Part part = Part::value) const;
};

/// Flaws in document order. `authored` has its fragments expanded; `family` and `stem` are those of the file.
std::vector<Error> lint_contract(const Value& authored, const AuthoredText& text, const ContractFile& file,
                                 const Vocabulary& vocabulary);

/// Flaws between contracts: an id twice, a fragment that nobody uses.
std::vector<Error> lint_collection(const std::vector<ContractFile>& files, const std::vector<Contract>& contracts,
                                   const Vocabulary& vocabulary);

}  // namespace noema::contract
