// Any bytes as a YAML recipe: read, compiled, expanded, or refused.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/json.h"
#include "core/report.h"
#include "core/text.h"
#include "noema/recipe.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const noema::Source source{"fuzz.yaml", std::string(reinterpret_cast<const char*>(data), size)};
  auto document = noema::parse_yaml_document(source);
  if (!document) {
    NOEMA_ASSERT(noema::is_utf8(noema::error_text(document.error())), "an error must be printable");
    NOEMA_ASSERT(!document.error().hint.empty(), "an error must say what to do");
    return 0;
  }
  NOEMA_ASSERT(noema::check_json(document->value).has_value(), "a document holds JSON values only");
  const noema::Recipe recipe =
      noema::compile(*std::move(document), noema::builtin_catalog(), noema::CompileMode::compat);
  if (recipe.valid()) static_cast<void>(noema::expand_matrix(recipe, noema::builtin_catalog()));
  return 0;
}
