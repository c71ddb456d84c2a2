// The plan document: its content, its digests, and that it depends on nothing else.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/digest.h"
#include "core/json.h"
#include "noema/plan.h"
#include "plan/codes.h"
#include "plan/document.h"
#include "plan/plan_check.h"
#include "plan/test_catalog.h"
#include "plan/test_recipe.h"

namespace noema {
namespace {

using planner::recipe_of;

const planner::MemoryCatalog& catalog() {
  static const planner::MemoryCatalog made = planner::test_catalog();
  return made;
}

constexpr std::string_view chain = R"(name: chain
metadata: {seed: 23}
steps:
  - {id: data, op: source.bits, params: {count: 16}}
  - {id: mod, op: modem.modulate, inputs: {bits: data.bits}}
  - {id: air, op: radio.channel, inputs: {symbols: mod.symbols}}
)";

Plan planned(std::string_view yaml, const Policy& policy = {}) {
  Result<Plan> made = plan(recipe_of(yaml, catalog()), catalog(), policy);
  EXPECT_TRUE(made) << error_text(made.error());
  return *std::move(made);
}

std::vector<std::string> codes(std::string_view yaml, const Policy& policy) {
  const Result<Plan> made = plan(recipe_of(yaml, catalog()), catalog(), policy);
  std::vector<std::string> out;
  if (made) return out;
  for (const Error& error : flattened(made.error())) out.emplace_back(error.code.text);
  return out;
}

TEST(Plan, StepsAndParameters) {
  const Plan made = planned(chain);
  ASSERT_EQ(made.steps.size(), 3u);
  EXPECT_EQ(made.steps[0].backend, "cpp");
  EXPECT_EQ(made.steps[0].params.at("count"), Value(16));
  EXPECT_EQ(made.steps[0].params.at("data_plane_backend"), Value("cpp_native"));
  EXPECT_EQ(made.steps[2].implementation, "awgn");
  EXPECT_EQ(made.steps[2].inputs[0].step, "mod");
  EXPECT_EQ(made.contracts.size(), 3u);
  EXPECT_EQ(made.seeds.master, "23");
}

TEST(Plan, DocumentFields) {
  const Plan made = planned(chain);
  const Value& document = made.document;
  EXPECT_EQ(document.at("schema_version"), Value(1));
  EXPECT_EQ(document.at("kind"), Value("noema.execution_plan"));
  EXPECT_EQ(document.at("runner"), Value("benchmark_run"));
  EXPECT_EQ(document.at("recipe").at("sha256"), Value(made.recipe.effective_sha256));
  EXPECT_EQ(document.at("recipe").at("step_count"), Value(3));
  EXPECT_EQ(document.find("policy"), nullptr);
  const Value& air = document.at("steps")[2];
  EXPECT_EQ(air.at("materialization_id"), Value("radio.channel@benchmark_run/cpp/awgn"));
  EXPECT_EQ(air.at("implementation_identity"), Value("noema::radio::channel"));
  EXPECT_EQ(air.at("operation_contract_sha256"), Value(catalog().find("radio.channel")->sha256));
  const Value& metadata = air.at("implementation_metadata");
  EXPECT_EQ(metadata.at("operation_class"), Value("noema::radio::channel"));
  EXPECT_EQ(metadata.at("source_module"), Value("ops/radio/channel.cpp"));
  EXPECT_EQ(metadata.at("status"), Value("implemented"));
  EXPECT_EQ(
      canonical_json(metadata.at("selection")),
      R"({"candidate_index":0,"parameter_bindings":{"channel":"awgn","state_mode":"none"},"requested_backend":"auto",)"
      R"("requested_parameter":{"name":"channel","value":"awgn"},"resolved_backend":"cpp",)"
      R"("selector":{"effective_value":"numpy","name":"wireless_backend","target_backend":"cpp","value":"auto"},)"
      R"("source":"step.params.channel"})");
  EXPECT_EQ(metadata.at("subordinate_runtime_selectors").size(), 1u);
  EXPECT_EQ(metadata.find("notes"), nullptr);
}

TEST(Plan, NotesAndOtherBackendsAreNamed) {
  const Plan made = planned(R"(name: r
steps:
  - {id: data, op: source.bits}
  - {id: adapter, op: model.adapter, inputs: {bits: data.bits}, params: {mode: learned}}
)");
  const Value& step = made.document.at("steps")[1];
  EXPECT_EQ(step.at("implementation_identity"), Value("noema::model::adapter.onnxruntime"));
  EXPECT_EQ(step.at("implementation_metadata").at("notes"), Value("runs a session"));
  EXPECT_TRUE(step.at("implementation_metadata").at("selection").at("requested_backend").is_null());
}

TEST(Plan, DigestsCoverWhatTheySay) {
  const Plan made = planned(chain);
  Value document = made.document;
  const Value& contracts = document.at("operation_contracts");
  EXPECT_EQ(contracts.at("sha256"), Value(sha256_of(contracts.at("operations"))));
  for (const Value& step : document.at("steps").items()) {
    Value bare = step;
    bare.erase("binding_sha256");
    EXPECT_EQ(step.at("binding_sha256"), Value(sha256_of(bare)));
  }
  document.erase("sha256");
  EXPECT_EQ(made.sha256, sha256_of(document));
}

TEST(Plan, SameInputsSameBytes) {
  const std::string once = canonical_json(planned(chain).document);
  const planner::MemoryCatalog other = planner::test_catalog();
  EXPECT_EQ(once, canonical_json(planned(chain).document));
  EXPECT_EQ(once, canonical_json(plan(recipe_of(chain, other), other)->document));
}

TEST(Plan, PolicyIsRecordedAndChangesTheDigest) {
  const std::string plain = planned(chain).sha256;
  Policy policy;
  policy.native = true;
  policy.implementations.emplace("source.bits", "default");
  const Plan made = planned(chain, policy);
  EXPECT_EQ(canonical_json(made.document.at("policy")),
            R"({"implementations":{"source.bits":"default"},"native":true})");
  EXPECT_NE(made.sha256, plain);
  EXPECT_EQ(made.document.at("steps")[0].at("implementation_metadata").at("selection").at("source"),
            Value("planner.implementation"));
  EXPECT_EQ(made.document.at("steps")[0].at("implementation_metadata").at("selection").at("requested_implementation"),
            Value("default"));
}

TEST(Plan, AliasesInThePolicy) {
  Policy policy;
  policy.runner = " Benchmark_Run ";
  policy.backend = "Native";
  const Plan made = planned(chain, policy);
  EXPECT_EQ(made.document.at("policy").at("backend"), Value("cpp"));
  EXPECT_EQ(made.document.at("runner"), Value("benchmark_run"));
  policy.runner = "capture";
  EXPECT_EQ(codes(chain, policy), std::vector<std::string>{"plan.runner_unknown"});
  policy.runner = "dataset-capture";
  EXPECT_EQ(codes("name: r\nsteps:\n  - {id: data, op: source.bits}\n", policy), std::vector<std::string>{});
  policy.backend = "cuda";
  EXPECT_EQ(codes(chain, policy), std::vector<std::string>{"plan.backend_unknown"});
}

TEST(Plan, StrictBackendReportsEveryStepThatLacksIt) {
  Policy policy;
  policy.backend = "sionna";
  EXPECT_EQ(codes(chain, policy), (std::vector<std::string>{"plan.backend_undeclared", "plan.backend_undeclared"}));
  const Result<Plan> made = plan(recipe_of(chain, catalog()), catalog(), policy);
  EXPECT_EQ(made.error().at.line, 4);
  EXPECT_NE(made.error().hint.find("cpp/default, numpy/default"), std::string::npos) << made.error().hint;
}

TEST(Plan, DemandForAbsentOperationIsAnError) {
  Policy policy;
  policy.implementations.emplace("codec.decode", "fast");
  EXPECT_EQ(codes(chain, policy), std::vector<std::string>{"plan.implementation_unused"});
  policy.implementations = {{"codec.decodr", "fast"}};
  EXPECT_EQ(codes(chain, policy), std::vector<std::string>{"operation.unknown"});
}

TEST(Plan, StepMaterialization) {
  const Plan made = planned(R"(name: r
steps:
  - {id: data, op: source.bits}
  - id: decode
    op: codec.decode
    inputs: {bits: data.bits}
    materialization: {implementation: fast}
)");
  EXPECT_EQ(made.steps[1].implementation, "fast");
  EXPECT_EQ(made.document.at("steps")[1].at("implementation_metadata").at("selection").at("source"),
            Value("step.materialization"));
}

TEST(Plan, InjectedValuesMustSatisfyTheContract) {
  planner::MemoryCatalog odd;
  odd.add(planner::operation(
      "source.bits", R"("inputs": {}, "outputs": {"bits": ["bits"]})",
      R"("runtime": {"type": "string", "enum": ["auto"], "default": "auto", "x-noema-materialization-selector":
         {"target": "backend", "role": "subordinate", "mapping": {"cpp_native": "cpp"}, "automatic_values": ["auto"],
          "automatic_value": "cpp_native"}})",
      {planner::row(planner::bench, "cpp", "default")}));
  const Error error = plan(recipe_of("name: r\nsteps:\n  - {id: data, op: source.bits}\n", odd), odd).error();
  EXPECT_EQ(error.code, code::parameter_choice);
  EXPECT_EQ(error.at.path, "steps.data.params.runtime");
}

TEST(Plan, RowWithoutSourceIsRefused) {
  planner::MemoryCatalog holes;
  holes.add(planner::operation("source.bits", R"("inputs": {}, "outputs": {"bits": ["bits"]})", "",
                               {planner::row(planner::bench, "cpp", "default")}));
  class Sourceless final : public Catalog {
   public:
    explicit Sourceless(const Catalog& inner) : inner_(inner) {}
    const std::vector<std::string>& ids() const override { return inner_.ids(); }
    const Contract* find(std::string_view id) const override { return inner_.find(id); }
    const KernelSource* source(std::string_view, std::string_view) const override { return nullptr; }
    const std::string& sha256() const override { return inner_.sha256(); }

   private:
    const Catalog& inner_;
  } const bare(holes);
  EXPECT_EQ(plan(recipe_of("name: r\nsteps:\n  - {id: data, op: source.bits}\n", bare), bare).error().code,
            code::contract_invalid);
}

}  // namespace
}  // namespace noema
