// Catalogs: the one that the build embeds, and one read from a source tree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "noema/contract.h"
#include "noema/error.h"

namespace noema::contract {

/// One contract as the build writes it: its authored form, linted, with fragments expanded, packed; and its digests.
struct EmbeddedContract {
  std::string_view id;
  std::string_view family;
  std::string_view authored;  ///< contract/packed.h
  std::string_view sha256;
  std::string_view semantic_sha256;
};

/// The source of an operation's kernel on one backend.
struct EmbeddedSource {
  std::string_view id;
  std::string_view backend;
  std::string_view module;
  std::string_view sha256;
};

/// A catalog over tables that outlive it; contracts sorted by id, sources by id and backend. Contracts are built on
/// first use, each once, from any number of threads.
std::unique_ptr<Catalog> embedded_catalog(std::span<const EmbeddedContract> contracts,
                                          std::span<const EmbeddedSource> sources, std::string_view sha256);

/// A catalog of the contracts in a source tree, linted: for the build and for tests. A missing kernel file of an
/// implemented `cpp` row is an error.
Result<std::unique_ptr<Catalog>> source_tree_catalog(const std::string& root);

/// Digest of {id: sha256} over all operations.
std::string registry_sha256(const std::vector<std::pair<std::string, std::string>>& digests);

/// An operation's kernel sources in a source tree: its rows' backends in order of first occurrence, implemented ones
/// only. `cpp` is <stem>.cpp, others <stem>.<backend>.cpp where that file exists.
struct SourceFile {
  std::string backend;
  KernelSource source;
};
Result<std::vector<SourceFile>> kernel_sources(const std::string& root, const Contract& contract);

}  // namespace noema::contract
