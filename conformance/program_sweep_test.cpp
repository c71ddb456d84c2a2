// Sweeps from outside: tables, points that fail, interruption, runs side by side.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>

#include "conformance/subprocess.h"
#include "core/json.h"

namespace noema::conformance {
namespace {

namespace fs = std::filesystem;

std::string matrix_recipe(const std::string& dimensions, const std::string& parameters, const std::string& steps) {
  return "schema_version: 1\nname: sweep\nmetadata:\n  seed: 4\n  matrix:\n    dimensions: " + dimensions +
         "\n    step_params: " + parameters + "\nsteps:\n" + steps;
}

constexpr const char* link = R"(  - {id: data, op: source.random_bits, params: {bit_count: 2000, seed: 7}}
  - {id: encoder, op: channel.repetition_encoder, inputs: {bits: data.bits}, params: {factor: 1}}
  - {id: modulator, op: modulation.digital_modulate, inputs: {bits: encoder.coded_bits}}
  - {id: channel, op: wireless.channel, inputs: {symbols: modulator.symbols}, params: {channel: awgn, snr_db: 0}}
)";

class Sweep : public testing::Test {
 protected:
  Finished run(std::vector<std::string> flags = {}) const {
    std::vector<std::string> words{"recipe", "run-matrix", "r.yaml", "--json", "-q"};
    words.insert(words.end(), flags.begin(), flags.end());
    return noema_program(words, scratch_.path());
  }
  static Value document(const std::string& text) {
    auto value = parse_json(text);
    EXPECT_TRUE(value) << text;
    return value ? *std::move(value) : Value::object();
  }
  static std::vector<std::string> statuses(const Value& sweep) {
    std::vector<std::string> all;
    for (const Value& variant : sweep.at("variants").items()) all.push_back(variant.at("status").string());
    return all;
  }
  Scratch scratch_;
};

TEST_F(Sweep, RunsEveryPointAndGivesTheSameEachTime) {
  scratch_.write("r.yaml",
                 matrix_recipe("{snr_db: [0, 10], factor: [1, 3]}",
                               "{channel: {snr_db: {matrix: snr_db}}, encoder: {factor: {matrix: factor}}}", link));
  const Finished first = run();
  ASSERT_EQ(first.status, 0) << first.out;
  const Value one = document(first.out);
  EXPECT_EQ(statuses(one), std::vector<std::string>(4, "completed"));
  const std::string folder = fs::directory_iterator(scratch_ / ".noema/sweeps")->path().string();
  EXPECT_EQ(document(file_bytes(folder + "/sweep.json")), one);
  const std::string table = file_bytes(folder + "/table.csv");
  EXPECT_EQ(std::ranges::count(table, '\n'), 5) << table;
  const Finished second = run({"--threads", "1", "--retain", "none"});
  ASSERT_EQ(second.status, 0) << second.out;
  const Value two = document(second.out);
  for (std::size_t i = 0; i < 4; ++i) {
    const Value& a = one.at("variants")[i];
    const Value& b = two.at("variants")[i];
    for (const char* key : {"variant_id", "selection", "plan_sha256", "metrics"})
      EXPECT_EQ(a.at(key), b.at(key)) << key;
    EXPECT_NE(a.at("run_id"), b.at("run_id"));
    EXPECT_EQ(noema_program({"runs", "verify", a.at("run_id").string()}, scratch_.path()).status, 0);
  }
}

TEST_F(Sweep, StartsOnlyWhenEveryPointCanBePlanned) {
  scratch_.write("r.yaml", matrix_recipe("{factor: [1, 0]}", "{encoder: {factor: {matrix: factor}}}", link));
  const Finished done = run();
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(document(done.out).at("error").at("code"), Value("parameter.out_of_range"));
  EXPECT_FALSE(fs::exists(scratch_ / ".noema"));
}

TEST_F(Sweep, StopsAtAPointThatFailsUnlessToldOtherwise) {
  scratch_.write("r.yaml",
                 matrix_recipe("{folder: [nowhere, pictures]}", "{data: {dataset_dir: {matrix: folder}}}",
                               "  - {id: data, op: source.image_dataset, params: {dataset: mine, dataset_dir: x}}\n"));
  const std::string photo = source_folder() + "/ops/source/fixtures/folder/photo.jpg";
  if (!fs::exists(photo)) GTEST_SKIP() << "the picture fixtures are not here";
  fs::create_directory(scratch_ / "pictures");
  fs::copy(photo, scratch_ / "pictures/photo.jpg");
  const Finished stopped = run();
  EXPECT_EQ(stopped.status, 2);
  EXPECT_EQ(statuses(document(stopped.out)), (std::vector<std::string>{"failed", "not_run"}));
  const Finished went_on = run({"--continue-on-error"});
  EXPECT_EQ(went_on.status, 2);
  EXPECT_EQ(statuses(document(went_on.out)), (std::vector<std::string>{"failed", "completed"}));
}

TEST_F(Sweep, KeepsItsTableWhenInterrupted) {
  scratch_.write("r.yaml", matrix_recipe("{bits: [1000, 20000000000, 2000]}", "{data: {bit_count: {matrix: bits}}}",
                                         "  - {id: data, op: source.random_bits, params: {bit_count: 8, seed: 7}}\n"));
  Launch launch;
  launch.arguments = {"recipe", "run-matrix", "r.yaml", "--retain", "none", "--json"};
  launch.folder = scratch_.path();
  Child child(noema_path(), launch);
  const auto runs = [&] {
    std::error_code none;
    return std::distance(fs::directory_iterator(scratch_ / ".noema/runs", none), fs::directory_iterator());
  };
  for (int i = 0; i < 2000 && runs() < 2; ++i) ::usleep(5'000);
  ::usleep(200'000);
  child.send(SIGINT);
  const Finished done = child.wait(20);
  EXPECT_EQ(done.status, 130);
  EXPECT_EQ(statuses(document(done.out)), (std::vector<std::string>{"completed", "canceled", "not_run"}));
}

TEST_F(Sweep, LeavesRunsSideBySideApart) {
  scratch_.write("r.yaml",
                 "schema_version: 1\nname: beside\nsteps:\n"
                 "  - {id: data, op: source.random_bits, params: {bit_count: 1000, seed: 7}}\n");
  Launch launch;
  launch.arguments = {"recipe", "run", "r.yaml"};
  launch.folder = scratch_.path();
  std::vector<std::unique_ptr<Child>> children;
  for (int i = 0; i < 6; ++i) children.push_back(std::make_unique<Child>(noema_path(), launch));
  for (const auto& child : children) EXPECT_EQ(child->wait().status, 0);
  std::size_t runs = 0;
  for (const auto& run : fs::directory_iterator(scratch_ / ".noema/runs")) {
    ++runs;
    EXPECT_EQ(noema_program({"runs", "verify", run.path().string()}).status, 0) << run.path();
  }
  EXPECT_EQ(runs, 6u);
}

}  // namespace
}  // namespace noema::conformance
