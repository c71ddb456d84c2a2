// SPDX-License-Identifier: Apache-2.0
#include "core/npz_reader.h"

#include <fcntl.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/crc32.h"
#include "core/files.h"
#include "core/npz_source.h"
#include "core/text.h"
#include "core/zip_format.h"

namespace noema {
namespace {

using Bytes = std::span<const std::byte>;

/// Deflate can't shrink anything by more than this factor.
constexpr std::uint64_t most_inflation = 1032;

std::uint64_t field(Bytes record, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i) value |= std::to_integer<std::uint64_t>(record[at + i]) << (8 * i);
  return value;
}
std::uint16_t u16(Bytes record, std::size_t at) { return static_cast<std::uint16_t>(field(record, at, 2)); }
std::uint32_t u32(Bytes record, std::size_t at) { return static_cast<std::uint32_t>(field(record, at, 4)); }
std::uint64_t u64(Bytes record, std::size_t at) { return field(record, at, 8); }

Error placed(Error error, const std::string& file, const std::string& member) {
  error.at.file = file;
  error.at.path = member;
  return error;
}

}  // namespace

NpzReader::NpzReader(std::shared_ptr<const NpzSource> source, NpzOptions options)
    : source_(std::move(source)), options_(std::move(options)) {}

Result<NpzReader> NpzReader::open(const std::string& path, const NpzOptions& options) {
  NOEMA_TRY(auto source, NpzSource::over(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK), path, options.map));
  NpzReader reader(std::move(source), options);
  NOEMA_CHECK(reader.read_directory());
  return reader;
}

Result<NpzReader> NpzReader::from_descriptor(int file, std::string name, const NpzOptions& options) {
  NOEMA_TRY(auto source, NpzSource::over(::fcntl(file, F_DUPFD_CLOEXEC, 0), std::move(name), options.map));
  NpzReader reader(std::move(source), options);
  NOEMA_CHECK(reader.read_directory());
  return reader;
}

Result<NpzReader> NpzReader::from_bytes(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                                        std::string name, const NpzOptions& options) {
  auto source = std::make_shared<NpzSource>(std::move(name), bytes.size());
  static constexpr std::byte nothing{};
  source->lend(std::move(owner), bytes.empty() ? &nothing : bytes.data());
  NpzReader reader(std::move(source), options);
  NOEMA_CHECK(reader.read_directory());
  return reader;
}

Result<void> NpzReader::read_directory() {
  const std::string& name = source_->name();
  const std::uint64_t size = source_->size();
  std::vector<std::byte> scratch;
  if (size < zip::end_size) return array_error(name, "is no NPZ file: it has " + std::to_string(size) + " bytes");
  NOEMA_TRY(const Bytes end, source_->read(size - zip::end_size, zip::end_size, scratch));
  if (u32(end, 0) != zip::end_signature || u16(end, 20) != 0) {
    return array_error(name, "does not end like an NPZ file",
                       "it may be cut short, carry a comment or trailing bytes, or be something else");
  }
  std::uint64_t count = u16(end, 10);
  std::uint64_t length = u32(end, 12);
  std::uint64_t offset = u32(end, 16);
  const bool split = u16(end, 4) != 0 || u16(end, 6) != 0 || u16(end, 8) != u16(end, 10);
  const bool needs64 = count == zip::in_zip64_16 || length == zip::in_zip64_32 || offset == zip::in_zip64_32;
  std::uint64_t limit = size - zip::end_size;  // where the directory must end
  if (split) return array_error(name, "is a part of a split archive");
  if (limit >= zip::locator64_size + zip::end64_size) {
    const std::uint64_t start = limit - zip::locator64_size - zip::end64_size;
    NOEMA_TRY(const Bytes records, source_->read(start, zip::end64_size + zip::locator64_size, scratch));
    const Bytes locator = records.subspan(zip::end64_size);
    if (u32(locator, 0) == zip::locator64_signature) {
      const auto differs = [](std::uint64_t narrow, std::uint64_t wide, std::uint64_t sentinel) {
        return narrow != sentinel && narrow != wide;
      };
      if (u32(records, 0) != zip::end64_signature || u64(records, 4) != zip::end64_size - 12 ||
          u64(locator, 8) != start || u32(locator, 4) != 0 || u32(locator, 16) > 1 || u32(records, 16) != 0 ||
          u32(records, 20) != 0 || u64(records, 24) != u64(records, 32) ||
          differs(count, u64(records, 32), zip::in_zip64_16) || differs(length, u64(records, 40), zip::in_zip64_32) ||
          differs(offset, u64(records, 48), zip::in_zip64_32)) {
        return array_error(name, "has end records that contradict each other");
      }
      count = u64(records, 32);
      length = u64(records, 40);
      offset = u64(records, 48);
      limit = start;
    } else if (needs64) {
      return array_error(name, "lacks the end record that it refers to");
    }
  } else if (needs64) {
    return array_error(name, "lacks the end record that it refers to");
  }
  if (offset > limit || length != limit - offset)
    return array_error(name, "has a directory that does not end at its end record");
  if (count > options_.members) {
    return array_error(
        name, "lists " + std::to_string(count) + " members; at most " + std::to_string(options_.members) + " are read");
  }
  if (length / zip::central_size < count)
    return array_error(name, "has a directory too small for its number of members");
  NOEMA_TRY(const Bytes directory, source_->read(offset, length, scratch));
  return read_central(directory, count, offset);
}

Result<void> NpzReader::read_central(Bytes directory, std::uint64_t count, std::uint64_t end) {
  const std::string& file = source_->name();
  std::unordered_set<std::string> names;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> extents;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto damaged = [&] {
      return array_error(file, "has a damaged directory at its entry " + std::to_string(i + 1));
    };
    if (directory.size() < zip::central_size || u32(directory, 0) != zip::central_signature) return damaged();
    const std::size_t name_size = u16(directory, 28);
    const std::size_t extra_size = u16(directory, 30);
    const std::size_t comment_size = u16(directory, 32);
    if (directory.size() - zip::central_size < name_size + extra_size + comment_size) return damaged();
    const std::string entry(reinterpret_cast<const char*>(directory.data()) + zip::central_size, name_size);
    const std::string entry_title = file + ":" + entry;

    NpzMember member;
    member.crc = u32(directory, 16);
    member.packed_size = u32(directory, 20);
    member.size = u32(directory, 24);
    std::uint64_t local_offset = u32(directory, 42);
    Bytes extra = directory.subspan(zip::central_size + name_size, extra_size);
    bool wide_seen = false;
    while (extra.size() >= 4) {
      const std::size_t length = u16(extra, 2);
      if (length > extra.size() - 4) return damaged();
      if (u16(extra, 0) == zip::extra_zip64) {
        if (std::exchange(wide_seen, true)) return damaged();
        Bytes values = extra.subspan(4, length);
        // Only what does not fit its narrow field stands here, in this order.
        for (std::uint64_t* const value : {&member.size, &member.packed_size, &local_offset}) {
          if (*value != zip::in_zip64_32) continue;
          if (values.size() < 8) return damaged();
          *value = u64(values, 0);
          values = values.subspan(8);
        }
      }
      extra = extra.subspan(4 + length);
    }

    const std::uint16_t flags = u16(directory, 8);
    const std::uint16_t method = u16(directory, 10);
    if ((flags & (zip::flag_encrypted | zip::flag_strong_encryption | zip::flag_masked)) != 0) {
      return array_error(entry_title, "is encrypted");
    }
    if (method != zip::method_stored && method != zip::method_deflated) {
      return array_error(entry_title,
                         "is packed by method " + std::to_string(method) + "; stored and deflated members are read");
    }
    member.deflated = method == zip::method_deflated;
    if (u16(directory, 34) != 0) return array_error(entry_title, "lies in another part of a split archive");
    if (!entry.ends_with(".npy")) return array_error(entry_title, "is not an array: its name does not end in .npy");
    member.name = entry.substr(0, entry.size() - 4);
    if (!is_safe_relative_path(member.name) || !is_utf8(member.name))
      return array_error(entry_title, "has an unsafe name");
    if (!names.insert(member.name).second) return array_error(entry_title, "occurs twice");
    if (!member.deflated && member.size != member.packed_size)
      return array_error(entry_title, "is stored, yet claims two sizes");
    if (member.deflated && member.packed_size <= source_->size() && member.size / most_inflation > member.packed_size) {
      return array_error(entry_title, "claims " + std::to_string(member.size) + " bytes, which " +
                                          std::to_string(member.packed_size) + " deflated bytes can't hold");
    }
    if (member.deflated && member.size > options_.inflated_bytes) {
      return array_error(entry_title,
                         "inflates to " + std::to_string(member.size) + " bytes; at most " +
                             std::to_string(options_.inflated_bytes) + " are read",
                         "write it without compression: stored members have no such limit");
    }
    NOEMA_CHECK(check_local(member, local_offset, method, flags, end));
    extents.emplace_back(local_offset, member.offset + member.packed_size);
    members_.push_back(std::move(member));
    directory = directory.subspan(zip::central_size + name_size + extra_size + comment_size);
  }
  if (!directory.empty()) return array_error(file, "has bytes in its directory that belong to no member");
  std::ranges::sort(extents);
  for (std::size_t i = 1; i < extents.size(); ++i) {
    if (extents[i].first < extents[i - 1].second) return array_error(file, "has members that overlap");
  }
  return {};
}

Result<void> NpzReader::check_local(NpzMember& member, std::uint64_t local_offset, std::uint16_t method,
                                    std::uint16_t flags, std::uint64_t end) const {
  const std::string name = member.name + ".npy";
  const auto contradicts = [&] {
    return placed(array_error(title(member), "has a local header that contradicts the directory"), source_->name(),
                  member.name);
  };
  const auto outside = [&] {
    return placed(array_error(title(member), "lies outside the file"), source_->name(), member.name);
  };
  if (local_offset > end || end - local_offset < zip::local_size + name.size()) return outside();
  std::vector<std::byte> scratch;
  NOEMA_TRY(const Bytes local, source_->read(local_offset, zip::local_size + name.size(), scratch));
  const auto* const local_name = reinterpret_cast<const char*>(local.data()) + zip::local_size;
  if (u32(local, 0) != zip::local_signature || u16(local, 8) != method || u16(local, 26) != name.size() ||
      std::string_view(local_name, name.size()) != name) {
    return contradicts();
  }
  constexpr std::uint16_t compared =
      zip::flag_encrypted | zip::flag_descriptor | zip::flag_strong_encryption | zip::flag_masked;
  if (((u16(local, 6) ^ flags) & compared) != 0) return contradicts();
  const bool sizes_here = (flags & zip::flag_descriptor) == 0;
  const auto size_differs = [](std::uint32_t narrow, std::uint64_t wide) {
    return narrow != zip::in_zip64_32 && narrow != wide;
  };
  if (sizes_here && (u32(local, 14) != member.crc || size_differs(u32(local, 18), member.packed_size) ||
                     size_differs(u32(local, 22), member.size))) {
    return contradicts();
  }
  member.offset = local_offset + zip::local_size + name.size() + u16(local, 28);
  if (member.offset > end || member.packed_size > end - member.offset) return outside();
  if (sizes_here) return {};
  // Sizes and CRC follow the content: with a signature or without, in 64 bits or in 32.
  const std::uint64_t after = member.offset + member.packed_size;
  NOEMA_TRY(Bytes behind, source_->read(after, std::min<std::uint64_t>(24, end - after), scratch));
  if (behind.size() >= 16 && u32(behind, 0) == zip::descriptor_signature) behind = behind.subspan(4);
  const auto says = [&](std::size_t width) {
    return behind.size() >= 4 + 2 * width && u32(behind, 0) == member.crc &&
           field(behind, 4, width) == member.packed_size && field(behind, 4 + width, width) == member.size;
  };
  return says(8) || says(4) ? Result<void>{} : contradicts();
}

const NpzMember* NpzReader::find(std::string_view name) const {
  const auto found = std::ranges::find(members_, name, &NpzMember::name);
  return found == members_.end() ? nullptr : &*found;
}

Result<const NpzMember*> NpzReader::get(std::string_view name) const {
  if (const NpzMember* found = find(name)) return found;
  std::vector<std::string> known;
  for (const NpzMember& member : members_) known.push_back(member.name);
  return placed(array_error(source_->name(), "has no member " + shown(name) + "; it has " +
                                                 (known.empty() ? "none" : shown(joined(known, ", "), 400))),
                source_->name(), std::string(name));
}

std::string NpzReader::title(const NpzMember& member) const { return source_->name() + ":" + member.name + ".npy"; }

Result<NpyHeader> NpzReader::checked_header(const NpzMember& member, Bytes start) const {
  auto header = parse_npy_header(start, title(member));
  if (!header) return placed(std::move(header).error(), source_->name(), member.name);
  const std::uint64_t held = member.size - header->header_size;
  if (held != header->data_size) {
    return placed(
        array_error(title(member), "holds " + std::to_string(held) + " bytes of data where its shape asks for " +
                                       std::to_string(header->data_size)),
        source_->name(), member.name);
  }
  return header;
}

Result<NpyHeader> NpzReader::header(std::string_view name) const {
  NOEMA_TRY(const NpzMember* const member, get(name));
  const std::uint64_t wanted = std::min<std::uint64_t>(member->size, npy_header_limit);
  std::vector<std::byte> scratch;
  NOEMA_TRY(
      const Bytes packed,
      source_->read(member->offset,
                    member->deflated ? std::min<std::uint64_t>(member->packed_size, 2 * npy_header_limit) : wanted,
                    scratch));
  if (!member->deflated) return checked_header(*member, packed);
  std::vector<std::byte> start(wanted);
  if (!inflate_into(packed, start, Inflate::start)) {
    return placed(array_error(title(*member), "has damaged deflated content"), source_->name(), member->name);
  }
  return checked_header(*member, start);
}

Result<NpzReader::Content> NpzReader::content(const NpzMember& member) const {
  Content content;
  if (!member.deflated && source_->in_memory()) {
    content = {source_, source_->view(member.offset, member.size)};
  } else {
    const auto buffer = aligned_buffer(member.size);
    const std::span<std::byte> out(buffer.get(), member.size);
    if (member.deflated) {
      std::vector<std::byte> scratch;
      NOEMA_TRY(const Bytes packed, source_->read(member.offset, member.packed_size, scratch));
      if (!inflate_into(packed, out, Inflate::whole)) {
        return placed(array_error(title(member), "has damaged deflated content"), source_->name(), member.name);
      }
    } else {
      NOEMA_CHECK(source_->fill(member.offset, out));
    }
    content = {buffer, out};
  }
  if (crc32(0, content.bytes) != member.crc) {
    return placed(array_error(title(member), "does not match its CRC-32", "the file is damaged; make it again"),
                  source_->name(), member.name);
  }
  return content;
}

Result<Array> NpzReader::array(std::string_view name) const {
  NOEMA_TRY(const NpzMember* const member, get(name));
  NOEMA_TRY(const Content held, content(*member));
  NOEMA_TRY(NpyHeader header, checked_header(*member, held.bytes));
  const Bytes data = held.bytes.subspan(header.header_size);
  const bool complex = header.dtype == DType::c64 || header.dtype == DType::c128;
  const std::uint64_t alignment = std::max<std::uint64_t>(complex ? header.item_size / 2 : header.item_size, 1);
  const bool aligned = reinterpret_cast<std::uintptr_t>(data.data()) % alignment == 0;
  if (is_plain(header) && aligned) {
    if (auto checked = check_npy_content(header, data, title(*member)); !checked) {
      return placed(std::move(checked).error(), source_->name(), member->name);
    }
    return Array::view(header.dtype, std::move(header.shape), held.owner, data.data());
  }
  auto array = npy_array(header, data, title(*member));
  if (!array) return placed(std::move(array).error(), source_->name(), member->name);
  return array;
}

Result<Value> NpzReader::metadata() const {
  const std::string member_name = "metadata_json";
  NOEMA_TRY(const NpzMember* const member, get(member_name));
  const auto refused = [&](const std::string& why) {
    return placed(array_error(title(*member), why), source_->name(), member_name);
  };
  if (member->size > 4 * std::uint64_t{options_.metadata.bytes} + npy_header_limit) {
    return refused("has " + std::to_string(member->size) + " bytes; at most " +
                   std::to_string(options_.metadata.bytes) + " characters are read");
  }
  NOEMA_TRY(const Content held, content(*member));
  NOEMA_TRY(const NpyHeader header, checked_header(*member, held.bytes));
  if (header.content == NpyHeader::Content::numbers || element_count(header.shape) != 1)
    return refused("is not one text");
  const Bytes data = held.bytes.subspan(header.header_size);
  std::string text;
  if (header.content == NpyHeader::Content::characters) {
    text.assign(reinterpret_cast<const char*>(data.data()), data.size());
  } else {
    text.reserve(data.size() / 4);
    for (std::size_t at = 0; at < data.size(); at += 4) {
      const std::uint32_t unit = u32(data, at);
      const std::uint32_t point = header.big_endian ? __builtin_bswap32(unit) : unit;
      if (point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return refused("holds no Unicode text");
      append_utf8(text, point);
    }
  }
  text.resize(text.find_last_not_of('\0') + 1);  // the padding of NumPy's fixed-width texts
  auto metadata = parse_json(text, title(*member), options_.metadata);
  if (!metadata) {
    Error error = std::move(metadata).error();
    const std::string where = error.at.path.empty() ? "" : " at " + error.at.path;
    return refused("is not strict JSON" + where + ": " + error.message);
  }
  if (!metadata->is_object()) return refused("is not a JSON object");
  return metadata;
}

}  // namespace noema
