// Base64 with the standard alphabet and padding.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace noema::media {

std::string base64_encode(std::string_view bytes);

/// The bytes; nothing unless the text is the one spelling that encoding them gives (full padding, unused bits zero).
std::optional<std::string> base64_decode(std::string_view text);

/// Characters that `count` bytes take.
constexpr std::size_t base64_size(std::size_t count) { return (count + 2) / 3 * 4; }

}  // namespace noema::media
