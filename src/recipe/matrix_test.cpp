// The parameter space: ids, order, names, every refusal, the gate.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "core/digest.h"
#include "core/json.h"
#include "core/report.h"
#include "noema/recipe.h"

namespace noema {
namespace {

Value value_of(std::string_view json) {
  const auto value = parse_json(json);
  EXPECT_TRUE(value) << json;
  return value ? *value : Value();
}

/// A recipe of two steps whose metadata is the given YAML, indented by two.
Recipe recipe_with(const std::string& metadata) {
  auto document = parse_yaml_document(
      {"r.yaml", "name: r\nmetadata:\n" + metadata +
                     "steps:\n"
                     "- {id: data, op: source.random_bits, params: {bit_count: 64}}\n"
                     "- {id: encode, op: channel.repetition_encoder, inputs: {bits: data.bits}}\n"});
  EXPECT_TRUE(document) << error_text(document.error());
  Recipe recipe = compile(*std::move(document), builtin_catalog());
  for (const Diagnostic& one : recipe.diagnostics) EXPECT_NE(one.severity, Diagnostic::Severity::error) << one.message;
  return recipe;
}

const std::string two_dimensions =
    "  matrix:\n"
    "    dimensions:\n"
    "      seed: [3, 1]\n"
    "      code.factor: [5, 1, 3]\n"
    "    step_params:\n"
    "      encode: {factor: {matrix: ' code.factor '}}\n"
    "      data: {seed: {matrix: seed}, batch_size: 2}\n";

TEST(Matrix, NamesPointsByTypedIdentity) {
  EXPECT_EQ(variant_id(value_of(R"({"seed": 1, "channel.snr_db": 8})")),
            "mxv1-1ab80261f0164a0696f3ece834a95471838c9081904870e0de3ae5a81be2c779");
  EXPECT_EQ(variant_id(value_of(R"({"b": [true, null, {"l": "\u00e9", "k": 1e-5}], "a": 1.0})")),
            "mxv1-33d372989267eff1ee672e14955ffc0f94d70bea2b0040dd1be5ca867b14d95c");
  std::set<std::string> ids;
  const char* values[] = {"1",    "1.0", "true",  "\"1\"", "[1]", "{\"a\": 1}", "{\"a\": 1.0}", "null", "0.0",
                          "-0.0", "0",   "false", "\"\"",  "[]",  "{}"};
  for (const char* value : values) ids.insert(variant_id(Value::object({{"x", value_of(value)}})));
  EXPECT_EQ(ids.size(), std::size(values));
  EXPECT_EQ(variant_id(value_of(R"({"x": {"b": 1, "a": 2}})")), variant_id(value_of(R"({"x": {"a": 2, "b": 1}})")));
}

TEST(Matrix, ExpandsWithTheLastNameFastest) {
  const Recipe recipe = recipe_with(two_dimensions);
  const auto matrix = read_matrix(recipe);
  ASSERT_TRUE(matrix) << error_text(matrix.error());
  EXPECT_TRUE(matrix->enabled);
  EXPECT_EQ(matrix->source, "matrix");
  EXPECT_EQ(matrix->variant_count, 6u);
  EXPECT_EQ(
      canonical_json(matrix->definition),
      R"({"dimensions":{"code.factor":[5,1,3],"seed":[3,1]},)"
      R"("step_params":{"data":{"batch_size":2,"seed":{"matrix":"seed"}},"encode":{"factor":{"matrix":"code.factor"}}}})");
  const char* order[] = {"code.factor_5__seed_3", "code.factor_5__seed_1", "code.factor_1__seed_3",
                         "code.factor_1__seed_1", "code.factor_3__seed_3", "code.factor_3__seed_1"};
  for (std::size_t i = 0; i < 6; ++i) {
    const auto variant = matrix_variant(recipe, *matrix, i);
    ASSERT_TRUE(variant);
    EXPECT_EQ(variant->index, i);
    EXPECT_EQ(variant->name, std::string("r__") + order[i]);
    EXPECT_EQ(variant->id, variant_id(variant->selection));
    const Value& metadata = variant->recipe.at("metadata");
    EXPECT_EQ(metadata.find("matrix"), nullptr);
    EXPECT_EQ(metadata.at("matrix_index"), Value(static_cast<int>(i)));
    EXPECT_EQ(metadata.at("matrix_variant_id"), Value(variant->id));
    EXPECT_EQ(metadata.at("matrix_selection"), variant->selection);
    const Value& steps = variant->recipe.at("steps");
    EXPECT_EQ(steps[0].at("params"),
              Value::object({{"bit_count", 64}, {"seed", variant->selection.at("seed")}, {"batch_size", 2}}));
    EXPECT_EQ(steps[1].at("params"), Value::object({{"factor", variant->selection.at("code.factor")}}));
    const Recipe compiled =
        compile(variant->recipe, builtin_catalog(), CompileMode::strict, "benchmark_run", recipe.document);
    EXPECT_TRUE(compiled.valid());
    EXPECT_EQ(compiled.place("steps.encode.params.factor").line, 12) << "places of the base recipe serve its points";
    const auto selected = select_variant(recipe, *matrix, variant->selection);
    ASSERT_TRUE(selected);
    EXPECT_EQ(selected->recipe, variant->recipe);
  }
  EXPECT_EQ(matrix_variant(recipe, *matrix, 6).error().code.text, "recipe.matrix_point");
  EXPECT_EQ(recipe.normalized.at("name"), Value("r")) << "the base is untouched";
}

TEST(Matrix, FillsTemplatesAtAnyDepth) {
  const Recipe recipe = recipe_with(
      "  matrix:\n    dimensions: {d: [{p: 1}, [2]]}\n"
      "    step_params: {data: {x: [1, {y: {matrix: d}, z: 2}], w: {matrix: d}}}\n");
  const auto matrix = read_matrix(recipe);
  ASSERT_TRUE(matrix) << error_text(matrix.error());
  const auto variant = matrix_variant(recipe, *matrix, 1);
  ASSERT_TRUE(variant);
  EXPECT_EQ(canonical_json(variant->recipe.at("steps")[0].at("params")),
            R"({"bit_count":64,"w":[2],"x":[1,{"y":[2],"z":2}]})");
  EXPECT_EQ(variant->name, "r__" + variant->id) << "a list can't be read in a name";
}

TEST(Matrix, FallsBackToTheIdInNames) {
  const auto name = [](const std::string& key, const std::string& value) {
    const Recipe recipe = recipe_with("  matrix:\n    dimensions: {" + key + ": [" + value +
                                      "]}\n    step_params: {data: {seed: {matrix: " + key + "}}}\n");
    const auto matrix = read_matrix(recipe);
    EXPECT_TRUE(matrix) << error_text(matrix.error());
    const auto variant = matrix_variant(recipe, *matrix, 0);
    return variant->name == "r__" + variant->id ? "id" : variant->name;
  };
  EXPECT_EQ(name("snr", "-2.5"), "r__snr_-2.5");
  EXPECT_EQ(name("snr", "true"), "r__snr_true");
  EXPECT_EQ(name("snr", "~"), "r__snr_null");
  EXPECT_EQ(name("snr", "1.0e-5"), "r__snr_1e-05");
  EXPECT_EQ(name("snr", "1.0e+22"), "id");
  EXPECT_EQ(name("snr", "'a b'"), "id");
  EXPECT_EQ(name("snr", "''"), "id");
  EXPECT_EQ(name("snr", "{}"), "id");
  EXPECT_EQ(name("'s n'", "1"), "id");
  EXPECT_EQ(name("snr", "'--1'"), "id");
  EXPECT_EQ(name("snr", std::string(48, 'x')), "r__snr_" + std::string(48, 'x'));
  EXPECT_EQ(name("snr", std::string(49, 'x')), "id");
  EXPECT_EQ(name(std::string(49, 'x'), "1"), "id");
  std::string dimensions;
  std::string uses;
  for (const char* letter : {"a", "b", "c", "d"}) {
    dimensions += std::string(letter) + ": [" + std::string(40, 'x') + "], ";
    uses += std::string(letter) + ": {matrix: " + letter + "}, ";
  }
  const Recipe recipe =
      recipe_with("  matrix:\n    dimensions: {" + dimensions + "}\n    step_params: {data: {" + uses + "}}\n");
  const auto variant = matrix_variant(recipe, *read_matrix(recipe), 0);
  ASSERT_TRUE(variant);
  EXPECT_EQ(variant->name, "r__" + variant->id) << "174 characters are too many";
}

TEST(Matrix, RefusesWithPlaces) {
  struct Refusal {
    const char* matrix;
    const char* expected;
  };
  const Refusal refusals[] = {
      {"[1]", "metadata.matrix"},
      {"{dimensions: {a: [1]}}", "metadata.matrix.step_params metadata.matrix.dimensions.a"},
      {"{step_params: {data: {x: 1}}}", "metadata.matrix.dimensions"},
      {"{dimensions: {}, step_params: {}}", "metadata.matrix.dimensions metadata.matrix.step_params"},
      {"{dimensions: {a: [1]}, step_params: {data: {x: {matrix: a}}}, more: 1}", "metadata.matrix.more"},
      {"{dimensions: {a: [1], ' a ': [2]}, step_params: {data: {x: {matrix: a}}}}", "metadata.matrix.dimensions. a "},
      {"{dimensions: {' ': [1], a: [1]}, step_params: {data: {x: {matrix: a}}}}",
       "metadata.matrix.dimensions.  metadata.matrix.dimensions."},
      {"{dimensions: {a: 1, b: [], c: {x: 1}}, step_params: {data: {x: 1}}}",
       "metadata.matrix.dimensions.a metadata.matrix.dimensions.b metadata.matrix.dimensions.c"},
      {"{dimensions: {a: [1, 1.0, '1', true, 1]}, step_params: {data: {x: {matrix: a}}}}",
       "metadata.matrix.dimensions.a[4]"},
      {"{dimensions: {a: [{x: 1, y: 2}, {y: 2, x: 1}]}, step_params: {data: {x: {matrix: a}}}}",
       "metadata.matrix.dimensions.a[1]"},
      {"{dimensions: {a: [1], b: [2]}, step_params: {data: {x: {matrix: a}}}}", "metadata.matrix.dimensions.b"},
      {"{dimensions: {a: [1]}, step_params: {dta: {x: {matrix: a}}, encode: {}, data: 1}}",
       "metadata.matrix.step_params.dta metadata.matrix.step_params.encode metadata.matrix.step_params.data"},
      {"{dimensions: {a: [1]}, step_params: {data: {x: {matrix: a, y: 1}}}}", "metadata.matrix.step_params.data.x"},
      {"{dimensions: {a: [1]}, step_params: {data: {x: {matrix: a}, y: {matrix: ''}, z: [{matrix: b}], w: {matrix: "
       "1}}}}",
       "metadata.matrix.step_params.data.y.matrix metadata.matrix.step_params.data.z[0].matrix "
       "metadata.matrix.step_params.data.w.matrix"},
  };
  for (const Refusal& refusal : refusals) {
    const auto matrix = read_matrix(recipe_with(std::string("  matrix: ") + refusal.matrix + "\n"));
    ASSERT_FALSE(matrix) << refusal.matrix;
    std::string paths;
    for (const Error& error : flattened(matrix.error())) {
      paths += (paths.empty() ? "" : " ") + error.at.path;
      EXPECT_EQ(error.code.text, "recipe.matrix_invalid");
      EXPECT_EQ(error.at.line, 3) << error_text(error);
      EXPECT_NE(error.hint, "") << error_text(error);
    }
    EXPECT_EQ(paths, refusal.expected) << refusal.matrix << "\n" << error_text(matrix.error());
  }
}

TEST(Matrix, LimitsItsPoints) {
  const auto read = [](std::size_t a, std::size_t b) {
    std::string lists[2];
    for (std::size_t i = 0; i < a; ++i) lists[0] += std::to_string(i) + ", ";
    for (std::size_t i = 0; i < b; ++i) lists[1] += std::to_string(i) + ", ";
    return read_matrix(recipe_with("  matrix:\n    dimensions: {a: [" + lists[0] + "], b: [" + lists[1] +
                                   "]}\n    step_params: {data: {x: {matrix: a}, y: {matrix: b}}}\n"));
  };
  EXPECT_EQ(read(16, 16)->variant_count, 256u);
  EXPECT_EQ(read(257, 1).error().at.path, "metadata.matrix.dimensions");
  EXPECT_EQ(read(3000, 3000).error().at.path, "metadata.matrix.dimensions");
}

TEST(Matrix, MayBeAbsentOrDisabled) {
  for (const char* metadata : {"  matrix: ~\n", "  note: x\n"}) {
    const auto matrix = read_matrix(recipe_with(metadata));
    ASSERT_TRUE(matrix);
    EXPECT_FALSE(matrix->enabled);
    EXPECT_EQ(matrix->source, "none");
    EXPECT_TRUE(matrix->definition.is_null());
  }
  const Recipe recipe = recipe_with("  matrix: {}\n");
  const auto matrix = read_matrix(recipe);
  ASSERT_TRUE(matrix);
  EXPECT_FALSE(matrix->enabled);
  EXPECT_EQ(matrix->source, "matrix");
  EXPECT_EQ(matrix->variant_count, 0u);
  EXPECT_EQ(matrix_variant(recipe, *matrix, 0).error().code.text, "recipe.matrix_point");
  EXPECT_EQ(select_variant(recipe, *matrix, Value::object()).error().code.text, "recipe.matrix_point");
  const auto expanded = expand_matrix(recipe, builtin_catalog());
  ASSERT_TRUE(expanded);
  EXPECT_EQ(canonical_json(*expanded),
            R"({"canonical_matrix":{"diagnostics":[],"enabled":false,"matrix":{},"source":"matrix","variant_count":0},)"
            R"("expanded_count":0,"recipe":"r","variants":[]})");
}

TEST(Matrix, SelectsByTypedValues) {
  const Recipe recipe = recipe_with(two_dimensions);
  const auto matrix = read_matrix(recipe);
  ASSERT_TRUE(matrix);
  const auto errors_of = [&](std::string_view selection) {
    const auto variant = select_variant(recipe, *matrix, value_of(selection));
    std::string paths;
    if (variant) return paths;
    for (const Error& error : flattened(variant.error())) paths += error.at.path + ";";
    return paths;
  };
  EXPECT_EQ(errors_of(R"({"seed": 1, "code.factor": 3})"), "");
  EXPECT_EQ(errors_of(R"({"seed": 1.0, "code.factor": 3})"), "metadata.matrix.dimensions.seed;");
  EXPECT_EQ(errors_of(R"({})"), "metadata.matrix.dimensions.code.factor;metadata.matrix.dimensions.seed;");
  EXPECT_EQ(errors_of("[1]"), ";");
  const auto extended = select_variant(recipe, *matrix, value_of(R"({"seed": 1, "code.factor": 3, "room": "a"})"));
  ASSERT_TRUE(extended);
  EXPECT_EQ(extended->index, 5u);
  EXPECT_EQ(extended->recipe.at("metadata").at("matrix_selection").size(), 3u);
  EXPECT_NE(extended->id, matrix_variant(recipe, *matrix, 5)->id);
  EXPECT_EQ(extended->recipe.at("steps"), matrix_variant(recipe, *matrix, 5)->recipe.at("steps"));
}

TEST(Matrix, ExpandsIntoADocument) {
  const auto expanded = expand_matrix(recipe_with(two_dimensions), builtin_catalog());
  ASSERT_TRUE(expanded) << error_text(expanded.error());
  EXPECT_EQ(expanded->at("expanded_count"), Value(6));
  EXPECT_EQ(expanded->at("variants").size(), 6u);
  EXPECT_EQ(expanded->at("canonical_matrix").at("enabled"), Value(true));
  const Value& last = expanded->at("variants")[5];
  EXPECT_EQ(last.at("matrix_variant_id"), last.at("recipe").at("metadata").at("matrix_variant_id"));
  EXPECT_TRUE(is_sha256_hex(last.at("effective_recipe_sha256").string()));
}

TEST(Matrix, DoesNotReadLegacySweeps) {
  const Recipe alone = recipe_with("  ui_sweeps: {data.seed: '1,2'}\n");
  EXPECT_EQ(read_matrix(alone).error().code.text, "recipe.legacy_sweep_unsupported");
  EXPECT_EQ(single_run_gate(alone).error().at.line, 3);
  const auto beside = read_matrix(recipe_with("  sweeps: {data.seed: '1,2'}\n" + two_dimensions));
  ASSERT_TRUE(beside);
  ASSERT_EQ(beside->diagnostics.size(), 1u);
  EXPECT_EQ(beside->diagnostics[0].code, "legacy_sweep_ignored");
}

TEST(Gate, LetsOnePointPass) {
  EXPECT_TRUE(single_run_gate(recipe_with("  note: x\n")));
  EXPECT_TRUE(single_run_gate(recipe_with("  matrix: {}\n")));
  const auto open = single_run_gate(recipe_with(two_dimensions));
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code.text, "recipe.matrix_not_expanded");
  EXPECT_EQ(open.error().at.line, 4);

  const std::string selection = "  matrix_selection: {channel.snr_db: 8, seed: 1}\n";
  const std::string id = "mxv1-1ab80261f0164a0696f3ece834a95471838c9081904870e0de3ae5a81be2c779";
  const Recipe before = recipe_with(selection);
  const auto filled = single_run_gate(before);
  ASSERT_TRUE(filled) << error_text(filled.error());
  EXPECT_EQ(filled->effective.at("metadata").at("matrix_variant_id"), Value(id));
  EXPECT_EQ(filled->effective_sha256, sha256_of(filled->effective));
  EXPECT_NE(filled->effective_sha256, before.effective_sha256);
  EXPECT_EQ(filled->normalized, before.normalized);
  EXPECT_TRUE(single_run_gate(recipe_with(selection + "  matrix_variant_id: " + id + "\n")));
  for (const std::string& bad : {selection + "  matrix_variant_id: mxv1-0\n", selection + "  matrix_variant_id: 1\n",
                                 "  matrix_variant_id: " + id + "\n", std::string("  matrix_selection: [1]\n")}) {
    const auto gate = single_run_gate(recipe_with(bad));
    ASSERT_FALSE(gate) << bad;
    EXPECT_EQ(gate.error().code.text, "recipe.matrix_variant_id") << bad;
  }
}

}  // namespace
}  // namespace noema
