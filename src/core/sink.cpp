// SPDX-License-Identifier: Apache-2.0
#include "core/sink.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/files.h"
#include "core/text.h"

namespace noema {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;

Error write_error(const std::string& path, int number) {
  Error error{code::io_write, {}, "can't write " + shown(path, 300) + ": " + system_message(number), {}, {}};
  if (number == EEXIST) error.hint = "files of a run are written once; nothing is overwritten";
  if (number == ENOSPC || number == EDQUOT) error.hint = "free disk space, or keep fewer artifacts (--retain reports)";
  error.at.file = path;
  return error;
}

}  // namespace

Result<FileSink> FileSink::create(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (file < 0) return write_error(path, errno);
  return FileSink(path, file);
}

FileSink::FileSink(FileSink&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), buffer_(std::move(other.buffer_)) {}

FileSink::~FileSink() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(path_.c_str());
}

Result<void> FileSink::put(std::span<const std::byte> bytes) {
  NOEMA_ASSERT(file_ >= 0, "the file is finished");
  while (!bytes.empty()) {
    const ssize_t done = ::write(file_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return write_error(path_, done < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return {};
}

Result<void> FileSink::flush() {
  NOEMA_CHECK(put(buffer_));
  buffer_.clear();
  return {};
}

Result<void> FileSink::write(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > buffer_size) NOEMA_CHECK(flush());
  if (bytes.size() >= buffer_size) return put(bytes);
  if (buffer_.capacity() == 0) buffer_.reserve(buffer_size);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  return {};
}

Result<void> FileSink::finish(Durable durable) {
  NOEMA_CHECK(flush());
  if (durable == Durable::now && ::fsync(file_) != 0) return write_error(path_, errno);
  if (::close(std::exchange(file_, -1)) != 0) {
    const int number = errno;
    ::unlink(path_.c_str());
    return write_error(path_, number);
  }
  return {};
}

Result<void> HashSink::write(std::span<const std::byte> bytes) {
  hash_.update(bytes);
  size_ += bytes.size();
  return next_ == nullptr ? Result<void>{} : next_->write(bytes);
}

}  // namespace noema
