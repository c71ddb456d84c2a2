// JPEG through libjpeg. The library reports fatal errors by a callback that must not return: each call into it stands
// in a function whose objects are trivially destructible, with its setjmp, and hands back a flag.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/jpeg_codec.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <memory>
#include <new>

// jpeglib.h needs <cstdio> before it.
#include <jerror.h>
#include <jpeglib.h>

namespace noema::media {
namespace {

/// More scans than any honest progressive file has; a hostile one repeats cheap scans without end.
constexpr int max_scans = 500;
/// libjpeg's own bound on a side.
constexpr std::uint32_t max_side = 65500;

/// The library's error manager, and the way out of it.
struct Guard {
  jpeg_error_mgr manager;  // first: the library's pointer to it is a pointer to this
  std::jmp_buf exit;
  std::array<char, JMSG_LENGTH_MAX> message;
};

void leave(j_common_ptr codec) {
  auto* guard = reinterpret_cast<Guard*>(codec->err);
  codec->err->format_message(codec, guard->message.data());
  std::longjmp(guard->exit, 1);
}

void stay_silent(j_common_ptr) {}

void arm(Guard& guard) {
  jpeg_std_error(&guard.manager);
  guard.manager.error_exit = leave;
  guard.manager.output_message = stay_silent;
  guard.message[0] = '\0';
}

/// Text of the library's message, printable.
std::string message_of(const Guard& guard) { return std::string(guard.message.data()); }

// ---- encoding ---------------------------------------------------------------------------------------------------

struct EncodeJob {
  const std::uint8_t* rgb;
  std::size_t stride;
  std::uint32_t height;
  std::uint32_t width;
  JpegSettings settings;
  jpeg_compress_struct codec;
  jpeg_destination_mgr destination;
  std::array<JOCTET, 65536> block;
  std::string* bytes;
};

EncodeJob& job_of(j_compress_ptr codec) { return *static_cast<EncodeJob*>(codec->client_data); }

void take_block(j_compress_ptr codec) {
  EncodeJob& job = job_of(codec);
  job.destination.next_output_byte = job.block.data();
  job.destination.free_in_buffer = job.block.size();
}

/// Keeps the first `count` bytes of the block; false when memory runs out.
bool keep(EncodeJob& job, std::size_t count) {
  try {
    job.bytes->append(reinterpret_cast<const char*>(job.block.data()), count);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

boolean flush_block(j_compress_ptr codec) {
  if (!keep(job_of(codec), job_of(codec).block.size())) ERREXIT1(codec, JERR_OUT_OF_MEMORY, 0);
  take_block(codec);
  return TRUE;
}

void flush_rest(j_compress_ptr codec) {
  EncodeJob& job = job_of(codec);
  if (!keep(job, job.block.size() - job.destination.free_in_buffer)) ERREXIT1(codec, JERR_OUT_OF_MEMORY, 0);
}

void set_subsampling(jpeg_compress_struct& codec, Subsampling subsampling) {
  codec.comp_info[0].h_samp_factor = subsampling == Subsampling::s444 ? 1 : 2;
  codec.comp_info[0].v_samp_factor = subsampling == Subsampling::s420 ? 2 : 1;
  for (int i = 1; i < 3; ++i) codec.comp_info[i].h_samp_factor = codec.comp_info[i].v_samp_factor = 1;
}

bool run_encoder(EncodeJob& job, Guard& guard) {
  jpeg_compress_struct& codec = job.codec;
  arm(guard);
  codec.err = &guard.manager;
  codec.client_data = &job;
  if (setjmp(guard.exit) != 0) return false;  // NOLINT: the library's protocol
  jpeg_create_compress(&codec);
  job.destination.init_destination = take_block;
  job.destination.empty_output_buffer = flush_block;
  job.destination.term_destination = flush_rest;
  codec.dest = &job.destination;
  codec.image_width = job.width;
  codec.image_height = job.height;
  codec.input_components = 3;
  codec.in_color_space = JCS_RGB;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, job.settings.quality, TRUE);
  codec.dct_method = JDCT_ISLOW;
  set_subsampling(codec, job.settings.subsampling);
  codec.optimize_coding = job.settings.optimize ? TRUE : FALSE;
  if (job.settings.progressive) jpeg_simple_progression(&codec);
  jpeg_start_compress(&codec, TRUE);
  while (codec.next_scanline < codec.image_height) {
    // The library only reads the row, though its type does not say so.
    JSAMPROW row = const_cast<JSAMPROW>(job.rgb + codec.next_scanline * job.stride);
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
  return true;
}

// ---- decoding ---------------------------------------------------------------------------------------------------

struct DecodeJob {
  std::string_view bytes;
  jpeg_decompress_struct codec;
  jpeg_source_mgr source;
  jpeg_progress_mgr progress;
  std::uint8_t* rgb;
  bool exif;
  bool icc;
  int orientation;
};

void nothing(j_decompress_ptr) {}

/// The whole file lies in memory: wanting more means that it was cut short. (The library's own memory source would
/// invent an end marker here and call a truncated picture complete.)
boolean source_ended(j_decompress_ptr codec) {
  ERREXIT(codec, JERR_INPUT_EOF);
  return FALSE;
}

void skip_source(j_decompress_ptr codec, long count) {
  if (count <= 0) return;
  if (static_cast<std::size_t>(count) > codec->src->bytes_in_buffer) ERREXIT(codec, JERR_INPUT_EOF);
  codec->src->next_input_byte += count;
  codec->src->bytes_in_buffer -= static_cast<std::size_t>(count);
}

void watch_scans(j_common_ptr codec) {
  const auto* decoder = reinterpret_cast<j_decompress_ptr>(codec);
  if (decoder->input_scan_number > max_scans) ERREXIT(codec, JERR_BAD_PROGRESSION);
}

void open_source(DecodeJob& job) {
  job.source.init_source = nothing;
  job.source.fill_input_buffer = source_ended;
  job.source.skip_input_data = skip_source;
  job.source.resync_to_restart = jpeg_resync_to_restart;
  job.source.term_source = nothing;
  job.source.next_input_byte = reinterpret_cast<const JOCTET*>(job.bytes.data());
  job.source.bytes_in_buffer = job.bytes.size();
  job.codec.src = &job.source;
  job.progress.progress_monitor = watch_scans;
  job.codec.progress = &job.progress;
}

void note_markers(DecodeJob& job) {
  for (jpeg_saved_marker_ptr marker = job.codec.marker_list; marker != nullptr; marker = marker->next) {
    const std::string_view data(reinterpret_cast<const char*>(marker->data), marker->data_length);
    if (marker->marker == JPEG_APP0 + 1 && data.starts_with(std::string_view("Exif\0", 5))) {
      job.exif = true;
      job.orientation = exif_orientation(data);
    }
    if (marker->marker == JPEG_APP0 + 2 && data.starts_with("ICC_PROFILE")) job.icc = true;
  }
}

bool read_header(DecodeJob& job, Guard& guard) {
  arm(guard);
  job.codec.err = &guard.manager;
  if (setjmp(guard.exit) != 0) return false;  // NOLINT: the library's protocol
  jpeg_create_decompress(&job.codec);
  open_source(job);
  jpeg_save_markers(&job.codec, JPEG_APP0 + 1, 0xFFFF);
  jpeg_save_markers(&job.codec, JPEG_APP0 + 2, 0xFFFF);
  jpeg_read_header(&job.codec, TRUE);
  note_markers(job);
  return true;
}

bool read_pixels(DecodeJob& job, Guard& guard) {
  if (setjmp(guard.exit) != 0) return false;  // NOLINT: the library's protocol
  job.codec.out_color_space = JCS_RGB;
  job.codec.dct_method = JDCT_ISLOW;
  job.codec.do_fancy_upsampling = TRUE;
  jpeg_start_decompress(&job.codec);
  while (job.codec.output_scanline < job.codec.output_height) {
    JSAMPROW row = job.rgb + std::size_t{job.codec.output_scanline} * job.codec.output_width * 3;
    jpeg_read_scanlines(&job.codec, &row, 1);
  }
  jpeg_finish_decompress(&job.codec);
  return true;
}

/// A decoder between header and end, released whatever happens.
class Decoder {
 public:
  Decoder(std::string_view bytes, std::string_view name) : name_(name) { job_.bytes = bytes; }
  ~Decoder() { jpeg_destroy_decompress(&job_.codec); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  Result<void> header() {
    if (!read_header(job_, guard_)) return failure();
    const J_COLOR_SPACE space = job_.codec.jpeg_color_space;
    if (space == JCS_CMYK || space == JCS_YCCK) {
      return picture_error(name_, "the JPEG holds CMYK or YCCK ink values; grey and RGB pictures are allowed",
                           "convert the file to RGB; what its inks look like depends on a profile");
    }
    if (space != JCS_GRAYSCALE && space != JCS_RGB && space != JCS_YCbCr) {
      return picture_error(name_, "the JPEG has " + std::to_string(job_.codec.num_components) +
                                      " components of unknown meaning; grey and RGB pictures are allowed");
    }
    return {};
  }

  Result<DecodedPicture> pixels(std::uint64_t limit) {
    DecodedPicture decoded;
    NOEMA_TRY(decoded.picture, make_picture(job_.codec.image_height, job_.codec.image_width, name_, limit));
    job_.rgb = decoded.picture.rgb.data();
    if (!read_pixels(job_, guard_)) return failure();
    decoded.facts.format = "jpeg";
    decoded.facts.colour = job_.codec.jpeg_color_space == JCS_GRAYSCALE ? "grey" : "rgb";
    decoded.facts.icc_profile = job_.icc;
    decoded.facts.exif_orientation = job_.orientation;
    decoded.facts.warnings = static_cast<std::uint64_t>(guard_.manager.num_warnings);
    return decoded;
  }

  JpegSize size() const { return {job_.codec.image_height, job_.codec.image_width}; }

 private:
  Error failure() const {
    if (guard_.manager.msg_code == JERR_INPUT_EOF) return picture_error(name_, "the JPEG ends before its picture does");
    return picture_error(name_, "the JPEG can't be decoded (" + message_of(guard_) + ")");
  }

  std::string_view name_;
  DecodeJob job_{};
  Guard guard_{};
};

}  // namespace

Subsampling subsampling_named(std::string_view name) {
  if (name == "444") return Subsampling::s444;
  if (name == "422") return Subsampling::s422;
  return Subsampling::s420;
}

int clamped_quality(std::int64_t quality) { return static_cast<int>(std::clamp<std::int64_t>(quality, 1, 95)); }

Result<std::string> encode_jpeg(std::span<const std::uint8_t> rgb, std::size_t stride, std::uint32_t height,
                                std::uint32_t width, const JpegSettings& settings) {
  const auto refusal = [](std::string message) { return Error{code::input_invalid, {}, std::move(message), {}, {}}; };
  if (height == 0 || width == 0) return refusal("a picture without pixels can't be a JPEG");
  if (height > max_side || width > max_side) {
    return refusal("the picture is " + std::to_string(width) + " x " + std::to_string(height) +
                   " pixels; JPEG allows at most " + std::to_string(max_side) + " a side");
  }
  NOEMA_ASSERT(stride >= std::size_t{width} * 3 && rgb.size() >= stride * (height - 1) + std::size_t{width} * 3,
               "the rows lie within the pixels");
  std::string bytes;
  const auto job = std::make_unique<EncodeJob>();
  job->rgb = rgb.data();
  job->stride = stride;
  job->height = height;
  job->width = width;
  job->settings = settings;
  job->bytes = &bytes;
  Guard guard{};
  const bool done = run_encoder(*job, guard);
  jpeg_destroy_compress(&job->codec);
  if (!done) return Error{code::kernel_failed, {}, "the JPEG encoder failed (" + message_of(guard) + ")", {}, {}};
  return bytes;
}

Result<DecodedPicture> decode_jpeg(std::string_view bytes, std::string_view name, std::uint64_t limit,
                                   std::optional<JpegSize> expected) {
  Decoder decoder(bytes, name);
  NOEMA_CHECK(decoder.header());
  const JpegSize size = decoder.size();
  if (expected && (size.height != expected->height || size.width != expected->width)) {
    return picture_error(name, "the JPEG declares " + std::to_string(size.width) + " x " + std::to_string(size.height) +
                                   " pixels; " + std::to_string(expected->width) + " x " +
                                   std::to_string(expected->height) + " were sent");
  }
  return decoder.pixels(limit);
}

}  // namespace noema::media
