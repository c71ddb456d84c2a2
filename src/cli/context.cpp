// SPDX-License-Identifier: Apache-2.0
#include "cli/context.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "core/files.h"
#include "core/json.h"
#include "core/report.h"

namespace noema::cli {

void Context::print(std::string_view text) const {
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() && output_error_ == 0) output_error_ = errno;
}

void Context::print_document(const Value& document) const { print(pretty_json(document)); }

void Context::note(std::string_view text) const {
  if (!quiet) std::fwrite(text.data(), 1, text.size(), stderr);
}

void Context::fail(const Error& error, int exit_status, const std::vector<Diagnostic>& diagnostics) {
  status = error.code == code::canceled ? exit_canceled : exit_status;
  if (json) {
    Value all = Value::array();
    for (const Diagnostic& diagnostic : diagnostics) all.push(diagnostic_value(diagnostic));
    const std::vector<Error> errors = flattened(error);
    for (std::size_t i = 1; i < errors.size(); ++i) all.push(error_value(errors[i]));
    print_document(Value::object({{"status", "error"}, {"error", error_value(errors.front())}, {"diagnostics", all}}));
    return;
  }
  std::string text = error_text(error);
  if (may_colour()) {
    for (std::size_t at = text.find("error["); at != std::string::npos; at = text.find("error[", at + 20)) {
      const std::size_t end = text.find("]:", at);
      if (end == std::string::npos) break;
      text.insert(end + 1, "\033[0m");
      text.insert(at, "\033[1;31m");
    }
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Context::close_output() {
  errno = 0;
  if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && output_error_ == 0)
    output_error_ = errno == 0 ? EIO : errno;
  if (output_error_ == 0 || output_error_ == EPIPE) return;
  json = false;
  fail(Error{code::io_write,
             {},
             "can't write to standard output: " + system_message(output_error_),
             "the command itself did its work; print its result where there is room",
             {}});
}

bool on_terminal() { return ::isatty(STDERR_FILENO) == 1; }

bool may_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return on_terminal() && (no_colour == nullptr || *no_colour == '\0') && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

Value diagnostic_value(const Diagnostic& diagnostic) {
  return Value::object({{"severity", diagnostic.severity == Diagnostic::Severity::error ? "error" : "warning"},
                        {"code", "recipe." + diagnostic.code},
                        {"message", diagnostic.message},
                        {"at", diagnostic.path},
                        {"hint", diagnostic.hint.empty() ? Value() : Value(diagnostic.hint)},
                        {"path", diagnostic.at.file.empty() ? Value() : Value(diagnostic.at.file)},
                        {"line", diagnostic.at.line > 0 ? Value(diagnostic.at.line) : Value()},
                        {"column", diagnostic.at.column > 0 ? Value(diagnostic.at.column) : Value()}});
}

}  // namespace noema::cli
