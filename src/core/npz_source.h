// The bytes behind an NPZ reader: a mapped file, a file read piece by piece, or memory; and raw deflate streams.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "noema/error.h"

namespace noema {

class NpzSource {
 public:
  NpzSource(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}
  ~NpzSource();
  NpzSource(const NpzSource&) = delete;
  NpzSource& operator=(const NpzSource&) = delete;

  /// Takes over the descriptor, whatever comes of it. A negative one reports errno.
  static Result<std::shared_ptr<NpzSource>> over(int file, std::string name, bool map);
  /// Uses `size` bytes that `owner` keeps alive.
  void lend(std::shared_ptr<const void> owner, const std::byte* data);

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  bool in_memory() const { return data_ != nullptr; }
  std::span<const std::byte> view(std::uint64_t offset, std::uint64_t length) const { return {data_ + offset, length}; }
  /// Bytes inside the file; `scratch` holds them when the file is not in memory.
  Result<std::span<const std::byte>> read(std::uint64_t offset, std::uint64_t length,
                                          std::vector<std::byte>& scratch) const;
  /// Copies bytes of a file that is not in memory.
  Result<void> fill(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  std::string name_;
  std::uint64_t size_;
  int file_ = -1;
  void* mapping_ = nullptr;
  const std::byte* data_ = nullptr;
  std::shared_ptr<const void> owner_;
};

/// Uninitialised memory at a multiple of 64 bytes.
std::shared_ptr<std::byte[]> aligned_buffer(std::uint64_t size);

/// How much of a deflate stream is wanted.
enum class Inflate { whole, start };
/// Fills `out` from the raw deflate stream `packed`; a whole stream must end exactly where both end.
bool inflate_into(std::span<const std::byte> packed, std::span<std::byte> out, Inflate extent);

}  // namespace noema
