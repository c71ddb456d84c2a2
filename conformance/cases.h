// Cases: what operations must do, read from `ops/**/<stem>.cases.json`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema::conformance {

struct Case {
  std::string operation;
  std::string file;  ///< of the cases, relative to the repository
  std::string name;
  Value body;  ///< the case's object
  bool bench = false;
  std::string needs;  ///< a file outside the repository that the case reads; skipped where it is absent

  bool available() const;
};

/// All cases of one operation; empty when it has no file.
Result<std::vector<Case>> cases_of(const Contract& contract);
/// All cases of all operations in the catalog, by operation id.
Result<std::vector<Case>> all_cases(const Catalog& catalog);
/// The folder of an operation's files.
std::string operation_folder(const Contract& contract);

}  // namespace noema::conformance
