// Seed policies, and derived seeds against the shared vectors.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "core/files.h"
#include "core/json.h"
#include "core/report.h"
#include "noema/recipe.h"
#include "recipe/python_text.h"

namespace noema {
namespace {

Value recipe_with(Value metadata) { return Value::object({{"name", "n"}, {"metadata", std::move(metadata)}}); }

TEST(DeriveSeed, KeepsTheSharedVectors) {
  const std::string file = std::string(NOEMA_SHARED_DIR) + "/data/reference/canonical_json_vectors.json";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "the shared vectors are not here";
  const auto text = read_text_file(file, 1 << 20);
  ASSERT_TRUE(text);
  const auto vectors = parse_json(*text);
  ASSERT_TRUE(vectors);
  const Value& cases = vectors->at("derive_seed").at("cases");
  ASSERT_GT(cases.size(), 5u);
  for (const Value& one : cases.items()) {
    EXPECT_EQ(derive_seed(one.at("master_seed").integer_text(), one.at("seed_namespace").string(),
                          one.at("step_id").string(), one.at("stream").string()),
              static_cast<std::uint64_t>(one.at("seed").integer()));
  }
}

TEST(DeriveSeed, KeepsTheVectorsOfTheSpecification) {
  EXPECT_EQ(derive_seed("23", "demo", "wireless_channel", "default"), 879064707u);
  EXPECT_EQ(derive_seed("7", "demo", "wireless_channel", "wireless_channel"), 374772159u);
  EXPECT_EQ(derive_seed("23002", "wireless.channel.source_item", "img_0", "occurrence_0"), 2004791686u);
  EXPECT_EQ(derive_seed("7", "demo", "noise", "source_image_perturbation"), 920010261u);
  EXPECT_EQ(derive_seed("1234", "wireless.channel.source_item", "kodim01#repeat-0", "occurrence_0"), 392763201u);
}

TEST(SeedPolicy, TakesTheFirstSeedThatIsSet) {
  const auto policy =
      seed_policy(recipe_with(Value::object({{"ui_seed", 3}, {"experiment_seed", 2}, {"seed", nullptr}})));
  ASSERT_TRUE(policy);
  EXPECT_EQ(policy->master, "2");
  EXPECT_EQ(policy->source, "recipe.metadata.experiment_seed");
  EXPECT_EQ(policy->seed_namespace, "n");
  const Value evidence = policy->evidence();
  EXPECT_EQ(evidence.at("master_seed"), Value(2));
  EXPECT_EQ(evidence.at("master_seed_source"), Value("recipe.metadata.experiment_seed"));
  EXPECT_EQ(evidence.at("seed_namespace"), Value("n"));
  EXPECT_EQ(evidence.at("schema_version"), Value(1));
  EXPECT_EQ(evidence.at("operation_param_seed_overrides_master"), Value(true));
  EXPECT_TRUE(evidence.at("derivation").is_string());
}

TEST(SeedPolicy, PrefersTheKeysInTheirOrder) {
  Value metadata = Value::object({{"ui_seed", 3}, {"experiment_seed", 2}, {"seed", 1}});
  EXPECT_EQ(seed_policy(recipe_with(metadata))->master, "1");
  metadata.erase("seed");
  EXPECT_EQ(seed_policy(recipe_with(metadata))->master, "2");
  metadata.erase("experiment_seed");
  EXPECT_EQ(seed_policy(recipe_with(metadata))->master, "3");
}

TEST(SeedPolicy, MayHaveNoMaster) {
  for (const Value& recipe : {recipe_with(Value::object()), recipe_with(nullptr), Value::object({{"name", "n"}})}) {
    const auto policy = seed_policy(recipe);
    ASSERT_TRUE(policy);
    EXPECT_FALSE(policy->master);
    EXPECT_TRUE(policy->evidence().at("master_seed").is_null());
    EXPECT_TRUE(policy->evidence().at("master_seed_source").is_null());
    EXPECT_EQ(policy->seed_namespace, "n");
  }
}

TEST(SeedPolicy, ReadsWholeNumbersAndNothingElse) {
  const auto master = [](Value seed) {
    const auto policy = seed_policy(recipe_with(Value::object({{"seed", std::move(seed)}})));
    EXPECT_TRUE(policy || policy.error().at.path == "metadata.seed");
    return policy ? *policy->master : std::string(policy.error().code.text);
  };
  EXPECT_EQ(master(23), "23");
  EXPECT_EQ(master("  +1_000 "), "1000");
  EXPECT_EQ(master("007"), "7");
  EXPECT_EQ(master(23.0), "23");
  EXPECT_EQ(master(1e22), "10000000000000000000000");
  EXPECT_EQ(master(Value::integer_text("123456789012345678901234567890")), "123456789012345678901234567890");
  for (const Value& bad : {Value(true), Value(2.5), Value(-1), Value("-1"), Value("1.0"), Value(""), Value("1__0"),
                           Value("1_"), Value("_1"), Value(Value::Items{1}), Value("0x1")}) {
    EXPECT_EQ(master(bad), "recipe.seed_invalid") << canonical_json(bad);
  }
}

TEST(SeedPolicy, TrimsItsNamespace) {
  const auto seed_namespace = [](Value text) {
    const auto policy = seed_policy(recipe_with(Value::object({{"seed_namespace", std::move(text)}})));
    return policy ? policy->seed_namespace : std::string(policy.error().code.text);
  };
  EXPECT_EQ(seed_namespace(" a b\n"), "a b");
  EXPECT_EQ(seed_namespace("\xC2\xA0x\xE2\x80\x83"), "x") << "no-break and em space";
  EXPECT_EQ(seed_namespace("  "), "n");
  EXPECT_EQ(seed_namespace(nullptr), "n");
  EXPECT_EQ(seed_namespace(5), "5");
  EXPECT_EQ(seed_namespace(1.5), "recipe.seed_invalid");
}

}  // namespace
}  // namespace noema
