// Whole recipes: what each file of conformance/recipes says about bindings, digests, metrics and errors; and that every
// recipe we give to users plans, and runs where its data is at hand.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "conformance/recipe_file.h"
#include "conformance/subprocess.h"
#include "core/report.h"
#include "noema/evidence.h"
#include "noema/plan.h"
#include "noema/run.h"

namespace noema::conformance {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::vector<Section>& sections) {
  std::string text;
  for (const Section& section : sections) {
    text += "---- " + section.name + (section.argument.empty() ? "" : " " + section.argument) + "\n";
    for (const std::string& line : section.lines) text += line + "\n";
  }
  return text;
}

class RecipeTest : public testing::TestWithParam<RecipeCase> {};

TEST_P(RecipeTest, GivesWhatItsFileSays) {
  const RecipeCase& one = GetParam();
  const RecipeReport report = report_of(one);
  if (!report.skipped.empty()) GTEST_SKIP() << report.skipped;
  bool checked = false;
  for (std::size_t i = 0; i < one.sections.size(); ++i) {
    const std::string& name = one.sections[i].name;
    checked |= name == "digests" || name == "plan" || name == "artifacts" || name == "metrics" || name == "verify" ||
               name == "error";
    EXPECT_EQ(text_of({report.sections[i]}), text_of({one.sections[i]}));
  }
  EXPECT_TRUE(checked) << "a case that expects nothing shows nothing";
}

/// `NOEMA_SHOW_RECIPES=<folder>` writes what the files would have to say, for a person to compare and take over.
TEST(RecipeTestFiles, AreShownOnRequest) {
  const char* folder = std::getenv("NOEMA_SHOW_RECIPES");
  if (folder == nullptr) GTEST_SKIP() << "NOEMA_SHOW_RECIPES names no folder";
  std::map<std::string, std::string> files;
  for (const RecipeCase& one : all_recipe_cases()) {
    const RecipeReport report = report_of(one);
    std::string& text = files[one.file];
    text += (text.empty() ? "" : "\n") + ("==== " + one.name) + "\n" +
            text_of(report.skipped.empty() ? report.sections : one.sections);
  }
  for (const auto& [name, text] : files) overwrite(std::string(folder) + "/" + name + ".test", text);
}

std::string test_name(const testing::TestParamInfo<RecipeCase>& info) {
  std::string name = info.param.file + "_" + info.param.name;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Recipes, RecipeTest, testing::ValuesIn(all_recipe_cases()), test_name);

// ---- recipes/ ------------------------------------------------------------------------------------------------------

std::vector<std::string> our_recipes() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(source_folder() + "/recipes")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().filename().string());
  }
  std::ranges::sort(files);
  return files;
}

class OurRecipe : public testing::TestWithParam<std::string> {
 protected:
  /// The plans of all its points.
  Result<std::vector<Plan>> plans() const {
    NOEMA_TRY(Document document, read_document(source_folder() + "/recipes/" + GetParam()));
    NOEMA_TRY(const Recipe recipe, require_valid(compile(std::move(document), builtin_catalog())));
    EXPECT_TRUE(recipe.diagnostics.empty()) << "our recipes give no warnings: " << recipe.diagnostics.front().message;
    NOEMA_CHECK(validate(recipe, builtin_catalog()));
    NOEMA_TRY(const Matrix matrix, read_matrix(recipe));
    std::vector<Plan> plans;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, matrix.variant_count); ++i) {
      Recipe point = recipe;
      if (matrix.enabled) {
        NOEMA_TRY(const Variant variant, matrix_variant(recipe, matrix, i));
        NOEMA_TRY(point, require_valid(compile(variant.recipe, builtin_catalog(), CompileMode::strict, "benchmark_run",
                                               recipe.document)));
      }
      NOEMA_TRY(point, single_run_gate(std::move(point)));
      NOEMA_TRY(Plan planned, plan(point, builtin_catalog()));
      plans.push_back(std::move(planned));
    }
    return plans;
  }
};

TEST_P(OurRecipe, PlansAtEveryPoint) {
  const auto planned = plans();
  ASSERT_TRUE(planned) << error_text(planned.error());
  EXPECT_FALSE(planned->empty());
}

TEST_P(OurRecipe, RunsAndVerifies) {
  auto planned = plans();
  ASSERT_TRUE(planned) << error_text(planned.error());
  const Scratch scratch;
  const std::string photo = source_folder() + "/ops/source/fixtures/folder/photo.jpg";
  for (const char* folder : {".noema/datasets/photographs", "photographs"}) {
    fs::create_directories(scratch / folder);
    if (fs::exists(photo)) fs::copy(photo, scratch / (std::string(folder) + "/photo.jpg"));
  }
  // The first and the last point stand for all: what differs between points are numbers.
  std::vector<const Plan*> chosen{&planned->front()};
  if (planned->size() > 1) chosen.push_back(&planned->back());
  if (GetParam().find("kodak") != std::string::npos)
    GTEST_SKIP() << "24 large pictures take too long here; reference.test runs one";
  for (const Plan* one : chosen) {
    for (const PlannedStep& step : one->steps) {
      const Value* bits = step.params.find("bit_count");
      if (bits != nullptr && bits->is_integer() && bits->integer() > 20'000'000)
        GTEST_SKIP() << "it is made to take long";
    }
    RunOptions options;
    options.workspace = scratch / "workspace";
    options.base = scratch.path();
    options.retain = Retain::reports;
    const auto outcome = run(*one, options);
    ASSERT_TRUE(outcome) << error_text(outcome.error());
    if (outcome->error && outcome->error->code == code::io_read) GTEST_SKIP() << outcome->error->message;
    ASSERT_FALSE(outcome->error) << error_text(*outcome->error);
    const Verdict verdict = verify_run(outcome->directory, &builtin_catalog());
    EXPECT_EQ(verdict.status, "valid") << verdict_text(verdict);
  }
}

INSTANTIATE_TEST_SUITE_P(Recipes, OurRecipe, testing::ValuesIn(our_recipes()),
                         [](const auto& one) { return one.param.substr(0, one.param.find('.')); });

}  // namespace
}  // namespace noema::conformance
