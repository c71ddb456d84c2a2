// What the picture decoders share: signatures, limits, EXIF orientation.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/picture.h"

#include <new>

#include "core/text.h"
#include "ops/common/media/jpeg_codec.h"

namespace noema::media {
namespace {

constexpr std::string_view png_signature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::string_view jpeg_signature{"\xff\xd8\xff", 3};

/// Reads the integers of a TIFF structure, whose first two bytes choose their order.
class TiffReader {
 public:
  explicit TiffReader(std::string_view block) : block_(block) {
    little_ = block.starts_with("II");
    valid_ = (little_ || block.starts_with("MM")) && number(2, 2) == 42;
  }
  bool valid() const { return valid_; }
  /// The integer of `width` bytes at `offset`; 0 beyond the block.
  std::uint32_t number(std::size_t offset, std::size_t width) const {
    if (offset > block_.size() || width > block_.size() - offset) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t at = offset + (little_ ? width - 1 - i : i);
      value = (value << 8) | static_cast<unsigned char>(block_[at]);
    }
    return value;
  }

 private:
  std::string_view block_;
  bool little_ = false;
  bool valid_ = false;
};

}  // namespace

Error picture_error(std::string_view name, std::string message, std::string hint) {
  Error error{code::input_invalid, {}, shown(name, 300) + ": " + std::move(message), std::move(hint), {}};
  error.at.file = std::string(name);
  return error;
}

Result<Picture> make_picture(std::uint64_t height, std::uint64_t width, std::string_view name, std::uint64_t limit) {
  if (height == 0 || width == 0) return picture_error(name, "the picture has no pixels");
  if (height > UINT32_MAX || width > UINT32_MAX || height > limit / width) {
    return picture_error(name, "the picture declares " + std::to_string(width) + " x " + std::to_string(height) +
                                   " pixels; at most " + std::to_string(limit) + " pixels are allowed");
  }
  Picture picture{static_cast<std::uint32_t>(height), static_cast<std::uint32_t>(width), {}};
  try {
    picture.rgb.resize(height * width * 3);
  } catch (const std::bad_alloc&) {
    return picture_error(name, "there is not enough memory for " + std::to_string(height * width) + " pixels");
  }
  return picture;
}

int exif_orientation(std::string_view block) {
  constexpr std::string_view head{"Exif\0\0", 6};
  if (block.starts_with(head)) block.remove_prefix(head.size());
  const TiffReader tiff(block);
  if (!tiff.valid()) return 0;
  constexpr std::uint32_t orientation_tag = 0x0112;
  constexpr std::size_t entry_size = 12;
  const std::size_t directory = tiff.number(4, 4);
  const std::uint32_t entries = tiff.number(directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + i * entry_size;
    if (entry + entry_size > block.size()) return 0;
    if (tiff.number(entry, 2) != orientation_tag) continue;
    const std::uint32_t value = tiff.number(entry + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 0;
  }
  return 0;
}

Result<DecodedPicture> decode_picture(std::string_view bytes, std::string_view name, std::uint64_t limit) {
  if (bytes.starts_with(png_signature)) return decode_png(bytes, name, limit);
  if (bytes.starts_with(jpeg_signature)) return decode_jpeg(bytes, name, limit);
  if (bytes.starts_with("RIFF") && bytes.size() >= 12 && bytes.substr(8, 4) == "WEBP") {
    return decode_webp(bytes, name, limit);
  }
  return picture_error(name, bytes.empty() ? "the file is empty" : "this is not a PNG, JPEG or WebP file",
                       "the file's first bytes decide, not its suffix");
}

}  // namespace noema::media
