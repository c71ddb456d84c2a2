// The embedded catalog against the source tree, the list of operations, and the shared reference list.
// SPDX-License-Identifier: Apache-2.0
#include "contract/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>

#include "contract/authored.h"
#include "contract/hashed.h"
#include "contract/listing.h"
#include "contract/sample_contract.h"
#include "core/digest.h"
#include "core/files.h"
#include "core/json.h"
#include "core/report.h"

namespace noema::contract {
namespace {

const std::string root = NOEMA_SOURCE_DIR;
const std::string shared = NOEMA_SHARED_DIR;

TEST(BuiltinCatalog, HoldsTheOperationsOfTheSourceTreeWithTheirDigests) {
  const Result<std::unique_ptr<Catalog>> tree = source_tree_catalog(root);
  ASSERT_TRUE(tree) << error_text(tree.error());
  const Catalog& built = builtin_catalog();
  EXPECT_EQ(built.ids(), (*tree)->ids());
  EXPECT_EQ(built.sha256(), (*tree)->sha256());
  EXPECT_GE(built.ids().size(), 216u);
  for (const std::string& id : built.ids()) {
    const Contract& contract = *built.find(id);
    EXPECT_EQ(contract.id, id);
    EXPECT_EQ(contract.sha256, sha256_of(contract.hashed)) << id;
    EXPECT_EQ(contract.semantic_sha256, sha256_of(semantic_form(contract.hashed))) << id;
    const Contract& read = *(*tree)->find(id);
    EXPECT_EQ(contract.sha256, read.sha256) << id;
    EXPECT_EQ(contract.authored, read.authored) << id;
    EXPECT_EQ(contract.family, read.family) << id;
    EXPECT_EQ(contract.stem, read.stem) << id;
  }
}

TEST(BuiltinCatalog, KnowsTheKernelSourceOfEveryImplementedRow) {
  const Catalog& built = builtin_catalog();
  for (const std::string& id : built.ids()) {
    const Contract& contract = *built.find(id);
    std::set<std::string> implemented;
    for (const Row& row : contract.rows) {
      if (row.status == "implemented") implemented.insert(row.backend);
    }
    for (const Row& row : contract.rows) {
      const KernelSource* source = built.source(id, row.backend);
      EXPECT_EQ(source != nullptr, implemented.contains(row.backend)) << id << " " << row.backend;
      if (source == nullptr) continue;
      const Result<std::string> digest = sha256_file(root + "/" + source->module);
      ASSERT_TRUE(digest) << source->module;
      EXPECT_EQ(source->sha256, *digest) << source->module;
    }
  }
  EXPECT_EQ(built.source("channel.nothing", "cpp"), nullptr);
}

TEST(BuiltinCatalog, NamesANearOperationWhenOneIsUnknown) {
  const auto got = builtin_catalog().get("chanel.repetition_encoder");
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, code::operation_unknown);
  EXPECT_EQ(got.error().hint, "did you mean 'channel.repetition_encoder'?");
  EXPECT_EQ(builtin_catalog().find(""), nullptr);
  EXPECT_EQ(builtin_catalog().find("zzz"), nullptr);
}

TEST(BuiltinCatalog, BuildsEachContractOnceFromManyThreads) {
  const Result<std::unique_ptr<Catalog>> tree = source_tree_catalog(root);
  ASSERT_TRUE(tree);
  std::vector<std::string> texts;
  for (const std::string& id : (*tree)->ids()) texts.push_back(id);
  std::vector<std::vector<const Contract*>> seen(8);
  std::vector<std::thread> threads;
  for (auto& mine : seen) {
    threads.emplace_back([&mine, &texts] {
      for (const std::string& id : texts) mine.push_back(builtin_catalog().find(id));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : seen) EXPECT_EQ(mine, seen[0]);
}

/// A source tree of one operation.
struct SmallTree {
  std::filesystem::path root = std::filesystem::path(testing::TempDir()) / "noema_small_tree";
  SmallTree() {
    std::filesystem::remove_all(root);
    write("src/contract/kinds.json", R"({"channel.bits.numpy":"a","channel.payload_bits.numpy":"b",
      "channel.coded_bits.numpy":"c","channel.ofdm_channel_state.numpy":"d"})");
    write("src/contract/fragments.json", R"({"gain":{"type":"number","default":1.0,"exclusiveMinimum":0}})");
    write("ops/channel/sample.op.json", sample_text);
  }
  ~SmallTree() { std::filesystem::remove_all(root); }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root / path).parent_path());
    EXPECT_TRUE(write_file_atomic((root / path).string(), text));
  }
};

TEST(SourceTreeCatalog, AnImplementedRowNeedsItsKernelInTheTree) {
  const SmallTree tree;
  const auto without = source_tree_catalog(tree.root.string());
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message.find("ops/channel/sample.cpp is not in the tree"), std::string::npos);
  tree.write("ops/channel/sample.cpp", "int a;\r\nint b;\n");
  const auto with_kernel = source_tree_catalog(tree.root.string());
  ASSERT_TRUE(with_kernel) << error_text(with_kernel.error());
  EXPECT_EQ((*with_kernel)->source("channel.sample", "cpp")->module, "ops/channel/sample.cpp");
  EXPECT_EQ((*with_kernel)->source("channel.sample", "cpp")->sha256, sha256_hex("int a;\nint b;\n"));
  EXPECT_EQ((*with_kernel)->source("channel.sample", "numpy"), nullptr) << "its row is planned";
}

TEST(SourceTreeCatalog, ReportsTheFlawsOfEveryFile) {
  const SmallTree tree;
  tree.write("ops/channel/sample.cpp", "");
  tree.write("ops/channel/sample.op.json", with(sample_text, "\"Sample\"", "3"));
  tree.write("ops/channel/other.op.json", "{");
  const auto catalog = source_tree_catalog(tree.root.string());
  ASSERT_FALSE(catalog);
  const std::string text = error_text(catalog.error());
  EXPECT_NE(text.find("ops/channel/other.op.json:1:"), std::string::npos) << text;
  EXPECT_NE(text.find("ops/channel/sample.op.json:3:"), std::string::npos) << text;
}

TEST(Contracts, EveryKindIsUsedAndEveryKindIsKnown) {
  const Result<Vocabulary> vocabulary = vocabulary_of(root);
  ASSERT_TRUE(vocabulary) << error_text(vocabulary.error());
  std::set<std::string> used;
  for (const std::string& id : builtin_catalog().ids()) {
    const Contract& contract = *builtin_catalog().find(id);
    for (const InputPort& port : contract.inputs) used.insert(port.kinds.begin(), port.kinds.end());
    for (const OutputPort& port : contract.outputs) used.insert(port.kind);
  }
  std::set<std::string> known;
  for (const auto& [kind, about] : vocabulary->kinds) known.insert(kind);
  EXPECT_EQ(used, known);
  EXPECT_GE(known.size(), 82u);
}

TEST(Contracts, EveryOperationIsDescribed) {
  for (const std::string& id : builtin_catalog().ids()) {
    EXPECT_FALSE(builtin_catalog().find(id)->description.empty()) << id;
  }
}

TEST(Contracts, ImplementedOperationsDescribeTheirParametersAndMetrics) {
  for (const std::string& id : builtin_catalog().ids()) {
    const Contract& contract = *builtin_catalog().find(id);
    if (!contract.implemented()) continue;
    for (const Parameter& parameter : contract.parameters) {
      EXPECT_NE(parameter.schema.find("description"), nullptr) << id << " " << parameter.name;
    }
  }
}

TEST(Contracts, SelectorsFollowTheRules) {
  for (const std::string& id : builtin_catalog().ids()) {
    const Contract& contract = *builtin_catalog().find(id);
    const Selector* data = contract.selector("data_plane_backend");
    const Selector* wireless = contract.selector("wireless_backend");
    EXPECT_EQ(data != nullptr, contract.parameter("data_plane_backend") != nullptr) << id;
    if (wireless != nullptr) {
      EXPECT_TRUE(wireless->primary) << id;
      EXPECT_EQ(*wireless->backend_of("numpy"), "cpp") << id;
      EXPECT_EQ(wireless->automatic_value, "numpy") << id;
    } else if (contract.parameter("wireless_backend") != nullptr) {
      EXPECT_EQ(id, "wireless.miso_ofdm_csi") << "its values are bindings of rows";
    }
    if (data == nullptr) continue;
    EXPECT_EQ(*data->backend_of("cpp_native"), "cpp") << id;
    EXPECT_EQ(*data->backend_of("python_numpy"), "numpy") << id;
    EXPECT_EQ(data->backend_of("auto"), nullptr) << id;
    EXPECT_TRUE(data->is_automatic("auto")) << id;
    bool plain = wireless == nullptr;
    for (const Row& row : contract.rows) {
      plain = plain && (row.runner == "differentiable_export" || row.backend == "cpp" || row.backend == "numpy");
    }
    EXPECT_EQ(data->primary, plain) << id;
    EXPECT_EQ(contract.primary_selector(), plain ? data : wireless) << id;
  }
}

TEST(OpsCheck, FindsNoDifferenceFromTheSharedList) {
  const std::string operations = shared + "/contracts/operations.json";
  const std::string rows = shared + "/contracts/rows.json";
  if (!std::filesystem::exists(operations)) GTEST_SKIP() << operations << " is not here";
  const Result<Comparison> compared = compare_operation_files(builtin_catalog(), operations, rows);
  ASSERT_TRUE(compared) << error_text(compared.error());
  EXPECT_TRUE(compared->same) << compared->text;
  EXPECT_EQ(compared->document.at("operations"), Value(216));
  EXPECT_EQ(compared->document.at("rows").at("compared"), Value(736));
  EXPECT_NE(compared->text.find("216 operations compared, 736 rows"), std::string::npos) << compared->text;
}

/// The operations of the printed form that concern one id, from the shared list.
struct Printed {
  Value operations;
  Value rows;
};
Printed printed(const std::string& id) {
  Printed out{Value::array(), Value::object()};
  const Value all = *parse_json(*read_text_file(shared + "/contracts/operations.json", 1 << 24), "o");
  for (const Value& operation : all.items()) {
    if (operation.at("id") == Value(id)) out.operations.push(operation);
  }
  out.rows.set(id, parse_json(*read_text_file(shared + "/contracts/rows.json", 1 << 24), "r")->at(id));
  return out;
}

TEST(OpsCheck, SeesEachKindOfDifference) {
  if (!std::filesystem::exists(shared + "/contracts/operations.json")) GTEST_SKIP() << "the shared list is not here";
  const Printed good = printed("wireless.channel");
  const auto differences = [](const Printed& p) {
    std::string out;
    const Comparison comparison = *compare_operations(builtin_catalog(), p.operations, p.rows);
    for (const Value& one : comparison.document.at("differences").items()) out += one.at("at").string() + ";";
    EXPECT_EQ(comparison.same, out.empty());
    return out;
  };
  EXPECT_EQ(differences(good), "");
  const auto changed = [&](auto change) {
    Printed copy = good;
    change(copy.operations.edit(0), copy.rows.edit("wireless.channel"));
    return differences(copy);
  };
  EXPECT_EQ(changed([](Value& o, Value&) { o.set("id", "wireless.chanel"); }), ";");
  EXPECT_EQ(changed([](Value& o, Value&) { o.edit("inputs").erase("symbols"); }), "inputs;");
  EXPECT_EQ(changed([](Value& o, Value&) { o.edit("outputs").edit("rx_symbols").edit(0) = "channel.bits.numpy"; }),
            "outputs;");
  EXPECT_EQ(changed([](Value& o, Value&) { o.edit("differentiability").set("gradient", "none"); }),
            "differentiability.gradient;");
  EXPECT_EQ(changed([](Value& o, Value&) { o.edit("formats").set("artifact", "json"); }), "formats;");
  EXPECT_EQ(changed([](Value& o, Value&) { o.edit("equivalence").set("type", "exact"); }), "equivalence.type;");
  EXPECT_EQ(changed([](Value& o, Value&) { o.edit("training_capabilities").set("portable_replacement", true); }),
            "training_capabilities;");
  EXPECT_EQ(changed([](Value& o, Value&) { o.edit("parameters").edit(0).set("type", "integer"); }).substr(0, 32),
            "parameters.carrier_frequency_ghz");
  EXPECT_EQ(changed([](Value& o, Value&) { o.edit("parameters").edit(0).set("default_values", "default `3.6`"); }),
            "parameters.carrier_frequency_ghz.default;");
  EXPECT_EQ(changed([](Value& o, Value&) { o.edit("parameters").edit(0).set("required", true); }),
            "parameters.carrier_frequency_ghz.required;");
  EXPECT_EQ(changed([](Value& o, Value&) {
              o.edit("parameters").edit(2).set("default_values", "default `none`\nvalues `explicit`, `none`");
            }),
            "parameters.channel_state_mode.enum;");
  EXPECT_EQ(changed([](Value& o, Value&) { o.edit("parameters").edit(0).set("name", "carrier"); }),
            "parameters.carrier;parameters.carrier_frequency_ghz;");
  EXPECT_EQ(changed([](Value&, Value& r) { r.edit(0).set("implementation", "other"); }), "materializations[0];");
  EXPECT_EQ(changed([](Value&, Value& r) { r.edit(0).edit("parameter_bindings").set("channel", "ofdm_tdl"); }),
            "materializations[0];");
  EXPECT_EQ(changed([](Value& o, Value&) { o.set("name", "Other"); }), "") << "names are wording";
}

TEST(OpsCheck, AStrongerEquivalenceIsNoDifference) {
  if (!std::filesystem::exists(shared + "/contracts/operations.json")) GTEST_SKIP() << "the shared list is not here";
  Printed weak = printed("wireless.channel");
  weak.operations.edit(0).set("equivalence", Value::object({{"type", "behavioral"}}));
  const Comparison comparison = *compare_operations(builtin_catalog(), weak.operations, std::nullopt);
  EXPECT_TRUE(comparison.same) << comparison.text;
  EXPECT_EQ(comparison.document.at("stronger").size(), 1u);
  EXPECT_TRUE(comparison.document.at("rows").is_null());
  EXPECT_EQ(comparison.document.at("additional").size(), builtin_catalog().ids().size() - 1);
}

TEST(OpsCheck, RefusesAnotherForm) {
  EXPECT_FALSE(compare_operations(builtin_catalog(), Value::object(), std::nullopt));
  EXPECT_FALSE(compare_operations(builtin_catalog(), Value(Value::Items{Value(3)}), std::nullopt));
  EXPECT_FALSE(compare_operations(builtin_catalog(), Value::array(), Value::array()));
}

TEST(OpsList, HasALineForEveryOperation) {
  const std::string text = operations_text(builtin_catalog());
  EXPECT_NE(text.find("\nchannel.repetition_encoder "), std::string::npos);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')), builtin_catalog().ids().size() + 1);
  EXPECT_EQ(operations_value(builtin_catalog()).at("operations").size(), builtin_catalog().ids().size());
}

TEST(OpsShow, NamesEveryPortParameterRowAndMetricWithinTheWidth) {
  for (const std::string& id : builtin_catalog().ids()) {
    const Contract& contract = *builtin_catalog().find(id);
    const std::string page = operation_text(contract, 100);
    for (const InputPort& port : contract.inputs) EXPECT_NE(page.find("  " + port.name), std::string::npos) << id;
    for (const OutputPort& port : contract.outputs) EXPECT_NE(page.find("  " + port.name), std::string::npos) << id;
    for (const Parameter& parameter : contract.parameters)
      EXPECT_NE(page.find("  " + parameter.name), std::string::npos) << id;
    for (const Row& row : contract.rows) EXPECT_NE(page.find(row.implementation), std::string::npos) << id;
    EXPECT_NE(page.find(contract.sha256), std::string::npos);
  }
}

}  // namespace
}  // namespace noema::contract
