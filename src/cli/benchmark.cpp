// noema benchmark show | validate
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/context.h"
#include "core/report.h"
#include "noema/plan.h"
#include "pack/pack.h"

namespace noema::cli {
namespace {

void run_show(Context& context, const std::string& path) {
  const auto pack = read_pack(path);
  if (!pack) return context.fail(pack.error());
  if (context.json)
    return context.print_document(Value::object({{"protocol_sha256", pack->protocol_sha256}, {"pack", pack->normal}}));
  std::string text =
      fmt::format("pack:     {} {}\nprotocol: {}\nentries:\n", pack->id, pack->version, pack->protocol_sha256);
  for (const PackEntry& entry : pack->entries) {
    text += fmt::format("  {} ({}{}): {}\n", entry.id, entry.role, entry.skip ? ", skipped" : "", entry.path);
  }
  context.print(text);
}

void run_validate(Context& context, const std::string& path) {
  const auto pack = read_pack(path);
  if (!pack) return context.fail(pack.error());
  for (const std::string& warning : pack->warnings) context.note("warning: " + warning + "\n");
  Value entries = Value::array();
  std::string text;
  bool good = true;
  for (const PackEntry& entry : pack->entries) {
    Value row = Value::object({{"id", entry.id}, {"role", entry.role}});
    if (entry.skip) {
      row.set("status", "skipped").set("reason", entry.skip_reason.empty() ? Value() : Value(entry.skip_reason));
      text += fmt::format("  skipped  {}\n", entry.id);
      entries.push(row);
      continue;
    }
    const auto planned = [&]() -> Result<Plan> {
      NOEMA_TRY(const Recipe recipe, entry_recipe(*pack, entry, builtin_catalog()));
      return plan(recipe, builtin_catalog());
    }();
    good &= planned.has_value();
    if (planned) {
      row.set("status", "planned").set("plan_sha256", planned->sha256);
      text += fmt::format("  planned  {}  plan {}\n", entry.id, planned->sha256.substr(0, 16));
    } else {
      row.set("status", "refused").set("error", error_value(planned.error()));
      text += fmt::format("  refused  {}\n{}", entry.id, error_text(planned.error()));
    }
    entries.push(row);
  }
  context.status = good ? exit_done : exit_negative;
  if (context.json) {
    return context.print_document(Value::object({{"status", good ? "valid" : "invalid"},
                                                 {"id", pack->id},
                                                 {"protocol_sha256", pack->protocol_sha256},
                                                 {"entries", entries}}));
  }
  context.print(
      fmt::format("{} pack: {} ({} entries)\n{}", good ? "valid" : "invalid", pack->id, pack->entries.size(), text));
}

}  // namespace

void add_benchmark_commands(CLI::App& app, Context& context) {
  CLI::App* benchmark =
      app.add_subcommand("benchmark", "Read benchmark packs and plan their entries")->require_subcommand(1);
  auto path = std::make_shared<std::string>();
  CLI::App* show = benchmark->add_subcommand("show", "Show a pack, its entries and its protocol digest");
  show->add_option("pack", *path, "pack file (.yaml or .json)")->required();
  show->callback([&context, path] { run_show(context, *path); });
  CLI::App* validate =
      benchmark->add_subcommand("validate", "Check a pack and plan the concrete recipe of every entry");
  validate->add_option("pack", *path, "pack file (.yaml or .json)")->required();
  validate->callback([&context, path] { run_validate(context, *path); });
}

}  // namespace noema::cli
