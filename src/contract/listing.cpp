// The list of operations, and the page about one.
// SPDX-License-Identifier: Apache-2.0
#include "contract/listing.h"

#include <algorithm>
#include <array>

#include "contract/schema.h"
#include "core/text.h"

namespace noema::contract {
namespace {

std::string pad(std::string_view text, std::size_t width) {
  std::string out(text);
  const std::size_t count = code_point_count(text);
  if (count < width) out.append(width - count, ' ');
  return out;
}

/// Words wrapped to `width`, each line indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = 0;
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    const std::size_t length = code_point_count(word);
    if (column == 0 || column + 1 + length > width) {
      out += (column == 0 ? "" : "\n") + std::string(indent, ' ') + word;
      column = indent + length;
    } else {
      out += " " + word;
      column += 1 + length;
    }
  }
  return out.empty() ? out : out + "\n";
}

class Page {
 public:
  Page(const Contract& contract, std::size_t width) : contract_(contract), width_(std::max<std::size_t>(width, 40)) {}

  std::string text() {
    out_ = contract_.id + "  (" + contract_.status + ")\n" + contract_.name + "\n";
    if (!contract_.description.empty()) out_ += "\n" + wrapped(contract_.description, 2, width_);
    ports();
    parameters();
    rows();
    metrics();
    metadata();
    traits();
    return std::move(out_);
  }

 private:
  void heading(std::string_view text) { out_ += "\n" + std::string(text) + "\n"; }

  /// A name in the left column, wrapped text in the right one.
  void entry(std::string_view name, std::size_t column, std::string_view text) {
    const std::string body = wrapped(text, column + 4, width_);
    if (name.size() > column) {
      out_ += "  " + std::string(name) + "\n" + body;
      return;
    }
    out_ += "  " + pad(name, column + 2) + (body.size() > column + 4 ? body.substr(column + 4) : "\n");
  }

  void ports() {
    std::size_t column = 0;
    for (const InputPort& port : contract_.inputs) column = std::max(column, port.name.size());
    for (const OutputPort& port : contract_.outputs) column = std::max(column, port.name.size());
    heading("Inputs");
    if (contract_.inputs.empty()) out_ += "  none\n";
    for (const InputPort& port : contract_.inputs) {
      entry(port.name, column, (port.optional ? "(optional) " : "") + joined(port.kinds, " or "));
    }
    heading("Outputs");
    for (const OutputPort& port : contract_.outputs) entry(port.name, column, port.kind);
  }

  static std::string limits(const Value& schema) {
    std::string text;
    const auto say = [&](std::string_view keyword, std::string_view words) {
      if (const Value* limit = schema.find(keyword)) text += ", " + std::string(words) + " " + value_text(*limit);
    };
    say("minimum", "at least");
    say("exclusiveMinimum", "more than");
    say("maximum", "at most");
    say("exclusiveMaximum", "less than");
    say("minLength", "characters at least");
    say("maxLength", "characters at most");
    say("minItems", "items at least");
    say("maxItems", "items at most");
    say("pattern", "matching");
    return text;
  }

  static std::string type_text(const Value& type) {
    if (type.is_string()) return type.string();
    std::string text;
    for (const Value& one : type.items()) text += (text.empty() ? "" : " or ") + one.string();
    return text;
  }

  void parameters() {
    heading("Parameters");
    if (contract_.parameters.empty()) out_ += "  none\n";
    std::size_t column = 0;
    for (const Parameter& parameter : contract_.parameters) column = std::max(column, parameter.name.size());
    column = std::min<std::size_t>(column, 28);
    for (const Parameter& parameter : contract_.parameters) {
      const Value& schema = parameter.schema;
      std::string text = type_text(schema.at("type"));
      if (parameter.required) text += ", required";
      if (const Value* fallback = schema.find("default")) text += ", default " + value_text(*fallback);
      text += limits(schema);
      entry(parameter.name, column, text);
      const std::size_t indent = column + 4;
      if (const Value* choices = schema.find("enum")) {
        std::string list = "one of";
        for (const Value& choice : choices->items()) list += " " + value_text(choice);
        out_ += wrapped(list, indent, width_);
      }
      if (const Value* conditions = schema.find("x-noema-effective-when")) {
        for (const auto& [controller, value] : conditions->members()) {
          out_ += wrapped("only with " + controller + " " + value_text(value), indent, width_);
        }
      }
      if (const Value* about = schema.find("description")) out_ += wrapped(about->string(), indent, width_);
    }
  }

  void rows() {
    heading("Rows (runner, backend, implementation)");
    std::array<std::size_t, 3> columns{};
    for (const Row& row : contract_.rows) {
      columns = {std::max(columns[0], row.runner.size()), std::max(columns[1], row.backend.size()),
                 std::max(columns[2], row.implementation.size())};
    }
    for (const Row& row : contract_.rows) {
      std::string line = "  " + pad(row.runner, columns[0]) + "  " + pad(row.backend, columns[1]) + "  " +
                         pad(row.implementation, columns[2]) + "  " + row.status;
      if (row.explicit_only) line += ", only by name";
      out_ += line + "\n";
      if (!row.bindings.is_object()) continue;
      std::string list = "with";
      for (const auto& [name, value] : row.bindings.members()) list += " " + name + "=" + value_text(value);
      out_ += wrapped(list, columns[0] + 4, width_);
    }
  }

  void metrics() {
    const Value* all = contract_.hashed.find("x-noema-metrics");
    if (all == nullptr) return;
    heading("Metrics");
    std::size_t column = 0;
    for (const auto& [name, traits] : all->members()) column = std::max(column, name.size());
    for (const auto& [name, traits] : all->members()) {
      std::string direction = traits.at("direction").string();
      std::ranges::replace(direction, '_', ' ');
      std::string text = traits.at("unit").string() + ", " + direction;
      if (const Value* about = traits.find("description")) text += ". " + about->string();
      entry(name, std::min<std::size_t>(column, 48), text);
    }
  }

  void metadata() {
    if (!contract_.requirements.empty()) heading("Needs in the metadata of its inputs");
    for (const MetadataRule& rule : contract_.requirements) {
      std::string text;
      if (!rule.all_of.empty()) text += "all of " + joined(rule.all_of, ", ");
      if (!rule.any_of.empty()) text += (text.empty() ? "" : "; ") + std::string("one of ") + joined(rule.any_of, ", ");
      entry(rule.port, rule.port.size(), text);
    }
    if (!contract_.guarantees.empty()) heading("Promises in the metadata of its outputs");
    for (const MetadataRule& rule : contract_.guarantees) entry(rule.port, rule.port.size(), joined(rule.all_of, ", "));
  }

  void traits() {
    heading("Traits");
    const Value& gradient = contract_.hashed.at("differentiability");
    entry("equivalence", 16, contract_.hashed.at("equivalence").at("type").string());
    entry("gradient", 16, gradient.at("gradient").string() + " (" + gradient.at("framework").string() + ")");
    if (!contract_.validator.empty()) entry("cross-check", 16, contract_.validator);
    if (const Value* abi = contract_.hashed.find("trained_artifact_abi")) {
      entry("trained artifact", 16, abi->at("entrypoint_id").string());
    }
    entry("digest", 16, contract_.sha256);
    entry("semantic digest", 16, contract_.semantic_sha256);
  }

  const Contract& contract_;
  std::size_t width_;
  std::string out_;
};

}  // namespace

std::string operations_text(const Catalog& catalog) {
  std::size_t column = 0;
  std::size_t implemented = 0;
  for (const std::string& id : catalog.ids()) column = std::max(column, id.size());
  std::string out;
  for (const std::string& id : catalog.ids()) {
    const Contract& contract = *catalog.find(id);
    implemented += contract.implemented() ? 1 : 0;
    out += pad(id, column) + "  " + pad(contract.status, 11) + "  " + contract.name + "\n";
  }
  return out + std::to_string(catalog.ids().size()) + " operations, " + std::to_string(implemented) + " implemented\n";
}

Value operations_value(const Catalog& catalog) {
  Value list = Value::array();
  for (const std::string& id : catalog.ids()) {
    const Contract& contract = *catalog.find(id);
    list.push(Value::object({{"id", contract.id},
                             {"status", contract.status},
                             {"name", contract.name},
                             {"description", contract.description},
                             {"family", contract.family},
                             {"sha256", contract.sha256},
                             {"semantic_sha256", contract.semantic_sha256}}));
  }
  return Value::object(
      {{"schema_version", 1}, {"kind", "noema.operation_list"}, {"sha256", catalog.sha256()}, {"operations", list}});
}

std::string operation_text(const Contract& contract, std::size_t width) { return Page(contract, width).text(); }

}  // namespace noema::contract
