// Any bytes as a JSON recipe: what is read is written and read again as the same value.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/json.h"
#include "core/report.h"
#include "core/text.h"
#include "noema/recipe.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const noema::Source source{"fuzz.json", std::string(reinterpret_cast<const char*>(data), size)};
  auto document = noema::parse_json_document(source);
  if (!document) {
    NOEMA_ASSERT(noema::is_utf8(noema::error_text(document.error())), "an error must be printable");
    return 0;
  }
  const std::string canonical = noema::canonical_json(document->value);
  const auto again = noema::parse_json(canonical);
  NOEMA_ASSERT(again.has_value() && noema::canonical_json(*again) == canonical, "canonical JSON reads as itself");
  const noema::Recipe recipe =
      noema::compile(*std::move(document), noema::builtin_catalog(), noema::CompileMode::compat);
  if (recipe.valid()) static_cast<void>(noema::expand_matrix(recipe, noema::builtin_catalog()));
  return 0;
}
