// Base64 (base64.h).
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/base64.h"

#include <array>
#include <cstdint>

namespace noema::media {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t none = 64;

constexpr std::array<std::uint8_t, 256> values = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(none);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    table[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return table;
}();

std::uint32_t byte_at(std::string_view bytes, std::size_t index) {
  return index < bytes.size() ? static_cast<unsigned char>(bytes[index]) : 0u;
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string text(base64_size(bytes.size()), '=');
  std::size_t out = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t group = byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
    const std::size_t digits = bytes.size() - i >= 3 ? 4 : bytes.size() - i + 1;
    for (std::size_t k = 0; k < digits; ++k) text[out + k] = alphabet[(group >> (18 - 6 * k)) & 63];
    out += 4;
  }
  return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const std::size_t digits = i + 4 == text.size() ? 4 - padding : 4;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint8_t value = k < digits ? values[static_cast<unsigned char>(text[i + k])] : std::uint8_t{0};
      if (value == none) return std::nullopt;
      group = group << 6 | value;
    }
    // Bits below the last whole byte must be zero, or two texts would mean the same bytes.
    if (digits < 4 && (group & ((1u << (8 * (4 - digits))) - 1)) != 0) return std::nullopt;
    for (std::size_t k = 0; k + 1 < digits; ++k) {
      bytes += static_cast<char>(static_cast<unsigned char>(group >> (16 - 8 * k)));
    }
  }
  return bytes;
}

}  // namespace noema::media
