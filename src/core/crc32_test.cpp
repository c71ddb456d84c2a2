// CRC-32: the folding version against zlib's at all small lengths, offsets and splits.
// SPDX-License-Identifier: Apache-2.0
#include "core/crc32.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace noema {
namespace {

std::vector<std::byte> sample(std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::uint32_t state = 12345;
  for (auto& byte : bytes) byte = static_cast<std::byte>((state = state * 1664525U + 1013904223U) >> 24);
  return bytes;
}

TEST(Crc32, CheckValue) {
  const std::string_view text = "123456789";
  EXPECT_EQ(crc32(0, std::as_bytes(std::span(text))), 0xCBF43926U);
  EXPECT_EQ(crc32(0, {}), 0U);
}

TEST(Crc32, EqualsPlainAtEveryLengthAndOffset) {
  const auto bytes = sample(700);
  for (std::size_t offset = 0; offset < 20; ++offset) {
    for (std::size_t size = 0; offset + size <= bytes.size(); ++size) {
      const auto part = std::span(bytes).subspan(offset, size);
      ASSERT_EQ(crc32(0, part), crc32_plain(0, part)) << offset << " " << size;
    }
  }
}

TEST(Crc32, SplitsDoNotMatter) {
  const auto bytes = sample(100'003);
  const auto whole = crc32_plain(0, bytes);
  for (const std::size_t step : {1, 63, 64, 65, 127, 1000, 4096}) {
    std::uint32_t crc = 0;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      crc = crc32(crc, std::span(bytes).subspan(at, std::min(step, bytes.size() - at)));
    }
    EXPECT_EQ(crc, whole) << step;
  }
}

}  // namespace
}  // namespace noema
