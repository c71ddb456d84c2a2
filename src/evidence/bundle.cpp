// SPDX-License-Identifier: Apache-2.0
#include "evidence/bundle.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "core/digest.h"
#include "core/files.h"
#include "core/text.h"

namespace noema::evidence {
namespace {

constexpr std::size_t most_levels = 16;

Error read_error(std::string_view relative, const std::string& why) {
  Error error{code::io_read, {}, shown(relative, 300) + " " + why, {}, {}};
  error.at.file = std::string(relative);
  return error;
}

/// Opens the last part of a path, walking from folder to folder; errno says why it failed.
int open_inside(int root, std::string_view relative) {
  const auto parts = split(relative, '/');
  OpenFile folder;
  int at = root;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    folder = OpenFile(::openat(at, parts[i].c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder.number() < 0) return -1;
    at = folder.number();
  }
  return ::openat(at, parts.back().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

void list_folder(int folder, const std::string& before, std::size_t level, std::size_t limit,
                 std::vector<std::string>& found) {
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const stream = copy < 0 ? nullptr : ::fdopendir(copy);
  if (stream == nullptr) {
    if (copy >= 0) ::close(copy);
    return;
  }
  std::vector<std::string> folders;
  while (const dirent* const entry = ::readdir(stream)) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat facts {};
    if (::fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISDIR(facts.st_mode)) {
      folders.push_back(name);
    } else if (found.size() < limit) {
      found.push_back(before + name);
    }
  }
  ::closedir(stream);
  for (const std::string& name : folders) {
    const OpenFile inner(::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (inner.number() >= 0 && level < most_levels)
      list_folder(inner.number(), before + name + "/", level + 1, limit, found);
  }
}

}  // namespace

OpenFile::~OpenFile() {
  if (number_ >= 0) ::close(number_);
}

Bundle::Bundle(std::string path, std::string name, OpenFile root)
    : path_(std::move(path)), name_(std::move(name)), root_(std::make_shared<OpenFile>(std::move(root))) {}

Result<Bundle> Bundle::open(const std::string& folder) {
  OpenFile root(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (root.number() < 0) {
    Error error{
        code::io_read, {}, "can't open the folder " + shown(folder, 300) + ": " + system_message(errno), {}, {}};
    error.at.file = folder;
    return error;
  }
  std::error_code failure;
  const auto resolved = std::filesystem::canonical(folder, failure);
  return Bundle(folder, failure ? std::string() : resolved.filename().string(), std::move(root));
}

Presence Bundle::presence(std::string_view relative) const {
  if (!is_safe_relative_path(relative)) return Presence::unsafe;
  const OpenFile file(open_inside(root_->number(), relative));
  if (file.number() < 0) return errno == ENOENT ? Presence::absent : Presence::unsafe;
  struct stat facts {};
  return ::fstat(file.number(), &facts) == 0 && S_ISREG(facts.st_mode) ? Presence::regular : Presence::unsafe;
}

Result<OpenFile> Bundle::file(std::string_view relative) const {
  if (!is_safe_relative_path(relative)) return read_error(relative, "is not a safe path inside the bundle");
  OpenFile file(open_inside(root_->number(), relative));
  if (file.number() < 0) {
    return read_error(relative, errno == ENOENT ? "does not exist"
                                : errno == ELOOP || errno == ENOTDIR
                                    ? "is reached through a symbolic link or something that is no folder"
                                    : "can't be opened: " + system_message(errno));
  }
  struct stat facts {};
  if (::fstat(file.number(), &facts) != 0 || !S_ISREG(facts.st_mode))
    return read_error(relative, "is not a regular file");
  return file;
}

Result<FileDigest> Bundle::digest(const OpenFile& file, std::string_view relative) {
  Sha256 hash;
  FileDigest result;
  std::vector<std::byte> buffer(std::size_t{1} << 20);
  while (true) {
    const ssize_t got = ::pread(file.number(), buffer.data(), buffer.size(), static_cast<off_t>(result.size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return read_error(relative, "can't be read: " + system_message(errno));
    if (got == 0) break;
    hash.update(std::span(buffer).first(static_cast<std::size_t>(got)));
    result.size += static_cast<std::uint64_t>(got);
  }
  result.sha256 = hash.hex();
  return result;
}

Result<std::string> Bundle::text(std::string_view relative, std::uint64_t limit) const {
  NOEMA_TRY(const OpenFile opened, file(relative));
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  while (true) {
    const ssize_t got = ::read(opened.number(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return read_error(relative, "can't be read: " + system_message(errno));
    if (got == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
    if (text.size() > limit)
      return read_error(relative, "is larger than the " + std::to_string(limit) + " bytes that are read");
  }
}

Result<Value> Bundle::document(std::string_view relative, std::string* text_out) const {
  NOEMA_TRY(std::string bytes, text(relative, document_limits.bytes));
  NOEMA_TRY(Value value, parse_json(bytes, relative, document_limits));
  if (text_out != nullptr) *text_out = std::move(bytes);
  return value;
}

std::vector<std::string> Bundle::files(std::size_t limit) const {
  std::vector<std::string> found;
  list_folder(root_->number(), "", 0, limit, found);
  std::ranges::sort(found);
  return found;
}

}  // namespace noema::evidence
