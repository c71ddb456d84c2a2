// SPDX-License-Identifier: Apache-2.0
#include "pack/pack.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/report.h"
#include "noema/plan.h"

namespace noema {
namespace {

namespace fs = std::filesystem;

class PackFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("noema_pack_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    write("link.yaml", R"(schema_version: 1
name: link
metadata:
  seed: 1
  matrix:
    dimensions: {count: [8, 16]}
    step_params: {data: {bit_count: {matrix: count}}}
steps:
  - {id: data, op: source.random_bits, params: {bit_count: 8}}
  - {id: ber, op: metrics.bit_error_rate, inputs: {reference: data.bits, candidate: data.bits}}
)");
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::string pack_with(const std::string& entry) {
    return "id: p\ndataset: {id: d}\ntask: {id: t}\nmetrics: [channel.ber.ber]\nrecipes:\n  - " + entry + "\n";
  }
  fs::path folder_;
};

TEST(Pack, OfTheReferenceParsesAndItsFirstEntryPlans) {
  const std::string file = std::string(NOEMA_SHARED_DIR) + "/data/recipes/benchmarks/qpsk_awgn_receiver_v1.yaml";
  if (!fs::exists(file)) GTEST_SKIP() << "the shared recipes are not here";
  const auto pack = read_pack(file);
  ASSERT_TRUE(pack) << error_text(pack.error());
  EXPECT_EQ(pack->id, "neural_receiver_ai_phy.qpsk_awgn_receiver_v1");
  ASSERT_EQ(pack->entries.size(), 4u);
  EXPECT_EQ(pack->metrics.size(), 6u);
  EXPECT_EQ(pack->metrics[0].source_operations, std::vector<std::string>{"wireless.channel"});
  // The pack looks two folders up; the shared copy lies one folder below its recipes.
  PackEntry first = pack->entries.front();
  first.path = "../neural_receiver_qpsk_awgn_classical.yaml";
  const auto recipe = entry_recipe(*pack, first, builtin_catalog());
  ASSERT_TRUE(recipe) << error_text(recipe.error());
  EXPECT_EQ(recipe->name, "neural_receiver_qpsk_awgn_classical__classical_qpsk_snr6");
  const auto planned = plan(*recipe, builtin_catalog());
  ASSERT_TRUE(planned) << error_text(planned.error());
  EXPECT_EQ(planned->steps.size(), 12u);
}

TEST_F(PackFiles, SelectsAPointOfTheMatrix) {
  const auto pack =
      read_pack(write("p.yaml", pack_with("{id: big, path: link.yaml, params: {matrix_selection: {count: 16}}}")));
  ASSERT_TRUE(pack) << error_text(pack.error());
  const auto recipe = entry_recipe(*pack, pack->entries[0], builtin_catalog());
  ASSERT_TRUE(recipe) << error_text(recipe.error());
  EXPECT_EQ(recipe->name, "link__big");
  EXPECT_EQ(recipe->steps[0].params.at("bit_count"), Value(16));
  EXPECT_EQ(recipe->effective.at("metadata").find("matrix"), nullptr);
}

TEST_F(PackFiles, TheProtocolDigestIgnoresWhereThePackLies) {
  const std::string text = pack_with("{path: link.yaml}");
  fs::create_directories(folder_ / "elsewhere");
  const auto here = read_pack(write("p.yaml", text));
  const auto there = read_pack(write("elsewhere/p.yaml", text));
  ASSERT_TRUE(here && there);
  EXPECT_EQ(here->protocol_sha256, there->protocol_sha256);
  const auto changed = read_pack(write("q.yaml", pack_with("{path: link.yaml, label: x}")));
  ASSERT_TRUE(changed);
  EXPECT_NE(here->protocol_sha256, changed->protocol_sha256);
}

TEST_F(PackFiles, RefusesWhatContradictsTheSelection) {
  const auto pack = read_pack(write(
      "p.yaml",
      pack_with(
          "{id: e, path: link.yaml, params: {matrix_selection: {count: 16}, step_params: {data: {bit_count: 8}}}}")));
  ASSERT_TRUE(pack);
  const auto recipe = entry_recipe(*pack, pack->entries[0], builtin_catalog());
  ASSERT_FALSE(recipe);
  EXPECT_NE(recipe.error().message.find("contradicts"), std::string::npos);
}

TEST_F(PackFiles, ReportsEveryIndependentErrorWithItsPlace) {
  const auto pack =
      read_pack(write("p.yaml", "schema_version: 2\nmetrics: [{id: m, direction: up}]\nrecipes: [{role: x}]\n"));
  ASSERT_FALSE(pack);
  const auto errors = flattened(pack.error());
  ASSERT_EQ(errors.size(), 4u) << error_text(pack.error());
  EXPECT_EQ(errors[0].at.line, 1);
  EXPECT_EQ(errors[2].at.path, "metrics[0].direction");
}

TEST_F(PackFiles, RefusesWhatItDoesNotApply) {
  const auto pack = read_pack(write("p.yaml", pack_with("{id: e, path: link.yaml, params: {resource_budget: {}}}")));
  ASSERT_TRUE(pack);
  const auto recipe = entry_recipe(*pack, pack->entries[0], builtin_catalog());
  ASSERT_FALSE(recipe);
  EXPECT_EQ(recipe.error().at.path, "recipes.e.params.resource_budget");
}

TEST_F(PackFiles, MetricsThatAreNoListAreRefused) {
  const std::string file = write("pack.yaml",
                                 "id: p\ndataset: {id: d}\ntask: {id: t}\nmetrics: {a: 1, b: 2}\n"
                                 "recipes: [{path: link.yaml}]\n");
  const auto pack = read_pack(file);
  ASSERT_FALSE(pack);
  EXPECT_EQ(pack.error().at.path, "metrics");
}

}  // namespace
}  // namespace noema
