// The recipes that docs/recipes.md shows must compile, points and all.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/files.h"
#include "core/report.h"
#include "noema/recipe.h"

namespace noema {
namespace {

TEST(Docs, RecipesCompile) {
  const auto text = read_text_file(std::string(NOEMA_SOURCE_DIR) + "/docs/recipes.md", 1 << 20);
  ASSERT_TRUE(text);
  constexpr std::string_view opening = "```yaml\n";
  std::size_t recipes = 0;
  for (std::size_t at = text->find(opening); at != std::string::npos; at = text->find(opening, at)) {
    at += opening.size();
    const std::string yaml = text->substr(at, text->find("```", at) - at);
    auto document = parse_yaml_document({"recipes.md", yaml});
    ASSERT_TRUE(document) << error_text(document.error());
    EXPECT_TRUE(document->remarks.empty());
    const auto recipe = require_valid(compile(*std::move(document), builtin_catalog()));
    ASSERT_TRUE(recipe) << error_text(recipe.error());
    EXPECT_TRUE(expand_matrix(*recipe, builtin_catalog()));
    ++recipes;
  }
  EXPECT_EQ(recipes, 2u);
}

}  // namespace
}  // namespace noema
