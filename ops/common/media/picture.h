// Pictures in memory, and reading them from PNG, JPEG and WebP files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "noema/error.h"

namespace noema::media {

/// RGB, 8 bits a sample, rows from the top, no padding between rows.
struct Picture {
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::vector<std::uint8_t> rgb;

  std::uint64_t pixels() const { return std::uint64_t{height} * width; }
};

/// Pixels that a decoder makes room for at most: 805 MB of RGB.
inline constexpr std::uint64_t max_picture_pixels = std::uint64_t{1} << 28;

/// A picture of undefined content, or an error when it is empty, over `limit` pixels, or memory runs out. `name` is
/// what the message calls it.
Result<Picture> make_picture(std::uint64_t height, std::uint64_t width, std::string_view name,
                             std::uint64_t limit = max_picture_pixels);

/// What a file said beside its pixels. Nothing of this changes the pixels; it is there to be recorded.
struct PictureFacts {
  std::string_view format;     ///< png, jpeg or webp
  std::string_view colour;     ///< grey, rgb or palette, as stored
  int bit_depth = 8;           ///< of a stored sample
  bool alpha = false;          ///< transparency was there: onto white for PNG, dropped for WebP
  bool icc_profile = false;    ///< present, not applied
  int exif_orientation = 0;    ///< 1 to 8 when an EXIF block states it, not applied; 0 when none does
  std::uint64_t warnings = 0;  ///< of the decoder
};

struct DecodedPicture {
  Picture picture;
  PictureFacts facts;
};

/// Decodes a file by its signature, whatever its suffix. `name` is the file as the user knows it.
Result<DecodedPicture> decode_picture(std::string_view bytes, std::string_view name,
                                      std::uint64_t limit = max_picture_pixels);

/// The three decoders behind it.
Result<DecodedPicture> decode_png(std::string_view bytes, std::string_view name, std::uint64_t limit);
Result<DecodedPicture> decode_webp(std::string_view bytes, std::string_view name, std::uint64_t limit);
// decode_jpeg: jpeg_codec.h

/// Orientation from a TIFF-structured EXIF block (with or without its `Exif\0\0` head); 0 when there is none.
int exif_orientation(std::string_view block);

/// A decoder's refusal; its code is input.invalid.
Error picture_error(std::string_view name, std::string message, std::string hint = {});

}  // namespace noema::media
