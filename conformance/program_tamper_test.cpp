// One flipped byte anywhere in a bundle is found, and named.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "conformance/subprocess.h"
#include "core/json.h"
#include "core/npz_reader.h"

namespace noema::conformance {
namespace {

namespace fs = std::filesystem;

constexpr const char* recipe = R"(schema_version: 1
name: tamper
metadata: {seed: 3}
steps:
  - {id: data, op: source.text_dataset}
  - {id: sender, op: model.text_utf8_encode, inputs: {texts: data.texts}}
  - {id: modulator, op: modulation.digital_modulate, inputs: {bits: sender.bits}}
  - {id: channel, op: wireless.channel, inputs: {symbols: modulator.symbols}, params: {channel: awgn, snr_db: 20}}
  - {id: demodulator, op: demodulation.digital_demodulate, inputs: {rx_symbols: channel.rx_symbols}}
  - {id: decoder, op: channel.identity_decoder, inputs: {coded_bits: demodulator.bits}}
  - {id: receiver, op: model.text_utf8_decode, inputs: {bits: decoder.bits}}
  - {id: evaluation, op: metrics.text_semantic_similarity, inputs: {reference: data.texts, candidate: receiver.texts}}
)";

class Tampered : public testing::Test {
 protected:
  void SetUp() override {
    scratch_.write("r.yaml", recipe);
    const Finished run = noema_program({"recipe", "run", "r.yaml"}, scratch_.path());
    ASSERT_EQ(run.status, 0) << run.err;
    const std::string made = fs::directory_iterator(scratch_ / ".noema/runs")->path().string();
    bundle_ = scratch_ / ("copied/" + fs::path(made).filename().string());
    fs::create_directory(scratch_ / "copied");
    fs::copy(made, bundle_, fs::copy_options::recursive);
    fs::remove_all(scratch_ / ".noema");
    for (const auto& [name, content] : tree_of(bundle_)) {
      if (content != "/") files_.push_back(name);
    }
  }
  Finished verify() const { return noema_program({"runs", "verify", bundle_}, "/"); }

  Scratch scratch_;
  std::string bundle_;
  std::vector<std::string> files_;
};

TEST_F(Tampered, NotAtAllIsValidOutsideAnyWorkspace) {
  const Finished verdict = verify();
  EXPECT_EQ(verdict.status, 0) << verdict.out;
  EXPECT_TRUE(verdict.out.starts_with("valid run: ")) << verdict.out;
  EXPECT_EQ(files_.size(), 14u) << "five documents and nine artifacts";
}

TEST_F(Tampered, ByAByteOfAnyFile) {
  std::mt19937 random(1);
  for (const std::string& name : files_) {
    const std::string path = bundle_ + "/" + name;
    const std::string whole = file_bytes(path);
    for (const std::size_t at : {random() % whole.size(), whole.size() - 1}) {
      std::string flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ 1);
      overwrite(path, flipped);
      const Finished verdict = verify();
      EXPECT_EQ(verdict.status, 1) << name << " at " << at << "\n" << verdict.out << verdict.err;
      EXPECT_TRUE(verdict.out.starts_with("invalid run: ")) << verdict.out;
      EXPECT_NE(verdict.out.find(name), std::string::npos) << name << " at " << at << " is not named:\n" << verdict.out;
    }
    overwrite(path, whole);
  }
  EXPECT_EQ(verify().status, 0);
}

TEST_F(Tampered, ByAFileCutShortOrMissingOrLinked) {
  for (const std::string& name : files_) {
    const std::string path = bundle_ + "/" + name;
    const std::string whole = file_bytes(path);
    overwrite(path, std::string_view(whole).substr(0, whole.size() / 2));
    EXPECT_EQ(verify().status, 1) << name << " cut short";
    fs::remove(path);
    EXPECT_EQ(verify().status, 1) << name << " missing";
    const std::string aside = scratch_.write("aside", whole);
    fs::create_symlink(aside, path);
    const Finished verdict = verify();
    EXPECT_EQ(verdict.status, 1) << name << " linked";
    EXPECT_NE(verdict.out.find(name), std::string::npos) << verdict.out;
    fs::remove(path);
    overwrite(path, whole);
  }
  EXPECT_EQ(verify().status, 0);
}

TEST_F(Tampered, ByValuesOfOtherTypes) {
  const std::string path = bundle_ + "/summary.json";
  const auto whole = parse_json(file_bytes(path));
  ASSERT_TRUE(whole);
  const auto expect_shown = [&](const Value& summary, const std::string& what) {
    overwrite(path, pretty_json(summary));
    for (const char* command : {"show", "verify"}) {
      const Finished done = noema_program({"runs", command, bundle_});
      EXPECT_LE(done.status, 2) << command << " " << what << "\n" << done.err;
      EXPECT_EQ(done.out.find('\033'), std::string::npos) << "text of a bundle steers the terminal";
    }
  };
  for (const char* key : {"steps", "status", "run_id", "metrics"}) {
    Value summary = *whole;
    summary.set(key, 7);
    expect_shown(summary, key);
  }
  for (const char* key : {"id", "op", "status", "metrics", "outputs", "metadata"}) {
    Value summary = *whole;
    summary.edit("steps").edit(0).set(key, Value::array());
    expect_shown(summary, key);
    summary.edit("steps").edit(0).erase(key);
    expect_shown(summary, key);
  }
  Value summary = *whole;
  summary.edit("steps").edit(0).edit("outputs").edit("texts").set("kind", Value());
  summary.edit("steps").edit(1).set("id", "\033[2J").set("outputs", Value::object({{"\033[2J", Value(1)}}));
  summary.edit("steps").edit(2) = Value();
  expect_shown(summary, "kinds and names");
}

TEST_F(Tampered, ByAnArrayThatClaimsToBeHuge) {
  const std::string path = bundle_ + "/artifacts/sender/bits.npz";
  std::string bytes = file_bytes(path);
  const std::size_t start = bytes.find("'shape': (") + 10;
  const std::size_t end = bytes.find("}", start) + 1;
  ASSERT_LT(end, bytes.size());
  const std::string claim = "1152921504606846976,), }";  // 2^60, over the digits and the blanks that pad the header
  ASSERT_EQ(bytes.compare(end, claim.size(), std::string(claim.size(), ' ')), 0);
  bytes.replace(start, claim.size(), claim);
  overwrite(path, bytes);
  const auto reader = NpzReader::open(path);
  ASSERT_TRUE(reader);
  const auto header = reader->header("bits");
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, code::array_format);
  EXPECT_NE(header.error().message.find("1152921504606846976"), std::string::npos) << header.error().message;
  EXPECT_FALSE(reader->array("bits"));
  const Finished verdict = verify();
  EXPECT_EQ(verdict.status, 1);
  EXPECT_NE(verdict.out.find("artifacts/sender/bits.npz"), std::string::npos) << verdict.out;
  EXPECT_LT(verdict.seconds, 5.0);
  overwrite(path, std::string_view(bytes).substr(0, bytes.size() - 30));
  EXPECT_FALSE(NpzReader::open(path)) << "an archive without its end";
}

}  // namespace
}  // namespace noema::conformance
