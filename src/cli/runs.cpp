// noema runs list | show | verify
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/context.h"
#include "core/files.h"
#include "core/json.h"
#include "noema/evidence.h"

namespace noema::cli {
namespace {

void run_list(Context& context) {
  const auto rows = list_runs(context.workspace);
  if (!rows) return context.fail(rows.error());
  if (context.json) {
    Value list = Value::array();
    for (const RunRow& row : *rows) {
      list.push(Value::object({{"run_id", row.run_id},
                               {"status", row.status},
                               {"recipe_name", row.recipe_name},
                               {"suite", row.suite.empty() ? Value() : Value(row.suite)},
                               {"created_at_utc", row.created_at_utc},
                               {"completed_at_utc", row.completed_at_utc.empty() ? Value() : Value(row.completed_at_utc)}}));
    }
    return context.print_document(Value::object({{"runs", list}}));
  }
  std::size_t width = 0;
  for (const RunRow& row : *rows) width = std::max(width, row.run_id.size());
  for (const RunRow& row : *rows) context.print(fmt::format("{:<{}}  {:<10}  {}\n", row.run_id, width, row.status, row.recipe_name));
  if (rows->empty()) context.note("no runs in " + context.workspace + "\n");
}

/// A run id of the workspace, or a folder anywhere.
Result<std::string> bundle_folder(const Context& context, const std::string& target) {
  if (std::filesystem::is_directory(target)) return target;
  return run_folder(context.workspace, target);
}

void run_show(Context& context, const std::string& target) {
  const auto summary = [&]() -> Result<Value> {
    NOEMA_TRY(const std::string folder, bundle_folder(context, target));
    NOEMA_TRY(const std::string text, read_text_file(folder + "/summary.json", std::uint64_t{256} << 20));
    return parse_json(text, folder + "/summary.json", {.bytes = std::size_t{256} << 20, .depth = 256, .nodes = 20'000'000});
  }();
  if (!summary) return context.fail(summary.error());
  if (context.json) return context.print_document(*summary);
  const auto text_of = [&](const char* key) {
    const Value* found = summary->find(key);
    return found != nullptr && found->is_string() ? found->string() : std::string("-");
  };
  std::string text = fmt::format("run:       {}\nrecipe:    {}\nstatus:    {}\ncreated:   {}\ncompleted: {}\n", text_of("run_id"),
                                 text_of("recipe_name"), text_of("status"), text_of("created_at_utc"), text_of("completed_at_utc"));
  const Value* steps = summary->find("steps");
  if (steps != nullptr && steps->is_array()) {
    for (const Value& step : steps->items()) {
      text += fmt::format("{} ({}): {}\n", step.at("id").string(), step.at("op").string(), step.at("status").string());
      std::vector<Value::Member> metrics = step.at("metrics").members();
      std::ranges::sort(metrics, {}, &Value::Member::first);
      for (const auto& [name, value] : metrics) {
        text += fmt::format("  {} = {}\n", name, value.is_number() ? fmt::format("{:.6g}", value.number()) : canonical_json(value));
      }
      for (const auto& [name, output] : step.at("outputs").members()) {
        const Value* digest = output.find("sha256");
        text += fmt::format("  -> {} {} {}\n", name, output.at("kind").string(),
                            digest != nullptr && digest->is_string() ? digest->string().substr(0, 16) : "-");
      }
    }
  }
  context.print(text);
}

void run_verify(Context& context, const std::string& target, const std::string& catalog) {
  const auto folder = bundle_folder(context, target);
  if (!folder) return context.fail(folder.error());
  const Verdict verdict = verify_run(*folder, catalog == "builtin" ? &builtin_catalog() : nullptr);
  context.status = verdict.status == "valid" ? exit_done : exit_negative;
  if (context.json) return context.print_document(verdict.document);
  std::string text = verdict.status + " run: " + verdict.target_id;
  const auto omitted = std::ranges::count(verdict.checks, std::string("artifact.omitted"), &Check::id);
  if (omitted > 0) text += fmt::format(" ({} artifacts were not kept)", omitted);
  text += "\n";
  for (const char* level : {"error", "warning", "info"}) {
    for (const Check& check : verdict.checks) {
      if (check.status == level && check.id != "artifact.omitted") text += fmt::format("{}: {}: {}\n", level, check.id, check.message);
    }
  }
  const auto passed = std::ranges::count(verdict.checks, std::string("pass"), &Check::status);
  context.print(text + fmt::format("{} checks passed\n", passed));
}

}  // namespace

void add_runs_commands(CLI::App& app, Context& context) {
  CLI::App* runs = app.add_subcommand("runs", "List, show and verify the evidence of runs")->require_subcommand(1);
  runs->add_subcommand("list", "List the runs of the workspace, oldest first")->callback([&context] { run_list(context); });
  auto target = std::make_shared<std::string>();
  CLI::App* show = runs->add_subcommand("show", "Show steps, metrics and artifacts of a run");
  show->add_option("run", *target, "run id, or a bundle's folder")->required();
  show->callback([&context, target] { run_show(context, *target); });
  auto catalog = std::make_shared<std::string>();
  CLI::App* verify = runs->add_subcommand("verify", "Check a bundle: every digest, link and rule; nothing is run");
  verify->add_option("run", *target, "run id, or a bundle's folder")->required();
  verify->add_option("--catalog", *catalog, "also compare the bundle's contracts with those of this program (builtin)")
      ->check(CLI::IsMember({"builtin"}));
  verify->callback([&context, target, catalog] { run_verify(context, *target, *catalog); });
}

}  // namespace noema::cli
