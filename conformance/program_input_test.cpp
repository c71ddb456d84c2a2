// Bad input to the program: every refusal names its place and a way out, ends with status 2 and leaves nothing behind.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <ostream>

#include "conformance/subprocess.h"
#include "core/json.h"

namespace noema::conformance {
namespace {

namespace fs = std::filesystem;

/// Steps behind a source of 64 bits; the first line of `steps` is line 5 of the file.
std::string bits_then(const std::string& steps) {
  return "schema_version: 1\nname: t\nsteps:\n  - {id: data, op: source.random_bits, params: {bit_count: 64, seed: "
         "7}}\n" +
         steps;
}

std::string repeated(std::string_view text, int count) {
  std::string all;
  all.reserve(text.size() * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

std::string alias_bomb() {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + repeated(", " + before, 9) + "]\n";
  }
  return text;
}

struct BadRecipe {
  std::string name;
  std::string file;
  std::string text;
  std::string starts;              ///< what standard error starts with
  std::vector<std::string> holds;  ///< and what else it says
  bool caret = true;
};

void PrintTo(const BadRecipe& bad, std::ostream* out) { *out << bad.name; }

std::vector<BadRecipe> bad_recipes() {
  constexpr int million = 1'000'000;
  const std::string deep = "error[document.limit]: the document is nested more than 256 levels deep";
  return {
      {"YamlDuplicateKey",
       "r.yaml",
       "name: a\nsteps: []\nname: b\n",
       "r.yaml:3:1: error[document.duplicate_key]: ",
       {"'name'", "line 1", "hint: "}},
      {"JsonDuplicateKey",
       "r.json",
       "{\"name\": \"a\",\n \"name\": \"b\"}",
       "r.json:2:2: error[document.duplicate_key]: ",
       {"'name'", "hint: "}},
      {"YamlNaN",
       "r.yaml",
       "name: a\nmetadata: {x: .nan}\nsteps: []\n",
       "r.yaml:2:15: error[document.value]: ",
       {".nan", "hint: "}},
      {"JsonNaN", "r.json", "{\"name\": NaN}", "r.json:1:10: error[document.syntax]: ", {"hint: "}},
      {"JsonTooLargeNumber",
       "r.json",
       "{\"name\": 1e999}",
       "r.json:1:10: error[document.value]: ",
       {"1e999", "hint: "}},
      {"YamlSyntax", "r.yaml", "name: [a, b\nsteps: }\n", "r.yaml:", {"error[document.syntax]: ", "hint: "}},
      {"NotUtf8",
       "r.yaml",
       "name: a\nsteps: \"\xff\"\n",
       "r.yaml:2:9: error[document.syntax]: ",
       {"UTF-8", "hint: "},
       false},
      {"EmptyFile", "r.yaml", "", "r.yaml:1:1: error[recipe.", {"hint: "}, false},
      {"AliasBomb", "r.yaml", alias_bomb(), "r.yaml:6:", {"error[document.limit]: ", "aliases", "hint: "}},
      {"DeepFlowSequences", "r.yaml", "a: " + repeated("[", million), "r.yaml:1:", {deep, "hint: "}, false},
      {"DeepFlowMappings", "r.yaml", repeated("{a: ", million), "r.yaml:1:", {deep, "hint: "}, false},
      {"DeepBlockSequences", "r.yaml", repeated("- ", million), "r.yaml:1:", {deep, "hint: "}, false},
      {"DeepJsonArrays", "r.json", repeated("[", million), "r.json:1:257: ", {deep, "hint: "}, false},
      {"DeepJsonObjects", "r.json", repeated("{\"a\":", million), "r.json:1:", {deep, "hint: "}, false},
      {"UnknownOperation",
       "r.yaml",
       bits_then("  - id: m\n    op: modulation.digital_modulat\n    inputs: {bits: data.bits}\n"),
       "r.yaml:6:9: error[recipe.operation_defaults_unavailable]: ",
       {"modulation.digital_modulat'", "hint: did you mean 'modulation.digital_modulate'?"}},
      {"UnknownStepField",
       "r.yaml",
       bits_then("  - id: m\n    op: channel.bit_boundary\n    input: {bits: data.bits}\n"),
       "r.yaml:7:5: error[recipe.unknown_recipe_step_field]: ",
       {"'input'", "hint: did you mean 'inputs'?"}},
      {"WrongKinds",
       "r.yaml",
       bits_then("  - id: d\n    op: demodulation.digital_demodulate\n    inputs: {rx_symbols: data.bits}\n"),
       "r.yaml:7:26: error[plan.kind_mismatch]: ",
       {"channel.payload_bits.numpy", "at steps.d.inputs.rx_symbols", "hint: "}},
      {"UnknownInput",
       "r.yaml",
       bits_then("  - id: d\n    op: channel.bit_boundary\n    inputs: {bits: data.bits, bit: data.bits}\n"),
       "r.yaml:7:31: error[plan.",
       {"'bit'", "hint: "}},
      {"UnknownProducer",
       "r.yaml",
       bits_then("  - id: d\n    op: channel.bit_boundary\n    inputs: {bits: dota.bits}\n"),
       "r.yaml:7:20: error[",
       {"dota", "hint: "}},
      {"UnknownParameter",
       "r.yaml",
       bits_then("  - id: m\n    op: modulation.digital_modulate\n    inputs: {bits: data.bits}\n    params: "
                 "{modulatoin: qpsk}\n"),
       "r.yaml:8:14: error[parameter.unknown]: ",
       {"'modulatoin'", "at steps.m.params.modulatoin", "hint: did you mean 'modulation'?"}},
      {"OutOfRange",
       "r.yaml",
       bits_then(
           "  - id: c\n    op: channel.repetition_encoder\n    inputs: {bits: data.bits}\n    params: {factor: 0}\n"),
       "r.yaml:8:22: error[parameter.out_of_range]: factor is 0; at least 1",
       {"at steps.c.params.factor", "hint: "}},
      {"WrongType",
       "r.yaml",
       bits_then("  - id: c\n    op: channel.repetition_encoder\n    inputs: {bits: data.bits}\n    params: {factor: "
                 "many}\n"),
       "r.yaml:8:22: error[parameter.",
       {"'many'", "at steps.c.params.factor", "hint: "}},
      {"NoSuchChoice",
       "r.yaml",
       bits_then("  - id: m\n    op: modulation.digital_modulate\n    inputs: {bits: data.bits}\n    params: "
                 "{modulation: qspk}\n"),
       "r.yaml:8:26: error[parameter.",
       {"'qspk'", "qpsk", "hint: "}},
      {"PlannedOperation",
       "r.yaml",
       bits_then("  - id: c\n    op: channel.nr_ldpc_encoder\n    inputs: {bits: data.bits}\n"),
       "r.yaml:6:9: error[operation.planned]: ",
       {"channel.nr_ldpc_encoder", "hint: "}},
      {"TwoStepsOfOneName",
       "r.yaml",
       bits_then("  - {id: data, op: source.random_bits, params: {bit_count: 8, seed: 1}}\n"),
       "r.yaml:5:",
       {"error[recipe.", "'data'", "hint: "}},
  };
}

class BadRecipes : public testing::TestWithParam<BadRecipe> {};

TEST_P(BadRecipes, AreRefused) {
  const BadRecipe& bad = GetParam();
  const Scratch scratch;
  scratch.write(bad.file, bad.text);
  const auto before = tree_of(scratch.path());
  for (const char* command : {"run", "validate"}) {
    if (bad.text.size() > 100'000 && command == std::string_view("validate"))
      break;  // the same reader; large texts take time
    const Finished done = noema_program({"recipe", command, bad.file}, scratch.path());
    EXPECT_EQ(done.status, 2) << command;
    EXPECT_EQ(done.out, "") << command;
    EXPECT_TRUE(done.err.starts_with(bad.starts)) << done.err;
    for (const std::string& text : bad.holds)
      EXPECT_NE(done.err.find(text), std::string::npos) << text << "\n" << done.err;
    EXPECT_TRUE(!bad.caret || done.err.find("      | ") != std::string::npos) << "no caret:\n" << done.err;
    EXPECT_LT(done.err.size(), 4000u) << "an error echoes no file";
    EXPECT_LT(done.seconds, 10.0);
    EXPECT_TRUE(tree_of(scratch.path()) == before) << command << " left something";
  }
}

INSTANTIATE_TEST_SUITE_P(Program, BadRecipes, testing::ValuesIn(bad_recipes()),
                         [](const auto& one) { return one.param.name; });

TEST(ProgramInput, NeedsARecipeThatIsThere) {
  const Scratch scratch;
  fs::create_directory(scratch / "folder.yaml");
  for (const char* name : {"missing.yaml", "folder.yaml"}) {
    for (const char* command : {"validate", "run", "run-matrix"}) {
      const Finished done = noema_program({"recipe", command, name}, scratch.path());
      EXPECT_EQ(done.status, 2);
      EXPECT_TRUE(done.err.starts_with(std::string(name) + ": error[io.read]: ")) << done.err;
    }
  }
  EXPECT_FALSE(fs::exists(scratch / ".noema"));
}

TEST(ProgramInput, TellsAMatrixFromASinglePoint) {
  const Scratch scratch;
  scratch.write("one.yaml", bits_then(""));
  const std::string matrix = source_folder() + "/recipes/qpsk_awgn_sweep.yaml";
  const Finished run = noema_program({"recipe", "run", matrix}, scratch.path());
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("error[recipe.matrix_not_expanded]: "), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("run-matrix"), std::string::npos) << run.err;
  const Finished sweep = noema_program({"recipe", "run-matrix", "one.yaml"}, scratch.path());
  EXPECT_EQ(sweep.status, 2);
  EXPECT_NE(sweep.err.find("error[recipe.matrix_missing]: "), std::string::npos) << sweep.err;
  EXPECT_FALSE(fs::exists(scratch / ".noema"));
}

TEST(ProgramInput, NeedsAFolderForAWorkspace) {
  const Scratch scratch;
  scratch.write("one.yaml", bits_then(""));
  scratch.write("file", "content");
  fs::create_directory_symlink(".", scratch / "link");
  const auto before = tree_of(scratch.path());
  for (const char* workspace : {"file", "link", "file/below"}) {
    const Finished done = noema_program({"--workspace", workspace, "recipe", "run", "one.yaml"}, scratch.path());
    EXPECT_EQ(done.status, 2);
    EXPECT_EQ(done.out, "");
    EXPECT_NE(done.err.find("error[io."), std::string::npos) << done.err;
    EXPECT_NE(done.err.find(workspace), std::string::npos) << done.err;
    EXPECT_TRUE(tree_of(scratch.path()) == before);
  }
}

TEST(ProgramInput, NeedsARunThatIsThere) {
  const Scratch scratch;
  for (const char* command : {"show", "verify"}) {
    for (const char* target : {"nothing", "../nothing", "", "a/b"}) {
      const Finished done = noema_program({"runs", command, target}, scratch.path());
      EXPECT_EQ(done.status, 2) << command << " " << target << "\n" << done.out;
      EXPECT_EQ(done.out, "");
      EXPECT_NE(done.err.find("error["), std::string::npos) << done.err;
    }
  }
  EXPECT_TRUE(tree_of(scratch.path()).empty());
  fs::create_directory(scratch / "folder");
  EXPECT_EQ(noema_program({"runs", "show", "folder"}, scratch.path()).status, 2);
  const Finished empty = noema_program({"runs", "verify", "folder"}, scratch.path());
  EXPECT_EQ(empty.status, 1) << "a folder that is no bundle is an invalid one";
  EXPECT_TRUE(empty.out.starts_with("invalid run: folder\n")) << empty.out;
}

TEST(ProgramInput, NeedsTheRightToRead) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can act as another user here";
  const Scratch scratch;
  const std::string recipe = scratch.write("one.yaml", bits_then(""));
  fs::permissions(scratch.path(), fs::perms::all);
  fs::permissions(recipe, fs::perms::owner_all);
  Launch launch;
  launch.folder = scratch.path();
  launch.as_nobody = true;
  launch.arguments = {"--version"};
  if (noema_program(launch).status != 0) GTEST_SKIP() << "nobody can't run the program where it was built";
  launch.arguments = {"recipe", "run", "one.yaml"};
  const Finished done = noema_program(launch);
  EXPECT_EQ(done.status, 2);
  EXPECT_TRUE(done.err.starts_with("one.yaml: error[io.read]: ")) << done.err;
  EXPECT_NE(done.err.find("ermission denied"), std::string::npos) << done.err;
  fs::permissions(recipe, fs::perms::all);
  fs::create_directory(scratch / ".noema");
  fs::permissions(scratch / ".noema",
                  fs::perms::owner_all | fs::perms::group_read | fs::perms::others_read | fs::perms::others_exec);
  const Finished sealed = noema_program(launch);
  EXPECT_EQ(sealed.status, 2);
  EXPECT_NE(sealed.err.find("error[io.write]: "), std::string::npos) << sealed.err;
  EXPECT_TRUE(fs::is_empty(scratch / ".noema"));
}

}  // namespace
}  // namespace noema::conformance
