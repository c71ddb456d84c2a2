// The choice of a row: every pair of neighbours in the order of precedence, and every refusal.
// SPDX-License-Identifier: Apache-2.0
#include "plan/rows.h"

#include <gtest/gtest.h>

#include "plan/codes.h"
#include "plan/overrides.h"
#include "plan/test_catalog.h"

namespace noema::planner {
namespace {

struct Asked {
  std::string operation;
  Value params = Value::object();
  Value materialization = {};
  Policy policy = {};
};

const MemoryCatalog& catalog() {
  static const MemoryCatalog made = test_catalog();
  return made;
}

/// Effective parameters: the defaults under what a test sets.
Value effective(const Contract& contract, const Value& params) {
  Value all = Value::object();
  for (const Parameter& parameter : contract.parameters) {
    if (parameter.default_value() != nullptr) all.set(parameter.name, *parameter.default_value());
  }
  for (const auto& [name, value] : params.members()) all.set(name, value);
  return all;
}

Result<Choice> choose(const Asked& asked) {
  const Contract& contract = *catalog().find(asked.operation);
  Result<StepDemand> demand = step_demand(asked.materialization);
  if (!demand) return std::move(demand).error();
  return choose_row(contract, effective(contract, asked.params), *demand, asked.policy);
}

/// `backend/implementation by source`, or the code of the refusal and its place.
std::string chosen(const Asked& asked) {
  const Result<Choice> choice = choose(asked);
  if (!choice) return std::string(choice.error().code.text) + " at " + choice.error().at.path;
  return choice->row->backend + "/" + choice->row->implementation + " by " + choice->source;
}

Value params(std::initializer_list<Value::Member> members) { return Value::object(members); }
Policy backend(std::string name) {
  Policy policy;
  policy.backend = std::move(name);
  return policy;
}
Policy named(std::string operation, std::string implementation) {
  Policy policy;
  policy.implementations.emplace(std::move(operation), std::move(implementation));
  return policy;
}

TEST(Rows, DeclaredOrderDecidesLast) {
  EXPECT_EQ(chosen({"codec.decode"}), "cpp/default by declared_contract_order");
  EXPECT_EQ(chosen({"codec.wrapped"}), "python/default by declared_contract_order");
}

TEST(Rows, SelectorBeatsDeclaredOrder) {
  EXPECT_EQ(chosen({"source.bits"}), "cpp/default by declared_contract_order");
  EXPECT_EQ(chosen({"source.bits", params({{"data_plane_backend", "python_numpy"}})}),
            "numpy/default by step.params.data_plane_backend");
  EXPECT_EQ(chosen({"source.bits", params({{"data_plane_backend", "cpp_native"}})}),
            "cpp/default by step.params.data_plane_backend");
}

TEST(Rows, BindingsBeatDeclaredOrder) {
  EXPECT_EQ(chosen({"modem.modulate"}), "cpp/qpsk by step.params.modulation");
  EXPECT_EQ(chosen({"model.adapter", params({{"mode", "learned"}})}), "onnxruntime/learned by step.params.mode");
  // The first bound key in lexicographic order names the source.
  EXPECT_EQ(chosen({"radio.channel"}), "cpp/awgn by step.params.channel");
}

TEST(Rows, ConcreteSelectorNarrowsStrictlyWhatBindingsLeave) {
  EXPECT_EQ(chosen({"radio.channel", params({{"wireless_backend", "sionna"}})}),
            "sionna/sionna_awgn by step.params.wireless_backend");
  EXPECT_EQ(chosen({"radio.channel", params({{"wireless_backend", "numpy"}})}),
            "cpp/awgn by step.params.wireless_backend");
  EXPECT_EQ(chosen({"radio.channel", params({{"wireless_backend", "sionna"}, {"channel", "rayleigh"}})}),
            "plan.backend_undeclared at params.wireless_backend");
  EXPECT_EQ(chosen({"modem.modulate", params({{"data_plane_backend", "python_numpy"}})}),
            "plan.backend_undeclared at params.data_plane_backend");
}

TEST(Rows, AutomaticSelectorNarrowsOnlyWhereItCan) {
  EXPECT_EQ(chosen({"radio.second"}), "cpp/default by declared_contract_order");
  EXPECT_EQ(chosen({"radio.second", params({{"runtime", "sionna"}})}), "sionna/default by step.params.runtime");
  // `auto` means cpp, but the parameters fit a sionna row alone.
  EXPECT_EQ(chosen({"radio.channel", params({{"channel", "tdl"}, {"state_mode", "explicit"}})}),
            "sionna/sionna_tdl by step.params.channel");
}

TEST(Rows, SubordinateSelectorNeverChooses) {
  EXPECT_EQ(chosen({"radio.channel", params({{"data_plane_backend", "python_numpy"}})}),
            "cpp/awgn by step.params.channel");
}

TEST(Rows, StepMaterializationBeatsSelectorAndOrder) {
  EXPECT_EQ(chosen({"source.bits", params({{"data_plane_backend", "cpp_native"}}), params({{"backend", "numpy"}})}),
            "numpy/default by step.materialization");
  EXPECT_EQ(chosen({"codec.decode", Value::object(), params({{"implementation", "fast"}})}),
            "cpp/fast by step.materialization");
  EXPECT_EQ(chosen({"radio.channel", params({{"wireless_backend", "sionna"}}), params({{"backend", "numpy"}})}),
            "numpy/numpy_awgn by step.materialization");
  // A name that rows of several backends share leaves the selector its say.
  EXPECT_EQ(chosen({"radio.link", params({{"wireless_backend", "sionna"}}), params({{"implementation", "default"}})}),
            "sionna/default by step.materialization");
}

TEST(Rows, StepMaterializationCannotBeatBindings) {
  EXPECT_EQ(chosen({"model.adapter", params({{"mode", "reference"}}), params({{"backend", "onnxruntime"}})}),
            "plan.bindings_unmatched at params.mode");
}

TEST(Rows, PlannerBackendBeatsEverything) {
  EXPECT_EQ(chosen({"source.bits", params({{"data_plane_backend", "cpp_native"}}), params({{"backend", "cpp"}}),
                    backend("numpy")}),
            "numpy/default by planner.backend");
  EXPECT_EQ(chosen({"radio.channel", params({{"wireless_backend", "sionna"}}), {}, backend("numpy")}),
            "numpy/numpy_awgn by planner.backend");
  EXPECT_EQ(chosen({"codec.decode", Value::object(), params({{"backend", "cpp"}, {"implementation", "fast"}}),
                    backend("numpy")}),
            "numpy/default by planner.backend");
  // Where the two agree, the step's name still counts.
  EXPECT_EQ(chosen({"codec.decode", Value::object(), params({{"implementation", "fast"}}), backend("cpp")}),
            "cpp/fast by planner.backend");
}

TEST(Rows, PlannerImplementationBeatsTheStep) {
  EXPECT_EQ(
      chosen({"codec.decode", Value::object(), params({{"implementation", "default"}}), named("codec.decode", "fast")}),
      "cpp/fast by planner.implementation");
  EXPECT_EQ(chosen({"codec.decode", Value::object(), {}, named("source.bits", "default")}),
            "cpp/default by declared_contract_order");
}

TEST(Rows, PlannerDemandIsStrict) {
  EXPECT_EQ(chosen({"source.bits", Value::object(), {}, backend("torch")}), "plan.backend_undeclared at op");
  EXPECT_EQ(chosen({"codec.decode", Value::object(), {}, named("codec.decode", "fest")}),
            "plan.implementation_undeclared at op");
  // A backend alone does not reach rows that want to be named.
  EXPECT_EQ(chosen({"codec.decode", Value::object(), {}, backend("sionna")}), "plan.row_unnamed at op");
  // The fallback that would write bindings over parameters does not exist.
  EXPECT_EQ(chosen({"model.adapter", Value::object(), {}, backend("onnxruntime")}),
            "plan.bindings_unmatched at params.mode");
  EXPECT_EQ(chosen({"model.adapter", Value::object(), {}, named("model.adapter", "learned")}),
            "plan.bindings_unmatched at params.mode");
}

TEST(Rows, ExplicitRowsAreChosenByNameOnly) {
  EXPECT_EQ(chosen({"codec.decode", Value::object(), params({{"backend", "cpp"}})}),
            "cpp/default by step.materialization");
  // The step names the backend, and it has no other row.
  EXPECT_EQ(chosen({"codec.decode", Value::object(), params({{"backend", "sionna"}})}),
            "sionna/default by step.materialization");
  EXPECT_EQ(chosen({"codec.decode", Value::object(), params({{"backend", "torch"}})}),
            "plan.row_planned at materialization");
  EXPECT_EQ(chosen({"codec.decode", Value::object(), params({{"backend", "openvino"}})}),
            "plan.backend_undeclared at materialization");
}

TEST(Rows, PlannedRowsAreNamedAsSuch) {
  const Asked asked{"modem.modulate", params({{"modulation", "qam16"}})};
  EXPECT_EQ(chosen(asked), "plan.row_planned at params.modulation");
  const Error error = choose(asked).error();
  EXPECT_NE(error.message.find("cpp/qam16"), std::string::npos);
  EXPECT_NE(error.hint.find("cpp/qpsk"), std::string::npos);
  EXPECT_EQ(chosen({"model.adapter", params({{"mode", "outside"}})}), "plan.row_planned at params.mode");
  EXPECT_EQ(chosen({"codec.future"}), "plan.row_planned at op");
}

TEST(Rows, PlannedRowOfASelectorPointsToTheNativeOne) {
  MemoryCatalog young;
  young.add(operation("radio.link", R"("inputs": {}, "outputs": {"bits": ["bits"]})", wireless(),
                      {row(bench, "cpp", "default"), row(bench, "sionna", "default", {}, "planned")}));
  const Result<Choice> choice =
      choose_row(*young.find("radio.link"), Value::object({{"wireless_backend", "sionna"}}), {}, Policy{});
  EXPECT_EQ(choice.error().code, code::plan_row_planned);
  EXPECT_EQ(choice.error().hint, "rows with a kernel: cpp/default; `--native` runs this on cpp");
}

TEST(Rows, GeneralRowDoesNotStandInForAPlannedSpecificOne) {
  EXPECT_EQ(chosen({"model.general"}), "cpp/general by declared_contract_order");
  EXPECT_EQ(chosen({"model.general", params({{"scenario", "special"}})}), "plan.row_planned at params.scenario");
}

TEST(Rows, BindingsCompareWithTypes) {
  // The row wants the integer 1; the default is the double 1.0.
  EXPECT_EQ(chosen({"model.general", params({{"level", 1.0}})}), "cpp/general by declared_contract_order");
  EXPECT_EQ(chosen({"model.general", params({{"level", 1}})}), "cpp/level_one by step.params.level");
}

TEST(Rows, UnmatchedBindingsNameOtherRunners) {
  const Asked asked{"model.adapter", params({{"mode", "trained"}})};
  EXPECT_EQ(chosen(asked), "plan.bindings_unmatched at params.mode");
  EXPECT_NE(choose(asked).error().hint.find("differentiable_export"), std::string::npos);
  EXPECT_NE(choose(asked).error().hint.find("cpp/reference (mode: \"reference\")"), std::string::npos);
}

TEST(Rows, RunnerWithoutRows) {
  Policy policy;
  policy.runner = "differentiable_export";
  EXPECT_EQ(chosen({"codec.decode", Value::object(), {}, policy}), "plan.runner_undeclared at op");
}

TEST(Rows, NativePolicyMovesConcreteValuesToCpp) {
  Policy native;
  native.native = true;
  EXPECT_EQ(chosen({"radio.channel", params({{"wireless_backend", "sionna"}}), {}, native}),
            "cpp/awgn by step.params.wireless_backend");
  EXPECT_EQ(chosen({"source.bits", params({{"data_plane_backend", "python_numpy"}}), {}, native}),
            "cpp/default by step.params.data_plane_backend");
  // Where the parameters fit no cpp row, the author's word stands.
  EXPECT_EQ(chosen({"radio.channel",
                    params({{"channel", "tdl"}, {"state_mode", "explicit"}, {"wireless_backend", "sionna"}}),
                    {},
                    native}),
            "sionna/sionna_tdl by step.params.wireless_backend");
  // What was demanded outranks it.
  native.backend = "sionna";
  EXPECT_EQ(chosen({"radio.channel", params({{"wireless_backend", "sionna"}}), {}, native}),
            "sionna/sionna_awgn by planner.backend");
}

TEST(Rows, CandidateIndexCountsImplementedRowsOfTheRunner) {
  EXPECT_EQ(choose({"modem.modulate", params({{"modulation", "bpsk"}, {"data_plane_backend", "python_numpy"}})})
                ->candidate_index,
            2u);
  Policy policy;
  policy.runner = "differentiable_export";
  EXPECT_EQ(choose({"radio.channel", params({{"wireless_backend", "sionna"}}), {}, policy})->candidate_index, 1u);
}

TEST(StepDemand, ReadsAndRefuses) {
  EXPECT_EQ(step_demand(params({{"backend", "C++"}}))->backend, "cpp");
  EXPECT_FALSE(step_demand({})->any());
  const auto refused = [](Value field) { return step_demand(std::move(field)).error(); };
  EXPECT_EQ(refused("cpp").code, code::plan_materialization_invalid);
  EXPECT_EQ(refused(Value::object()).code, code::plan_materialization_invalid);
  EXPECT_EQ(refused(params({{"backend", 3}})).at.path, "materialization.backend");
  EXPECT_EQ(refused(params({{"implementation", " "}})).at.path, "materialization.implementation");
  EXPECT_EQ(refused(params({{"impl", "fast"}})).at.path, "materialization.impl");
  EXPECT_EQ(refused(params({{"backend", "numpi"}})).code, code::plan_backend_unknown);
}

}  // namespace
}  // namespace noema::planner
