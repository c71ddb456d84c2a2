// What `noema ops list`, `show` and `check` say, as text and as documents. Nothing is printed here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema::contract {

/// One line an operation (id, status, name), then a line of totals.
std::string operations_text(const Catalog& catalog);
/// {schema_version, kind, sha256, operations: [{id, status, name, description, family, sha256, semantic_sha256}]}
Value operations_value(const Catalog& catalog);

/// A page about one operation, wrapped to `width` columns. Its `--json` form is `contract.hashed`.
std::string operation_text(const Contract& contract, std::size_t width = 100);

/// How the catalog differs from a list of operations in the printed reference's form.
struct Comparison {
  bool same = false;
  Value document;    ///< {status, operations, differences, stronger, additional, rows}
  std::string text;  ///< for people
};

/// `operations` is the list of `operations.json`, `rows` the map of `rows.json`. Wording, names, status and
/// entropy_payload_info are not compared; operations that only the catalog has are listed as additional. Rows are
/// compared by order, identity and bindings; which of them are implemented is counted.
Result<Comparison> compare_operations(const Catalog& catalog, const Value& operations,
                                      const std::optional<Value>& rows);
/// The same from files; `rows_file` may be empty.
Result<Comparison> compare_operation_files(const Catalog& catalog, const std::string& file,
                                           const std::string& rows_file);

}  // namespace noema::contract
