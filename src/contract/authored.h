// Reading authored contracts (`ops/**/<stem>.op.json`) and the data that they share: kinds and parameter fragments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "noema/contract.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema::contract {

/// What all contracts share.
struct Vocabulary {
  std::map<std::string, std::string, std::less<>> kinds;  ///< artifact kind -> what it is
  Value fragments = Value::object();                      ///< fragment -> parameter schema
};
/// Reads kinds.json and fragments.json; the names are for error messages.
Result<Vocabulary> read_vocabulary(std::string_view kinds_text, std::string_view kinds_name,
                                   std::string_view fragments_text, std::string_view fragments_name);

/// A contract's file.
struct ContractFile {
  std::string name;    ///< as shown in errors, such as `ops/model/jpeg/jpeg_encode.op.json`
  std::string family;  ///< folder below ops/, such as `model/jpeg`
  std::string stem;    ///< such as `jpeg_encode`
  std::string text;
};
/// Names a file from its path below the repository: `ops/<family>/<stem>.op.json`.
Result<ContractFile> contract_file(std::string path, std::string text);

/// Reads, expands, lints and builds one contract. Every flaw is reported.
Result<Contract> read_contract(const ContractFile& file, const Vocabulary& vocabulary);

/// `{ "use": "device", "default": "cuda" }` -> the fragment with the other members laid over it. Uses of unknown
/// fragments stay as they are (lint reports them).
Value expanded(const Value& authored, const Vocabulary& vocabulary);

/// Builds a contract from an authored form that has been expanded and linted. Digests are computed unless given.
Contract build_contract(const Value& authored, std::string family);
Contract build_contract(const Value& authored, std::string family, std::string sha256, std::string semantic_sha256);

/// The contracts of a source tree: every `*.op.json` below `<root>/ops`, in path order.
Result<std::vector<ContractFile>> contract_files(const std::string& root);
/// The vocabulary of a source tree.
Result<Vocabulary> vocabulary_of(const std::string& root);

}  // namespace noema::contract
