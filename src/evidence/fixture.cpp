// SPDX-License-Identifier: Apache-2.0
#include "evidence/fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/digest.h"
#include "core/json.h"
#include "core/report.h"
#include "noema/plan.h"
#include "noema/recipe.h"

namespace noema::evidence {
namespace fs = std::filesystem;

namespace {
constexpr std::string_view link_recipe = R"(
schema_version: 1
name: link
suite: {id: fixture}
metadata: {seed: 23, seed_namespace: demo}
steps:
  - {id: data, op: source.random_bits, params: {bit_count: 1024, seed: 7}}
  - {id: payload_bit_boundary, op: channel.bit_boundary, inputs: {bits: data.bits}, params: {label: payload, role: payload}}
  - {id: channel_encoder, op: channel.repetition_encoder, inputs: {bits: payload_bit_boundary.bits}, params: {factor: 3}}
  - {id: tx_bit_boundary, op: channel.bit_boundary, inputs: {bits: channel_encoder.coded_bits}, params: {label: tx, role: tx}}
  - {id: modulator, op: modulation.digital_modulate, inputs: {bits: tx_bit_boundary.bits}, params: {modulation: qpsk}}
  - {id: wireless_channel, op: wireless.channel, inputs: {symbols: modulator.symbols}, params: {channel: awgn, snr_db: 3.0, seed: 23001}}
  - {id: demodulator, op: demodulation.digital_demodulate, inputs: {rx_symbols: wireless_channel.rx_symbols}}
  - {id: rx_bit_boundary, op: channel.bit_boundary, inputs: {bits: demodulator.bits}, params: {label: rx, role: rx}}
  - {id: channel_bit_count_match, op: channel.bit_count_match, inputs: {reference: tx_bit_boundary.bits, candidate: rx_bit_boundary.bits}}
  - {id: channel_decoder, op: channel.repetition_decoder, inputs: {coded_bits: rx_bit_boundary.bits}, params: {factor: 3}}
  - {id: payload_ber, op: metrics.bit_error_rate, inputs: {reference: payload_bit_boundary.bits, candidate: channel_decoder.bits}, params: {label: payload}}
)";
}  // namespace

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "noema_evidence.XXXXXX").string();
  path_ = ::mkdtemp(name.data());
}
Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string link_bundle(const fs::path& workspace, RunOptions options) {
  return recipe_bundle(workspace, link_recipe, std::move(options));
}

std::string recipe_bundle(const fs::path& workspace, std::string_view recipe_text, RunOptions options) {
  const auto outcome = [&]() -> Result<RunOutcome> {
    NOEMA_TRY(Document document, parse_yaml_document({"fixture.yaml", std::string(recipe_text)}));
    NOEMA_TRY(const Recipe recipe, require_valid(compile(std::move(document), builtin_catalog())));
    NOEMA_TRY(const Plan planned, plan(recipe, builtin_catalog()));
    options.workspace = workspace.string();
    options.threads = 1;
    return run(planned, options);
  }();
  if (!outcome) {
    ADD_FAILURE() << error_text(outcome.error());
    return {};
  }
  EXPECT_EQ(outcome->status, "completed") << (outcome->error ? error_text(*outcome->error) : "");
  return outcome->directory;
}

std::string copied(const std::string& bundle, const fs::path& into) {
  fs::create_directories(into);
  const fs::path target = into / fs::path(bundle).filename();
  fs::remove_all(target);
  fs::copy(bundle, target, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  return target.string();
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_text(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

Value document(const std::string& bundle, const char* file) {
  auto value = parse_json(file_text(bundle + "/" + file), file);
  EXPECT_TRUE(value) << file;
  return value ? *value : Value::object();
}

void edit(const std::string& bundle, const char* file, const std::function<void(Value&)>& change) {
  Value value = document(bundle, file);
  change(value);
  write_text(bundle + "/" + file, pretty_json(value));
}

void reseal(const std::string& bundle) {
  const std::string summary = file_text(bundle + "/summary.json");
  edit(bundle, "manifest.json", [&](Value& manifest) {
    manifest.edit("summary").set("sha256", sha256_hex(summary));
    manifest.edit("summary").set("size_bytes", std::uint64_t{summary.size()});
    manifest.erase("sha256");
    manifest.set("sha256", sha256_of(manifest));
  });
}

bool blames(const Verdict& verdict, std::string_view file) {
  return std::ranges::any_of(verdict.checks, [&](const Check& check) {
    return check.status == "error" && check.message.starts_with(std::string(file) + ": ");
  });
}

bool has(const Verdict& verdict, std::string_view id, std::string_view status) {
  return std::ranges::any_of(verdict.checks,
                             [&](const Check& check) { return check.id == id && check.status == status; });
}

std::string complaints(const Verdict& verdict) {
  std::string text = verdict.status + "\n";
  for (const Check& check : verdict.checks) {
    if (check.status != "pass") text += check.status + " " + check.id + ": " + check.message + "\n";
  }
  return text;
}

}  // namespace noema::evidence
