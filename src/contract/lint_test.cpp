// Every rule of the lint, each with a planted fault: where it points and what it says.
// SPDX-License-Identifier: Apache-2.0
#include "contract/lint.h"

#include <gtest/gtest.h>

#include "contract/sample_contract.h"
#include "core/report.h"

namespace noema::contract {
namespace {

/// One fault planted in the sample, and what must come of it.
struct Fault {
  const char* label;
  std::string from;
  std::string to;
  std::string message;  ///< part of the message
  std::string path;     ///< where it points; not looked at when empty
};

std::string flaws_of(const std::string& text) {
  const Result<Contract> contract = read_contract(sample_file(text), sample_vocabulary());
  return contract ? std::string() : error_text(contract.error());
}

class LintFault : public testing::TestWithParam<Fault> {};

TEST_P(LintFault, IsFoundAtItsPlace) {
  const Fault& fault = GetParam();
  const std::string text = with(sample_text, fault.from, fault.to);
  ASSERT_FALSE(text.empty()) << "the sample no longer holds " << fault.from;
  const Result<Contract> contract = read_contract(sample_file(text), sample_vocabulary());
  ASSERT_FALSE(contract) << "the lint let it pass";
  bool found = false;
  for (const Error& error : flattened(contract.error())) {
    if (error.message.find(fault.message) == std::string::npos) continue;
    found = true;
    EXPECT_EQ(error.at.file, "ops/channel/sample.op.json");
    EXPECT_GT(error.at.line, 0);
    EXPECT_GT(error.at.column, 0);
    if (!fault.path.empty()) {
      EXPECT_EQ(error.at.path, fault.path);
    }
  }
  EXPECT_TRUE(found) << error_text(contract.error());
}

const std::vector<Fault> faults{
    {"unknown_key", "\"description\": \"Only", "\"desription\": \"Only", "unknown key 'desription'", "desription"},
    {"duplicate_key", "\"status\": \"implemented\",", "\"status\": \"implemented\", \"status\": \"planned\",",
     "stands twice", ""},
    {"syntax", "\"name\": \"Sample\",", "\"name\": \"Sample\"", "not valid JSON", ""},
    {"no_name", "\"name\": \"Sample\",", "", "'name' is missing", ""},
    {"empty_name", "\"Sample\"", "\" \"", "name must be text", "name"},
    {"status_word", "\"status\": \"implemented\",", "\"status\": \"done\",", "allowed: implemented, planned", "status"},
    {"id_syntax", "channel.sample", "channel sample", "is not of the form", "id"},
    {"id_family", "channel.sample", "source.sample", "lies in ops/channel", "id"},
    {"id_stem", "channel.sample", "channel.other", "needs 'other'", "id"},
    {"unknown_kind", "channel.payload_bits.numpy", "channel.payload_bit.numpy", "unknown artifact kind",
     "inputs.bits[1]"},
    {"kind_twice", "\"channel.bits.numpy\", \"channel.payload_bits.numpy\"",
     "\"channel.bits.numpy\", \"channel.bits.numpy\"", "stands twice", "inputs.bits[1]"},
    {"port_without_kind", "{ \"state\": [\"channel.ofdm_channel_state.numpy\"] }", "{ \"state\": [] }",
     "at least one kind", "optional_inputs.state"},
    {"two_output_kinds", "[\"channel.coded_bits.numpy\"]", "[\"channel.coded_bits.numpy\", \"channel.bits.numpy\"]",
     "exactly one kind", "outputs.coded_bits"},
    {"both_inputs", "{ \"state\": [\"channel.ofdm_channel_state.numpy\"] }", "{ \"bits\": [\"channel.bits.numpy\"] }",
     "required already", "optional_inputs.bits"},
    {"default_out_of_bounds", "{ \"use\": \"gain\" }", "{ \"type\": \"integer\", \"default\": 0, \"minimum\": 1 }",
     "default breaks its own schema", "parameters.gain.default"},
    {"default_not_a_choice", "\"default\": \"name\"", "\"default\": \"nam\"", "default breaks its own schema",
     "parameters.status.default"},
    {"unknown_fragment", "\"use\": \"gain\"", "\"use\": \"gian\"", "no fragment 'gian'", "parameters.gain.use"},
    {"unknown_keyword", "\"minLength\": 1", "\"minlength\": 1", "unknown schema keyword", "parameters.path.minlength"},
    {"bad_type", "{ \"use\": \"gain\" }", "{ \"type\": \"float\" }", "type must be", "parameters.gain.type"},
    {"no_type", "{ \"use\": \"gain\" }", "{ \"default\": 1 }", "states no type", "parameters.gain.type"},
    {"bounds_cross", "{ \"use\": \"gain\" }", "{ \"type\": \"number\", \"minimum\": 2, \"maximum\": 1 }",
     "is above maximum", "parameters.gain.minimum"},
    {"bad_pattern", "\"minLength\": 1", "\"pattern\": \"(\"", "a regular expression", "parameters.path.pattern"},
    {"negative_length", "\"minLength\": 1", "\"minLength\": -1", "at least 0", "parameters.path.minLength"},
    {"empty_enum", "[\"name\", \"reason\"]", "[]", "at least one value", "parameters.status.enum"},
    {"enum_twice", "[\"name\", \"reason\"]", "[\"name\", \"name\"]", "stands twice in the enum",
     "parameters.status.enum[1]"},
    {"enum_type", "[\"name\", \"reason\"]", "[\"name\", 3]", "text is needed", "parameters.status.enum[1]"},
    {"required_not_declared", "{ \"use\": \"gain\" }",
     "{ \"type\": \"object\", \"properties\": { \"a\": { \"type\": \"integer\" } }, \"required\": [\"b\"] }",
     "required but not declared", "parameters.gain.required"},
    {"bad_effect", "\"minLength\": 1", "\"x-noema-effect\": \"none\"", "'training' or 'recorded'",
     "parameters.path.x-noema-effect"},
    {"bad_ui", "\"minLength\": 1", "\"x-noema-ui\": { \"lable\": \"x\" }", "unknown x-noema-ui key",
     "parameters.path.x-noema-ui.lable"},
    {"parameter_name", "\"gain\": {", "\"ga-in\": {", "letters, digits and _", "parameters.ga-in"},
    {"condition_unknown", "\"minLength\": 1", "\"x-noema-effective-when\": { \"mode\": \"a\" }", "no other parameter",
     "parameters.path.x-noema-effective-when.mode"},
    {"condition_value", "\"minLength\": 1", "\"x-noema-effective-when\": { \"status\": \"a\" }", "can't be 'a'",
     "parameters.path.x-noema-effective-when.status"},
    {"condition_no_default", "\"use\": \"gain\"",
     "\"type\": \"number\", \"x-noema-effective-when\": { \"path\": \"a\" }", "needs a default",
     "parameters.gain.x-noema-effective-when.path"},
    {"path_syntax", "[\"factor\"]", "[\"1factor\"]", "is not a metadata path",
     "output_metadata_guarantees.coded_bits[0]"},
    {"path_twice", "[\"rate.bpp\"]", "[\"rate.bpp\", \"rate.bpp\"]", "stands twice",
     "input_metadata_requirements.bits.any_of[1]"},
    {"paths_empty", "[\"rate.bpp\"]", "[]", "at least one metadata path", "input_metadata_requirements.bits.any_of"},
    {"rule_key", "\"any_of\"", "\"one_of\"", "unknown key 'one_of'", "input_metadata_requirements.bits.one_of"},
    {"requirement_port", "\"input_metadata_requirements\": { \"bits\"", "\"input_metadata_requirements\": { \"bit\"",
     "no input 'bit'", "input_metadata_requirements.bit"},
    {"guarantee_port", "\"output_metadata_guarantees\": { \"coded_bits\"", "\"output_metadata_guarantees\": { \"bits\"",
     "no output 'bits'", "output_metadata_guarantees.bits"},
    {"gradient", "\"gradient\": \"stop\"", "\"gradient\": \"halt\"", "allowed: full, stop, surrogate, none",
     "differentiability.gradient"},
    {"equivalence_type", "\"type\": \"exact\"", "\"type\": \"equal\"", "allowed: exact", "equivalence.type"},
    {"tolerance_missing", "\"type\": \"exact\"", "\"type\": \"numerical\"", "a tolerance belongs", "equivalence"},
    {"tolerance_negative", "\"type\": \"exact\"",
     "\"type\": \"numerical\", \"tolerance\": { \"atol\": -1, \"rtol\": 0 }", "atol must be", "equivalence.tolerance"},
    {"equivalence_absent", "\"equivalence\": { \"type\": \"exact\", \"reason\": \"One right answer.\" },", "",
     "must declare its equivalence", ""},
    {"format_type", "\"artifact\": \"npz\"", "\"artifact\": 3", "a format is text", "formats.artifact"},
    {"metric_direction", "\"direction\": \"neutral\"", "\"direction\": \"up\"", "allowed: higher_is_better",
     "metrics.channel.gain.direction"},
    {"metric_unit", "\"unit\": \"1\", ", "", "'unit' is missing", "metrics.channel.gain"},
    {"metric_name", "\"channel.gain\"", "\"channel gain\"", "not a metric's name", "metrics.channel gain"},
    {"validator", "\"validator\": \"wireless.channel\"", "\"validator\": \"wireless.chanel\"", "no validator",
     "validator"},
    {"no_rows", "\"materializations\": [", "\"rows\": [", "'materializations' is missing", ""},
    {"row_key", "\"notes\"", "\"note\"", "unknown key 'note'", "materializations[1].note"},
    {"row_runner", "\"runner\": \"dataset_capture\"", "\"runner\": \"capture\"", "allowed: benchmark_run",
     "materializations[3].runner"},
    {"row_backend", "\"backend\": \"numpy\"", "\"backend\": \"python_numpy\"", "allowed: cpp",
     "materializations[2].backend"},
    {"row_status", "\"default\", \"status\": \"planned\"", "\"default\", \"status\": \"ready\"",
     "allowed: implemented, planned", "materializations[3].status"},
    {"row_twice", "\"runner\": \"dataset_capture\"", "\"runner\": \"benchmark_run\"", "stands twice",
     "materializations[3]"},
    {"row_ambiguous", "\"explicit\": true, ", "", "could both be meant", "materializations[1]"},
    {"row_binding_unknown", "{ \"status\": \"name\" }", "{ \"stat\": \"name\" }", "no parameter of this operation",
     "materializations[2].parameter_bindings.stat"},
    {"row_binding_value", "{ \"status\": \"name\" }", "{ \"status\": \"nam\" }", "that the parameter refuses",
     "materializations[2].parameter_bindings.status"},
    {"row_binding_empty", "{ \"status\": \"name\" }", "{}", "must bind at least one",
     "materializations[2].parameter_bindings"},
    {"implemented_without_row", "\"backend\": \"cpp\", \"status\": \"implemented\"",
     "\"backend\": \"cpp\", \"status\": \"planned\"", "has no implemented row", "status"},
    {"planned_with_row", "\"status\": \"implemented\",\n", "\"status\": \"planned\",\n", "has an implemented row",
     "status"},
};

INSTANTIATE_TEST_SUITE_P(Planted, LintFault, testing::ValuesIn(faults),
                         [](const testing::TestParamInfo<Fault>& fault) { return std::string(fault.param.label); });

TEST(Lint, AcceptsTheSample) { EXPECT_EQ(flaws_of(sample_text), ""); }

TEST(Lint, ShowsFileLineAndCaret) {
  EXPECT_EQ(flaws_of(with(sample_text, "\"minLength\": 1", "\"minimun\": 1")),
            "ops/channel/sample.op.json:11:33: error[contract.invalid]: unknown schema keyword 'minimun'\n"
            "  at parameters.path.minimun\n"
            "   11 |     \"path\": { \"type\": \"string\", \"minimun\": 1, \"required\": true },\n"
            "      |                                 ^\n"
            "  hint: did you mean 'minimum'?\n");
}

TEST(Lint, ReportsAllFlawsInDocumentOrder) {
  std::string text = with(sample_text, "\"planned\", \"parameter", "\"open\", \"parameter");
  text = with(text, "\"Sample\"", "3");
  const Result<Contract> contract = read_contract(sample_file(text), sample_vocabulary());
  ASSERT_FALSE(contract);
  const std::vector<Error> errors = flattened(contract.error());
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].at.path, "name");
  EXPECT_EQ(errors[1].at.path, "materializations[2].status");
}

/// A selector in place of the sample's `status`.
std::string with_selector(const std::string& selector) {
  return with(
      sample_text, R"({ "type": "string", "enum": ["name", "reason"], "default": "name", "description": "A word." })",
      R"({ "type": "string", "enum": ["auto", "name"], "default": "auto", "x-noema-materialization-selector": )" +
          selector + "}");
}

TEST(Lint, ChecksSelectors) {
  EXPECT_EQ(
      flaws_of(with_selector(
          R"({"target":"backend","role":"primary","mapping":{"name":"cpp"},"automatic_values":["auto"],"automatic_value":"name"})")),
      "");
  for (
      const auto& [selector, message] : std::vector<std::pair<std::string, std::string>>{
          {R"({"target":"backend","mapping":{"name":"cpp"},"automatic_values":["auto"]})", "'role' is missing"},
          {R"({"target":"row","role":"primary","mapping":{"name":"cpp"},"automatic_values":["auto"]})",
           "target is 'row'"},
          {R"({"target":"backend","role":"primary","mapping":{"name":"c++"},"automatic_values":["auto"]})",
           "is not a backend"},
          {R"({"target":"backend","role":"primary","mapping":{"nam":"cpp"},"automatic_values":["auto"]})",
           "not among the parameter's"},
          {R"({"target":"backend","role":"primary","mapping":{},"automatic_values":["auto"]})", "at least one value"},
          {R"({"target":"backend","role":"primary","mapping":{"name":"cpp"},"automatic_values":[]})",
           "leads to no backend"},
          {R"({"target":"backend","role":"primary","mapping":{"name":"cpp","auto":"cpp"},"automatic_values":["auto"]})",
           "both mapped"},
          {R"({"target":"backend","role":"primary","mapping":{"name":"cpp"},"automatic_values":["auto"],"automatic_value":"x"})",
           "not a key of the mapping"},
          {R"({"target":"backend","role":"primary","mapping":{"name":"cpp"},"automatic_values":["auto"],"auto":1})",
           "unknown key"}}) {
    EXPECT_NE(flaws_of(with_selector(selector)).find(message), std::string::npos)
        << selector << flaws_of(with_selector(selector));
  }
  const std::string selector =
      R"({"target":"backend","role":"primary","mapping":{"name":"cpp"},"automatic_values":["auto"]})";
  std::string two =
      with(with_selector(selector), R"({ "use": "gain" })",
           R"({"type":"string","enum":["auto","name"],"default":"auto","x-noema-materialization-selector":)" +
               selector + "}");
  EXPECT_NE(flaws_of(two).find("primary selector already"), std::string::npos) << flaws_of(two);
}

TEST(Lint, ChecksTrainedArtifacts) {
  const auto abi = [](const std::string& form) {
    return with(sample_text, "\"metrics\":", "\"trained_artifact_abi\": " + form + ",\n  \"metrics\":");
  };
  const std::string good =
      R"({"component_id":"c","component_role":"r","entrypoint_id":"e","inputs":{"x":{}},"outputs":{"y":{}},)"
      R"("required_operation_inputs":["bits"],"binding_params":{"artifact_manifest_path":"m","artifact_entrypoint":"e"}})";
  const auto declared = [](std::string text) {
    return with(
        std::move(text), R"("gain": { "use": "gain" })",
        R"("gain": { "use": "gain" }, "artifact_manifest_path": { "type": "string" }, "artifact_entrypoint": { "type": "string" })");
  };
  EXPECT_EQ(flaws_of(declared(abi(good))), "");
  EXPECT_NE(flaws_of(abi(good)).find("is no parameter"), std::string::npos);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {R"("component_id":"c",)", ""},
           {R"("artifact_entrypoint":"e")", R"("artifact_entrypoint":"f")"},
           {R"(["bits"])", R"(["bit"])"},
           {R"(["bits"])", R"(["bits","bits"])"},
           {R"("inputs":{"x":{}})", R"("inputs":{})"}}) {
    EXPECT_NE(flaws_of(declared(abi(with(good, from, to)))), "") << from;
  }
  const std::string wrong =
      with(declared(abi(good)),
           "\"metrics\":", "\"training_capabilities\": { \"portable_replacement\": false },\n\"metrics\":");
  EXPECT_NE(flaws_of(wrong).find("portable_replacement is true exactly when"), std::string::npos);
}

TEST(Lint, FindsOperationsDeclaredTwiceAndUnusedFragments) {
  const Vocabulary vocabulary = sample_vocabulary();
  const Contract contract = *read_contract(sample_file(), vocabulary);
  EXPECT_TRUE(lint_collection({sample_file()}, {contract}, vocabulary).empty());
  const std::vector<Error> twice = lint_collection({sample_file(), sample_file()}, {contract, contract}, vocabulary);
  ASSERT_EQ(twice.size(), 1u);
  EXPECT_NE(twice[0].message.find("declared already"), std::string::npos);
  const std::vector<Error> unused = lint_collection({}, {}, vocabulary);
  ASSERT_EQ(unused.size(), 1u);
  EXPECT_NE(unused[0].message.find("'gain'"), std::string::npos);
}

TEST(ContractFile, IsNamedAfterItsPath) {
  const ContractFile file = *contract_file("ops/model/jpeg/jpeg_encode.op.json", "");
  EXPECT_EQ(file.family, "model/jpeg");
  EXPECT_EQ(file.stem, "jpeg_encode");
  EXPECT_FALSE(contract_file("ops/x.json", ""));
  EXPECT_FALSE(contract_file("ops/x.op.json", ""));
}

TEST(Vocabulary, RefusesAFragmentThatIsNoSchema) {
  EXPECT_FALSE(read_vocabulary("{}", "k", R"({"a":{"type":"integer","minimum":2,"default":1}})", "f"));
  EXPECT_FALSE(read_vocabulary("[]", "k", "{}", "f"));
  EXPECT_FALSE(read_vocabulary("{\"a\":1}", "k", "{}", "f"));
}

}  // namespace
}  // namespace noema::contract
