// Reading WebP through libwebp: still pictures, lossy or lossless, transparency dropped.
// SPDX-License-Identifier: Apache-2.0
#include <webp/decode.h>

#include <string>

#include "ops/common/media/picture.h"

namespace noema::media {
namespace {

std::string_view meaning(VP8StatusCode status) {
  switch (status) {
    case VP8_STATUS_OUT_OF_MEMORY:
      return "there is not enough memory for it";
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA:
      return "it ends before its picture does";
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      return "it uses a feature that the decoder lacks";
    default:
      return "its content is damaged";
  }
}

/// Looks for a profile and an orientation in the chunks of an extended file; sizes are little-endian and padded to
/// even.
void note_chunks(std::string_view bytes, PictureFacts& facts) {
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    std::size_t length = 0;
    for (std::size_t i = 4; i-- > 0;) length = (length << 8) | static_cast<unsigned char>(bytes[at + 4 + i]);
    if (length > bytes.size() - at - 8) return;
    const std::string_view type = bytes.substr(at, 4);
    if (type == "ICCP") facts.icc_profile = true;
    if (type == "EXIF") facts.exif_orientation = exif_orientation(bytes.substr(at + 8, length));
    at += 8 + length + length % 2;
  }
}

}  // namespace

Result<DecodedPicture> decode_webp(std::string_view bytes, std::string_view name, std::uint64_t limit) {
  WebPDecoderConfig config;
  if (WebPInitDecoderConfig(&config) == 0) return picture_error(name, "the WebP library is of another version");
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  if (const VP8StatusCode status = WebPGetFeatures(data, bytes.size(), &config.input); status != VP8_STATUS_OK) {
    return picture_error(name, "the WebP can't be decoded: " + std::string(meaning(status)));
  }
  if (config.input.has_animation != 0) {
    return picture_error(name, "the WebP is an animation; still pictures are allowed", "save one of its frames");
  }
  DecodedPicture decoded;
  NOEMA_TRY(decoded.picture, make_picture(static_cast<std::uint64_t>(config.input.height),
                                          static_cast<std::uint64_t>(config.input.width), name, limit));
  config.output.colorspace = MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = decoded.picture.rgb.data();
  config.output.u.RGBA.stride = config.input.width * 3;
  config.output.u.RGBA.size = decoded.picture.rgb.size();
  const VP8StatusCode status = WebPDecode(data, bytes.size(), &config);
  WebPFreeDecBuffer(&config.output);
  if (status != VP8_STATUS_OK) {
    return picture_error(name, "the WebP can't be decoded: " + std::string(meaning(status)));
  }
  decoded.facts.format = "webp";
  decoded.facts.colour = "rgb";
  decoded.facts.alpha = config.input.has_alpha != 0;
  note_chunks(bytes, decoded.facts);
  return decoded;
}

}  // namespace noema::media
