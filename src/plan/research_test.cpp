// Research metadata: the catalogue's own rules, inference, and which contradictions block planning.
// SPDX-License-Identifier: Apache-2.0
#include "plan/research.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/json.h"
#include "plan/codes.h"
#include "plan/test_catalog.h"

namespace noema {
namespace {

/// A recipe that uses some operations and has some metadata.
Recipe recipe(const std::vector<std::string>& operations, Value metadata = Value::object(),
              Value first_params = Value::object()) {
  Recipe made;
  made.name = "r";
  Value list = Value::array();
  for (const std::string& operation : operations) {
    const std::string id = "s" + std::to_string(made.steps.size());
    const Value params = made.steps.empty() ? first_params : Value::object();
    made.steps.push_back({id, operation, params, {}, {}});
    list.push(Value::object({{"id", id}, {"op", operation}, {"params", params}}));
  }
  made.effective = Value::object({{"name", "r"}, {"metadata", std::move(metadata)}, {"steps", list}});
  made.raw = made.effective;
  return made;
}

Value research(std::initializer_list<Value::Member> members) {
  return Value::object({{"research", Value::object(members)}});
}
Value object(std::initializer_list<Value::Member> members) { return Value::object(members); }

std::vector<std::string> errors(const Recipe& made) {
  std::vector<std::string> out;
  for (const Error& error : research_errors(made)) out.push_back(std::string(error.code.text) + " at " + error.at.path);
  return out;
}
using Errors = std::vector<std::string>;

TEST(ResearchCatalog, IsConsistent) {
  const Value& catalog = research_catalog();
  std::set<std::string> areas;
  for (const Value& area : catalog.at("research_areas").items())
    EXPECT_TRUE(areas.insert(area.at("id").string()).second);
  for (const char* list : {"datasets", "tasks", "metrics"}) {
    std::set<std::string> ids;
    for (const Value& entry : catalog.at(list).items()) EXPECT_TRUE(ids.insert(entry.at("id").string()).second) << list;
  }
  std::set<std::string> metrics;
  for (const Value& metric : catalog.at("metrics").items()) metrics.insert(metric.at("id").string());
  std::set<std::string> tasks;
  for (const Value& task : catalog.at("tasks").items()) {
    tasks.insert(task.at("id").string());
    EXPECT_TRUE(areas.contains(task.at("area_id").string()));
    for (const Value& metric : task.at("metrics").items())
      EXPECT_TRUE(metrics.contains(metric.string())) << metric.string();
  }
  for (const Value& rule : catalog.at("task_inference").items()) EXPECT_TRUE(tasks.contains(rule.at("task").string()));
  for (const Value& rule : catalog.at("metric_inference").items()) {
    EXPECT_TRUE(tasks.contains(rule.at("task").string()));
    for (const Value& metric : rule.at("metrics").items())
      EXPECT_TRUE(metrics.contains(metric.string())) << metric.string();
  }
  EXPECT_EQ(tasks.size(), 23u);
  EXPECT_EQ(catalog.at("datasets").size(), 31u);
}

TEST(Research, PureInference) {
  const Value found = infer_research(recipe({"source.image_dataset", "metrics.image_reconstruction"}, Value::object(),
                                            object({{"dataset", "kodak"}})));
  EXPECT_EQ(found.at("source"), Value("inferred_from_recipe"));
  EXPECT_EQ(found.at("dataset").at("id"), Value("kodak"));
  EXPECT_EQ(found.at("dataset").at("modality"), Value("image"));
  EXPECT_EQ(found.at("task").at("id"), Value("image_reconstruction"));
  EXPECT_EQ(
      canonical_json(found.at("metrics")[0]),
      R"({"direction":"higher_is_better","family":"quality","id":"quality.psnr_db","params":{},"reduction":"mean",)"
      R"("schema_version":1,"unit":"dB"})");
  EXPECT_EQ(found.at("catalog_validation").at("status"), Value("valid"));
}

TEST(Research, EveryRuleOfInference) {
  for (const Value& rule : research_catalog().at("task_inference").items()) {
    std::vector<std::string> operations;
    for (const Value& operation : rule.at("operations").items()) operations.push_back(operation.string());
    const Value found = infer_research(recipe(operations));
    EXPECT_EQ(found.at("task").at("id"), rule.at("task"));
  }
  EXPECT_EQ(infer_research(recipe({"source.random_bits"})).find("task"), nullptr);
  EXPECT_EQ(infer_research(recipe({"source.random_bits"})).at("dataset").at("id"), Value("synthetic_random_bits"));
  EXPECT_EQ(infer_research(recipe({"source.vqa_small_hf"})).at("dataset").at("id"), Value("vqa_small"));
  // A folder of one's own is no known dataset, but its pictures are pictures.
  const Value own =
      infer_research(recipe({"source.image_dataset"}, Value::object(), object({{"dataset", "my_walks"}})));
  EXPECT_EQ(own.at("dataset").at("id"), Value("my_walks"));
  EXPECT_EQ(own.at("dataset").at("modality"), Value("image"));
  EXPECT_EQ(own.at("catalog_validation").at("information").size(), 1u);
}

TEST(Research, AnOperationMayAddMetricsToATask) {
  const std::vector<std::string> operations{"metrics.text_semantic_similarity", "metrics.semantic_state_faithfulness"};
  EXPECT_EQ(infer_research(recipe({operations[0]})).at("metrics").size(), 4u);
  const Value found = infer_research(recipe(operations));
  EXPECT_EQ(found.at("metrics").size(), 9u);
  EXPECT_EQ(found.at("metrics")[6].at("id"), Value("faithfulness.fact_f1"));
  EXPECT_EQ(found.at("metrics")[6].at("direction"), Value("higher_is_better"));
}

TEST(Research, DeclaredIsFilledUp) {
  const Recipe made = recipe({"source.random_bits", "metrics.block_error_rate", "metrics.bit_error_rate"},
                             research({{"task", object({{"id", "neural_receiver_demapping"},
                                                        {"metrics", Value(Value::Items{"channel.coded.ber"})}})},
                                       {"metrics", Value(Value::Items{"channel.coded.ber", "channel.snr_db"})}}));
  EXPECT_EQ(errors(made), Errors{});
  const Value found = infer_research(made);
  EXPECT_EQ(found.at("source"), Value("recipe.metadata.research+inferred_from_recipe"));
  EXPECT_EQ(found.at("task").at("kind"), Value("transport_integrity"));
  EXPECT_EQ(found.at("metrics").size(), 2u);
  EXPECT_EQ(found.at("metrics")[1].at("direction"), Value("neutral"));
}

TEST(Research, TaskId) {
  const Recipe made = recipe({"metrics.classification"}, object({{"task_id", "classification"}}));
  EXPECT_EQ(infer_research(made).at("source"), Value("metadata.task_id+inferred_from_recipe"));
  EXPECT_EQ(errors(made), Errors{});
  Value both = research({{"task", "segmentation"}});
  both.set("task_id", "classification");
  EXPECT_EQ(errors(recipe({"metrics.segmentation"}, both)), Errors{"research.task_conflict at metadata.task_id"});
  EXPECT_EQ(errors(recipe({}, object({{"task_id", 3}}))), Errors{"research.invalid at metadata.task_id"});
}

TEST(Research, DeclaredTaskMustBeMeasured) {
  EXPECT_EQ(errors(recipe({"metrics.image_reconstruction"}, research({{"task", "classification"}}))),
            Errors{"research.task_conflict at metadata.research.task.id"});
  // Bits alone tell no task apart, and a second metric may be the task's.
  EXPECT_EQ(errors(recipe({"metrics.bit_error_rate"}, research({{"task", "neural_receiver_demapping"}}))), Errors{});
  EXPECT_EQ(errors(recipe({"metrics.image_reconstruction", "metrics.classification"},
                          research({{"task", "classification"}}))),
            Errors{});
}

TEST(Research, CatalogueContradictionsBlock) {
  EXPECT_EQ(errors(recipe({}, research({{"dataset", object({{"id", "kodak"}, {"modality", "text"}})}}))),
            Errors{"research.catalog_conflict at metadata.research.dataset.modality"});
  EXPECT_EQ(errors(recipe({}, research({{"task", object({{"id", "classification"}, {"kind", "estimation"}})}}))),
            Errors{"research.catalog_conflict at metadata.research.task.kind"});
  EXPECT_EQ(errors(recipe({}, research({{"dataset", "kodak"}, {"task", "bit_transport"}}))),
            Errors{"research.catalog_conflict at metadata.research.dataset"});
  // The same contradiction between inferred parts is a warning: the author promised nothing.
  const Recipe inferred =
      recipe({"source.image_dataset", "metrics.bit_error_rate"}, Value::object(), object({{"dataset", "kodak"}}));
  EXPECT_EQ(errors(inferred), Errors{});
  EXPECT_EQ(infer_research(inferred).at("catalog_validation").at("status"), Value("warning"));
}

TEST(Research, UnknownIdsAreInformation) {
  const Recipe made = recipe({}, research({{"dataset", object({{"id", "mine"}, {"modality", "image"}})},
                                           {"task", object({{"id", "my_task"}, {"kind", "k"}, {"modality", "image"}})},
                                           {"metrics", Value(Value::Items{"my.metric"})}}));
  EXPECT_EQ(errors(made), Errors{});
  const Value validation = infer_research(made).at("catalog_validation");
  EXPECT_EQ(validation.at("status"), Value("valid"));
  EXPECT_EQ(validation.at("information").size(), 3u);
}

TEST(Research, MalformedSpecificationsBlock) {
  const std::string at = "research.invalid at metadata.research";
  EXPECT_EQ(errors(recipe({}, object({{"research", 3}}))), Errors{at});
  EXPECT_EQ(errors(recipe({}, research({{"dataset", 3}}))), Errors{at + ".dataset"});
  EXPECT_EQ(errors(recipe({}, research({{"dataset", object({{"modality", "image"}})}}))), Errors{at + ".dataset"});
  EXPECT_EQ(errors(recipe({}, research({{"dataset", object({{"id", ""}})}}))), Errors{at + ".dataset.id"});
  EXPECT_EQ(errors(recipe({}, research({{"dataset", object({{"id", "mine"}, {"source", 1}})}}))),
            Errors{at + ".dataset.source"});
  EXPECT_EQ(errors(recipe({}, research({{"task", object({{"id", "mine"}, {"metrics", "x"}})}}))),
            Errors{at + ".task.metrics"});
  EXPECT_EQ(errors(recipe({}, research({{"metrics", "x"}}))), Errors{at + ".metrics"});
  EXPECT_EQ(
      errors(recipe({}, research({{"metrics", Value(Value::Items{object({{"id", "x"}, {"direction", "up"}})})}}))),
      Errors{at + ".metrics[0].direction"});
  EXPECT_EQ(errors(recipe({}, research({{"benchmark", object({{"id", "b"}, {"params", 1}})}}))),
            Errors{at + ".benchmark.params"});
  EXPECT_EQ(errors(recipe({}, research({{"dataset", object({{"id", "b"}, {"schema_version", 2}})}}))),
            Errors{at + ".dataset.schema_version"});
}

TEST(Research, LegacyFieldsAndBenchmark) {
  const Value found = infer_research(recipe({"wireless.channel", "metrics.bit_error_rate"},
                                            object({{"dataset_spec", object({{"id", "synthetic_random_bits"}})},
                                                    {"benchmark_id", "mine.v1"},
                                                    {"benchmark_version", 2}})));
  EXPECT_EQ(found.at("source"), Value("recipe.metadata.legacy_specs+inferred_from_recipe"));
  EXPECT_EQ(found.at("benchmark").at("id"), Value("mine.v1"));
  EXPECT_EQ(found.at("benchmark").at("version"), Value("2"));
  EXPECT_EQ(found.at("benchmark").at("channel"), Value("wireless"));
  EXPECT_EQ(found.at("benchmark").at("task"), Value("bit_transport"));
  EXPECT_EQ(found.at("benchmark").at("metrics").size(), 3u);
}

TEST(Research, MetricsAreComparedWithWhatOperationsEmit) {
  planner::MemoryCatalog contracts;
  contracts.add(planner::operation(
      "metrics.bit_error_rate", R"("inputs": {}, "outputs": {"report": ["metrics.report"]})", "",
      {planner::row(planner::bench, "cpp", "default")}, "implemented",
      R"("metrics": {"channel.<label>.ber": {"unit": "fraction", "direction": "lower_is_better"}})"));
  const Recipe made = recipe({"metrics.bit_error_rate"},
                             research({{"metrics", Value(Value::Items{"channel.coded.ber", "quality.psnr_db"})}}));
  const Value validation = infer_research(made, &contracts).at("catalog_validation");
  EXPECT_EQ(validation.at("warnings").size(), 1u);
  EXPECT_EQ(validation.at("warnings")[0], Value("no operation of this recipe emits the metric quality.psnr_db"));
}

}  // namespace
}  // namespace noema
