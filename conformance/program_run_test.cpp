// Runs from outside: equal results, full disks, interruption.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>

#include "conformance/subprocess.h"
#include "core/json.h"

namespace noema::conformance {
namespace {

namespace fs = std::filesystem;

/// A chain with streams, a whole step and documents.
std::string chain(std::uint64_t bits) {
  return "schema_version: 1\nname: chain\nmetadata: {seed: 11}\nsteps:\n"
         "  - {id: data, op: source.random_bits, params: {bit_count: " +
         std::to_string(bits) +
         ", seed: 7}}\n"
         R"(  - {id: encoder, op: channel.repetition_encoder, inputs: {bits: data.bits}, params: {factor: 3}}
  - {id: modulator, op: modulation.digital_modulate, inputs: {bits: encoder.coded_bits}, params: {modulation: qpsk}}
  - {id: power, op: channel.symbol_power_normalize, inputs: {symbols: modulator.symbols}}
  - {id: channel, op: wireless.channel, inputs: {symbols: power.symbols}, params: {channel: flat_rayleigh, snr_db: 6}}
  - {id: demodulator, op: demodulation.digital_demodulate, inputs: {rx_symbols: channel.rx_symbols}}
  - {id: decoder, op: channel.repetition_decoder, inputs: {coded_bits: demodulator.bits}, params: {factor: 3}}
  - {id: ber, op: metrics.bit_error_rate, inputs: {reference: data.bits, candidate: decoder.bits}, params: {label: payload}}
)";
}

Value parsed(const std::string& path) {
  auto value = parse_json(file_bytes(path));
  EXPECT_TRUE(value) << path;
  return value ? *std::move(value) : Value::object();
}

struct Evidence {
  std::string plan;
  std::map<std::string, std::string> artifacts;  ///< step.output -> digest
  std::map<std::string, std::string> metrics;    ///< canonical, without times
  friend bool operator==(const Evidence&, const Evidence&) = default;
};

Evidence evidence_of(const std::string& bundle) {
  Evidence evidence;
  const Value manifest = parsed(bundle + "/manifest.json");
  const Value summary = parsed(bundle + "/summary.json");
  evidence.plan = parsed(bundle + "/execution-plan.json").at("sha256").string();
  for (const Value& step : summary.at("steps").items()) {
    for (const auto& [name, output] : step.at("outputs").members()) {
      evidence.artifacts[step.at("id").string() + "." + name] = output.at("sha256").string();
    }
    Value metrics = step.at("metrics");
    metrics.erase("timing.step.wall_time_s");
    evidence.metrics[step.at("id").string()] = canonical_json(metrics);
  }
  return evidence;
}

std::string only_run(const std::string& workspace) {
  std::string found;
  for (const auto& entry : fs::directory_iterator(workspace + "/runs")) {
    EXPECT_EQ(found, "") << "one run was expected";
    found = entry.path().string();
  }
  return found;
}

/// Nothing half-written: no staging, no temporary files, no journal.
void expect_tidy(const std::string& workspace) {
  for (const auto& entry : fs::recursive_directory_iterator(workspace)) {
    const std::string name = entry.path().filename().string();
    if (name == ".run-id-reservations" || name.starts_with(".run-index.sqlite")) continue;
    if (name == ".staging") {
      EXPECT_TRUE(fs::is_empty(entry.path())) << entry.path();
      continue;
    }
    EXPECT_FALSE(name.starts_with(".") || name.ends_with(".tmp") || name.find("journal") != std::string::npos)
        << entry.path();
  }
}

TEST(ProgramRun, GivesTheSameEveryTime) {
  const Scratch scratch;
  scratch.write("r.yaml", chain(100'001));
  const auto run = [&](const std::string& workspace, std::vector<std::string> flags) {
    std::vector<std::string> words{"--workspace", workspace, "recipe", "run", "r.yaml"};
    words.insert(words.end(), flags.begin(), flags.end());
    const Finished done = noema_program(words, scratch.path());
    EXPECT_EQ(done.status, 0) << done.err;
    const std::string bundle = only_run(scratch / workspace);
    const Finished verdict = noema_program({"runs", "verify", bundle}, "/");
    EXPECT_EQ(verdict.status, 0) << verdict.out;
    return evidence_of(bundle);
  };
  const Evidence first = run("first", {"--threads", "1"});
  EXPECT_EQ(first.artifacts.size(), 9u);
  for (const auto& [output, digest] : first.artifacts) EXPECT_EQ(digest.size(), 64u) << output;
  EXPECT_EQ(run("second", {"--threads", "4"}), first);
  EXPECT_EQ(run("none", {"--retain", "none", "--threads", "2"}), first);
  EXPECT_EQ(run("reports", {"--retain", "reports"}), first);
  fs::create_directories(scratch / "moved/deep");
  fs::rename(scratch / "first", scratch / "moved/deep/first");
  EXPECT_EQ(evidence_of(only_run(scratch / "moved/deep/first")), first);
  const Finished verdict = noema_program({"runs", "verify", only_run(scratch / "moved/deep/first")}, "/");
  EXPECT_EQ(verdict.status, 0) << verdict.out;
  EXPECT_EQ(run("first", {}), first) << "where it ran before it was moved";
  for (const char* workspace : {"first", "second", "none", "reports"}) expect_tidy(scratch / workspace);
}

TEST(ProgramRun, GivesTheSameOnEveryInstructionSet) {
  const Scratch scratch;
  scratch.write("r.yaml", chain(100'001));
  Evidence first;
  for (const char* target : {"", "SCALAR"}) {
    fs::remove_all(scratch / ".noema");
    Launch launch;
    launch.arguments = {"recipe", "run", "r.yaml"};
    launch.folder = scratch.path();
    if (*target != '\0') launch.environment = {{"NOEMA_SIMD", target}};
    const Finished done = noema_program(launch);
    ASSERT_EQ(done.status, 0) << done.err;
    const std::string bundle = only_run(scratch / ".noema");
    if (*target == '\0') {
      first = evidence_of(bundle);
      continue;
    }
    EXPECT_EQ(evidence_of(bundle), first);
    EXPECT_NE(file_bytes(bundle + "/manifest.json").find("\"simd\": \"SCALAR\""), std::string::npos)
        << "what was forced must be what ran";
  }
  Launch wrong;
  wrong.arguments = {"--version"};
  wrong.environment = {{"NOEMA_SIMD", "MMX"}};
  EXPECT_EQ(noema_program(wrong).status, 2);
}

TEST(ProgramRun, SurvivesAFullDisk) {
  const Scratch scratch;
  scratch.write("r.yaml", chain(2'000'000));
  Launch launch;
  launch.arguments = {"recipe", "run", "r.yaml"};
  launch.folder = scratch.path();
  for (const std::uint64_t limit : {std::uint64_t{1'000'000}, std::uint64_t{2'500'000}, std::uint64_t{40'000}}) {
    fs::remove_all(scratch / ".noema");
    launch.file_limit = limit;
    const Finished done = noema_program(launch);
    EXPECT_EQ(done.status, 2) << "with files of at most " << limit << " bytes\n" << done.err;
    EXPECT_EQ(done.out, "");
    EXPECT_NE(done.err.find("error[io.write]: "), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("hint: "), std::string::npos) << done.err;
    expect_tidy(scratch / ".noema");
    if (fs::is_empty(scratch / ".noema/runs")) {
      EXPECT_LT(limit, 100'000u) << "only a disk without room for the plan may leave no evidence";
      continue;
    }
    const std::string bundle = only_run(scratch / ".noema");
    EXPECT_EQ(parsed(bundle + "/summary.json").at("status"), Value("failed"));
    EXPECT_EQ(errors_of_verification(bundle), std::vector<std::string>{"status.comparable"});
  }
}

TEST(ProgramRun, IsNotCompletedWithoutItsManifest) {
  const Scratch scratch;
  scratch.write("r.yaml", chain(1000));
  Launch launch;
  launch.arguments = {"recipe", "run", "r.yaml", "--retain", "none"};
  launch.folder = scratch.path();
  ASSERT_EQ(noema_program(launch).status, 0);
  launch.file_limit = fs::file_size(only_run(scratch / ".noema") + "/manifest.json") - 500;
  fs::remove_all(scratch / ".noema");
  const Finished done = noema_program(launch);
  EXPECT_EQ(done.status, 2);
  EXPECT_NE(done.err.find("manifest.json: error[io.write]: "), std::string::npos) << done.err;
  EXPECT_NE(done.err.find("hint: "), std::string::npos) << done.err;
  const Finished list = noema_program({"runs", "list"}, scratch.path());
  EXPECT_EQ(list.out.find("completed"), std::string::npos) << list.out;
  EXPECT_EQ(noema_program({"runs", "verify", only_run(scratch / ".noema")}).status, 1);
}

class Interrupted : public testing::Test {
 protected:
  Interrupted() {
    scratch_.write(
        "r.yaml",
        "schema_version: 1\nname: long\nsteps:\n"
        "  - {id: data, op: source.random_bits, params: {bit_count: 20000000000, seed: 7}}\n"
        "  - {id: tx, op: channel.bit_boundary, inputs: {bits: data.bits}, params: {label: tx, role: tx}}\n");
    launch_.arguments = {"recipe", "run", "r.yaml", "--retain", "none"};
    launch_.folder = scratch_.path();
  }
  /// Waits until the run has begun.
  void await_start() const {
    for (int i = 0; i < 2000; ++i) {
      if (fs::exists(scratch_ / ".noema/runs")) {
        for (const auto& run : fs::directory_iterator(scratch_ / ".noema/runs")) {
          if (fs::exists(run.path() / "manifest.json")) {
            ::usleep(200'000);
            return;
          }
        }
      }
      ::usleep(2'000);
    }
    FAIL() << "the run did not begin";
  }
  Scratch scratch_;
  Launch launch_;
};

TEST_F(Interrupted, EndsWithItsEvidenceInOrder) {
  for (const int signal : {SIGINT, SIGTERM}) {
    fs::remove_all(scratch_ / ".noema");
    Child child(noema_path(), launch_);
    await_start();
    const Finished listed = noema_program({"runs", "list"}, scratch_.path());
    EXPECT_NE(listed.out.find("running"), std::string::npos) << listed.out;
    child.send(signal);
    const auto sent = std::chrono::steady_clock::now();
    const Finished done = child.wait(20);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - sent).count(), 2.0);
    EXPECT_EQ(done.status, 130);
    EXPECT_NE(done.err.find("error[run.canceled]"), std::string::npos) << done.err;
    const std::string bundle = only_run(scratch_ / ".noema");
    EXPECT_EQ(parsed(bundle + "/summary.json").at("status"), Value("canceled"));
    EXPECT_EQ(parsed(bundle + "/manifest.json").at("status"), Value("canceled"));
    expect_tidy(scratch_ / ".noema");
    EXPECT_EQ(errors_of_verification(bundle), std::vector<std::string>{"status.comparable"});
  }
}

TEST_F(Interrupted, EndsAtOnceTheSecondTime) {
  launch_.folder = scratch_.path();
  Child child(noema_path(), launch_);
  await_start();
  child.send(SIGINT);
  child.send(SIGTERM);  // two pending signals of one number would count once
  const Finished done = child.wait(5);
  EXPECT_EQ(done.status, 130);
  EXPECT_FALSE(done.timed_out);
}

TEST_F(Interrupted, IsIncompleteWhenItWasKilled) {
  Child child(noema_path(), launch_);
  await_start();
  child.send(SIGKILL);
  EXPECT_EQ(child.wait(5).status, 128 + SIGKILL);
  const Finished listed = noema_program({"runs", "list"}, scratch_.path());
  EXPECT_NE(listed.out.find("incomplete"), std::string::npos) << listed.out;
}

}  // namespace
}  // namespace noema::conformance
