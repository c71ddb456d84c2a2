// Reading NPZ files without trusting a single number in them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "core/npy.h"
#include "noema/error.h"
#include "noema/value.h"

namespace noema {

class NpzSource;

/// What a file may ask of its reader, and how it is read.
struct NpzOptions {
  /// Map the file and hand out stored arrays as views of it. A mapped file must not be cut short by others meanwhile;
  /// without mapping, content is read into memory.
  bool map = true;
  std::size_t members = 65'536;
  std::uint64_t inflated_bytes = std::uint64_t{1} << 33;  ///< most that one deflated member may hold
  JsonLimits metadata{std::size_t{256} << 20, 256, 20'000'000};
};

/// One member: the array's name (without `.npy`) and how it lies in the file.
struct NpzMember {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::uint64_t size = 0;         ///< bytes of the .npy content
  std::uint64_t packed_size = 0;  ///< bytes in the file
  std::uint64_t offset = 0;       ///< of the packed bytes
};

/// An open NPZ file. Opening reads the directory and checks that its members lie apart inside the file; content is
/// checked (CRC-32, header against size) when it is read. Reading may happen from several threads.
class NpzReader {
 public:
  static Result<NpzReader> open(const std::string& path, const NpzOptions& options = {});
  /// An open regular file, which stays the caller's to close; `name` is for messages.
  static Result<NpzReader> from_descriptor(int file, std::string name, const NpzOptions& options = {});
  /// Bytes that `owner` keeps alive; `name` is for messages.
  static Result<NpzReader> from_bytes(std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
                                      std::string name, const NpzOptions& options = {});

  /// In directory order, `metadata_json` among them.
  const std::vector<NpzMember>& members() const { return members_; }
  const NpzMember* find(std::string_view name) const;
  /// The header of a member, checked against the member's size; the content is not looked at.
  Result<NpyHeader> header(std::string_view name) const;
  /// A whole array. Fortran order and big-endian content are converted.
  Result<Array> array(std::string_view name) const;
  /// The object in `metadata_json`, by the strict JSON rules.
  Result<Value> metadata() const;

 private:
  struct Content {
    std::shared_ptr<const void> owner;
    std::span<const std::byte> bytes;
  };
  NpzReader(std::shared_ptr<const NpzSource> source, NpzOptions options);
  Result<void> read_directory();
  Result<void> read_central(std::span<const std::byte> directory, std::uint64_t count, std::uint64_t end);
  Result<void> check_local(NpzMember& member, std::uint64_t local_offset, std::uint16_t method, std::uint16_t flags,
                           std::uint64_t end) const;
  /// The whole .npy content of a member, its CRC-32 checked.
  Result<Content> content(const NpzMember& member) const;
  Result<const NpzMember*> get(std::string_view name) const;
  std::string title(const NpzMember& member) const;
  Result<NpyHeader> checked_header(const NpzMember& member, std::span<const std::byte> start) const;

  std::shared_ptr<const NpzSource> source_;
  NpzOptions options_;
  std::vector<NpzMember> members_;
};

}  // namespace noema
