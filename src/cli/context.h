// What every command shares: global flags, where text goes, how errors and JSON documents are printed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "noema/error.h"
#include "noema/recipe.h"
#include "noema/value.h"

namespace noema::cli {

/// Exit statuses of the program.
inline constexpr int exit_done = 0;
inline constexpr int exit_negative = 1;  ///< checked, and the verdict is negative
inline constexpr int exit_failed = 2;    ///< could not do it
inline constexpr int exit_canceled = 130;

/// Global flags and the outcome of the command.
struct Context {
  std::string workspace = ".noema";
  bool json = false;
  bool quiet = false;
  int status = exit_done;

  /// Results go to standard output.
  void print(std::string_view text) const;
  /// One JSON document on standard output.
  void print_document(const Value& document) const;
  /// Remarks go to standard error, unless --quiet.
  void note(std::string_view text) const;
  /// Prints an error (text on standard error, or a document with --json) and sets the exit status.
  void fail(const Error& error, int exit_status = exit_failed, const std::vector<Diagnostic>& diagnostics = {});
  /// At the end: everything printed must have arrived. A reader that went away has seen what it wanted (`| head -1`).
  void close_output();

 private:
  mutable int output_error_ = 0;  ///< errno of the first write to standard output that failed
};

/// Is standard error a terminal that may be drawn on?
bool on_terminal();
/// May colours be used there? Never under NO_COLOR.
bool may_colour();
Value diagnostic_value(const Diagnostic& diagnostic);

// Each adds its commands to the program. The context outlives the parsing.
void add_recipe_commands(CLI::App& app, Context& context);
void add_runs_commands(CLI::App& app, Context& context);
void add_ops_commands(CLI::App& app, Context& context);
void add_data_commands(CLI::App& app, Context& context);
void add_benchmark_commands(CLI::App& app, Context& context);

}  // namespace noema::cli
