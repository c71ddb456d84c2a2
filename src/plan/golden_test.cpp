// Which rows real recipes get from the real contracts: (step, backend, implementation, overrides). The contracts are
// read from the source tree with every row taken as implemented, so that these choices are held from the first day.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "contract/authored.h"
#include "core/json.h"
#include "noema/plan.h"
#include "plan/overrides.h"
#include "plan/rows.h"
#include "plan/test_catalog.h"
#include "plan/test_recipe.h"

namespace noema {
namespace {

std::string as_implemented(const Value& authored) {
  Value whole = authored;
  whole.set("status", "implemented");
  for (std::size_t i = 0; i < whole.at("materializations").size(); ++i) {
    whole.edit("materializations").edit(i).set("status", "implemented");
  }
  return canonical_json(whole);
}

/// Every contract of the tree. Canonical text sorts parameters and bindings; rows keep their order.
const planner::MemoryCatalog& catalog() {
  static const planner::MemoryCatalog made = [] {
    planner::MemoryCatalog all;
    const Result<contract::Vocabulary> vocabulary = contract::vocabulary_of(NOEMA_SOURCE_DIR);
    const Result<std::vector<contract::ContractFile>> files = contract::contract_files(NOEMA_SOURCE_DIR);
    EXPECT_TRUE(vocabulary && files);
    for (const contract::ContractFile& file : *files) {
      all.add(as_implemented(contract::expanded(*parse_json(file.text, file.name), *vocabulary)));
    }
    return all;
  }();
  return made;
}

std::vector<std::string> tuples(const Plan& plan) {
  std::vector<std::string> lines;
  for (const PlannedStep& step : plan.steps) {
    const Value* overrides = step.binding.at("implementation_metadata").find("parameter_overrides");
    lines.push_back(step.id + " " + step.backend + "/" + step.implementation + " " +
                    (overrides == nullptr ? "{}" : canonical_json(*overrides)));
  }
  return lines;
}

using Lines = std::vector<std::string>;
constexpr const char* native = R"({"data_plane_backend":"cpp_native"})";

void expect_tuples(const std::string& file, const Lines& expected) {
  const std::string path = std::string(NOEMA_SHARED_DIR) + "/data/recipes/" + file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference recipes at " << path;
  Result<Document> document = read_document(path);
  ASSERT_TRUE(document) << error_text(document.error());
  const Result<Plan> made = plan(compile(*std::move(document), catalog()), catalog());
  ASSERT_TRUE(made) << error_text(made.error());
  EXPECT_EQ(tuples(*made), expected);
}

TEST(Golden, QpskOverAwgn) {
  const std::string plain = std::string(" cpp/default ") + native;
  expect_tuples("neural_receiver_qpsk_awgn_classical.yaml",
                {"data" + plain, "payload_bit_boundary" + plain, "channel_encoder" + plain, "tx_bit_boundary" + plain,
                 R"(modulator cpp/cpp_qpsk_modulator {"data_plane_backend":"cpp_native","modulation":"qpsk"})",
                 R"(wireless_channel cpp/awgn_matched {"channel":"awgn","channel_state_mode":"none",)"
                 R"("data_plane_backend":"cpp_native","receiver_processing":"matched","wireless_backend":"numpy"})",
                 R"(demodulator cpp/cpp_auto_demodulator {"data_plane_backend":"cpp_native","modulation":"auto"})",
                 "rx_bit_boundary" + plain, "coded_ber" + plain, "coded_bler" + plain,
                 "channel_bit_count_match" + plain, "channel_decoder" + plain});
}

TEST(Golden, JpegOfKodak) {
  const std::string plain = std::string(" cpp/default ") + native;
  expect_tuples(
      "jpeg_kodak_smoke.yaml",
      {"data cpp/default {}", "sender" + plain, "payload_bit_boundary" + plain, "channel_encoder" + plain,
       "tx_bit_boundary" + plain, "wireless_channel" + plain, "rx_bit_boundary" + plain,
       "channel_bit_count_match" + plain, "channel_decoder" + plain, "receiver" + plain, "evaluation cpp/default {}"});
}

TEST(Golden, TextOverACleanLink) {
  const std::string plain = std::string(" cpp/default ") + native;
  expect_tuples("text_semantic_utf8_clean.yaml",
                {"data cpp/default {}", "sender cpp/default {}", "payload_bit_boundary" + plain,
                 "channel_encoder" + plain, "tx_bit_boundary" + plain, "wireless_channel" + plain,
                 "rx_bit_boundary" + plain, "channel_bit_count_match" + plain, "channel_decoder" + plain,
                 "receiver cpp/default {}", "evaluation cpp/default {}"});
}

/// The row and overrides of one operation under some parameters, or the code of the refusal.
std::string bound(const std::string& operation, const Value& given, const Policy& policy = {}) {
  const Contract& contract = *catalog().find(operation);
  const Value params = with_defaults(contract, given);
  const Result<planner::Choice> choice = planner::choose_row(contract, params, {}, policy);
  if (!choice) return std::string(choice.error().code.text);
  const Result<planner::Overrides> made = planner::overrides_for(contract, params, *choice, policy);
  if (!made) return std::string(made.error().code.text);
  return choice->row->backend + "/" + choice->row->implementation + " " + canonical_json(made->injected);
}

Value params(std::initializer_list<Value::Member> members) { return Value::object(members); }

TEST(Golden, MisoChannelBindsItsBackendName) {
  // Here the values numpy and sionna name two native rows; the Sionna library itself is demanded.
  EXPECT_EQ(bound("wireless.miso_ofdm_csi", Value::object()),
            R"(cpp/tdl_correlated_miso_ofdm_csi {"wireless_backend":"sionna"})");
  EXPECT_EQ(bound("wireless.miso_ofdm_csi", params({{"wireless_backend", "numpy"}})),
            R"(cpp/correlated_tapped_delay {"wireless_backend":"numpy"})");
  Policy sionna;
  sionna.backend = "sionna";
  EXPECT_EQ(bound("wireless.miso_ofdm_csi", Value::object(), sionna), "sionna/sionna_tdl_correlated_miso_ofdm_csi {}");
}

TEST(Golden, WirelessSelectors) {
  Policy native_policy;
  native_policy.native = true;
  EXPECT_EQ(bound("wireless.digital_link", params({{"wireless_backend", "sionna"}})),
            R"(sionna/default {"data_plane_backend":"cpp_native","wireless_backend":"sionna"})");
  EXPECT_EQ(bound("wireless.digital_link", params({{"wireless_backend", "sionna"}}), native_policy),
            R"(cpp/default {"data_plane_backend":"cpp_native","wireless_backend":"numpy"})");
  EXPECT_EQ(bound("wireless.digital_link", params({{"data_plane_backend", "python_numpy"}})),
            "plan.backend_undeclared");
  EXPECT_EQ(bound("wireless.channel", params({{"wireless_backend", "sionna"}, {"channel", "interference_awgn"}})),
            "plan.backend_undeclared");
  EXPECT_EQ(bound("source.ai_phy_channel_realization", params({{"scenario", "mimo_ofdm"}})),
            R"(cpp/3gpp_tdl_ofdm_channel {"scenario":"mimo_ofdm","wireless_backend":"numpy"})");
  EXPECT_EQ(bound("source.ai_phy_channel_realization", params({{"wireless_backend", "sionna"}})),
            "plan.backend_undeclared");
}

TEST(Golden, DataPlaneOfAOneBackendOperation) {
  EXPECT_EQ(bound("model.jpeg_encode", params({{"data_plane_backend", "python_numpy"}})), "plan.backend_undeclared");
  Policy native_policy;
  native_policy.native = true;
  EXPECT_EQ(bound("model.jpeg_encode", params({{"data_plane_backend", "python_numpy"}}), native_policy),
            R"(cpp/default {"data_plane_backend":"cpp_native"})");
}

TEST(Golden, EveryOperationHasAChoiceForEveryRunnerItDeclares) {
  // Defaults choose a row unless the operation has none for them (an interface that is there to be trained).
  std::vector<std::string> refused;
  for (const std::string& id : catalog().ids()) {
    for (const char* runner : {"benchmark_run", "dataset_capture", "differentiable_export"}) {
      const auto& rows = catalog().find(id)->rows;
      if (std::ranges::none_of(rows, [&](const Row& row) { return row.runner == runner; })) continue;
      Policy policy;
      policy.runner = runner;
      const std::string outcome = bound(id, Value::object(), policy);
      if (outcome.starts_with("plan.")) refused.push_back(id + " " + runner + " " + outcome);
    }
  }
  for (const std::string& line : refused) {
    EXPECT_TRUE(line.ends_with("plan.bindings_unmatched")) << line;
  }
  RecordProperty("refused", static_cast<int>(refused.size()));
}

}  // namespace
}  // namespace noema
