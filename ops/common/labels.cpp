// ops/common/labels.h: labels inside metric names.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/labels.h"

#include <algorithm>

#include "core/text.h"

namespace noema::ops {

std::string metric_label(std::string_view text) {
  std::string label;
  for (const char c : lower_ascii(text)) {
    const bool kept = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
    if (kept) {
      label.push_back(c);
    } else if (!label.empty() && label.back() != '_') {
      label.push_back('_');
    }
  }
  while (!label.empty() && label.back() == '_') label.pop_back();
  return label.empty() ? "boundary" : label;
}

std::string spaces_only_label(std::string_view text) {
  std::string label(text);
  std::ranges::replace(label, ' ', '_');
  return label;
}

}  // namespace noema::ops
