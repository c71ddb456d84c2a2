// Execution profiles: the catalogue's own rules, and each issue code once.
// SPDX-License-Identifier: Apache-2.0
#include "plan/profiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "plan/codes.h"
#include "plan/findings.h"

namespace noema {
namespace {

struct Step {
  std::string id;
  std::string operation = "any.operation";
  Value params = Value::object();
};

Recipe recipe(Value profile, const std::vector<Step>& steps) {
  Recipe made;
  Value list = Value::array();
  for (const Step& step : steps) {
    made.steps.push_back({step.id, step.operation, step.params, {}, {}});
    list.push(Value::object({{"id", step.id}, {"op", step.operation}, {"params", step.params}}));
  }
  made.raw = Value::object({{"execution_profile", profile}, {"steps", list}});
  made.effective = made.raw;
  return made;
}

Value named(const char* id, std::int64_t version = 1) { return Value::object({{"id", id}, {"version", version}}); }

std::vector<std::string> codes(const ProfileInspection& inspection) {
  std::vector<std::string> out;
  for (const ProfileIssue& issue : inspection.issues) out.push_back(issue.issue_code());
  return out;
}

using Codes = std::vector<std::string>;

std::vector<Step> layered() {
  return {{"data"},
          {"payload_bit_boundary", "channel.bit_boundary"},
          {"channel_encoder", "channel.repetition_encoder"},
          {"tx_bit_boundary", "channel.bit_boundary"},
          {"wireless_channel", "channel.identity_link"},
          {"rx_bit_boundary", "channel.bit_boundary"},
          {"channel_bit_count_match", "channel.bit_count_match"},
          {"channel_decoder", "channel.repetition_decoder"}};
}

TEST(Profiles, CatalogueIsConsistent) {
  std::set<std::string> ids;
  for (const Value& profile : profile_catalog().at("profiles").items()) {
    EXPECT_TRUE(ids.insert(profile.at("id").string()).second);
    std::vector<Value> required;
    for (const Value& stage : profile.at("stages").items()) {
      const std::string& presence = stage.at("presence").string();
      EXPECT_TRUE(presence == "required" || presence == "optional" || presence == "fused") << presence;
      EXPECT_EQ(stage.find("fused_into") != nullptr, presence == "fused");
      if (presence == "required") required.push_back(stage.at("role"));
    }
    EXPECT_EQ(profile.at("required_ordered_spine"), Value(required)) << profile.at("id").string();
  }
  EXPECT_EQ(ids.size(), 11u);
  EXPECT_EQ(profile_catalog().at("profiles").items().back().at("id"), Value("custom"));
}

TEST(Profiles, ConformantAndCustom) {
  const ProfileInspection good = inspect_profile(recipe(named("layered_digital"), layered()));
  EXPECT_EQ(good.status, "conformant");
  EXPECT_EQ(good.stage_bindings.at("channel_encoder"), Value("channel_encoder"));
  EXPECT_EQ(good.stage_bindings.size(), 8u);
  EXPECT_EQ(inspect_profile(recipe(named("custom"), {{"x"}})).status, "custom");
  EXPECT_EQ(inspect_profile(recipe({}, {{"x"}})).reference, named("custom"));
  Value based = named("custom");
  based.set("based_on", named("layered_digital"));
  EXPECT_EQ(inspect_profile(recipe(based, {{"x"}})).status, "custom");
}

TEST(Profiles, Unknown) {
  EXPECT_EQ(codes(inspect_profile(recipe(named("layred"), {{"x"}}))), Codes{"execution_profile_unknown"});
  EXPECT_EQ(codes(inspect_profile(recipe(named("layered_digital", 2), {{"x"}}))), Codes{"execution_profile_unknown"});
  Value based = named("custom");
  based.set("based_on", named("custom"));
  const ProfileInspection inspection = inspect_profile(recipe(based, {{"x"}}));
  EXPECT_EQ(codes(inspection), Codes{"execution_profile_unknown"});
  EXPECT_EQ(inspection.issues[0].path, "execution_profile.based_on");
  EXPECT_EQ(inspection.status, "invalid");
}

TEST(Profiles, StepMissing) {
  std::vector<Step> steps = layered();
  steps.pop_back();
  const ProfileInspection inspection = inspect_profile(recipe(named("layered_digital"), steps));
  EXPECT_EQ(codes(inspection), Codes{"required_step_missing"});
  EXPECT_NE(inspection.issues[0].hint.find("channel.identity_decoder"), std::string::npos);
}

TEST(Profiles, StageAmbiguous) {
  std::vector<Step> steps = layered();
  steps.insert(steps.begin() + 4, {{"tx_power"}, {"tx_power_normalize"}});
  EXPECT_EQ(codes(inspect_profile(recipe(named("layered_digital"), steps))),
            Codes{"execution_profile_stage_ambiguous"});
}

TEST(Profiles, StepOperation) {
  std::vector<Step> steps = layered();
  steps[4].operation = "channel.bit_boundary";
  const ProfileInspection inspection = inspect_profile(recipe(named("layered_digital"), steps));
  EXPECT_EQ(codes(inspection), Codes{"required_step_op_invalid"});
  EXPECT_EQ(inspection.issues[0].path, "steps.wireless_channel.op");
  EXPECT_EQ(inspection.issues[0].step, "wireless_channel");
}

TEST(Profiles, StepParameter) {
  const auto steps = [](Value scenario) {
    return std::vector<Step>{{"data", "source.ai_phy_channel_realization", Value::object({{"scenario", scenario}})},
                             {"pilots", "source.ai_phy_pilot_pattern", Value::object({{"scenario", "unit"}})},
                             {"pilot_observation", "wireless.pilot_observation"},
                             {"estimator"},
                             {"evaluation", "metrics.channel_estimation"}};
  };
  EXPECT_EQ(inspect_profile(recipe(named("pilot_channel_estimation"), steps("flat_siso"))).status, "conformant");
  EXPECT_EQ(codes(inspect_profile(recipe(named("pilot_channel_estimation"), steps("mimo_ofdm")))),
            Codes{"required_step_param_invalid"});
}

TEST(Profiles, StageOrder) {
  std::vector<Step> steps = layered();
  std::swap(steps[3], steps[4]);
  EXPECT_EQ(codes(inspect_profile(recipe(named("layered_digital"), steps))),
            Codes{"execution_profile_stage_order_invalid"});
}

TEST(Profiles, FusedStageExposed) {
  std::vector<Step> steps{{"sender"},
                          {"modulator"},
                          {"tx_power", "channel.symbol_power_normalize"},
                          {"tx_symbol_boundary", "channel.symbol_boundary"},
                          {"wireless_channel", "wireless.channel"},
                          {"rx_symbol_boundary", "channel.symbol_boundary"},
                          {"channel_symbol_count_match", "channel.symbol_count_match"},
                          {"receiver"}};
  EXPECT_EQ(codes(inspect_profile(recipe(named("joint_source_channel_symbols"), steps))),
            Codes{"execution_profile_fused_stage_exposed"});
  steps.erase(steps.begin() + 1);
  EXPECT_EQ(inspect_profile(recipe(named("joint_source_channel_symbols"), steps)).status, "conformant");
}

TEST(Profiles, Document) {
  std::vector<Step> steps = layered();
  steps[4].operation = "any.operation";
  const Value document = inspect_profile(recipe(named("layered_digital"), steps)).document();
  EXPECT_EQ(document.at("status"), Value("invalid"));
  EXPECT_EQ(document.at("issues")[0].at("code"), Value("required_step_op_invalid"));
  EXPECT_EQ(document.at("issues")[0].at("step_id"), Value("wireless_channel"));
  EXPECT_EQ(profile_errors(recipe(named("layered_digital"), steps))[0].code, code::profile_step_op_invalid);
}

}  // namespace
}  // namespace noema
