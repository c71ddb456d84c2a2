// A bundle's folder, read without ever leaving it: no symbolic link is followed, no size is believed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema::evidence {

/// Limits of a bundle's documents, which repeat every step of the plan several times.
inline constexpr JsonLimits document_limits{std::size_t{256} << 20, 256, 20'000'000};

/// An open file or folder.
class OpenFile {
 public:
  OpenFile() = default;
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile();
  OpenFile(OpenFile&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }

 private:
  int number_ = -1;
};

struct FileDigest {
  std::string sha256;
  std::uint64_t size = 0;
};

/// How a file inside a bundle was found.
enum class Presence { regular, absent, unsafe };

class Bundle {
 public:
  static Result<Bundle> open(const std::string& folder);
  /// The path as the user gave it.
  const std::string& path() const { return path_; }
  /// The folder's own name.
  const std::string& name() const { return name_; }

  /// Is there a regular file that no symbolic link leads to? `unsafe` for links, folders and devices.
  Presence presence(std::string_view relative) const;
  /// Opens such a file.
  Result<OpenFile> file(std::string_view relative) const;
  Result<std::string> text(std::string_view relative, std::uint64_t limit) const;
  Result<Value> document(std::string_view relative, std::string* text = nullptr) const;
  /// Digest of an open file's content, read in pieces from its start.
  static Result<FileDigest> digest(const OpenFile& file, std::string_view relative);
  /// Relative paths of everything that is not a folder, sorted; at most `limit`.
  std::vector<std::string> files(std::size_t limit) const;

 private:
  Bundle(std::string path, std::string name, OpenFile root);
  std::string path_;
  std::string name_;
  std::shared_ptr<OpenFile> root_;
};

}  // namespace noema::evidence
