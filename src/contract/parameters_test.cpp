// Parameters against contracts: every rule, every violation at once, defaults, cross-checks.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "contract/sample_contract.h"
#include "contract/schema.h"
#include "contract/validators.h"
#include "core/json.h"
#include "core/report.h"
#include "noema/contract.h"

namespace noema {
namespace {

using contract::build_contract;

Contract sample(const std::string& parameters) {
  const Value authored = *parse_json(R"({"id":"x.sample","name":"n","status":"planned","inputs":{},"outputs":{},
    "materializations":[],"parameters":)" +
                                     parameters + "}");
  return build_contract(authored, "x");
}

Value value(std::string_view text) { return *parse_json(text); }

/// `code path` of each violation, then the whole text.
std::vector<std::string> violations(const Contract& contract, std::string_view params, bool require_all = true) {
  std::vector<std::string> found;
  const Result<void> checked = check_parameters(contract, value(params), require_all);
  if (checked) return found;
  for (const Error& error : flattened(checked.error()))
    found.push_back(std::string(error.code.text) + " " + error.at.path);
  return found;
}

using Found = std::vector<std::string>;

TEST(CheckParameters, TypesAreStrict) {
  const Contract c =
      sample(R"({"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},"s":{"type":"string"},
    "bn":{"type":["boolean","null"]},"a":{"type":"array","items":{"type":"string"}},"o":{"type":"object"}})");
  EXPECT_EQ(violations(c, R"({"i":1,"n":1,"b":true,"s":"","bn":null,"a":["x"],"o":{"any":1}})"), Found{});
  EXPECT_EQ(violations(c, R"({"n":1.5,"bn":false,"a":[]})"), Found{});
  EXPECT_EQ(
      violations(c, R"({"i":1.0,"n":true,"b":0,"s":null,"bn":0,"a":[1],"o":[]})"),
      (Found{"parameter.type params.i", "parameter.type params.n", "parameter.type params.b", "parameter.type params.s",
             "parameter.type params.bn", "parameter.type params.a[0]", "parameter.type params.o"}));
  EXPECT_EQ(violations(c, R"({"i":123456789012345678901234567890})"), Found{});
}

TEST(CheckParameters, BoundsIncludeTheirEnds) {
  const Contract c = sample(
      R"({"p":{"type":"number","minimum":0,"maximum":2},"q":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":2}})");
  EXPECT_EQ(violations(c, R"({"p":0,"q":0.1})"), Found{});
  EXPECT_EQ(violations(c, R"({"p":2.0,"q":1.9})"), Found{});
  EXPECT_EQ(violations(c, R"({"p":-0.1,"q":0})"),
            (Found{"parameter.out_of_range params.p", "parameter.out_of_range params.q"}));
  EXPECT_EQ(violations(c, R"({"p":2.1,"q":2})"),
            (Found{"parameter.out_of_range params.p", "parameter.out_of_range params.q"}));
}

TEST(CheckParameters, LengthsCountCodePointsAndItems) {
  const Contract c =
      sample(R"({"s":{"type":"string","minLength":2,"maxLength":3},"a":{"type":"array","minItems":1,"maxItems":2}})");
  EXPECT_EQ(violations(c, R"({"s":"äöü","a":[1,2]})"), Found{});
  EXPECT_EQ(violations(c, R"({"s":"ä","a":[]})"),
            (Found{"parameter.out_of_range params.s", "parameter.out_of_range params.a"}));
  EXPECT_EQ(violations(c, R"({"s":"äöüß","a":[1,2,3]})"),
            (Found{"parameter.out_of_range params.s", "parameter.out_of_range params.a"}));
}

TEST(CheckParameters, PatternsSearchAndNeverSeeVeryLongText) {
  const Contract c = sample(R"({"s":{"type":"string","pattern":"b+c"}})");
  EXPECT_EQ(violations(c, R"({"s":"abbcd"})"), Found{});
  EXPECT_EQ(violations(c, R"({"s":"abd"})"), Found{"parameter.out_of_range params.s"});
  const Value params = Value::object({{"s", std::string(2'000'000, 'b') + "c"}});
  EXPECT_FALSE(check_parameters(c, params));
}

TEST(CheckParameters, ChoicesCompareNumbersLoosely) {
  const Contract c = sample(
      R"({"m":{"type":"number","enum":[1,2.5]},"t":{"type":"string","enum":["bpsk","qpsk"]},"i":{"type":"integer","enum":[1,2]}})");
  EXPECT_EQ(violations(c, R"({"m":1.0})"), Found{});
  EXPECT_EQ(violations(c, R"({"m":1})"), Found{});
  EXPECT_EQ(violations(c, R"({"m":3,"t":"qbsk","i":1.0})"),
            (Found{"parameter.choice params.m", "parameter.choice params.t", "parameter.type params.i"}));
  EXPECT_EQ(violations(c, R"({"m":true})"), Found{"parameter.choice params.m"});
  const Result<void> checked = check_parameters(c, value(R"({"t":"qpks"})"));
  EXPECT_EQ(
      error_text(checked.error()),
      "error[parameter.choice]: t is 'qpks'; allowed: 'bpsk' or 'qpsk'\n  at params.t\n  hint: did you mean 'qpsk'?\n");
}

TEST(CheckParameters, NamesUnknownAndMissingParameters) {
  const Contract c = sample(
      R"({"factor":{"type":"integer"},"path":{"type":"string","required":true,"description":"Where it lies."}})");
  EXPECT_EQ(violations(c, R"({"facter":3})"),
            (Found{"parameter.unknown params.facter", "parameter.missing params.path"}));
  EXPECT_EQ(violations(c, R"({"facter":3})", false), Found{"parameter.unknown params.facter"});
  EXPECT_EQ(violations(c, "null", false), Found{});
  EXPECT_EQ(violations(c, "[]"), Found{"parameter.type params"});
  EXPECT_EQ(check_parameters(c, value(R"({"facter":3,"path":""})")).error().hint, "did you mean 'factor'?");
  EXPECT_EQ(check_parameters(c, value("{}")).error().hint, "Where it lies.");
}

TEST(CheckParameters, NestedObjectsAreChecked) {
  const Contract c = sample(R"({"o":{"type":"object","additionalProperties":false,"required":["a"],
    "properties":{"a":{"type":"integer","minimum":1},"b":{"type":"string"}}}})");
  EXPECT_EQ(violations(c, R"({"o":{"a":1}})"), Found{});
  EXPECT_EQ(violations(c, R"({"o":{"a":0,"c":1}})"),
            (Found{"parameter.out_of_range params.o.a", "parameter.unknown params.o.c"}));
  EXPECT_EQ(violations(c, R"({"o":{"b":1}})"), (Found{"parameter.type params.o.b", "parameter.missing params.o"}));
}

const char* const conditional = R"({"mode":{"type":"string","enum":["snr","fixed"],"default":"snr"},
  "snr":{"type":"number","default":12.0,"x-noema-effective-when":{"mode":"snr"}},
  "variance":{"type":"number","default":0.5,"x-noema-effective-when":{"mode":"fixed"}}})";

TEST(CheckParameters, InactiveParametersAreErrors) {
  const Contract c = sample(conditional);
  EXPECT_EQ(violations(c, R"({"snr":3})"), Found{});
  EXPECT_EQ(violations(c, R"({"variance":1,"mode":"fixed"})"), Found{});
  EXPECT_EQ(violations(c, R"({"variance":1})"), Found{"parameter.inactive params.variance"});
  EXPECT_EQ(violations(c, R"({"mode":"fixed","snr":1})"), Found{"parameter.inactive params.snr"});
  EXPECT_EQ(error_text(check_parameters(c, value(R"({"variance":1})")).error()),
            "error[parameter.inactive]: variance has no effect while mode is 'snr'\n  at params.variance\n"
            "  hint: remove variance, or set mode to 'fixed'\n");
}

TEST(WithDefaults, FillsWhatIsAbsentAndInEffect) {
  const Contract c = sample(conditional);
  EXPECT_EQ(with_defaults(c, value("null")), value(R"({"mode":"snr","snr":12.0})"));
  EXPECT_EQ(with_defaults(c, value(R"({"mode":"fixed"})")), value(R"({"mode":"fixed","variance":0.5})"));
  EXPECT_EQ(with_defaults(c, value(R"({"snr":null})")), value(R"({"snr":null,"mode":"snr"})"));
  EXPECT_EQ(with_defaults(c, value("3")), value("3"));
}

TEST(WithDefaults, OrderOfDeclarationDoesNotMatter) {
  const Contract c = sample(R"({"snr":{"type":"number","default":1.0,"x-noema-effective-when":{"mode":1.0}},
    "mode":{"type":"integer","default":1}})");
  EXPECT_EQ(with_defaults(c, value("{}")), value(R"({"snr":1.0,"mode":1})"));
  EXPECT_EQ(with_defaults(c, value(R"({"mode":2})")), value(R"({"mode":2})"));
}

TEST(WithDefaults, ReachesIntoObjectsAndLists) {
  const Contract c = sample(R"({"o":{"type":"object","properties":{"a":{"type":"integer","default":3}}},
    "l":{"type":"array","items":{"type":"object","properties":{"b":{"type":"integer","default":4}}}}})");
  EXPECT_EQ(with_defaults(c, value(R"({"o":{},"l":[{},{"b":1},2]})")),
            value(R"({"o":{"a":3},"l":[{"b":4},{"b":1},2]})"));
  EXPECT_EQ(with_defaults(c, value("{}")), value("{}"));
}

/// The channel as the repository declares it.
const Contract& channel() { return *builtin_catalog().find("wireless.channel"); }

Found cross_checks(std::string_view params, const std::vector<std::string>& connected = {"symbols"}) {
  Found found;
  const Result<void> checked = preflight(channel(), value(params), connected);
  if (checked) return found;
  for (const Error& error : flattened(checked.error()))
    found.push_back(std::string(error.code.text) + " " + error.at.path);
  return found;
}

TEST(Preflight, ChecksTheWirelessChannel) {
  if (channel().validator.empty()) GTEST_SKIP() << "wireless.channel names no validator yet";
  EXPECT_EQ(cross_checks("{}"), Found{});
  EXPECT_EQ(cross_checks(R"({"noise_mode":"fixed_variance"})"), Found{"parameter.missing params.noise_variance"});
  EXPECT_EQ(cross_checks(R"({"noise_mode":"fixed_variance","noise_variance":0.1})"), Found{});
  for (const char* bare : {"awgn", "interference_awgn", "flat_rayleigh"}) {
    EXPECT_EQ(cross_checks(std::string(R"({"receiver_processing":"none","channel":")") + bare + "\"}"), Found{});
  }
  for (const char* matched : {"mimo_flat", "ofdm_tdl", "ofdm_cdl", "urban_micro"}) {
    EXPECT_EQ(cross_checks(std::string(R"({"receiver_processing":"none","channel":")") + matched + "\"}"),
              Found{"parameter.conflict params.receiver_processing"});
  }
  const std::vector<std::string> both{"symbols", "channel_state"};
  EXPECT_EQ(cross_checks("{}", both), Found{"parameter.conflict params.channel_state_mode"});
  EXPECT_EQ(cross_checks(R"({"channel_state_mode":"explicit","channel":"ofdm_tdl"})", both), Found{});
  EXPECT_EQ(cross_checks(R"({"channel_state_mode":"explicit","channel":"ofdm_tdl"})"),
            Found{"parameter.conflict params.channel_state_mode"});
  EXPECT_EQ(cross_checks(R"({"channel_state_mode":"explicit","channel":"awgn"})", both),
            Found{"parameter.conflict params.channel"});
}

TEST(LooselyEqual, ComparesNumbersByValueAndNothingElse) {
  using contract::loosely_equal;
  EXPECT_TRUE(loosely_equal(value("1"), value("1.0")));
  EXPECT_TRUE(loosely_equal(value("[1,{\"a\":2}]"), value("[1.0,{\"a\":2.0}]")));
  EXPECT_FALSE(loosely_equal(value("1"), value("true")));
  EXPECT_FALSE(loosely_equal(value("1"), value("\"1\"")));
  EXPECT_FALSE(loosely_equal(value("[1]"), value("[1,1]")));
  EXPECT_TRUE(loosely_equal(value("123456789012345678901234567890"), value("123456789012345678901234567890")));
}

}  // namespace
}  // namespace noema
