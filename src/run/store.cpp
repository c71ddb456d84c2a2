// SPDX-License-Identifier: Apache-2.0
#include "run/store.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/files.h"
#include "core/json.h"
#include "core/npz_writer.h"
#include "core/sink.h"

namespace noema {
namespace fs = std::filesystem;

bool is_document_kind(std::string_view kind) { return !kind.ends_with("numpy"); }

/// One output's file: staged on disk, or only hashed, or only counted.
class ArtifactStore::Sink final : public OutputSink {
 public:
  Sink(std::string path, bool keep, bool digest, Compression compression)
      : path_(std::move(path)), keep_(keep), digest_(digest), compression_(compression) {}

  Result<void> begin(const std::string& member, DType dtype, std::uint64_t length) override {
    NOEMA_CHECK(open());
    npz_.emplace(*top_, compression_);
    return npz_->begin_array(member, dtype, {length});
  }
  Result<void> append(std::span<const std::byte> bytes) override { return npz_->append(bytes); }
  Result<void> finish(const Value& metadata) override {
    NOEMA_CHECK(npz_->end_array());
    NOEMA_CHECK(npz_->finish(metadata));
    return seal();
  }
  Result<void> whole(const Artifact& artifact) override {
    NOEMA_CHECK(open());
    if (artifact.document) {
      NOEMA_CHECK(top_->write(pretty_json(*artifact.document)));
      return seal();
    }
    npz_.emplace(*top_, compression_);
    for (const NamedArray& named : artifact.arrays) NOEMA_CHECK(npz_->add_array(named.name, named.array));
    NOEMA_CHECK(npz_->finish(artifact.metadata));
    return seal();
  }

  StoredArtifact result() const { return {digest_ ? sha256_ : std::string(), size_, keep_, {}}; }

 private:
  Result<void> open() {
    if (keep_) {
      NOEMA_TRY(FileSink file, FileSink::create(path_));
      file_.emplace(std::move(file));
    }
    hash_.emplace(file_ ? &*file_ : nullptr);
    top_ = &*hash_;
    return {};
  }
  Result<void> seal() {
    npz_.reset();
    size_ = hash_->size();
    sha256_ = hash_->hex();
    if (file_) NOEMA_CHECK(file_->finish(Durable::later));
    file_.reset();
    return {};
  }

  std::string path_;
  bool keep_;
  bool digest_;
  Compression compression_;
  std::optional<FileSink> file_;
  std::optional<HashSink> hash_;
  ByteSink* top_ = nullptr;
  std::optional<NpzWriter> npz_;
  std::string sha256_;
  std::uint64_t size_ = 0;
};

ArtifactStore::ArtifactStore(std::string folder, const RunOptions& options)
    : folder_(std::move(folder)), options_(options) {}
ArtifactStore::~ArtifactStore() = default;

OutputSink* ArtifactStore::sink(const std::string& step, const OutputPort& output) {
  const bool document = is_document_kind(output.kind);
  const bool keep = options_.retain == Retain::all || (options_.retain == Retain::reports && document);
  const bool digest = options_.digest == DigestScope::all || document || keep;
  if (!keep && !digest) return nullptr;
  const fs::path folder = fs::path(folder_) / "artifacts" / ".staging" / step;
  if (keep) {
    std::error_code ignored;
    fs::create_directories(folder, ignored);  // the file's creation reports what went wrong
  }
  auto& made = sinks_[{step, output.name}];
  made = std::make_unique<Sink>((folder / (output.name + (document ? ".json" : ".npz"))).string(), keep, digest,
                                options_.compress ? Compression::deflated : Compression::stored);
  return made.get();
}

Result<std::map<std::string, StoredArtifact>> ArtifactStore::commit(const std::string& step,
                                                                    const std::vector<OutputResult>& outputs) {
  const fs::path artifacts = fs::path(folder_) / "artifacts";
  std::map<std::string, StoredArtifact> stored;
  bool any_kept = false;
  for (const OutputResult& output : outputs) {
    const auto found = sinks_.find({step, output.name});
    StoredArtifact one;
    one.retained = false;
    if (found != sinks_.end()) one = found->second->result();
    one.relative_path = "artifacts/" + step + "/" + output.name + (is_document_kind(output.kind) ? ".json" : ".npz");
    any_kept |= one.retained;
    stored.emplace(output.name, std::move(one));
  }
  for (const OutputResult& output : outputs) sinks_.erase({step, output.name});
  if (any_kept) {
    const fs::path from = artifacts / ".staging" / step;
    const fs::path to = artifacts / step;
    std::error_code failure;
    if (fs::exists(to, failure)) {
      return Error{code::io_write, {}, "the bundle already has artifacts of step " + step, {}, {}};
    }
    fs::rename(from, to, failure);
    if (failure)
      return Error{code::io_write, {}, "can't commit the artifacts of step " + step + ": " + failure.message(), {}, {}};
    unflushed_.push_back(to.string());
    for (const auto& [name, file] : stored) {
      if (file.retained) unflushed_.push_back((fs::path(folder_) / file.relative_path).string());
    }
  }
  return stored;
}

void ArtifactStore::discard(const std::string& step) {
  std::erase_if(sinks_, [&](const auto& entry) { return entry.first.first == step; });
  std::error_code ignored;
  fs::remove_all(fs::path(folder_) / "artifacts" / ".staging" / step, ignored);
}

Result<void> ArtifactStore::close() {
  sinks_.clear();
  const fs::path staging = fs::path(folder_) / "artifacts" / ".staging";
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(staging, failure)) {
    std::error_code ignored;
    fs::remove_all(entry.path(), ignored);
  }
  // The manifest is written after this, so a bundle that has one has everything it names.
  unflushed_.push_back((fs::path(folder_) / "artifacts").string());
  return flush_paths(std::exchange(unflushed_, {}));
}

}  // namespace noema
