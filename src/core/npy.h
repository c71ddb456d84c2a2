// The NPY format: the header that precedes an array's bytes, and reading whole arrays out of memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "noema/error.h"
#include "noema/value.h"

namespace noema {

/// What a header says about the bytes behind it.
struct NpyHeader {
  enum class Content { numbers, code_points, characters };  ///< an Array; `<U n>` text in UTF-32; `S n` text in bytes
  Content content = Content::numbers;
  DType dtype = DType::u8;      ///< of numbers
  std::uint64_t item_size = 1;  ///< bytes of one element, of text too
  bool big_endian = false;
  bool fortran_order = false;
  Shape shape;
  std::size_t header_size = 0;  ///< bytes before the first element
  std::uint64_t data_size = 0;  ///< bytes of all elements
};

/// A header never needs more; a longer one is refused before it is read.
inline constexpr std::size_t npy_header_limit = std::size_t{1} << 16;

/// Version 1.0, padded to a multiple of 64 bytes, for little-endian content in row-major order.
std::string npy_header(DType dtype, const Shape& shape);
/// The same for one text of `code_points` UTF-32 characters.
std::string npy_text_header(std::uint64_t code_points);

/// Reads the header at the start of `bytes`, which may be cut off anywhere behind it. Versions 1, 2 and 3; `name` is
/// the file or member for messages.
Result<NpyHeader> parse_npy_header(std::span<const std::byte> bytes, std::string_view name);
/// Brings an array's stored bytes (`data_size` of them) into our byte order and row-major order.
Result<Array> npy_array(const NpyHeader& header, std::span<const std::byte> data, std::string_view name);
/// Can the stored bytes serve as the array's content as they are?
bool is_plain(const NpyHeader& header);
/// Refuses a truth value other than 0 and 1, which NumPy never writes and C++ can't hold.
Result<void> check_npy_content(const NpyHeader& header, std::span<const std::byte> data, std::string_view name);
/// Reads a whole .npy file's bytes; anything behind the array is an error.
Result<Array> read_npy(std::span<const std::byte> bytes, std::string_view name);

/// An error with code array.format that names the file or member.
Error array_error(std::string_view name, const std::string& message, std::string hint = {});

}  // namespace noema
