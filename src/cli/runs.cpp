// noema runs list | show | verify
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/context.h"
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
      list.push(
          Value::object({{"run_id", row.run_id},
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
  for (const RunRow& row : *rows)
    context.print(fmt::format("{:<{}}  {:<10}  {}\n", row.run_id, width, row.status, row.recipe_name));
  if (rows->empty()) context.note("no runs in " + context.workspace + "\n");
}

/// A run id of the workspace, or a folder anywhere.
Result<std::string> bundle_folder(const Context& context, const std::string& target) {
  if (std::filesystem::is_directory(target)) return target;
  return run_folder(context.workspace, target);
}

// A bundle may have been written by anyone: `show` takes what is there, and nothing in it steers the terminal.

std::string plain(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return text;
}

std::string text_at(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found != nullptr && found->is_string() ? plain(found->string()) : "-";
}

std::vector<Value::Member> members_at(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  if (found == nullptr || !found->is_object()) return {};
  std::vector<Value::Member> members = found->members();
  std::ranges::sort(members, {}, &Value::Member::first);
  return members;
}

std::string shown_step(const Value& step) {
  std::string text = fmt::format("{} ({}): {}\n", text_at(step, "id"), text_at(step, "op"), text_at(step, "status"));
  for (const auto& [name, value] : members_at(step, "metrics")) {
    text += fmt::format("  {} = {}\n", plain(name),
                        value.is_number() ? fmt::format("{:.6g}", value.number()) : canonical_json(value));
  }
  for (const auto& [name, output] : members_at(step, "outputs")) {
    text +=
        fmt::format("  -> {} {} {}\n", plain(name), text_at(output, "kind"), text_at(output, "sha256").substr(0, 16));
  }
  return text;
}

void run_show(Context& context, const std::string& target) {
  const auto summary = [&]() -> Result<Value> {
    NOEMA_TRY(const std::string folder, bundle_folder(context, target));
    return run_summary(folder);
  }();
  if (!summary) return context.fail(summary.error());
  if (context.json) return context.print_document(*summary);
  std::string text =
      fmt::format("run:       {}\nrecipe:    {}\nstatus:    {}\ncreated:   {}\ncompleted: {}\n",
                  text_at(*summary, "run_id"), text_at(*summary, "recipe_name"), text_at(*summary, "status"),
                  text_at(*summary, "created_at_utc"), text_at(*summary, "completed_at_utc"));
  const Value* steps = summary->find("steps");
  if (steps != nullptr && steps->is_array()) {
    for (const Value& step : steps->items()) text += shown_step(step);
  }
  context.print(text);
}

void run_verify(Context& context, const std::string& target, const std::string& catalog, bool strict) {
  const auto folder = bundle_folder(context, target);
  if (!folder) return context.fail(folder.error());
  const Verdict verdict = verify_run(*folder, catalog == "builtin" ? &builtin_catalog() : nullptr, {.strict = strict});
  context.status = verdict.status == "valid" ? exit_done : exit_negative;
  if (context.json) return context.print_document(verdict.document);
  const auto passed = std::ranges::count(verdict.checks, std::string("pass"), &Check::status);
  context.print(verdict_text(verdict) + fmt::format("{} checks passed\n", passed));
}

}  // namespace

void add_runs_commands(CLI::App& app, Context& context) {
  CLI::App* runs = app.add_subcommand("runs", "List, show and verify the evidence of runs")->require_subcommand(1);
  runs->add_subcommand("list", "List the runs of the workspace, oldest first")->callback([&context] {
    run_list(context);
  });
  auto target = std::make_shared<std::string>();
  CLI::App* show = runs->add_subcommand("show", "Show steps, metrics and artifacts of a run");
  show->add_option("run", *target, "run id, or a bundle's folder")->required();
  show->callback([&context, target] { run_show(context, *target); });
  auto catalog = std::make_shared<std::string>();
  CLI::App* verify = runs->add_subcommand("verify", "Check a bundle: every digest, link and rule; nothing is run");
  verify->add_option("run", *target, "run id, or a bundle's folder")->required();
  verify->add_option("--catalog", *catalog, "also compare the bundle's contracts with those of this program (builtin)")
      ->check(CLI::IsMember({"builtin"}));
  auto strict = std::make_shared<bool>(false);
  verify->add_flag("--strict", *strict, "findings about the recipe count as errors and warnings, not as information");
  verify->callback([&context, target, catalog, strict] { run_verify(context, *target, *catalog, *strict); });
}

}  // namespace noema::cli
