// Evidence: reading bundles that runs left, and checking them without running anything.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema {

/// One check of the verifier.
struct Check {
  std::string id;      ///< such as `artifact.sha256`
  std::string status;  ///< pass, info, warning, error or not_applicable
  std::string message;
  Value details;  ///< null when there are none
};

struct Verdict {
  std::string status;       ///< valid, warning or invalid
  bool complete = true;     ///< false when artifacts were not retained
  std::size_t omitted = 0;  ///< how many
  std::string target_id;
  std::string path;
  std::vector<Check> checks;
  Value document;  ///< the whole report (`runs verify --json`)
};

struct VerifyOptions {
  bool strict = false;  ///< findings about the recipe count as errors and warnings, not as information
};

/// Verifies a run bundle in a folder. Read-only, works outside any workspace, follows no link inside the bundle.
/// With `trusted` (may be null) the bundle's contracts must mean what the catalogue's mean.
Verdict verify_run(const std::string& folder, const Catalog* trusted, const VerifyOptions& options = {});
/// The verdict as people read it: `<status> run: <id>`, then what was found, errors first.
std::string verdict_text(const Verdict& verdict);

/// A row of `runs list`.
struct RunRow {
  std::string run_id, status, recipe_name, suite, created_at_utc, completed_at_utc;
};
/// The runs of a workspace, newest last; `incomplete` for a running bundle whose lock is free. Creates nothing.
Result<std::vector<RunRow>> list_runs(const std::string& workspace);
/// Folder of a run id in a workspace; refuses ids that are not one safe path component.
Result<std::string> run_folder(const std::string& workspace, const std::string& run_id);

/// The summary of a bundle; its status is `incomplete` for a running one whose lock is free.
Result<Value> run_summary(const std::string& folder);

}  // namespace noema
