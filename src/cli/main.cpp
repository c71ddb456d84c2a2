// The program `noema`: global flags, commands, exit status.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "cli/context.h"
#include "core/build_info.h"
#include "kernels/simd.h"

namespace noema::cli {
namespace {

int usage_error(const CLI::App& app, const CLI::ParseError& error, bool json, Context& context) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);  // --help, --version
  if (json) {
    context.json = true;
    context.fail(Error{Code{"usage"}, {}, error.what(), "see `noema --help`", {}});
  } else {
    fmt::print(stderr, "error[usage]: {}\n  hint: `noema --help` and `noema COMMAND --help` list commands and flags\n",
               error.what());
  }
  return exit_failed;
}

/// NOEMA_SIMD names the instruction set that kernels use. For tests and for doubters: no result depends on it.
bool take_simd_target(Context& context) {
  const char* name = std::getenv("NOEMA_SIMD");
  if (name == nullptr || *name == '\0') return true;
  const auto forced = kernels::force_simd_target(name);
  if (!forced) context.fail(forced.error());
  return forced.has_value();
}

int run(int argc, char** argv) {
  Context context;
  if (!take_simd_target(context)) return context.status;
  CLI::App app{
      "Noema runs contract-checked experiments for learned and semantic communications and leaves evidence that anyone "
      "can verify.",
      "noema"};
  app.set_version_flag("--version", "noema " + build_info().version + " (" + build_info().build_id + ")");
  app.add_option("--workspace", context.workspace, "folder that holds runs, sweeps and datasets")
      ->capture_default_str()
      ->check([](const std::string& folder) { return folder.empty() ? std::string("name a folder") : std::string(); });
  app.add_flag("--json", context.json, "print one JSON document on standard output");
  app.add_flag("-q,--quiet", context.quiet, "no progress and no remarks on standard error");
  app.fallthrough();
  app.require_subcommand(1);
  add_recipe_commands(app, context);
  add_runs_commands(app, context);
  add_ops_commands(app, context);
  add_data_commands(app, context);
  add_benchmark_commands(app, context);
  app.footer("Exit status: 0 done and good; 1 checked, and the verdict is negative; 2 could not do it; 130 stopped.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool json =
        std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
    context.status = usage_error(app, error, json, context);
  }
  context.close_output();
  return context.status;
}

}  // namespace
}  // namespace noema::cli

int main(int argc, char** argv) {
  // A reader that goes away, or a file that may not grow, is an error like any other: a run still seals its evidence.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return noema::cli::run(argc, argv);
}
