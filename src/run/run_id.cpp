// SPDX-License-Identifier: Apache-2.0
#include "run/run_id.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "core/files.h"

namespace noema {

namespace {
namespace fs = std::filesystem;

Error storage_error(const std::string& path, std::string message) {
  Error error{code::io_write, {}, std::move(message), {}, {}};
  error.at.file = path;
  return error;
}
}  // namespace

std::string utc_text(std::chrono::system_clock::time_point when) {
  const auto whole = std::chrono::floor<std::chrono::milliseconds>(when);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(whole);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03d}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)),
                     (whole - seconds).count());
}

std::string safe_name(std::string_view name) {
  std::string safe;
  for (const char c : name) {
    const bool kept =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-';
    // One mark for each character, not for each byte of it.
    if (kept) {
      safe += c;
    } else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      safe += '_';
    }
    if (safe.size() == 100) break;
  }
  return safe.empty() ? "run" : safe;
}

Result<RunReservation> RunReservation::take(const std::string& workspace, std::string_view recipe_name,
                                            std::chrono::system_clock::time_point when) {
  const fs::path folder = fs::path(workspace) / ".run-id-reservations";
  if (fs::is_symlink(folder))
    return storage_error(folder.string(), "the folder of reserved run ids is a symbolic link");
  NOEMA_CHECK(make_folders(folder.string()));
  const std::string base = fmt::format("{:%Y%m%dT%H%M%SZ}_{}", fmt::gmtime(std::chrono::system_clock::to_time_t(when)),
                                       safe_name(recipe_name));
  for (int n = 1; n < 1'000'000; ++n) {
    const std::string id = n == 1 ? base : base + "_" + std::to_string(n);
    const std::string path = (folder / id).string();
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return storage_error(path, "can't reserve the run id " + id + ": " + system_message(errno));
    RunReservation reservation(id, file);
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
      return storage_error(path, "can't lock the run id " + id + ": " + system_message(errno));
    }
    if (::fsync(file) != 0) return storage_error(path, "can't flush the run id " + id + ": " + system_message(errno));
    NOEMA_CHECK(sync_folder(folder.string()));
    return reservation;
  }
  return storage_error(folder.string(), "too many runs of one name in one second");
}

RunReservation::RunReservation(RunReservation&& other) noexcept : id_(std::move(other.id_)), file_(other.file_) {
  other.file_ = -1;
}

RunReservation::~RunReservation() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace noema
