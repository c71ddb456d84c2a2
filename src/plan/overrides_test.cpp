// Injected parameters and the evidence of selectors.
// SPDX-License-Identifier: Apache-2.0
#include "plan/overrides.h"

#include <gtest/gtest.h>

#include "core/json.h"
#include "plan/codes.h"
#include "plan/test_catalog.h"

namespace noema::planner {
namespace {

const MemoryCatalog& catalog() {
  static const MemoryCatalog made = test_catalog();
  return made;
}

Result<Overrides> overrides(const std::string& operation, const Value& given, const Policy& policy = {},
                            const Value& materialization = {}) {
  const Contract& contract = *catalog().find(operation);
  Value params = Value::object();
  for (const Parameter& parameter : contract.parameters) {
    if (parameter.default_value() != nullptr) params.set(parameter.name, *parameter.default_value());
  }
  for (const auto& [name, value] : given.members()) params.set(name, value);
  NOEMA_TRY(const StepDemand demand, step_demand(materialization));
  NOEMA_TRY(const Choice choice, choose_row(contract, params, demand, policy));
  return overrides_for(contract, params, choice, policy);
}

std::string injected(const std::string& operation, const Value& given, const Policy& policy = {},
                     const Value& materialization = {}) {
  const Result<Overrides> made = overrides(operation, given, policy, materialization);
  return made ? canonical_json(made->injected) : std::string(made.error().code.text) + " at " + made.error().at.path;
}

Value params(std::initializer_list<Value::Member> members) { return Value::object(members); }
Policy backend(std::string name) {
  Policy policy;
  policy.backend = std::move(name);
  return policy;
}
Policy native() {
  Policy policy;
  policy.native = true;
  return policy;
}

TEST(Overrides, BindingsAndBothSelectors) {
  const Overrides made = *overrides("radio.channel", Value::object());
  EXPECT_EQ(canonical_json(made.injected),
            R"({"channel":"awgn","data_plane_backend":"cpp_native","state_mode":"none","wireless_backend":"numpy"})");
  EXPECT_EQ(canonical_json(made.selector),
            R"({"effective_value":"numpy","name":"wireless_backend","target_backend":"cpp","value":"auto"})");
  EXPECT_EQ(canonical_json(made.subordinate),
            R"({"data_plane_backend":{"automatic":true,"effective_value":"cpp_native","requested_value":"auto",)"
            R"("scope":"subordinate","target_backend":"cpp"}})");
  EXPECT_EQ(made.params.at("wireless_backend"), Value("numpy"));
}

TEST(Overrides, PrimarySelectorIsPinnedToTheRow) {
  EXPECT_EQ(injected("source.bits", Value::object()), R"({"data_plane_backend":"cpp_native"})");
  EXPECT_EQ(injected("source.bits", params({{"data_plane_backend", "python_numpy"}})),
            R"({"data_plane_backend":"python_numpy"})");
  // A demand outranks the authored value, which is then rewritten to name what runs.
  EXPECT_EQ(injected("source.bits", params({{"data_plane_backend", "cpp_native"}}), backend("numpy")),
            R"({"data_plane_backend":"python_numpy"})");
}

TEST(Overrides, ValueThatReachesTheRowIsKept) {
  EXPECT_EQ(injected("radio.second", Value::object()), R"({"runtime":"plain"})");
  EXPECT_EQ(injected("radio.second", params({{"runtime", "tuned"}})), R"({"runtime":"tuned"})");
  EXPECT_EQ(injected("radio.second", params({{"runtime", "tuned"}}), backend("sionna")), R"({"runtime":"sionna"})");
  EXPECT_EQ(injected("radio.second", params({{"runtime", "sionna"}}), backend("cpp")), R"({"runtime":"plain"})");
}

TEST(Overrides, DemandedRowThatNoValueReaches) {
  // The wireless selector has no value for numpy: it stays as authored. The data plane follows the row.
  const Overrides made = *overrides("radio.channel", params({{"wireless_backend", "sionna"}}), backend("numpy"));
  EXPECT_EQ(canonical_json(made.injected),
            R"({"channel":"awgn","data_plane_backend":"python_numpy","state_mode":"none"})");
  EXPECT_EQ(canonical_json(made.selector),
            R"({"effective_value":"sionna","name":"wireless_backend","target_backend":"sionna","value":"sionna"})");
}

TEST(Overrides, AutomaticSubordinateFallsBackToItsAutomaticValue) {
  const Overrides made = *overrides("radio.channel", params({{"wireless_backend", "sionna"}}));
  EXPECT_EQ(made.params.at("data_plane_backend"), Value("cpp_native"));
  EXPECT_EQ(injected("codec.wrapped", Value::object()), R"({"data_plane_backend":"cpp_native"})");
}

TEST(Overrides, ConcreteSubordinateIsStrict) {
  // radio.channel has a numpy row, so the value stands, though it changes no row.
  const Overrides made = *overrides("radio.channel", params({{"data_plane_backend", "python_numpy"}}));
  EXPECT_EQ(made.injected.find("data_plane_backend"), nullptr);
  EXPECT_EQ(
      canonical_json(made.subordinate.at("data_plane_backend")),
      R"({"automatic":false,"effective_value":"python_numpy","requested_value":"python_numpy","scope":"subordinate",)"
      R"("target_backend":"numpy"})");
  EXPECT_EQ(injected("radio.link", params({{"data_plane_backend", "python_numpy"}})),
            "plan.backend_undeclared at params.data_plane_backend");
  EXPECT_EQ(injected("codec.wrapped", params({{"data_plane_backend", "cpp_native"}})),
            "plan.backend_undeclared at params.data_plane_backend");
}

TEST(Overrides, NativePolicyRewritesValues) {
  EXPECT_EQ(injected("radio.link", params({{"data_plane_backend", "python_numpy"}, {"wireless_backend", "sionna"}}),
                     native()),
            R"({"data_plane_backend":"cpp_native","wireless_backend":"numpy"})");
  const Overrides made = *overrides("radio.link", params({{"wireless_backend", "sionna"}}), native());
  EXPECT_EQ(canonical_json(made.selector),
            R"({"effective_value":"numpy","name":"wireless_backend","target_backend":"cpp","value":"sionna"})");
  // No cpp row: strict as ever.
  EXPECT_EQ(injected("codec.wrapped", params({{"data_plane_backend", "python_numpy"}}), native()),
            "plan.backend_undeclared at params.data_plane_backend");
}

TEST(Overrides, ExportRowMayBindTheSelector) {
  Policy policy;
  policy.runner = "differentiable_export";
  const Overrides made = *overrides("radio.channel", Value::object(), policy);
  EXPECT_EQ(made.params.at("wireless_backend"), Value("auto"));
  EXPECT_TRUE(made.selector.at("target_backend").is_null());
}

TEST(Overrides, ContradictionInsideAContract) {
  MemoryCatalog odd;
  odd.add(operation("radio.odd", R"("inputs": {}, "outputs": {"bits": ["bits"]})", data_plane("subordinate"),
                    {row(bench, "cpp", "default", R"("data_plane_backend": "auto")")}));
  const Contract& contract = *odd.find("radio.odd");
  const Value given = params({{"data_plane_backend", "auto"}});
  const Policy policy;
  const Choice choice = *choose_row(contract, given, {}, policy);
  EXPECT_EQ(overrides_for(contract, given, choice, policy).error().code, code::plan_override_conflict);
}

}  // namespace
}  // namespace noema::planner
