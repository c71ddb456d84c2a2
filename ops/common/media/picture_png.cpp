// Reading PNG through libpng: every colour type and depth, interlaced or not, with all checksums. Ancillary chunks are
// skipped by the library; whether a profile or an orientation is there is read from the chunk list.
// SPDX-License-Identifier: Apache-2.0
#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <new>
#include <string>

#include "ops/common/media/picture.h"

namespace noema::media {
namespace {

struct PngJob {
  std::string_view bytes;
  std::size_t read = 0;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::jmp_buf exit;
  bool ended_early = false;
  std::array<char, 128> message{};
  std::uint64_t warnings = 0;
};

void leave(png_structp png, png_const_charp message) {
  auto* job = static_cast<PngJob*>(png_get_error_ptr(png));
  std::strncpy(job->message.data(), message, job->message.size() - 1);
  std::longjmp(job->exit, 1);
}

void note_warning(png_structp png, png_const_charp) { ++static_cast<PngJob*>(png_get_error_ptr(png))->warnings; }

void read_bytes(png_structp png, png_bytep out, png_size_t count) {
  auto* job = static_cast<PngJob*>(png_get_io_ptr(png));
  if (count > job->bytes.size() - job->read) {
    job->ended_early = true;
    png_error(png, "the file ends early");
  }
  std::memcpy(out, job->bytes.data() + job->read, count);
  job->read += count;
}

bool open_png(PngJob& job) {
  job.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, leave, note_warning);
  if (job.png == nullptr) return false;
  if (setjmp(job.exit) != 0) return false;  // NOLINT: the library's protocol
  job.info = png_create_info_struct(job.png);
  if (job.info == nullptr) return false;
  png_set_read_fn(job.png, &job, read_bytes);
  png_set_crc_action(job.png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_set_keep_unknown_chunks(job.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  png_set_user_limits(job.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // the pixel limit was checked before
  png_read_info(job.png, job.info);
  return true;
}

/// Asks for 8-bit RGB, with a fourth channel where the file has transparency. 16-bit samples keep their high byte.
bool set_transforms(PngJob& job, int& channels) {
  if (setjmp(job.exit) != 0) return false;  // NOLINT: the library's protocol
  const int colour = png_get_color_type(job.png, job.info);
  const int depth = png_get_bit_depth(job.png, job.info);
  if (colour == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(job.png);
  if (colour == PNG_COLOR_TYPE_GRAY && depth < 8) png_set_expand_gray_1_2_4_to_8(job.png);
  if (png_get_valid(job.png, job.info, PNG_INFO_tRNS) != 0) png_set_tRNS_to_alpha(job.png);
  if (depth == 16) png_set_strip_16(job.png);
  if ((colour & PNG_COLOR_MASK_COLOR) == 0) png_set_gray_to_rgb(job.png);
  png_set_interlace_handling(job.png);
  png_read_update_info(job.png, job.info);
  channels = png_get_channels(job.png, job.info);
  return true;
}

bool read_rows(PngJob& job, std::uint8_t* pixels, std::size_t row_size, std::uint32_t height, int passes) {
  if (setjmp(job.exit) != 0) return false;  // NOLINT: the library's protocol
  for (int pass = 0; pass < passes; ++pass) {
    for (std::uint32_t row = 0; row < height; ++row) png_read_row(job.png, pixels + row * row_size, nullptr);
  }
  png_read_end(job.png, nullptr);
  return true;
}

class PngReader {
 public:
  PngReader(std::string_view bytes, std::string_view name) : name_(name) { job_.bytes = bytes; }
  ~PngReader() { png_destroy_read_struct(&job_.png, &job_.info, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  Result<DecodedPicture> read(std::uint64_t limit) {
    if (!open_png(job_)) return failure();
    DecodedPicture decoded;
    NOEMA_TRY(decoded.picture, make_picture(png_get_image_height(job_.png, job_.info),
                                            png_get_image_width(job_.png, job_.info), name_, limit));
    PictureFacts& facts = decoded.facts;
    facts.format = "png";
    const int colour = png_get_color_type(job_.png, job_.info);
    facts.bit_depth = png_get_bit_depth(job_.png, job_.info);
    facts.colour = colour == PNG_COLOR_TYPE_PALETTE ? "palette" : (colour & PNG_COLOR_MASK_COLOR) == 0 ? "grey" : "rgb";
    int channels = 0;
    if (!set_transforms(job_, channels)) return failure();
    facts.alpha = channels == 4;
    NOEMA_CHECK(facts.alpha ? read_onto_white(decoded.picture) : read_plain(decoded.picture));
    facts.warnings = job_.warnings;
    return decoded;
  }

 private:
  int passes() const { return png_get_interlace_type(job_.png, job_.info) == PNG_INTERLACE_NONE ? 1 : 7; }

  Result<void> read_plain(Picture& picture) {
    const std::size_t row_size = std::size_t{picture.width} * 3;
    if (!read_rows(job_, picture.rgb.data(), row_size, picture.height, passes())) return failure();
    return {};
  }

  Result<void> read_onto_white(Picture& picture) {
    const std::size_t row_size = std::size_t{picture.width} * 4;
    std::vector<std::uint8_t> rgba;
    try {
      rgba.resize(row_size * picture.height);
    } catch (const std::bad_alloc&) {
      return picture_error(name_, "there is not enough memory for its transparency");
    }
    if (!read_rows(job_, rgba.data(), row_size, picture.height, passes())) return failure();
    for (std::size_t i = 0; i < picture.rgb.size() / 3; ++i) {
      const unsigned alpha = rgba[4 * i + 3];
      for (std::size_t c = 0; c < 3; ++c) {
        // The nearest integer; 255 is odd, so there are no ties.
        picture.rgb[3 * i + c] = static_cast<std::uint8_t>((rgba[4 * i + c] * alpha + 255 * (255 - alpha) + 127) / 255);
      }
    }
    return {};
  }

  Error failure() const {
    if (job_.ended_early) return picture_error(name_, "the PNG ends before its picture does");
    return picture_error(name_, "the PNG can't be decoded (" + std::string(job_.message.data()) + ")");
  }

  std::string_view name_;
  PngJob job_;
};

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// Walks the chunks of a file that has been decoded, so its lengths are right.
void note_chunks(std::string_view bytes, PictureFacts& facts) {
  constexpr std::size_t around = 12;  // length, type and checksum
  for (std::size_t at = 8; at + around <= bytes.size();) {
    const std::size_t length = big_endian(bytes, at);
    if (length > bytes.size() - at - around) return;
    const std::string_view type = bytes.substr(at + 4, 4);
    if (type == "iCCP") facts.icc_profile = true;
    if (type == "eXIf") facts.exif_orientation = exif_orientation(bytes.substr(at + 8, length));
    at += length + around;
  }
}

}  // namespace

Result<DecodedPicture> decode_png(std::string_view bytes, std::string_view name, std::uint64_t limit) {
  // Before the library: it would refuse a huge size in words of its own.
  constexpr std::size_t head = 24;  // signature, then length and type of IHDR, width and height
  if (bytes.size() < head) return picture_error(name, "the PNG ends before its picture does");
  const std::uint64_t width = big_endian(bytes, 16), height = big_endian(bytes, 20);
  if (width != 0 && height != 0 && height > limit / width) {
    return picture_error(name, "the picture declares " + std::to_string(width) + " x " + std::to_string(height) +
                                   " pixels; at most " + std::to_string(limit) + " pixels are allowed");
  }
  PngReader reader(bytes, name);
  NOEMA_TRY(DecodedPicture decoded, reader.read(limit));
  note_chunks(bytes, decoded.facts);
  return decoded;
}

}  // namespace noema::media
