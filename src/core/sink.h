// Where bytes go while they are written: a file, a digest of it, or both in one pass.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/digest.h"
#include "core/files.h"
#include "noema/error.h"

namespace noema {

/// Takes bytes in order. After an error nothing more may be written.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Result<void> write(std::span<const std::byte> bytes) = 0;
  Result<void> write(std::string_view text) { return write(std::as_bytes(std::span(text))); }
};

/// Forgets everything.
class NullSink final : public ByteSink {
 public:
  using ByteSink::write;
  Result<void> write(std::span<const std::byte>) override { return {}; }
};

/// A new file. It must not exist yet, and it disappears again unless `finish` was called.
class FileSink final : public ByteSink {
 public:
  static Result<FileSink> create(const std::string& path);
  ~FileSink() override;
  FileSink(FileSink&& other) noexcept;
  FileSink& operator=(FileSink&&) = delete;
  using ByteSink::write;
  Result<void> write(std::span<const std::byte> bytes) override;
  /// Closes the file, its content flushed to the disk if it must be durable now. The folder's entry is the caller's to
  /// flush.
  Result<void> finish(Durable durable = Durable::now);

 private:
  FileSink(std::string path, int file) : path_(std::move(path)), file_(file) {}
  Result<void> put(std::span<const std::byte> bytes);
  Result<void> flush();
  std::string path_;
  int file_ = -1;
  std::vector<std::byte> buffer_;
};

/// SHA-256 and size of what passes through on its way to `next`; without one the bytes end here, so that an artifact
/// that is not kept has the digest of the file that would have been written.
class HashSink final : public ByteSink {
 public:
  explicit HashSink(ByteSink* next = nullptr) : next_(next) {}
  using ByteSink::write;
  Result<void> write(std::span<const std::byte> bytes) override;
  std::uint64_t size() const { return size_; }
  std::string hex() { return hash_.hex(); }  ///< once, at the end

 private:
  ByteSink* next_;
  Sha256 hash_;
  std::uint64_t size_ = 0;
};

}  // namespace noema
