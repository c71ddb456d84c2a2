// Recipes of the reference: the same digests, authored and effective.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "core/files.h"
#include "core/json.h"
#include "core/report.h"
#include "noema/recipe.h"

namespace noema {
namespace {

TEST(Golden, RecipesOfTheReferenceHaveTheirDigests) {
  const std::string data = std::string(NOEMA_SHARED_DIR) + "/data";
  if (!std::filesystem::exists(data + "/reference/recipe_digests.json")) GTEST_SKIP() << "the shared data are not here";
  const auto text = read_text_file(data + "/reference/recipe_digests.json", 1 << 20);
  ASSERT_TRUE(text);
  const auto digests = parse_json(*text);
  ASSERT_TRUE(digests);
  ASSERT_EQ(digests->size(), 3u);
  for (const auto& [name, expected] : digests->members()) {
    for (const CompileMode mode : {CompileMode::strict, CompileMode::compat}) {
      auto document = read_document(data + "/recipes/" + name + ".yaml");
      ASSERT_TRUE(document) << error_text(document.error());
      const auto recipe = require_valid(compile(*std::move(document), builtin_catalog(), mode));
      ASSERT_TRUE(recipe) << error_text(recipe.error());
      EXPECT_TRUE(recipe->diagnostics.empty());
      EXPECT_EQ(recipe->authored_sha256, expected.at("authored").string()) << name;
      EXPECT_EQ(recipe->effective_sha256, expected.at("effective").string()) << name;
    }
  }
}

}  // namespace
}  // namespace noema
