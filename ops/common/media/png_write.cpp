// Writing PNG (png_write.h): four chunks are all that a plain RGB file needs.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/png_write.h"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>

namespace noema::media {
namespace {

void put_u32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(static_cast<unsigned char>(value >> shift));
}

const Bytef* octets(std::string_view bytes) { return reinterpret_cast<const Bytef*>(bytes.data()); }

/// Length, type, data and a checksum over the last two.
void put_chunk(std::string& png, std::string_view type, std::string_view data) {
  put_u32(png, static_cast<std::uint32_t>(data.size()));
  const std::size_t start = png.size();
  png += type;
  png += data;
  const uLong sum = crc32_z(0, octets(png) + start, png.size() - start);
  put_u32(png, static_cast<std::uint32_t>(sum));
}

std::uint8_t paeth(int left, int above, int corner) {
  const int guess = left + above - corner;
  const int to_left = std::abs(guess - left), to_above = std::abs(guess - above), to_corner = std::abs(guess - corner);
  if (to_left <= to_above && to_left <= to_corner) return static_cast<std::uint8_t>(left);
  return static_cast<std::uint8_t>(to_above <= to_corner ? above : corner);
}

/// Each row with its filter byte in front: none, or Paeth, which suits photographs.
std::string filtered_rows(const Picture& picture, bool predict) {
  const std::size_t row_size = std::size_t{picture.width} * 3;
  std::string rows;
  rows.reserve((row_size + 1) * picture.height);
  for (std::size_t y = 0; y < picture.height; ++y) {
    const std::uint8_t* row = picture.rgb.data() + y * row_size;
    const std::uint8_t* above = y == 0 ? nullptr : row - row_size;
    rows += static_cast<char>(predict ? 4 : 0);
    for (std::size_t x = 0; x < row_size; ++x) {
      const int left = x < 3 ? 0 : row[x - 3];
      const int up = above == nullptr ? 0 : above[x];
      const int corner = x < 3 || above == nullptr ? 0 : above[x - 3];
      const int guess = predict ? paeth(left, up, corner) : 0;
      rows += static_cast<char>(static_cast<unsigned char>(row[x] - guess));
    }
  }
  return rows;
}

/// A zlib stream of stored blocks.
std::string stored_stream(std::string_view data) {
  constexpr std::size_t block = 65535;
  std::string out = "\x78\x01";
  std::size_t at = 0;
  do {
    const std::size_t size = std::min(block, data.size() - at);
    out += at + size == data.size() ? '\x01' : '\x00';
    for (const std::size_t field : {size, ~size}) {
      out += static_cast<char>(static_cast<unsigned char>(field & 0xFF));
      out += static_cast<char>(static_cast<unsigned char>((field >> 8) & 0xFF));
    }
    out += data.substr(at, size);
    at += size;
  } while (at < data.size());
  put_u32(out, static_cast<std::uint32_t>(adler32_z(adler32(0, nullptr, 0), octets(data), data.size())));
  return out;
}

std::string deflated_stream(std::string_view data) {
  uLongf size = compressBound(static_cast<uLong>(data.size()));
  std::string out(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size, octets(data), static_cast<uLong>(data.size()), 6);
  NOEMA_ASSERT(status == Z_OK, "the bound that zlib gave suffices");
  out.resize(size);
  return out;
}

}  // namespace

std::string encode_png(const Picture& picture, PngCompression compression) {
  const bool deflate = compression == PngCompression::deflate;
  const std::string rows = filtered_rows(picture, deflate);
  const std::string stream = deflate ? deflated_stream(rows) : stored_stream(rows);

  std::string png{"\x89PNG\r\n\x1a\n", 8};
  std::string head;
  put_u32(head, picture.width);
  put_u32(head, picture.height);
  head += std::string_view("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB, deflate, adaptive filters, not interlaced
  put_chunk(png, "IHDR", head);
  // A chunk's length has 31 bits; a large stream goes on in further chunks.
  constexpr std::size_t largest = std::size_t{1} << 30;
  for (std::size_t at = 0; at < stream.size(); at += largest) {
    put_chunk(png, "IDAT", std::string_view(stream).substr(at, largest));
  }
  put_chunk(png, "IEND", {});
  return png;
}

}  // namespace noema::media
