// What a byte codec says about its rate: the codec's own bytes, the bytes after wrapping, and what lies between.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "noema/backend.h"

namespace noema::media {

/// Bytes of one source item.
struct ItemBytes {
  std::uint64_t native = 0;      ///< that the codec itself gave
  std::uint64_t serialized = 0;  ///< after the wrapper
};

/// Sizes of a payload whose items stand side by side, each with a wrapper of its own.
class PayloadAccount {
 public:
  /// `native_boundary` and `serialized_boundary` name the two points of counting; `format` is the wire format's id.
  PayloadAccount(std::vector<ItemBytes> items, std::string_view native_boundary, std::string_view serialized_boundary,
                 std::string_view format);

  std::uint64_t serialized_bytes() const { return serialized_; }
  /// All keys about sizes, the framing, and the counts of each item.
  void declare(Value& metadata) const;
  /// All metrics about sizes; bits per pixel where `pixels` is above 0.
  void emit(Call& call, std::uint64_t pixels) const;

 private:
  std::vector<ItemBytes> items_;
  std::string native_boundary_, serialized_boundary_, format_;
  std::uint64_t native_ = 0, serialized_ = 0;
};

/// Describes the entropy coder of a codec in its payload's metadata.
struct EntropyCoder {
  std::string_view coder, algorithm, implementation, language, note;
  void declare(Value& metadata) const;
};

/// The bytes as an array of bits, first bit most significant; an error when memory runs out.
Result<Array> bits_of(std::string_view bytes);
/// The bits of an input after the payload boundary's checks (uint8, one axis, all 0 or 1).
Result<Array> payload_bits(const Call& call, std::string_view port);
/// Bits as bytes, the last one filled up with zeros.
std::string bytes_of(std::span<const Bit> bits);

}  // namespace noema::media
