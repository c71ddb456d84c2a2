// The catalogs behind contract/catalog.h.
// SPDX-License-Identifier: Apache-2.0
#include "contract/catalog.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "contract/authored.h"
#include "contract/lint.h"
#include "contract/packed.h"
#include "core/digest.h"
#include "core/files.h"
#include "core/report.h"

namespace noema::contract {
namespace {

class Embedded final : public Catalog {
 public:
  Embedded(std::span<const EmbeddedContract> contracts, std::span<const EmbeddedSource> sources,
           std::string_view sha256)
      : contracts_(contracts), slots_(contracts.size()), sha256_(sha256) {
    for (const EmbeddedContract& contract : contracts) ids_.emplace_back(contract.id);
    for (const EmbeddedSource& source : sources) {
      sources_[std::string(source.id)].emplace(source.backend,
                                               KernelSource{std::string(source.module), std::string(source.sha256)});
    }
  }

  const std::vector<std::string>& ids() const override { return ids_; }
  const std::string& sha256() const override { return sha256_; }

  const Contract* find(std::string_view id) const override {
    const auto entry = std::ranges::lower_bound(contracts_, id, {}, &EmbeddedContract::id);
    if (entry == contracts_.end() || entry->id != id) return nullptr;
    Slot& slot = slots_[static_cast<std::size_t>(entry - contracts_.begin())];
    std::call_once(slot.once, [&] {
      slot.contract = build_contract(unpacked(entry->authored), std::string(entry->family), std::string(entry->sha256),
                                     std::string(entry->semantic_sha256));
    });
    return &*slot.contract;
  }

  const KernelSource* source(std::string_view id, std::string_view backend) const override {
    const auto operation = sources_.find(id);
    if (operation == sources_.end()) return nullptr;
    const auto found = operation->second.find(backend);
    return found == operation->second.end() ? nullptr : &found->second;
  }

 private:
  struct Slot {
    std::once_flag once;
    std::optional<Contract> contract;
  };
  std::span<const EmbeddedContract> contracts_;
  mutable std::deque<Slot> slots_;
  std::vector<std::string> ids_;
  std::map<std::string, std::map<std::string, KernelSource, std::less<>>, std::less<>> sources_;
  std::string sha256_;
};

class Loaded final : public Catalog {
 public:
  void add(Contract contract, std::vector<SourceFile> sources) {
    ids_.push_back(contract.id);
    sources_.emplace(contract.id, std::move(sources));
    contracts_.emplace(contract.id, std::move(contract));
  }
  void finish() {
    std::ranges::sort(ids_);
    std::vector<std::pair<std::string, std::string>> digests;
    for (const auto& [id, contract] : contracts_) digests.emplace_back(id, contract.sha256);
    sha256_ = registry_sha256(digests);
  }
  const std::vector<std::string>& ids() const override { return ids_; }
  const std::string& sha256() const override { return sha256_; }
  const Contract* find(std::string_view id) const override {
    const auto found = contracts_.find(id);
    return found == contracts_.end() ? nullptr : &found->second;
  }
  const KernelSource* source(std::string_view id, std::string_view backend) const override {
    const auto found = sources_.find(id);
    if (found == sources_.end()) return nullptr;
    const auto file = std::ranges::find(found->second, backend, &SourceFile::backend);
    return file == found->second.end() ? nullptr : &file->source;
  }

 private:
  std::vector<std::string> ids_;
  std::map<std::string, Contract, std::less<>> contracts_;
  std::map<std::string, std::vector<SourceFile>, std::less<>> sources_;
  std::string sha256_;
};

std::string with_lf(std::string text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    out += text[i];
  }
  return out;
}

}  // namespace

std::unique_ptr<Catalog> embedded_catalog(std::span<const EmbeddedContract> contracts,
                                          std::span<const EmbeddedSource> sources, std::string_view sha256) {
  return std::make_unique<Embedded>(contracts, sources, sha256);
}

std::string registry_sha256(const std::vector<std::pair<std::string, std::string>>& digests) {
  Value registry = Value::object();
  for (const auto& [id, digest] : digests) registry.set(id, digest);
  return sha256_of(registry);
}

Result<std::vector<SourceFile>> kernel_sources(const std::string& root, const Contract& contract) {
  std::vector<SourceFile> sources;
  for (const Row& row : contract.rows) {
    const bool listed = std::ranges::find(sources, row.backend, &SourceFile::backend) != sources.end();
    if (row.status != "implemented" || listed) continue;
    const std::string suffix = row.backend == "cpp" ? ".cpp" : "." + row.backend + ".cpp";
    const std::string module = "ops/" + contract.family + "/" + contract.stem + suffix;
    if (!std::filesystem::exists(root + "/" + module)) {
      return Error{code::contract_invalid,
                   {"materializations", "ops/" + contract.family + "/" + contract.stem + ".op.json", 0, 0, {}},
                   "a " + row.backend + " row is implemented but its kernel " + module + " is not in the tree",
                   "add the kernel, or keep the row planned",
                   {}};
    }
    NOEMA_TRY(std::string text, read_text_file(root + "/" + module, std::uint64_t{16} << 20));
    sources.push_back({row.backend, {module, sha256_hex(with_lf(std::move(text)))}});
  }
  return sources;
}

Result<std::unique_ptr<Catalog>> source_tree_catalog(const std::string& root) {
  NOEMA_TRY(const Vocabulary vocabulary, vocabulary_of(root));
  NOEMA_TRY(const std::vector<ContractFile> files, contract_files(root));
  std::vector<Error> errors;
  std::vector<Contract> contracts;
  std::vector<ContractFile> read;
  auto catalog = std::make_unique<Loaded>();
  for (const ContractFile& file : files) {
    Result<Contract> contract = read_contract(file, vocabulary);
    if (!contract) {
      for (Error& error : flattened(std::move(contract).error())) errors.push_back(std::move(error));
      continue;
    }
    Result<std::vector<SourceFile>> sources = kernel_sources(root, *contract);
    if (!sources) {
      errors.push_back(std::move(sources).error());
      continue;
    }
    contracts.push_back(*contract);
    read.push_back(file);
    catalog->add(*std::move(contract), *std::move(sources));
  }
  if (errors.empty()) errors = lint_collection(read, contracts, vocabulary);
  if (!errors.empty()) return combined(std::move(errors));
  catalog->finish();
  return std::unique_ptr<Catalog>(std::move(catalog));
}

}  // namespace noema::contract
