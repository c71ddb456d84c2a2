// The hashed and semantic forms. Expected digests were computed with Python's json and hashlib from a hand-written
// form.
// SPDX-License-Identifier: Apache-2.0
#include "contract/hashed.h"

#include <gtest/gtest.h>

#include "contract/packed.h"
#include "contract/sample_contract.h"
#include "core/digest.h"
#include "core/json.h"
#include "core/report.h"

namespace noema::contract {
namespace {

const char* const sample_sha256 = "2d41d8a9c7d4bb9d46c0e19df9ae813aec3fb92e0f119ca0e2540254d32542e6";
const char* const sample_semantic = "b04646d846d129bfc9b2ebc57032feed84dc57e73dd72dc6fd9b64b2a81215fb";

Contract read(const std::string& text) {
  Result<Contract> contract = read_contract(sample_file(text), sample_vocabulary());
  EXPECT_TRUE(contract) << error_text(contract.error());
  return contract ? *contract : Contract{};
}

TEST(HashedForm, HasTheDigestsThatPythonGivesForTheSameForm) {
  const Contract contract = read(sample_text);
  EXPECT_EQ(contract.sha256, sample_sha256) << pretty_json(contract.hashed);
  EXPECT_EQ(contract.semantic_sha256, sample_semantic);
}

TEST(HashedForm, DescriptionOfTheOperationIsNotHashed) {
  const Contract contract = read(with(sample_text, "Only for tests.", "Anything else."));
  EXPECT_EQ(contract.sha256, sample_sha256);
  EXPECT_EQ(contract.description, "Anything else.");
}

TEST(HashedForm, WordingAndStatusChangeTheDigestButNotTheSemanticOne) {
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"Sample\"", "\"Another name\""},
           {"A word.", "Some word."},
           {"Plain.", "Simple."},
           {"One right answer.", "No choice."},
           {R"("dataset_capture", "backend": "cpp", "implementation": "default", "status": "planned")",
            R"("dataset_capture", "backend": "cpp", "implementation": "default", "status": "implemented")"}}) {
    const Contract contract = read(with(sample_text, from, to));
    EXPECT_NE(contract.sha256, sample_sha256) << from;
    EXPECT_EQ(contract.semantic_sha256, sample_semantic) << from;
  }
}

TEST(HashedForm, MeaningChangesTheSemanticDigest) {
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{R"(["name", "reason"])", R"(["name", "reason", "title"])"},
                                                        {R"("default": "name")", R"("default": "reason")"},
                                                        {R"({ "status": "name" })", R"({ "status": "reason" })"},
                                                        {"\"minLength\": 1", "\"minLength\": 2"},
                                                        {"\"factor\"", "\"gain\""},
                                                        {"\"unit\": \"1\"", "\"unit\": \"dB\""}}) {
    EXPECT_NE(read(with(sample_text, from, to)).semantic_sha256, sample_semantic) << from;
  }
}

TEST(HashedForm, FillsAContractsFields) {
  const Contract contract = read(sample_text);
  EXPECT_EQ(contract.family, "channel");
  EXPECT_EQ(contract.stem, "sample");
  ASSERT_EQ(contract.inputs.size(), 2u);
  EXPECT_FALSE(contract.input("bits")->optional);
  EXPECT_TRUE(contract.input("state")->optional);
  EXPECT_EQ(contract.output("coded_bits")->kind, "channel.coded_bits.numpy");
  EXPECT_TRUE(contract.parameter("path")->required);
  EXPECT_EQ(*contract.parameter("gain")->default_value(), Value(1.0));
  ASSERT_EQ(contract.rows.size(), 4u);
  EXPECT_EQ(contract.rows[0].implementation, "default");
  EXPECT_TRUE(contract.rows[1].explicit_only);
  EXPECT_TRUE(contract.rows[0].bindings.is_null());
  EXPECT_EQ(contract.rows[2].bindings.at("status"), Value("name"));
  EXPECT_EQ(contract.requirements[0].any_of, std::vector<std::string>{"rate.bpp"});
  EXPECT_EQ(contract.guarantees[0].all_of, std::vector<std::string>{"factor"});
  EXPECT_EQ(contract.validator, "wireless.channel");
}

TEST(HashedForm, MembersOfAUseLieOverTheFragment) {
  const Contract contract = read(with(sample_text, R"({ "use": "gain" })", R"({ "use": "gain", "default": 2.5 })"));
  EXPECT_EQ(*contract.parameter("gain")->default_value(), Value(2.5));
  EXPECT_NE(contract.parameter("gain")->schema.find("exclusiveMinimum"), nullptr);
}

TEST(Packed, GivesBackEveryKindOfValueAndTheOrderOfMembers) {
  const Value value = *parse_json(
      R"({"z":[null,true,false,0,-9223372036854775808,123456789012345678901234567890],"a":{"d":-0.0,"e":5e-324,"s":"é\u0000\n"},"":{}})");
  const Value back = unpacked(packed(value));
  EXPECT_EQ(back, value);
  EXPECT_EQ(canonical_json(back), canonical_json(value));
  EXPECT_EQ(back.members()[0].first, "z");
  std::string text(200, 'x');
  EXPECT_EQ(unpacked(packed(Value(text))), Value(text));
}

}  // namespace
}  // namespace noema::contract
