// noema recipe validate | graph | expand-matrix | run | run-matrix
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "cli/context.h"
#include "cli/run_flags.h"
#include "cli/sweep.h"
#include "core/json.h"
#include "core/report.h"
#include "noema/plan.h"
#include "noema/run.h"

namespace noema::cli {
namespace {

/// Reads and compiles; warnings go to standard error.
Result<Recipe> compiled(const Context& context, const std::string& path) {
  NOEMA_TRY(Document document, read_document(path));
  Recipe recipe = compile(std::move(document), builtin_catalog());
  for (const Diagnostic& diagnostic : recipe.diagnostics) {
    if (diagnostic.severity != Diagnostic::Severity::warning || context.json) continue;
    std::string where = diagnostic.at.file;
    if (diagnostic.at.line > 0) where += fmt::format(":{}:{}", diagnostic.at.line, diagnostic.at.column);
    context.note(fmt::format("{}: warning[recipe.{}]: {}\n", where, diagnostic.code, diagnostic.message));
  }
  return require_valid(std::move(recipe));
}

void run_validate(Context& context, const std::string& path) {
  const auto outcome = [&]() -> Result<Value> {
    NOEMA_TRY(const Recipe recipe, compiled(context, path));
    NOEMA_CHECK(validate(recipe, builtin_catalog()));
    NOEMA_TRY(const Matrix matrix, read_matrix(recipe));
    for (std::size_t i = 0; i < (matrix.enabled ? matrix.variant_count : 0); ++i) {
      NOEMA_TRY(const Variant variant, matrix_variant(recipe, matrix, i));
      NOEMA_TRY(const Recipe point, require_valid(compile(variant.recipe, builtin_catalog(), CompileMode::strict,
                                                          "benchmark_run", recipe.document)));
      NOEMA_CHECK(validate(point, builtin_catalog()));
    }
    return Value::object({{"status", "valid"},
                          {"name", recipe.name},
                          {"steps", std::uint64_t{recipe.steps.size()}},
                          {"matrix_variants", std::uint64_t{matrix.enabled ? matrix.variant_count : 0}},
                          {"authored_recipe_sha256", recipe.authored_sha256},
                          {"effective_recipe_sha256", recipe.effective_sha256}});
  }();
  if (!outcome) return context.fail(outcome.error());
  if (context.json) return context.print_document(*outcome);
  const std::int64_t variants = outcome->at("matrix_variants").integer();
  context.print(fmt::format("valid recipe: {} ({} steps{})\n", outcome->at("name").string(),
                            outcome->at("steps").integer(),
                            variants == 0 ? "" : fmt::format(", {} matrix variants", variants)));
}

Value graph_document(const Recipe& recipe) {
  Value nodes = Value::array();
  Value edges = Value::array();
  for (const RecipeStep& step : recipe.steps) {
    const Contract& contract = *builtin_catalog().find(step.operation);
    const auto hashed = [&](const char* key) {
      const Value* found = contract.hashed.find(key);
      return found == nullptr ? Value() : *found;
    };
    Value inputs = Value::object();
    Value optional = Value::array();
    for (const InputPort& port : contract.inputs) {
      inputs.set(port.name, port.kinds);
      if (port.optional) optional.push(port.name);
    }
    nodes.push(Value::object({{"id", step.id},
                              {"op", step.operation},
                              {"name", contract.name},
                              {"status", contract.status},
                              {"inputs", inputs},
                              {"optional_inputs", optional},
                              {"outputs", hashed("output_kinds")},
                              {"params", step.params},
                              {"differentiability", hashed("differentiability")},
                              {"training_capabilities", hashed("training_capabilities")},
                              {"backends", hashed("backends")},
                              {"equivalence", hashed("equivalence")},
                              {"formats", hashed("formats")},
                              {"materializations", hashed("materializations")}}));
    for (const RecipeStep::Input& input : step.inputs) {
      edges.push(Value::object(
          {{"from_step", input.step}, {"from_output", input.output}, {"to_step", step.id}, {"to_input", input.name}}));
    }
  }
  return Value::object({{"schema_version", 1}, {"recipe", recipe.name}, {"nodes", nodes}, {"edges", edges}});
}

std::string escaped_dot(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string graph_text(const Recipe& recipe, const std::string& format) {
  std::string out;
  if (format == "dot") {
    out = "digraph noema {\n  rankdir=LR;\n  node [shape=box];\n";
    for (const RecipeStep& step : recipe.steps) {
      out += fmt::format("  \"{}\" [label=\"{}\\n{}\"];\n", escaped_dot(step.id), escaped_dot(step.id),
                         escaped_dot(step.operation));
    }
    for (const RecipeStep& step : recipe.steps) {
      for (const RecipeStep::Input& input : step.inputs) {
        out += fmt::format("  \"{}\" -> \"{}\" [label=\"{} -> {}\"];\n", escaped_dot(input.step), escaped_dot(step.id),
                           escaped_dot(input.output), escaped_dot(input.name));
      }
    }
    return out + "}\n";
  }
  out = "recipe: " + recipe.name + "\n";
  for (const RecipeStep& step : recipe.steps) out += "node\t" + step.id + "\t" + step.operation + "\n";
  for (const RecipeStep& step : recipe.steps) {
    for (const RecipeStep::Input& input : step.inputs) {
      out += "edge\t" + input.step + "." + input.output + "\t->\t" + step.id + "." + input.name + "\n";
    }
  }
  return out;
}

void run_graph(Context& context, const std::string& path, const std::string& format) {
  const auto recipe = [&]() -> Result<Recipe> {
    NOEMA_TRY(Recipe made, compiled(context, path));
    NOEMA_CHECK(validate(made, builtin_catalog()));
    return made;
  }();
  if (!recipe) return context.fail(recipe.error());
  if (context.json || format == "json") return context.print_document(graph_document(*recipe));
  context.print(graph_text(*recipe, format));
}

void run_expand(Context& context, const std::string& path) {
  const auto outcome = [&]() -> Result<Value> {
    NOEMA_TRY(const Recipe recipe, compiled(context, path));
    return expand_matrix(recipe, builtin_catalog());
  }();
  if (!outcome) return context.fail(outcome.error());
  context.print_document(*outcome);
}

void run_plan(Context& context, const std::string& path, const RunFlags& flags) {
  const auto outcome = [&]() -> Result<Plan> {
    NOEMA_TRY(Recipe recipe, compiled(context, path));
    NOEMA_TRY(const Recipe point, single_run_gate(std::move(recipe)));
    return plan(point, builtin_catalog(), flags.policy());
  }();
  if (!outcome) return context.fail(outcome.error());
  if (context.json) return context.print_document(outcome->document);
  std::string text = fmt::format("plan {} of recipe {} ({} steps)\n", outcome->sha256.substr(0, 16),
                                 outcome->recipe.name, outcome->steps.size());
  std::size_t width = 0;
  for (const PlannedStep& step : outcome->steps) width = std::max(width, step.id.size());
  for (const PlannedStep& step : outcome->steps) {
    text += fmt::format("  {:<{}}  {}  {}/{}\n", step.id, width, step.operation, step.backend, step.implementation);
  }
  context.print(text);
}

void run_recipe(Context& context, const std::string& path, const RunFlags& flags) {
  const auto outcome = [&]() -> Result<RunOutcome> {
    NOEMA_TRY(Recipe recipe, compiled(context, path));
    NOEMA_TRY(const Recipe point, single_run_gate(std::move(recipe)));
    NOEMA_TRY(const Plan planned, plan(point, builtin_catalog(), flags.policy()));
    return run_watched(context, planned, flags, {});
  }();
  if (!outcome) return context.fail(outcome.error());
  report_run(context, *outcome);
}

}  // namespace

void add_recipe_commands(CLI::App& app, Context& context) {
  CLI::App* recipe = app.add_subcommand("recipe", "Check, show and run recipes")->require_subcommand(1);
  auto path = std::make_shared<std::string>();
  const auto command = [&, path](const char* name, const char* help) {
    CLI::App* made = recipe->add_subcommand(name, help);
    made->add_option("recipe", *path, "recipe file (.yaml or .json)")->required();
    return made;
  };
  command("validate", "Check a recipe, and each point of its matrix, against the operation contracts")
      ->callback([&context, path] { run_validate(context, *path); });

  auto format = std::make_shared<std::string>("text");
  CLI::App* graph = command("graph", "Show steps and wires");
  graph->add_option("--format", *format, "text, json or dot")->check(CLI::IsMember({"text", "json", "dot"}));
  graph->callback([&context, path, format] { run_graph(context, *path, *format); });

  command("expand-matrix", "Print every point of the recipe's matrix as JSON")->callback([&context, path] {
    run_expand(context, *path);
  });

  auto flags = std::make_shared<RunFlags>();
  CLI::App* planned = command("plan", "Show which implementation would run each step, without running anything");
  flags->add_policy(*planned);
  planned->callback([&context, path, flags] { run_plan(context, *path, *flags); });

  CLI::App* run = command("run", "Run a recipe and leave its evidence in the workspace");
  flags->add_to(*run);
  run->callback([&context, path, flags] { run_recipe(context, *path, *flags); });

  CLI::App* sweep = command("run-matrix", "Run every point of the recipe's matrix; table, CSV and figure of the sweep");
  flags->add_to(*sweep);
  flags->add_sweep(*sweep);
  sweep->callback([&context, path, flags] {
    const auto outcome = [&]() -> Result<int> {
      NOEMA_TRY(const Recipe compiled_recipe, compiled(context, *path));
      return run_sweep(context, compiled_recipe, *flags);
    }();
    if (!outcome) return context.fail(outcome.error());
    context.status = *outcome;
  });
}

}  // namespace noema::cli
