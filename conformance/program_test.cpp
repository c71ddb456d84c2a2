// The program from outside: commands, flags, exit status, what goes to which stream.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "conformance/subprocess.h"
#include "core/json.h"
#include "core/report.h"

namespace noema::conformance {
namespace {

namespace fs = std::filesystem;

constexpr const char* small_recipe = R"(schema_version: 1
name: small
metadata: {seed: 5}
steps:
  - {id: data, op: source.random_bits, params: {bit_count: 64, seed: 7}}
  - {id: modulator, op: modulation.digital_modulate, inputs: {bits: data.bits}}
)";
constexpr const char* wrong_recipe = R"(schema_version: 1
name: wrong
steps:
  - {id: data, op: source.random_bits, params: {bit_count: 0, seed: 7, lenght: 3}}
  - {id: coder, op: channel.repetition_encoder, inputs: {bits: data.bits}, params: {factor: 0}}
)";

Value document_of(const std::string& text) {
  auto value = parse_json(text);
  EXPECT_TRUE(value) << text;
  return value ? *std::move(value) : Value::object();
}

TEST(Program, TellsItsVersionAndItsCommandsOnStandardOutput) {
  const Finished version = noema_program({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.out.starts_with("noema 0.1.0 (")) << version.out;
  EXPECT_EQ(version.err, "");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"--help"},
                                                                                     {"recipe", "--help"},
                                                                                     {"recipe", "run", "--help"},
                                                                                     {"runs", "verify", "--help"},
                                                                                     {"ops", "--help"}}) {
    const Finished help = noema_program(words);
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("Usage"), std::string::npos) << help.out;
    EXPECT_EQ(help.err, "");
  }
}

TEST(Program, RefusesWhatIsNoCommand) {
  const Scratch scratch;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{},
                                             {"recepi"},
                                             {"recipe"},
                                             {"recipe", "run"},
                                             {"recipe", "run", "a.yaml", "b.yaml"},
                                             {"runs", "list", "--frobnicate"},
                                             {"--workspace", "", "runs", "list"},
                                             {"recipe", "run", "a.yaml", "--threads", "0"},
                                             {"recipe", "run", "a.yaml", "--threads", "x"},
                                             {"recipe", "run", "a.yaml", "--retain", "some"},
                                             {"recipe", "plan", "a.yaml", "--implementation", "x"}}) {
    const Finished done = noema_program(words, scratch.path());
    EXPECT_EQ(done.status, 2);
    EXPECT_EQ(done.out, "");
    EXPECT_NE(done.err.find("error[usage]"), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("hint: "), std::string::npos) << done.err;
    std::vector<std::string> with_json = words;
    with_json.emplace_back("--json");
    const Finished json = noema_program(with_json, scratch.path());
    EXPECT_EQ(json.status, 2);
    EXPECT_EQ(json.err, "");
    EXPECT_EQ(document_of(json.out).at("error").at("code"), Value("usage"));
  }
  EXPECT_TRUE(tree_of(scratch.path()).empty());
}

TEST(Program, TakesGlobalFlagsBeforeAndBehindTheCommand) {
  const Scratch scratch;
  scratch.write("small.yaml", small_recipe);
  const Finished before =
      noema_program({"--workspace", "w", "--json", "-q", "recipe", "run", "small.yaml"}, scratch.path());
  const Finished behind =
      noema_program({"recipe", "run", "small.yaml", "--workspace", "w", "--json", "--quiet"}, scratch.path());
  ASSERT_EQ(before.status, 0) << before.out;
  ASSERT_EQ(behind.status, 0) << behind.out;
  for (const Finished& done : {before, behind}) {
    EXPECT_EQ(done.err, "");
    const Value document = document_of(done.out);
    EXPECT_EQ(document.at("status"), Value("completed"));
    EXPECT_TRUE(document.at("directory").string().starts_with("w/runs/"));
  }
  EXPECT_EQ(
      document_of(noema_program({"--workspace=w", "runs", "--json", "list"}, scratch.path()).out).at("runs").size(),
      2u);
  EXPECT_FALSE(fs::exists(scratch / ".noema"));
}

TEST(Program, KeepsResultsAndRemarksApart) {
  const Scratch scratch;
  scratch.write("small.yaml", small_recipe);
  const Finished run = noema_program({"recipe", "run", "small.yaml"}, scratch.path());
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(run.out.starts_with("completed run: ")) << run.out;
  EXPECT_EQ(run.err, "");
  scratch.write("wrong.yaml", wrong_recipe);
  const Finished wrong = noema_program({"recipe", "run", "wrong.yaml"}, scratch.path());
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.out, "");
  EXPECT_TRUE(wrong.err.starts_with("wrong.yaml:4:")) << wrong.err;
  const Finished nothing = noema_program({"runs", "list", "--workspace", "none"}, scratch.path());
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.out, "");
  EXPECT_TRUE(nothing.err.starts_with("none: error[io.read]: ")) << nothing.err;
  EXPECT_FALSE(fs::exists(scratch / "none")) << "looking must not make a workspace";
}

TEST(Program, GivesErrorsAsOneDocument) {
  const Scratch scratch;
  scratch.write("wrong.yaml", wrong_recipe);
  for (const char* command : {"validate", "graph", "plan", "run", "run-matrix"}) {
    const Finished done = noema_program({"recipe", command, "wrong.yaml", "--json"}, scratch.path());
    EXPECT_EQ(done.status, 2) << command;
    EXPECT_EQ(done.err, "") << command;
    const Value document = document_of(done.out);
    EXPECT_EQ(document.at("status"), Value("error")) << command;
    for (const char* key : {"code", "message", "hint", "at", "path", "line", "column"}) {
      EXPECT_NE(document.at("error").find(key), nullptr) << command << " " << key;
    }
    EXPECT_TRUE(document.at("diagnostics").is_array()) << command;
  }
  const Value document = document_of(noema_program({"recipe", "validate", "wrong.yaml", "--json"}, scratch.path()).out);
  const Value& first = document.at("error");
  EXPECT_EQ(first.at("path"), Value("wrong.yaml"));
  EXPECT_EQ(first.at("line"), Value(4));
  std::vector<std::int64_t> columns{first.at("line").integer() * 1000 + first.at("column").integer()};
  for (const Value& other : document.at("diagnostics").items()) {
    columns.push_back(other.at("line").integer() * 1000 + other.at("column").integer());
  }
  EXPECT_EQ(columns.size(), 3u) << "bit_count, lenght and factor are three independent errors";
  EXPECT_TRUE(std::ranges::is_sorted(columns)) << "in document order";
}

TEST(Program, ColoursOnlyTerminals) {
  const Scratch scratch;
  scratch.write("wrong.yaml", wrong_recipe);
  Launch launch;
  launch.arguments = {"recipe", "validate", "wrong.yaml"};
  launch.folder = scratch.path();
  launch.environment = {{"TERM", "xterm"}};
  EXPECT_EQ(noema_program(launch).err.find('\033'), std::string::npos);
  launch.terminal = true;
  EXPECT_NE(noema_program(launch).err.find("\033["), std::string::npos);
  launch.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}};
  EXPECT_EQ(noema_program(launch).err.find('\033'), std::string::npos);
  launch.environment = {{"TERM", "dumb"}};
  EXPECT_EQ(noema_program(launch).err.find('\033'), std::string::npos);
}

TEST(Program, OutlivesAReaderThatGoesAway) {
  const Scratch scratch;
  scratch.write("small.yaml", small_recipe);
  const std::string pipe = scratch / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"ops", "list", "--json"}, {"recipe", "run", "small.yaml"}, {"--help"}}) {
    Launch launch;
    launch.arguments = words;
    launch.folder = scratch.path();
    launch.output = pipe;
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(reader, 0);
    Child child(noema_path(), launch);
    ::close(reader);  // nobody has read anything, nor ever will
    const Finished done = child.wait();
    EXPECT_EQ(done.err, "");
    EXPECT_TRUE(done.status == 0 || done.status == 141) << done.status;
  }
  const Finished list = noema_program({"runs", "list"}, scratch.path());
  EXPECT_NE(list.out.find("completed"), std::string::npos) << "the run itself ended well: " << list.out;
}

TEST(Program, SaysWhenItsOutputIsLost) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "there is no /dev/full here";
  Launch launch;
  launch.output = "/dev/full";
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"ops", "list"}, {"--version"}, {"ops", "list", "--json"}}) {
    launch.arguments = words;
    const Finished done = noema_program(launch);
    EXPECT_EQ(done.status, 2);
    EXPECT_NE(done.err.find("error[io.write]"), std::string::npos) << done.err;
  }
}

}  // namespace
}  // namespace noema::conformance
