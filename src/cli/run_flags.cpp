// SPDX-License-Identifier: Apache-2.0
#include "cli/run_flags.h"

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/progress.h"

namespace noema::cli {

void RunFlags::add_policy(CLI::App& command) {
  command.add_option("--backend", backend, "run every step on this backend, or fail (cpp, numpy, torch, ...)");
  command
      .add_option("--implementation", implementations,
                  "OPERATION=NAME: take this implementation of an operation (repeatable)")
      ->check([](const std::string& text) {
        const std::size_t equals = text.find('=');
        return equals == std::string::npos || equals == 0 || equals + 1 == text.size()
                   ? std::string("write OPERATION=NAME")
                   : std::string();
      });
  command.add_flag("--native", native,
                   "take the built-in C++ form where a recipe asks for sionna or python_numpy; recorded in the plan");
}

void RunFlags::add_to(CLI::App& command) {
  add_policy(command);
  command
      .add_option("--threads", threads, "threads inside operations; results never depend on it (default: all cores)")
      ->check(CLI::Range(1, 1024));
  command.add_option("--retain", retain, "which artifacts stay on disk: all, reports (documents only) or none")
      ->check(CLI::IsMember({"all", "reports", "none"}));
  command.add_option("--digest", digest, "which artifacts get a SHA-256: all, or reports for the utmost speed")
      ->check(CLI::IsMember({"all", "reports"}));
  command.add_flag("--compress", compress, "deflate the arrays of artifacts");
}

void RunFlags::add_sweep(CLI::App& command) {
  command.add_flag("--continue-on-error", continue_on_error, "go on with the next point when one fails");
}

Policy RunFlags::policy() const {
  Policy policy;
  policy.backend = backend;
  policy.native = native;
  for (const std::string& text : implementations) {
    const std::size_t equals = text.find('=');
    policy.implementations[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return policy;
}

RunOptions RunFlags::options(const Context& context) const {
  RunOptions options;
  options.workspace = context.workspace;
  options.threads = threads;
  options.retain = retain == "all" ? Retain::all : retain == "reports" ? Retain::reports : Retain::none;
  options.digest = digest == "all" ? DigestScope::all : DigestScope::reports;
  options.compress = compress;
  return options;
}

Result<RunOutcome> run_watched(const Context& context, const Plan& plan, const RunFlags& flags,
                               const std::string& label, std::shared_ptr<CancelToken> cancel) {
  RunOptions options = flags.options(context);
  std::optional<InterruptGuard> guard;
  if (cancel == nullptr) {
    cancel = std::make_shared<CancelToken>();
    guard.emplace(cancel);
  }
  options.cancel = std::move(cancel);
  Progress progress(context.quiet || context.json, label);
  options.events = [&](const Value& event) { progress.event(event); };
  return run(plan, options);
}

void report_run(Context& context, const RunOutcome& outcome) {
  if (outcome.error) {
    context.fail(*outcome.error);
    context.note(
        fmt::format("{} run: {}\nsummary: {}/summary.json\n", outcome.status, outcome.run_id, outcome.directory));
    return;
  }
  if (context.json) {
    Value steps = Value::object();
    for (const Value& step : outcome.summary.at("steps").items()) steps.set(step.at("id").string(), step.at("metrics"));
    context.print_document(Value::object({{"status", outcome.status},
                                          {"run_id", outcome.run_id},
                                          {"directory", outcome.directory},
                                          {"summary", outcome.directory + "/summary.json"},
                                          {"manifest", outcome.directory + "/manifest.json"},
                                          {"manifest_sha256", outcome.manifest.at("sha256")},
                                          {"metrics", steps}}));
    return;
  }
  std::string text = fmt::format("completed run: {}\n", outcome.run_id);
  for (const Value& step : outcome.summary.at("steps").items()) {
    text += fmt::format("  {} ({}, {:.1f} ms)\n", step.at("id").string(), step.at("op").string(),
                        1e3 * step.at("metrics").at("timing.step.wall_time_s").number());
    std::vector<std::string> names;
    for (const auto& [name, value] : step.at("metrics").members()) names.push_back(name);
    std::ranges::sort(names);
    if (!step.at("op").string().starts_with("metrics.") && !step.at("op").string().ends_with("_check")) continue;
    for (const std::string& name : names) {
      const Value& value = step.at("metrics").at(name);
      if (name == "timing.step.wall_time_s") continue;
      text += fmt::format("    {} = {}\n", name,
                          value.is_integer() ? value.integer_text() : fmt::format("{:.6g}", value.number()));
    }
  }
  text += fmt::format("evidence: {}\nverify:   noema runs verify {}\n", outcome.directory, outcome.run_id);
  context.print(text);
}

}  // namespace noema::cli
