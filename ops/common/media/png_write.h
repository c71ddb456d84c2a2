// Writing PNG. The bytes depend on the pixels alone when nothing is compressed, and on zlib's version besides when it
// is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ops/common/media/picture.h"

namespace noema::media {

enum class PngCompression {
  none,    ///< for pictures inside documents that digests cover
  deflate  ///< for files to look at
};

/// An 8-bit RGB PNG, not interlaced, without ancillary chunks.
std::string encode_png(const Picture& picture, PngCompression compression);

}  // namespace noema::media
