// SPDX-License-Identifier: Apache-2.0
#include "core/npz_writer.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <optional>
#include <vector>

#include "core/crc32.h"
#include "core/files.h"
#include "core/json.h"
#include "core/npy.h"
#include "core/text.h"
#include "core/zip_format.h"

namespace noema {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::uint16_t date_1980 = 0x0021;  // 1980-01-01, the first that the format can say
constexpr std::uint16_t made_on_unix = 3U << 8 | zip::version_zip64;
constexpr std::uint32_t regular_file_0644 = 0100644U << 16;

/// Little-endian fields of a record.
class Record {
 public:
  Record& u16(std::uint16_t value) { return put(value); }
  Record& u32(std::uint32_t value) { return put(value); }
  Record& u64(std::uint64_t value) { return put(value); }
  Record& text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <std::unsigned_integral T>
  Record& put(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xFF);
    return *this;
  }
  std::string bytes_;
};

/// A raw deflate stream. Level 1: on bits it is eight times as fast as the default level and leaves 0.22 of the size
/// instead of 0.16. zlib sees pieces of one size, whatever the caller's pieces were: its
/// output does not promise to be the same otherwise.
class Deflater {
 public:
  Deflater() {
    NOEMA_ASSERT(deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK,
                 "zlib can't start");
    in_.reserve(piece);
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  /// Takes bytes; what comes out goes to `put`.
  template <class Put>
  Result<void> add(std::span<const std::byte> bytes, const Put& put) {
    while (!bytes.empty()) {
      const auto part = bytes.first(std::min(piece - in_.size(), bytes.size()));
      in_.insert(in_.end(), part.begin(), part.end());
      bytes = bytes.subspan(part.size());
      if (in_.size() == piece) NOEMA_CHECK(run(Z_NO_FLUSH, put));
    }
    return {};
  }
  template <class Put>
  Result<void> finish(const Put& put) {
    return run(Z_FINISH, put);
  }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 16;

  template <class Put>
  Result<void> run(int flush, const Put& put) {
    stream_.next_in = reinterpret_cast<Bytef*>(in_.data());
    stream_.avail_in = static_cast<uInt>(in_.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      NOEMA_ASSERT(deflate(&stream_, flush) != Z_STREAM_ERROR, "zlib lost its state");
      NOEMA_CHECK(put(std::span(out_).first(out_.size() - stream_.avail_out)));
    } while (stream_.avail_out == 0);
    in_.clear();
    return {};
  }

  z_stream stream_{};
  std::vector<std::byte> in_;
  std::vector<std::byte> out_ = std::vector<std::byte>(piece);
};

struct Member {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t packed_size = 0;
  std::uint32_t crc = 0;
  std::uint16_t flags = 0;
};

}  // namespace

struct NpzWriter::State {
  ByteSink& sink;
  Compression compression;
  std::uint64_t offset = 0;
  std::vector<Member> members;
  std::optional<Deflater> deflater;
  bool open = false;
  bool finished = false;
  std::uint64_t content_left = 0;  ///< bytes that the open array's shape still asks for

  std::uint16_t method() const {
    return compression == Compression::deflated ? zip::method_deflated : zip::method_stored;
  }

  Result<void> put(std::span<const std::byte> bytes) {
    offset += bytes.size();
    return sink.write(bytes);
  }
  Result<void> put(const std::string& bytes) { return put(std::as_bytes(std::span(bytes))); }

  Result<void> begin(const std::string& name) {
    Member member{name, offset, 0, 0, 0, zip::flag_descriptor};
    if (!std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
      member.flags |= zip::flag_utf8;
    Record extra;
    // Sizes of 64 bits here announce that those behind the content have 64 bits too.
    extra.u16(zip::extra_zip64).u16(16).u64(0).u64(0);
    const std::uint64_t content = offset + zip::local_size + name.size() + extra.bytes().size();
    if (compression == Compression::stored && content % alignment != 0) {
      const std::size_t padding = (alignment - (content + 6) % alignment) % alignment;
      extra.u16(zip::extra_alignment)
          .u16(static_cast<std::uint16_t>(2 + padding))
          .u16(alignment)
          .text(std::string(padding, '\0'));
    }
    Record local;
    local.u32(zip::local_signature).u16(zip::version_zip64).u16(member.flags).u16(method()).u16(0).u16(date_1980);
    local.u32(0).u32(zip::in_zip64_32).u32(zip::in_zip64_32);
    local.u16(static_cast<std::uint16_t>(name.size())).u16(static_cast<std::uint16_t>(extra.bytes().size()));
    local.text(name).text(extra.bytes());
    members.push_back(std::move(member));
    open = true;
    if (compression == Compression::deflated) deflater.emplace();
    return put(local.bytes());
  }

  Result<void> add(std::span<const std::byte> bytes) {
    Member& member = members.back();
    member.crc = crc32(member.crc, bytes);
    member.size += bytes.size();
    if (deflater) return deflater->add(bytes, [&](std::span<const std::byte> packed) { return put_packed(packed); });
    return put_packed(bytes);
  }
  Result<void> add(const std::string& bytes) { return add(std::as_bytes(std::span(bytes))); }

  Result<void> put_packed(std::span<const std::byte> bytes) {
    members.back().packed_size += bytes.size();
    return put(bytes);
  }

  Result<void> end() {
    if (deflater) {
      NOEMA_CHECK(deflater->finish([&](std::span<const std::byte> packed) { return put_packed(packed); }));
      deflater.reset();
    }
    open = false;
    const Member& member = members.back();
    Record descriptor;
    descriptor.u32(zip::descriptor_signature).u32(member.crc).u64(member.packed_size).u64(member.size);
    return put(descriptor.bytes());
  }

  Result<void> directory() {
    const std::uint64_t start = offset;
    for (const Member& member : members) {
      Record central;
      central.u32(zip::central_signature).u16(made_on_unix).u16(zip::version_zip64).u16(member.flags).u16(method());
      central.u16(0).u16(date_1980).u32(member.crc).u32(zip::in_zip64_32).u32(zip::in_zip64_32);
      central.u16(static_cast<std::uint16_t>(member.name.size())).u16(28).u16(0).u16(0).u16(0).u32(regular_file_0644);
      central.u32(zip::in_zip64_32).text(member.name);
      central.u16(zip::extra_zip64).u16(24).u64(member.size).u64(member.packed_size).u64(member.offset);
      NOEMA_CHECK(put(central.bytes()));
    }
    const std::uint64_t end = offset;
    Record last;
    last.u32(zip::end64_signature).u64(zip::end64_size - 12).u16(made_on_unix).u16(zip::version_zip64).u32(0).u32(0);
    last.u64(members.size()).u64(members.size()).u64(end - start).u64(start);
    last.u32(zip::locator64_signature).u32(0).u64(end).u32(1);
    last.u32(zip::end_signature).u16(0).u16(0).u16(zip::in_zip64_16).u16(zip::in_zip64_16);
    last.u32(zip::in_zip64_32).u32(zip::in_zip64_32).u16(0);
    return put(last.bytes());
  }
};

NpzWriter::NpzWriter(ByteSink& sink, Compression compression)
    : state_(new State{sink, compression, 0, {}, std::nullopt, false, false, 0}) {}
NpzWriter::~NpzWriter() = default;
NpzWriter::NpzWriter(NpzWriter&&) noexcept = default;
NpzWriter& NpzWriter::operator=(NpzWriter&&) noexcept = default;

Result<void> NpzWriter::begin_array(std::string_view name, DType dtype, const Shape& shape) {
  NOEMA_ASSERT(!state_->open && !state_->finished, "an array is open, or the file is finished");
  const std::string member = std::string(name) + ".npy";
  if (!is_safe_component(name) || !is_utf8(name) || name.size() > 200 || name == "metadata_json") {
    return array_error(name, "is no name for an array: at most 200 bytes, no separators, not metadata_json");
  }
  if (std::ranges::find(state_->members, member, &Member::name) != state_->members.end()) {
    return array_error(name, "is written twice");
  }
  const auto count = element_count(shape);
  if (!count || __builtin_mul_overflow(*count, item_size(dtype), &state_->content_left)) {
    return array_error(name, "has a shape whose size overflows");
  }
  NOEMA_CHECK(state_->begin(member));
  return state_->add(npy_header(dtype, shape));
}

Result<void> NpzWriter::append(std::span<const std::byte> bytes) {
  NOEMA_ASSERT(state_->open, "no array is open");
  if (bytes.size() > state_->content_left) {
    return array_error(state_->members.back().name, "gets more bytes than its shape asks for");
  }
  state_->content_left -= bytes.size();
  return state_->add(bytes);
}

Result<void> NpzWriter::end_array() {
  NOEMA_ASSERT(state_->open, "no array is open");
  if (state_->content_left != 0) {
    return array_error(state_->members.back().name,
                       "lacks " + std::to_string(state_->content_left) + " of the bytes that its shape asks for");
  }
  return state_->end();
}

Result<void> NpzWriter::add_array(std::string_view name, const Array& array) {
  NOEMA_CHECK(begin_array(name, array.dtype(), array.shape()));
  NOEMA_CHECK(append(array.bytes()));
  return end_array();
}

Result<void> NpzWriter::finish(const Value& metadata) {
  NOEMA_ASSERT(!state_->open && !state_->finished, "an array is open, or the file is finished");
  NOEMA_ASSERT(metadata.is_object(), "metadata is an object");
  NOEMA_CHECK(check_json(metadata));
  const std::string text = spaced_json(metadata);  // ASCII: one code point a byte
  NOEMA_CHECK(state_->begin("metadata_json.npy"));
  NOEMA_CHECK(state_->add(npy_text_header(text.size())));
  std::array<std::byte, 1 << 14> wide{};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t count = std::min(text.size() - at, wide.size() / 4);
    for (std::size_t i = 0; i < count; ++i) wide[4 * i] = static_cast<std::byte>(text[at + i]);
    NOEMA_CHECK(state_->add(std::span(wide).first(4 * count)));
    at += count;
  }
  NOEMA_CHECK(state_->end());
  state_->finished = true;
  return state_->directory();
}

}  // namespace noema
