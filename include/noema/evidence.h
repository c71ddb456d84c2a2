// Evidence: reading bundles that runs left, and checking them without running anything.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema {

/// One check of the verifier.
struct Check {
  std::string id;       ///< such as `artifact.sha256`
  std::string status;   ///< pass, info, warning or error
  std::string message;
  Value details;        ///< null when there are none
};

struct Verdict {
  std::string status;   ///< valid, warning or invalid
  bool complete = true; ///< false when artifacts were not retained
  std::string target_id;
  std::string path;
  std::vector<Check> checks;
  Value document;       ///< the whole report (`runs verify --json`)
};

/// Verifies a run bundle in a folder. Read-only, works outside any workspace. `trusted` may be null.
Verdict verify_run(const std::string& folder, const Catalog* trusted);

/// A row of `runs list`.
struct RunRow {
  std::string run_id, status, recipe_name, suite, created_at_utc, completed_at_utc;
};
/// The runs of a workspace, newest last; `incomplete` for a running bundle whose lock is free. Creates nothing.
Result<std::vector<RunRow>> list_runs(const std::string& workspace);
/// Folder of a run id in a workspace; refuses ids that are not one safe path component.
Result<std::string> run_folder(const std::string& workspace, const std::string& run_id);

}  // namespace noema
