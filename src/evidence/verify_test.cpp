// Verification on real runs: an untouched bundle is valid, and nothing in it can be changed without being named.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "core/digest.h"
#include "core/json.h"
#include "evidence/fixture.h"
#include "evidence/verify_parts.h"

namespace noema::evidence {
namespace {

namespace fs = std::filesystem;

/// One run serves all tests; each works on a copy.
class Verify : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = new Scratch;
    original_ = link_bundle(scratch_->path() / "workspace");
  }
  static void TearDownTestSuite() {
    delete scratch_;
    scratch_ = nullptr;
  }
  std::string bundle() { return copied(original_, scratch_->path() / "copy"); }
  static Verdict verified(const std::string& folder) { return verify_run(folder, nullptr); }

  static inline Scratch* scratch_ = nullptr;
  static inline std::string original_;
};

TEST_F(Verify, UntouchedIsValid) {
  const Verdict verdict = verified(original_);
  EXPECT_EQ(verdict.status, "valid") << complaints(verdict);
  EXPECT_TRUE(verdict.complete);
  EXPECT_EQ(verdict.target_id, fs::path(original_).filename());
  EXPECT_EQ(verdict.document.at("status"), Value("valid"));
  EXPECT_EQ(verdict.document.at("recipe_name"), Value("link"));
  EXPECT_TRUE(check_json(verdict.document));
  for (const char* id : {"manifest.sha256", "manifest.summary_binding", "execution_plan.sha256", "artifact.sha256",
                         "artifact.content", "execution_plan.runtime_wireless_backend", "metrics.plausibility",
                         "accounting.rate_bpp", "manifest.seed_policy"}) {
    EXPECT_TRUE(has(verdict, id, "pass")) << id;
  }
}

TEST_F(Verify, TheCatalogueOfThisProgramAgrees) {
  const Verdict verdict = verify_run(original_, &builtin_catalog());
  EXPECT_EQ(verdict.status, "valid") << complaints(verdict);
  EXPECT_TRUE(has(verdict, "execution_plan.operation_contract_registry", "pass"));
}

TEST_F(Verify, NothingIsWrittenAndNoWorkspaceIsNeeded) {
  const std::string folder = bundle();
  std::vector<std::pair<std::string, std::string>> before, after;
  const auto contents = [&](auto& list) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(folder).parent_path())) {
      if (entry.is_regular_file()) list.emplace_back(entry.path().string(), file_text(entry.path().string()));
    }
    std::ranges::sort(list);
  };
  contents(before);
  EXPECT_EQ(verified(folder).status, "valid");
  contents(after);
  EXPECT_EQ(before, after);
}

TEST_F(Verify, AFlippedByteInAnyFileIsSeenAndTheFileNamed) {
  const std::string folder = bundle();
  std::mt19937 generator(99);
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string path = entry.path().string();
    const std::string name = fs::relative(entry.path(), folder).string();
    const std::string text = file_text(path);
    std::vector<std::size_t> places{0, text.size() / 2, text.size() - 1};
    for (int i = 0; i < 2; ++i) places.push_back(generator() % text.size());
    for (const std::size_t place : places) {
      std::string changed = text;
      changed[place] = static_cast<char>(changed[place] ^ (1 << generator() % 8));
      write_text(path, changed);
      const Verdict verdict = verified(folder);
      ASSERT_EQ(verdict.status, "invalid") << name << " at " << place;
      // A changed document may make another the one that no longer fits; a changed artifact is always named itself.
      ASSERT_TRUE(blames(verdict, name)) << name << " at " << place << "\n" << complaints(verdict);
    }
    write_text(path, text);
  }
  EXPECT_GE(files, 15U);
  EXPECT_EQ(verified(folder).status, "valid");
}

TEST_F(Verify, AnotherSpellingOfTheSameValuesIsSeen) {
  for (const char* file :
       {"manifest.json", "summary.json", "recipe.json", "recipe.authored.json", "execution-plan.json"}) {
    const std::string folder = bundle();
    write_text(folder + "/" + file, canonical_json(document(folder, file)));
    const Verdict verdict = verified(folder);
    EXPECT_EQ(verdict.status, "invalid") << file;
    EXPECT_TRUE(blames(verdict, file)) << file;
  }
}

TEST_F(Verify, AMissingFileIsSeen) {
  for (const auto& entry : fs::recursive_directory_iterator(original_)) {
    if (!entry.is_regular_file()) continue;
    const std::string folder = bundle();
    const fs::path name = fs::relative(entry.path(), original_);
    fs::remove(fs::path(folder) / name);
    const Verdict verdict = verified(folder);
    EXPECT_EQ(verdict.status, "invalid") << name;
    EXPECT_TRUE(blames(verdict, name.string())) << name << "\n" << complaints(verdict);
  }
}

Value& step_named(Value& steps, const char* key, std::string_view id) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].at(key) == Value(id)) return steps.edit(i);
  }
  ADD_FAILURE() << "no step " << id;
  return steps.edit(std::size_t{0});
}

TEST_F(Verify, ABetterMetricInTheSummary) {
  const std::string folder = bundle();
  edit(folder, "summary.json", [](Value& summary) {
    step_named(summary.edit("steps"), "id", "payload_ber").edit("metrics").set("channel.payload.ber", 0.0);
  });
  Verdict verdict = verified(folder);
  EXPECT_TRUE(has(verdict, "manifest.summary_binding")) << complaints(verdict);
  EXPECT_TRUE(has(verdict, "manifest.step_metrics_binding"));
  // Resealed, it still contradicts what the manifest keeps.
  reseal(folder);
  verdict = verified(folder);
  EXPECT_FALSE(has(verdict, "manifest.summary_binding"));
  EXPECT_TRUE(has(verdict, "manifest.step_metrics_binding")) << complaints(verdict);
  // Changed in both, it contradicts the digests of the metrics.
  edit(folder, "manifest.json", [](Value& manifest) {
    step_named(manifest.edit("steps"), "id", "payload_ber").edit("metrics").set("channel.payload.ber", 0.0);
  });
  reseal(folder);
  verdict = verified(folder);
  EXPECT_FALSE(has(verdict, "manifest.step_metrics_binding"));
  EXPECT_TRUE(has(verdict, "manifest.step_metrics_digest")) << complaints(verdict);
  EXPECT_TRUE(has(verdict, "artifact.producer_metrics_sha256"));
}

TEST_F(Verify, AnEditedRecipe) {
  for (const char* file : {"recipe.json", "recipe.authored.json"}) {
    const std::string folder = bundle();
    edit(folder, file, [](Value& recipe) {
      step_named(recipe.edit("steps"), "id", "wireless_channel").edit("params").set("snr_db", 1.0);
    });
    const Verdict verdict = verified(folder);
    EXPECT_EQ(verdict.status, "invalid");
    EXPECT_TRUE(has(verdict, std::string_view(file) == "recipe.json"
                                 ? "recipe.sha256"
                                 : "execution_plan.manifest_recipe_authored_sha256"))
        << complaints(verdict);
  }
}

void reseal_plan(Value& plan) {
  for (std::size_t i = 0; i < plan.at("steps").size(); ++i) {
    Value& step = plan.edit("steps").edit(i);
    step.erase("binding_sha256");
    step.set("binding_sha256", sha256_of(step));
  }
  plan.erase("sha256");
  plan.set("sha256", sha256_of(plan));
}

TEST_F(Verify, AnEditedPlan) {
  std::string folder = bundle();
  edit(folder, "execution-plan.json",
       [](Value& plan) { plan.edit("steps").edit(std::size_t{2}).set("implementation", "faster"); });
  Verdict verdict = verified(folder);
  EXPECT_TRUE(has(verdict, "execution_plan.sha256")) << complaints(verdict);
  // With all digests of the plan made good, the contract has no such row and the copies differ.
  folder = bundle();
  edit(folder, "execution-plan.json", [](Value& plan) {
    plan.edit("steps").edit(std::size_t{2}).set("implementation", "faster");
    reseal_plan(plan);
  });
  verdict = verified(folder);
  EXPECT_FALSE(has(verdict, "execution_plan.sha256"));
  EXPECT_TRUE(has(verdict, "execution_plan.manifest_sha256")) << complaints(verdict);
  EXPECT_TRUE(has(verdict, "execution_plan.execution-plan_materialization_contract"));
  EXPECT_TRUE(has(verdict, "execution_plan.manifest_steps_link"));
  EXPECT_TRUE(has(verdict, "execution_plan.summary_binding_link"));
}

TEST_F(Verify, SwappedSteps) {
  const auto swap = [](Value& steps) {
    const Value first = steps[3];
    steps.edit(std::size_t{3}) = steps[1];
    steps.edit(std::size_t{1}) = first;
  };
  std::string folder = bundle();
  edit(folder, "execution-plan.json", [&](Value& plan) {
    swap(plan.edit("steps"));
    reseal_plan(plan);
  });
  Verdict verdict = verified(folder);
  EXPECT_TRUE(has(verdict, "execution_plan.recipe_steps")) << complaints(verdict);
  folder = bundle();
  edit(folder, "summary.json", [&](Value& summary) { swap(summary.edit("steps")); });
  edit(folder, "manifest.json", [&](Value& manifest) { swap(manifest.edit("steps")); });
  reseal(folder);
  verdict = verified(folder);
  EXPECT_TRUE(has(verdict, "execution_plan.summary_step_order")) << complaints(verdict);
  EXPECT_TRUE(has(verdict, "execution_plan.manifest_step_order"));
}

TEST_F(Verify, AStepThatVanished) {
  const std::string folder = bundle();
  const auto drop = [](Value& document) {
    Value kept = Value::array();
    for (const Value& step : document.at("steps").items()) {
      if (step.at("id") != Value("channel_bit_count_match")) kept.push(step);
    }
    document.set("steps", kept);
  };
  edit(folder, "summary.json", drop);
  edit(folder, "manifest.json", [&](Value& manifest) {
    drop(manifest);
    Value kept = Value::array();
    for (const Value& record : manifest.at("artifacts").items()) {
      if (record.at("step_id") != Value("channel_bit_count_match")) kept.push(record);
    }
    manifest.set("artifacts", kept);
  });
  reseal(folder);
  const Verdict verdict = verified(folder);
  EXPECT_TRUE(has(verdict, "execution_plan.summary_bindings_complete")) << complaints(verdict);
}

TEST_F(Verify, AnOutputThatVanished) {
  const std::string folder = bundle();
  edit(folder, "summary.json",
       [](Value& summary) { step_named(summary.edit("steps"), "id", "demodulator").set("outputs", Value::object()); });
  edit(folder, "manifest.json", [](Value& manifest) {
    step_named(manifest.edit("steps"), "id", "demodulator").set("outputs", Value::object());
    Value kept = Value::array();
    for (const Value& record : manifest.at("artifacts").items()) {
      if (record.at("step_id") != Value("demodulator")) kept.push(record);
    }
    manifest.set("artifacts", kept);
  });
  reseal(folder);
  const Verdict verdict = verified(folder);
  EXPECT_TRUE(has(verdict, "execution_plan.manifest_step_outputs")) << complaints(verdict);
}

TEST_F(Verify, AnExchangedArtifact) {
  // The received bits replaced by the sent ones, with the digest in the list of artifacts made good.
  const std::string folder = bundle();
  fs::copy_file(folder + "/artifacts/tx_bit_boundary/bits.npz", folder + "/artifacts/rx_bit_boundary/bits.npz",
                fs::copy_options::overwrite_existing);
  const std::string digest = sha256_hex(file_text(folder + "/artifacts/rx_bit_boundary/bits.npz"));
  EXPECT_TRUE(has(verified(folder), "artifact.sha256"));
  edit(folder, "manifest.json", [&](Value& manifest) {
    for (std::size_t i = 0; i < manifest.at("artifacts").size(); ++i) {
      Value& record = manifest.edit("artifacts").edit(i);
      if (record.at("step_id") == Value("rx_bit_boundary")) record.set("sha256", digest);
    }
  });
  reseal(folder);
  Verdict verdict = verified(folder);
  EXPECT_FALSE(has(verdict, "artifact.sha256"));
  EXPECT_TRUE(has(verdict, "manifest.output_artifact_link")) << complaints(verdict);
  // And everywhere else too: the metadata inside the file is another step's.
  edit(folder, "manifest.json", [&](Value& manifest) {
    step_named(manifest.edit("steps"), "id", "rx_bit_boundary").edit("outputs").edit("bits").set("sha256", digest);
  });
  edit(folder, "summary.json", [&](Value& summary) {
    step_named(summary.edit("steps"), "id", "rx_bit_boundary").edit("outputs").edit("bits").set("sha256", digest);
  });
  reseal(folder);
  verdict = verified(folder);
  EXPECT_FALSE(has(verdict, "manifest.output_artifact_link"));
  EXPECT_TRUE(has(verdict, "artifact.content")) << complaints(verdict);
}

TEST_F(Verify, LinksAndPathsThatLeaveTheBundle) {
  const std::string folder = bundle();
  const std::string artifact = folder + "/artifacts/data/bits.npz";
  // A link to the very same bytes.
  fs::rename(artifact, folder + "/../elsewhere.npz");
  fs::create_symlink("../../../elsewhere.npz", artifact);
  Verdict verdict = verified(folder);
  EXPECT_TRUE(has(verdict, "artifact.location")) << complaints(verdict);
  fs::remove(artifact);
  fs::rename(folder + "/../elsewhere.npz", artifact);
  EXPECT_EQ(verified(folder).status, "valid");
  // A folder that is a link.
  fs::rename(folder + "/artifacts/data", folder + "/../data");
  fs::create_directory_symlink("../../data", folder + "/artifacts/data");
  EXPECT_TRUE(has(verified(folder), "artifact.location"));
  fs::remove(folder + "/artifacts/data");
  fs::rename(folder + "/../data", folder + "/artifacts/data");
  for (const char* path :
       {"../x.npz", "/etc/passwd", "artifacts/data/../data/bits.npz", "artifacts/modulator/symbols.npz", ""}) {
    const std::string other = bundle();
    edit(other, "manifest.json", [&](Value& manifest) {
      for (std::size_t i = 0; i < manifest.at("artifacts").size(); ++i) {
        Value& record = manifest.edit("artifacts").edit(i);
        if (record.at("step_id") == Value("data")) record.set("relative_path", path);
      }
    });
    reseal(other);
    EXPECT_TRUE(has(verified(other), "artifact.location")) << path;
  }
}

TEST_F(Verify, AForeignNameAndForeignFiles) {
  const std::string folder = bundle();
  write_text(folder + "/notes.txt", "hello");
  Verdict verdict = verified(folder);
  EXPECT_EQ(verdict.status, "valid");
  EXPECT_TRUE(has(verdict, "structure.unlisted_file", "info"));
  const std::string renamed = (fs::path(folder).parent_path() / "another_name").string();
  fs::remove_all(renamed);
  fs::rename(folder, renamed);
  EXPECT_TRUE(has(verified(renamed), "schema.manifest.run_id"));
  fs::remove_all(renamed);
  EXPECT_TRUE(has(verified(renamed), "structure.run_dir"));
}

TEST_F(Verify, ImplausibleMetrics) {
  const auto with = [&](const char* name, const Value& value) {
    const std::string folder = bundle();
    edit(folder, "summary.json", [&](Value& summary) {
      step_named(summary.edit("steps"), "id", "payload_ber").edit("metrics").set(name, value);
    });
    return verified(folder);
  };
  EXPECT_TRUE(has(with("channel.payload.ber", 1.5), "metrics.unit_interval"));
  EXPECT_TRUE(has(with("channel.payload.error_count", -1), "metrics.nonnegative"));
  EXPECT_TRUE(has(with("channel.payload.ber", "0.1"), "metrics.type"));
  EXPECT_TRUE(has(with("channel.payload.ber", true), "metrics.type"));
}

TEST_F(Verify, ARunThatDidNotComplete) {
  for (const char* status : {"failed", "canceled", "running", "odd"}) {
    const std::string folder = bundle();
    const auto set = [&](Value& value) { value.set("status", status); };
    edit(folder, "summary.json", set);
    edit(folder, "manifest.json", set);
    reseal(folder);
    const Verdict verdict = verified(folder);
    EXPECT_TRUE(has(verdict, std::string_view(status) == "odd" ? "status.unknown" : "status.comparable"))
        << complaints(verdict);
    EXPECT_EQ(verdict.document.at("errors").size(), 1U) << complaints(verdict);
  }
}

TEST_F(Verify, DroppedArtifactsAreInformation) {
  const Scratch scratch;
  for (const Retain retain : {Retain::none, Retain::reports}) {
    RunOptions options;
    options.retain = retain;
    const std::string folder = link_bundle(scratch.path() / "workspace", options);
    const Verdict verdict = verified(folder);
    EXPECT_EQ(verdict.status, "valid") << complaints(verdict);
    EXPECT_FALSE(verdict.complete);
    EXPECT_GT(verdict.omitted, 0U);
    EXPECT_NE(verdict_text(verdict).find(std::to_string(verdict.omitted) + " artifacts were not kept"),
              std::string::npos);
    // What was dropped has the digest that the stored file has.
    const Value kept = document(original_, "manifest.json");
    const Value dropped = document(folder, "manifest.json");
    for (std::size_t i = 0; i < kept.at("artifacts").size(); ++i) {
      if (kept.at("artifacts")[i].at("relative_path").string().ends_with(".npz")) {
        EXPECT_EQ(kept.at("artifacts")[i].at("sha256"), dropped.at("artifacts")[i].at("sha256"));
      }
    }
  }
}

TEST_F(Verify, WithoutDigestsItIsAWarning) {
  const Scratch scratch;
  RunOptions options;
  options.retain = Retain::reports;
  options.digest = DigestScope::reports;
  const Verdict verdict = verified(link_bundle(scratch.path() / "workspace", options));
  EXPECT_EQ(verdict.status, "warning") << complaints(verdict);
  EXPECT_TRUE(has(verdict, "artifact.sha256_missing", "warning"));
}

TEST_F(Verify, CompressedArtifacts) {
  const Scratch scratch;
  RunOptions options;
  options.compress = true;
  const Verdict verdict = verified(link_bundle(scratch.path() / "workspace", options));
  EXPECT_EQ(verdict.status, "valid") << complaints(verdict);
}

TEST_F(Verify, LargeValuesKeptOnce) {
  const Scratch scratch;
  const std::string folder = recipe_bundle(scratch.path() / "workspace", R"(
schema_version: 1
name: packets
metadata: {seed: 1}
steps:
  - {id: data, op: source.random_bits, params: {bit_count: 65536}}
  - {id: payload_bit_boundary, op: channel.bit_boundary, inputs: {bits: data.bits}, params: {label: payload, role: payload}}
  - {id: packetizer, op: channel.packetize_crc32, inputs: {bits: payload_bit_boundary.bits}, params: {packet_payload_bits: 64}}
  - {id: match, op: channel.bit_count_match, inputs: {reference: packetizer.bits, candidate: packetizer.bits}}
)");
  const Verdict verdict = verified(folder);
  EXPECT_EQ(verdict.status, "valid") << complaints(verdict);
  ASSERT_TRUE(has(verdict, "values.sha256", "pass"));
  const fs::path value = fs::directory_iterator(folder + "/values")->path();
  const std::string name = "values/" + value.filename().string();
  const std::string text = file_text(value.string());
  write_text(value.string(), text + " ");
  EXPECT_TRUE(blames(verified(folder), name));
  fs::remove(value);
  EXPECT_TRUE(blames(verified(folder), name));
}

TEST_F(Verify, ABundleOfTheReference) {
  const std::string folder = bundle();
  edit(folder, "manifest.json", [](Value& manifest) {
    Value& environment = manifest.edit("environment");
    environment.erase("noema");
    environment.set("python", Value::object({{"version", "3.11"}}));
    environment.set("git", Value::object({{"available", true}, {"commit", std::string(40, 'a')}}));
    for (std::size_t i = 0; i < manifest.at("artifacts").size(); ++i) {
      Value& record = manifest.edit("artifacts").edit(i);
      const std::string path = "/home/someone/" + record.at("relative_path").string();
      record.set("path", path);
      for (std::size_t s = 0; s < manifest.at("steps").size(); ++s) {
        Value& step = manifest.edit("steps").edit(s);
        if (step.at("id") == record.at("step_id"))
          step.edit("outputs").edit(record.at("output_name").string()).set("path", path);
      }
    }
    manifest.erase("sha256");
  });
  Verdict verdict = verify_run(folder, &builtin_catalog());
  EXPECT_EQ(verdict.status, "valid") << complaints(verdict);
  EXPECT_TRUE(has(verdict, "manifest.sha256", "not_applicable"));
  EXPECT_TRUE(has(verdict, "execution_plan.operation_contract_registry", "not_applicable"));
  edit(folder, "manifest.json", [](Value& manifest) { manifest.edit("environment").edit("git").set("commit", "abc"); });
  verdict = verified(folder);
  EXPECT_TRUE(has(verdict, "manifest.source_commit"));
}

TEST_F(Verify, ABuildOutsideGit) {
  const auto with = [&](const char* commit, const char* tree) {
    const std::string folder = bundle();
    edit(folder, "manifest.json", [&](Value& manifest) {
      Value& build = manifest.edit("environment").edit("noema");
      build.set("commit", *commit == '\0' ? Value() : Value(commit));
      build.set("dirty", false);
      build.set("source_tree_sha256", *tree == '\0' ? Value() : Value(tree));
    });
    reseal(folder);
    return verified(folder);
  };
  const std::string tree(64, 'b');
  EXPECT_EQ(with("", tree.c_str()).status, "valid");
  EXPECT_TRUE(has(with("", tree.c_str()), "manifest.source_tree", "info"));
  EXPECT_EQ(with("", "").status, "warning");
  EXPECT_TRUE(has(with("zz", tree.c_str()), "manifest.source_commit"));
}

/// Replaces a random node of a document by something of another type.
void disturb(Value& value, std::mt19937& generator, int depth) {
  static const std::vector<Value> odd{Value(),
                                      Value(true),
                                      Value(-1),
                                      Value(1.5),
                                      Value("x"),
                                      Value::array(),
                                      Value::object(),
                                      Value(Value::Items{1, "y"}),
                                      Value::object({{"sha256", 3}}),
                                      Value::integer_text("99999999999999999999")};
  if (depth > 0 && value.is_object() && value.size() > 0 && generator() % 8 != 0) {
    const std::string key = value.members()[generator() % value.size()].first;
    return disturb(value.edit(key), generator, depth - 1);
  }
  if (depth > 0 && value.is_array() && value.size() > 0 && generator() % 8 != 0)
    return disturb(value.edit(generator() % value.size()), generator, depth - 1);
  value = odd[generator() % odd.size()];
}

TEST_F(Verify, DisturbedDocumentsNeverHarm) {
  const std::string folder = bundle();
  std::mt19937 generator(7);
  for (const char* file :
       {"manifest.json", "summary.json", "recipe.json", "recipe.authored.json", "execution-plan.json"}) {
    const std::string text = file_text(folder + "/" + file);
    for (int round = 0; round < 16; ++round) {
      edit(folder, file, [&](Value& value) { disturb(value, generator, 12); });
      if (file_text(folder + "/" + file) == text) continue;
      const Verdict verdict = verify_run(folder, &builtin_catalog());
      ASSERT_EQ(verdict.status, "invalid") << file << " round " << round;
      ASSERT_TRUE(check_json(verdict.document));
      write_text(folder + "/" + file, text);
    }
  }
}

}  // namespace
}  // namespace noema::evidence
