// SPDX-License-Identifier: Apache-2.0
#include "core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <thread>
#include <vector>

#include "core/digest.h"
#include "core/text.h"

namespace noema {
namespace {

namespace fs = std::filesystem;

Error file_error(Code code, const std::string& path, std::string message, std::string hint = {}) {
  Error error{code, {}, std::move(message), std::move(hint), {}};
  error.at.file = path;
  return error;
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  int close() {
    const int result = number_ >= 0 ? ::close(number_) : 0;
    number_ = -1;
    return result;
  }

 private:
  int number_;
};

/// Opens a regular file for reading; `size` is what it holds now.
Result<int> open_regular(const std::string& path, std::uint64_t& size) {
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0)
    return file_error(code::io_read, path, "can't open " + shown(path, 300) + ": " + system_message(errno));
  struct stat facts {};
  if (::fstat(number, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    ::close(number);
    return file_error(code::io_read, path, shown(path, 300) + " is not a regular file");
  }
  size = static_cast<std::uint64_t>(facts.st_size);
  return number;
}

}  // namespace

std::string system_message(int number) { return std::generic_category().message(number); }

Result<std::string> read_text_file(const std::string& path, std::uint64_t limit) {
  std::uint64_t size = 0;
  NOEMA_TRY(const int number, open_regular(path, size));
  const Descriptor file(number);
  if (size > limit) {
    return file_error(
        code::document_limit, path,
        shown(path, 300) + " has " + std::to_string(size) + " bytes; at most " + std::to_string(limit) + " are read");
  }
  std::string text(size, '\0');
  std::size_t filled = 0;
  while (true) {
    if (filled == text.size()) {
      if (text.size() >= limit) break;
      text.resize(std::min<std::uint64_t>(limit, text.size() + 4096));
    }
    const ssize_t got = ::read(file.number(), text.data() + filled, text.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return file_error(code::io_read, path, "can't read " + shown(path, 300) + ": " + system_message(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  text.resize(filled);
  return text;
}

Result<std::string> sha256_file(const std::string& path) {
  std::uint64_t size = 0;
  NOEMA_TRY(const int number, open_regular(path, size));
  const Descriptor file(number);
  Sha256 hash;
  std::vector<std::byte> buffer(std::size_t{1} << 20);
  while (true) {
    const ssize_t got = ::read(file.number(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return file_error(code::io_read, path, "can't read " + shown(path, 300) + ": " + system_message(errno));
    if (got == 0) return hash.hex();
    hash.update(std::span(buffer).first(static_cast<std::size_t>(got)));
  }
}

Result<void> write_file_atomic(const std::string& path, std::string_view bytes, Durable durable) {
  const fs::path target(path);
  std::string temporary = (target.parent_path() / ("." + target.filename().string() + ".XXXXXX.tmp")).string();
  Descriptor file(::mkostemps(temporary.data(), 4, O_CLOEXEC));
  const auto fail = [&](int number) {
    if (file.number() >= 0) ::unlink(temporary.c_str());
    file.close();
    return file_error(code::io_write, path, "can't write " + shown(path, 300) + ": " + system_message(number));
  };
  if (file.number() < 0) return fail(errno);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t put = ::write(file.number(), bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return fail(put < 0 ? errno : ENOSPC);
    done += static_cast<std::size_t>(put);
  }
  if (::fchmod(file.number(), 0644) != 0) return fail(errno);
  if (durable == Durable::now && ::fsync(file.number()) != 0) return fail(errno);
  if (::rename(temporary.c_str(), path.c_str()) != 0) return fail(errno);
  file.close();
  if (durable == Durable::later) return {};
  return sync_folder(target.parent_path().empty() ? "." : target.parent_path().string());
}

Result<void> make_folders(const std::string& path) {
  std::error_code failure;
  fs::create_directories(path, failure);
  if (failure)
    return file_error(code::io_write, path, "can't make folder " + shown(path, 300) + ": " + failure.message());
  return {};
}

Result<void> flush_paths(const std::vector<std::string>& paths) {
  constexpr std::size_t most_at_once = 8;
  std::atomic<std::size_t> next{0};
  std::vector<int> failures(paths.size(), 0);
  const auto work = [&] {
    for (std::size_t i = next++; i < paths.size(); i = next++) {
      const Descriptor file(::open(paths[i].c_str(), O_RDONLY | O_CLOEXEC));
      if (file.number() < 0 || (::fsync(file.number()) != 0 && errno != EINVAL)) failures[i] = errno;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < std::min(most_at_once, paths.size()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (failures[i] != 0) {
      return file_error(code::io_write, paths[i],
                        "can't flush " + shown(paths[i], 300) + ": " + system_message(failures[i]));
    }
  }
  return {};
}

Result<void> sync_folder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() < 0 || (::fsync(folder.number()) != 0 && errno != EINVAL)) {
    return file_error(code::io_write, path, "can't flush folder " + shown(path, 300) + ": " + system_message(errno));
  }
  return {};
}

bool is_safe_component(std::string_view name) {
  if (name.empty() || name == "." || name == "..") return false;
  return std::ranges::none_of(
      name, [](char c) { return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

bool is_safe_relative_path(std::string_view path) {
  if (path.empty() || path.front() == '/') return false;
  const auto parts = split(path, '/');
  return std::ranges::all_of(parts, [](const std::string& part) { return is_safe_component(part); });
}

}  // namespace noema
