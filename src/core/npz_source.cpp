// SPDX-License-Identifier: Apache-2.0
#include "core/npz_source.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "core/files.h"
#include "core/npy.h"
#include "core/text.h"

namespace noema {
namespace {

using Bytes = std::span<const std::byte>;

Error open_error(const std::string& path, const std::string& why) {
  Error error{code::io_read, {}, "can't open " + shown(path, 300) + ": " + why, {}, {}};
  error.at.file = path;
  return error;
}

}  // namespace

NpzSource::~NpzSource() {
  if (mapping_ != nullptr) ::munmap(mapping_, size_);
  if (file_ >= 0) ::close(file_);
}

Result<std::shared_ptr<NpzSource>> NpzSource::over(int file, std::string name, bool map) {
  const int failure = errno;
  auto source = std::make_shared<NpzSource>(std::move(name), 0);
  source->file_ = file;
  if (file < 0) return open_error(source->name_, system_message(failure));
  struct stat facts {};
  if (::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return open_error(source->name_, "it is not a regular file");
  }
  source->size_ = static_cast<std::uint64_t>(facts.st_size);
  if (map && source->size_ > 0) {
    void* const memory = ::mmap(nullptr, source->size_, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED) return open_error(source->name_, system_message(errno));
    source->mapping_ = memory;
    source->data_ = static_cast<const std::byte*>(memory);
  }
  return source;
}

void NpzSource::lend(std::shared_ptr<const void> owner, const std::byte* data) {
  owner_ = std::move(owner);
  data_ = data;
}

Result<Bytes> NpzSource::read(std::uint64_t offset, std::uint64_t length, std::vector<std::byte>& scratch) const {
  NOEMA_ASSERT(offset <= size_ && length <= size_ - offset, "the range lies outside the file");
  if (in_memory()) return view(offset, length);
  scratch.resize(length);
  NOEMA_CHECK(fill(offset, scratch));
  return Bytes(scratch);
}

Result<void> NpzSource::fill(std::uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(file_, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      return array_error(name_,
                         got < 0 ? "can't be read: " + system_message(errno) : "was cut short while it was read");
    }
    out = out.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return {};
}

std::shared_ptr<std::byte[]> aligned_buffer(std::uint64_t size) {
  constexpr std::align_val_t alignment{64};
  auto* const memory = static_cast<std::byte*>(::operator new(std::max<std::uint64_t>(size, 1), alignment));
  return {memory, [](std::byte* held) { ::operator delete(held, alignment); }};
}

bool inflate_into(Bytes packed, std::span<std::byte> out, Inflate extent) {
  const bool whole = extent == Inflate::whole;
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  constexpr std::size_t most = std::size_t{1} << 30;
  std::byte spare{};  // one byte beyond the end, to see a stream that goes on
  int state = Z_OK;
  bool overlong = false;
  while (state == Z_OK) {
    if (stream.avail_in == 0) {
      const auto part = packed.first(std::min(most, packed.size()));
      packed = packed.subspan(part.size());
      stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(part.data()));
      stream.avail_in = static_cast<uInt>(part.size());
    }
    const bool full = out.empty();
    if (full && !whole) break;
    const auto room = full ? std::span(&spare, 1) : out.first(std::min(most, out.size()));
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = static_cast<uInt>(room.size());
    state = inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = room.size() - stream.avail_out;
    if (full && made > 0) {
      overlong = true;
      break;
    }
    if (!full) out = out.subspan(made);
    if (state == Z_BUF_ERROR && !packed.empty()) state = Z_OK;
  }
  const bool ended = state == Z_STREAM_END && stream.avail_in == 0 && packed.empty();
  inflateEnd(&stream);
  return !overlong && out.empty() && (ended || !whole);
}

}  // namespace noema
