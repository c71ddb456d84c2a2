// noema ops list | show | check
// SPDX-License-Identifier: Apache-2.0
#include "cli/context.h"
#include "contract/listing.h"

namespace noema::cli {
namespace {

void run_show(Context& context, const std::string& id) {
  const auto contract = builtin_catalog().get(id);
  if (!contract) return context.fail(contract.error());
  if (context.json) return context.print_document((*contract)->hashed);
  context.print(contract::operation_text(**contract));
}

void run_check(Context& context, const std::string& file, const std::string& rows) {
  const auto compared = contract::compare_operation_files(builtin_catalog(), file, rows);
  if (!compared) return context.fail(compared.error());
  context.status = compared->same ? exit_done : exit_negative;
  if (context.json) return context.print_document(compared->document);
  context.print(compared->text);
}

}  // namespace

void add_ops_commands(CLI::App& app, Context& context) {
  CLI::App* ops = app.add_subcommand("ops", "List, show and compare operations")->require_subcommand(1);
  ops->add_subcommand("list", "List every operation with its status")->callback([&context] {
    if (context.json) return context.print_document(contract::operations_value(builtin_catalog()));
    context.print(contract::operations_text(builtin_catalog()));
  });
  auto id = std::make_shared<std::string>();
  CLI::App* show = ops->add_subcommand(
      "show", "Explain an operation: ports, parameters, rows, metrics (--json: the hashed contract)");
  show->add_option("operation", *id, "operation id, such as wireless.channel")->required();
  show->callback([&context, id] { run_show(context, *id); });
  auto file = std::make_shared<std::string>();
  auto rows = std::make_shared<std::string>();
  CLI::App* check = ops->add_subcommand("check", "Compare the operations of this program with a list of contracts");
  check->add_option("file", *file, "JSON list of operations")->required();
  check->add_option("--rows", *rows, "also compare the materialization rows with this JSON map");
  check->callback([&context, file, rows] { run_check(context, *file, *rows); });
}

}  // namespace noema::cli
