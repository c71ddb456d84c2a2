// Compares the catalog with a list of operations as the printed reference gives it: `noema ops check`.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "contract/listing.h"
#include "contract/schema.h"
#include "core/files.h"
#include "core/json.h"
#include "core/text.h"

namespace noema::contract {
namespace {

constexpr Code check_format{"ops_check.format"};

Error malformed(std::string message) {
  return Error{check_format, {}, std::move(message), "the form is that of operations.json and rows.json", {}};
}

/// A default or choice as printed, `True`, `3`, `0.5`, in the type that its parameter has.
Result<Value> printed_value(std::string_view text, std::string_view type) {
  if (type == "string") return Value(text);
  if (text == "True") return Value(true);
  if (text == "False") return Value(false);
  if (text == "None") return Value();
  NOEMA_TRY(Value value, parse_json(text, "default_values"));
  if (type == "number" && value.is_integer()) return Value(value.number());
  return value;
}

/// The text between the next two backquotes from `at`, which is moved past them.
std::optional<std::string_view> quoted(std::string_view text, std::size_t& at) {
  const std::size_t open = text.find('`', at);
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t close = text.find('`', open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  at = close + 1;
  return text.substr(open + 1, close - open - 1);
}

/// One parameter as a schema: type, enum, default.
Result<Value> printed_parameter(const Value& printed) {
  const Value* type = printed.find("type");
  const Value* values = printed.find("default_values");
  if (type == nullptr || !type->is_string() || values == nullptr || !values->is_string()) {
    return malformed("a parameter lacks its type or default_values");
  }
  // Alternatives are printed as `boolean \| null`.
  std::vector<std::string> types;
  for (const std::string& part : split(type->string(), '|')) {
    std::string_view name = trimmed(part);
    if (name.ends_with('\\')) name = trimmed(name.substr(0, name.size() - 1));
    types.emplace_back(name);
  }
  Value schema = Value::object({{"type", types.size() == 1 ? Value(types[0]) : Value(types)}});
  const std::string& text = values->string();
  std::size_t at = 0;
  if (text.starts_with("default `")) {
    const auto fallback = quoted(text, at);
    if (!fallback) return malformed("default_values can't be read: " + shown(text));
    NOEMA_TRY(Value value, printed_value(*fallback, types[0]));
    schema.set("default", std::move(value));
  }
  const std::size_t list = text.find("values `", at);
  if (list != std::string::npos) {
    Value choices = Value::array();
    at = list;
    while (const auto choice = quoted(text, at)) {
      NOEMA_TRY(Value value, printed_value(*choice, types[0]));
      choices.push(std::move(value));
    }
    schema.set("enum", std::move(choices));
  }
  return schema;
}

class Comparer {
 public:
  explicit Comparer(const Catalog& catalog) : catalog_(catalog) {}

  Result<void> operation(const Value& printed) {
    const Value* id = printed.find("id");
    if (id == nullptr || !id->is_string()) return malformed("an operation lacks its id");
    seen_.push_back(id->string());
    const Contract* contract = catalog_.find(id->string());
    if (contract == nullptr) {
      differ(id->string(), "", "the operation", "nothing");
      return {};
    }
    const Value& hashed = contract->hashed;
    same(*contract, "inputs", member(printed, "inputs"), hashed.at("input_kinds"));
    same(*contract, "optional_inputs", member(printed, "optional_inputs"), hashed.at("optional_input_kinds"));
    outputs(*contract, member(printed, "outputs"));
    NOEMA_CHECK(parameters(*contract, member(printed, "parameters")));
    for (const char* key : {"framework", "gradient", "trainable_params", "exportable"}) {
      same(*contract, std::string("differentiability.") + key, member(member(printed, "differentiability"), key),
           member(hashed.at("differentiability"), key));
    }
    same(*contract, "formats", member(printed, "formats"), hashed.at("formats"));
    same(*contract, "training_capabilities", member(printed, "training_capabilities"),
         hashed.at("training_capabilities"));
    same(*contract, "trained_artifact_abi", member(printed, "trained_artifact_abi"),
         member(hashed, "trained_artifact_abi"));
    equivalence(*contract, member(printed, "equivalence"));
    return {};
  }

  Result<void> rows(const Value& printed) {
    if (!printed.is_object()) return malformed("the rows are an object of operation -> list");
    std::size_t total = 0;
    std::size_t implemented = 0;
    for (const auto& [id, list] : printed.members()) {
      if (!list.is_array()) return malformed("the rows of " + shown(id) + " are not a list");
      const Contract* contract = catalog_.find(id);
      if (contract == nullptr) {
        differ(id, "materializations", std::to_string(list.size()) + " rows", "no such operation");
        continue;
      }
      total += list.size();
      for (const Row& row : contract->rows) implemented += row.status == "implemented" ? 1 : 0;
      compare_rows(*contract, list);
    }
    rows_ = Value::object(
        {{"compared", static_cast<std::uint64_t>(total)}, {"implemented", static_cast<std::uint64_t>(implemented)}});
    return {};
  }

  Comparison result() {
    Value additional = Value::array();
    std::ranges::sort(seen_);
    for (const std::string& id : catalog_.ids()) {
      if (!std::ranges::binary_search(seen_, id)) additional.push(id);
    }
    Comparison comparison;
    comparison.same = differences_.size() == 0;
    comparison.text = text(additional);
    comparison.document = Value::object({{"schema_version", 1},
                                         {"kind", "noema.operation_check"},
                                         {"status", comparison.same ? "same" : "different"},
                                         {"operations", static_cast<std::uint64_t>(seen_.size())},
                                         {"differences", differences_},
                                         {"stronger", stronger_},
                                         {"additional", additional},
                                         {"rows", rows_}});
    return comparison;
  }

 private:
  static Value member(const Value& object, std::string_view key) {
    const Value* found = object.find(key);
    return found == nullptr ? Value() : *found;
  }

  void differ(const std::string& id, const std::string& at, const Value& expected, const Value& found) {
    differences_.push(Value::object({{"operation", id}, {"at", at}, {"expected", expected}, {"found", found}}));
  }

  void same(const Contract& contract, const std::string& at, const Value& expected, const Value& found) {
    if (expected != found) differ(contract.id, at, expected, found);
  }

  void outputs(const Contract& contract, const Value& printed) {
    Value found = Value::object();
    for (const OutputPort& port : contract.outputs) found.set(port.name, Value(Value::Items{Value(port.kind)}));
    same(contract, "outputs", printed, found);
  }

  Result<void> parameters(const Contract& contract, const Value& printed) {
    if (!printed.is_array()) return malformed("the parameters of " + contract.id + " are not a list");
    std::vector<std::string> names;
    for (const Value& one : printed.items()) {
      const Value name = member(one, "name");
      if (!name.is_string()) return malformed("a parameter of " + contract.id + " lacks its name");
      names.push_back(name.string());
      const std::string at = "parameters." + name.string();
      const Parameter* parameter = contract.parameter(name.string());
      if (parameter == nullptr) {
        differ(contract.id, at, "the parameter", "nothing");
        continue;
      }
      NOEMA_TRY(const Value schema, printed_parameter(one));
      same(contract, at + ".required", member(one, "required"), parameter->required);
      for (const char* key : {"type", "default", "enum"}) {
        const Value* expected = schema.find(key);
        const Value* found = parameter->schema.find(key);
        const bool equal = expected == nullptr || found == nullptr ? expected == found : *expected == *found;
        if (equal) continue;
        differ(contract.id, at + "." + key, expected == nullptr ? Value() : *expected,
               found == nullptr ? Value() : *found);
      }
    }
    for (const Parameter& parameter : contract.parameters) {
      if (std::ranges::find(names, parameter.name) != names.end()) continue;
      differ(contract.id, "parameters." + parameter.name, "nothing", "the parameter");
    }
    return {};
  }

  void equivalence(const Contract& contract, const Value& printed) {
    const Value& found = contract.hashed.at("equivalence");
    const Value expected_type = member(printed, "type");
    const Value& type = found.at("type");
    if (expected_type == Value("behavioral") && type != expected_type) {
      stronger_.push(Value::object({{"operation", contract.id}, {"declared", expected_type}, {"here", type}}));
      return;
    }
    same(contract, "equivalence.type", expected_type, type);
    same(contract, "equivalence.tolerance", member(printed, "tolerance"), member(found, "tolerance"));
  }

  void compare_rows(const Contract& contract, const Value& list) {
    const std::size_t count = std::max(list.size(), contract.rows.size());
    for (std::size_t i = 0; i < count; ++i) {
      const Value expected = i < list.size() ? identity(list[i]) : Value("no further row");
      Value found = "no further row";
      if (i < contract.rows.size()) {
        const Row& row = contract.rows[i];
        found =
            Value::object({{"runner", row.runner}, {"backend", row.backend}, {"implementation", row.implementation}});
        if (row.bindings.is_object()) found.set("parameter_bindings", row.bindings);
      }
      same(contract, "materializations[" + std::to_string(i) + "]", expected, found);
    }
  }

  static Value identity(const Value& row) {
    Value out = Value::object();
    for (const char* key : {"runner", "backend", "implementation", "parameter_bindings"}) {
      if (const Value* value = row.find(key); value != nullptr && !value->is_null()) out.set(key, *value);
    }
    if (out.find("implementation") == nullptr) out.set("implementation", "default");
    return out;
  }

  std::string text(const Value& additional) const {
    std::string out;
    for (const Value& difference : differences_.items()) {
      const std::string& at = difference.at("at").string();
      out += "different  " + difference.at("operation").string() + (at.empty() ? "" : "  " + at) + "\n";
      out += "           expected " + value_text(difference.at("expected")) + "\n";
      out += "           found    " + value_text(difference.at("found")) + "\n";
    }
    for (const Value& one : stronger_.items()) {
      out += "stronger   " + one.at("operation").string() + "  equivalence " + one.at("here").string() +
             " instead of " + one.at("declared").string() + "\n";
    }
    for (const Value& id : additional.items()) out += "additional " + id.string() + "\n";
    out += std::to_string(seen_.size()) + " operations compared";
    if (rows_.is_object()) {
      out += ", " + rows_.at("compared").integer_text() + " rows (" + rows_.at("implemented").integer_text() +
             " implemented here)";
    }
    const std::size_t count = differences_.size();
    return out + ": " +
           (count == 0 ? "no difference" : std::to_string(count) + (count == 1 ? " difference" : " differences")) +
           "\n";
  }

  const Catalog& catalog_;
  std::vector<std::string> seen_;
  Value differences_ = Value::array();
  Value stronger_ = Value::array();
  Value rows_;
};

}  // namespace

Result<Comparison> compare_operations(const Catalog& catalog, const Value& operations,
                                      const std::optional<Value>& rows) {
  if (!operations.is_array()) return malformed("the operations are a list");
  Comparer comparer(catalog);
  for (const Value& operation : operations.items()) NOEMA_CHECK(comparer.operation(operation));
  if (rows) NOEMA_CHECK(comparer.rows(*rows));
  return comparer.result();
}

Result<Comparison> compare_operation_files(const Catalog& catalog, const std::string& file,
                                           const std::string& rows_file) {
  const JsonLimits limits;
  NOEMA_TRY(const std::string text, read_text_file(file, limits.bytes));
  NOEMA_TRY(const Value operations, parse_json(text, file, limits));
  std::optional<Value> rows;
  if (!rows_file.empty()) {
    NOEMA_TRY(const std::string rows_text, read_text_file(rows_file, limits.bytes));
    NOEMA_TRY(Value parsed, parse_json(rows_text, rows_file, limits));
    rows = std::move(parsed);
  }
  return compare_operations(catalog, operations, rows);
}

}  // namespace noema::contract
