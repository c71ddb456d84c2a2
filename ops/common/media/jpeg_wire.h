// How a JPEG file travels as a payload: inside safe data with its shape and settings, or behind a short binary head.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "noema/error.h"
#include "ops/common/media/jpeg_codec.h"

namespace noema::media {

enum class JpegWire {
  safe_data,      ///< noema.safe_data_json_base64.v1
  compact_binary  ///< noema.codec_wire.v1: `NOEMAJP` 01, length of 4 bytes, the file
};

/// `safe_json_base64` or `compact_binary_v1`.
JpegWire jpeg_wire_named(std::string_view name);
/// Identifier of the bytes, as written to `serialized_payload_format`.
std::string_view wire_format_id(JpegWire wire);
/// Name of the point where serialized bits are counted, as written to `serialized_payload_rate_boundary`.
std::string_view wire_rate_boundary(JpegWire wire);

/// The payload bytes of one picture. `subsampling` is the authored word.
Result<std::string> wrap_jpeg(std::string_view file, JpegSize size, const JpegSettings& settings,
                              std::string_view subsampling, JpegWire wire);

struct UnwrappedJpeg {
  std::string file;
  std::optional<JpegSize> declared;  ///< by the wrapper; the compact form declares none
};

/// What a payload holds, whichever of the two forms it has (its first bytes tell): one picture, or several in the older
/// form that put a whole batch into one tree.
Result<std::vector<UnwrappedJpeg>> unwrap_jpeg(std::string_view payload);

}  // namespace noema::media
