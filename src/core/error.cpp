// Printing errors the way a person reads them (core/report.h).
// SPDX-License-Identifier: Apache-2.0
#include "core/report.h"
#include "core/text.h"

namespace noema {
namespace {

void append(std::string& out, const Error& error) {
  if (!error.at.file.empty()) {
    out += error.at.file;
    if (error.at.line > 0) out += ":" + std::to_string(error.at.line);
    if (error.at.column > 0) out += ":" + std::to_string(error.at.column);
    out += ": ";
  }
  out += "error[" + std::string(error.code.text) + "]: " + error.message + "\n";
  if (!error.at.path.empty()) out += "  at " + error.at.path + "\n";
  if (error.at.line > 0 && !error.at.source_line.empty()) {
    const std::string number = std::to_string(error.at.line);
    out += std::string(number.size() < 5 ? 5 - number.size() : 0, ' ') + number + " | " + error.at.source_line + "\n";
    if (error.at.column > 0) {
      // Tabs are kept so that the caret stands under its character whatever the terminal makes of them.
      std::string indent;
      std::size_t index = 0;
      for (int column = 1; column < error.at.column && index < error.at.source_line.size(); ++column) {
        const bool tab = error.at.source_line[index] == '\t';
        next_code_point(error.at.source_line, index);
        indent += tab ? '\t' : ' ';
      }
      out += "      | " + indent + "^\n";
    }
  }
  if (!error.hint.empty()) out += "  hint: " + error.hint + "\n";
}

}  // namespace

std::string error_text(const Error& error) {
  std::string out;
  append(out, error);
  for (const Error& other : error.also) append(out, other);
  return out;
}

Value error_value(const Error& error) {
  const auto or_null = [](auto value, bool present) { return present ? Value(value) : Value(); };
  return Value::object({{"code", std::string(error.code.text)},
                        {"message", error.message},
                        {"hint", or_null(error.hint, !error.hint.empty())},
                        {"at", or_null(error.at.path, !error.at.path.empty())},
                        {"path", or_null(error.at.file, !error.at.file.empty())},
                        {"line", or_null(error.at.line, error.at.line > 0)},
                        {"column", or_null(error.at.column, error.at.column > 0)}});
}

std::vector<Error> flattened(Error error) {
  std::vector<Error> others = std::move(error.also);
  error.also.clear();
  std::vector<Error> all;
  all.push_back(std::move(error));
  for (Error& other : others) {
    for (Error& part : flattened(std::move(other))) all.push_back(std::move(part));
  }
  return all;
}

Error combined(std::vector<Error> errors) {
  NOEMA_ASSERT(!errors.empty(), "there is no error to combine");
  Error first = std::move(errors.front());
  for (std::size_t i = 1; i < errors.size(); ++i) first.also.push_back(std::move(errors[i]));
  return first;
}

}  // namespace noema
