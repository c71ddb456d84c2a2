// JPEG in memory through the libjpeg API, with every choice that reaches the bytes fixed: the integer "islow" DCT both
// ways, IJG quality tables forced to baseline, a JFIF 1.01 head of density 1 x 1 without unit, fancy upsampling.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "noema/error.h"
#include "ops/common/media/picture.h"

namespace noema::media {

enum class Subsampling { s444, s422, s420 };

/// `444`, `422` and `420` by name; `keep` is what the encoder does when nothing is asked, which is 4:2:0.
Subsampling subsampling_named(std::string_view name);

struct JpegSettings {
  int quality = 75;  ///< 1 to 95 after clamping
  Subsampling subsampling = Subsampling::s420;
  bool optimize = false;     ///< Huffman tables fitted to the picture
  bool progressive = false;  ///< the library's usual scan script
};

/// Values above 95 only add bytes, below 1 the tables are undefined: the codec clamps.
int clamped_quality(std::int64_t quality);

/// Encodes `height` rows of `width` RGB pixels; row r begins at `rgb[r * stride]`.
Result<std::string> encode_jpeg(std::span<const std::uint8_t> rgb, std::size_t stride, std::uint32_t height,
                                std::uint32_t width, const JpegSettings& settings);

struct JpegSize {
  std::uint32_t height = 0;
  std::uint32_t width = 0;
};

/// Decodes to RGB. Grey is replicated; CMYK and YCCK are refused, and so is a stream that ends early, or one whose head
/// declares another size than `expected`, if that is given (before any room is made for its pixels). Damage that the
/// format can't notice is counted in `facts.warnings`.
Result<DecodedPicture> decode_jpeg(std::string_view bytes, std::string_view name, std::uint64_t limit,
                                   std::optional<JpegSize> expected = {});

}  // namespace noema::media
