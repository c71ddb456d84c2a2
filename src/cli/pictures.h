// Pictures taken out of a run's artifacts, for people to look at.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "noema/error.h"
#include "sweep/columns.h"

namespace noema::cli {

/// Writes `<folder>/<name>.png` from the image batch that the request names.
Result<void> save_picture(const PictureRequest& request, const std::vector<SweepRow>& rows, const std::string& folder);

}  // namespace noema::cli
