// Pictures that tests know without a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/digest.h"
#include "ops/common/media/picture.h"

namespace noema::media {

/// v = (3x + 5y + 40c + 7n) mod 256.
inline Picture test_picture(std::uint32_t height, std::uint32_t width, std::uint32_t n = 0) {
  Picture picture{height, width, {}};
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      for (std::uint32_t c = 0; c < 3; ++c) {
        picture.rgb.push_back(static_cast<std::uint8_t>((3 * x + 5 * y + 40 * c + 7 * n) % 256));
      }
    }
  }
  return picture;
}

inline std::string_view as_text(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// First 16 hex digits of SHA-256.
inline std::string short_digest(std::string_view bytes) { return sha256_hex(bytes).substr(0, 16); }
inline std::string short_digest(const std::vector<std::uint8_t>& bytes) { return short_digest(as_text(bytes)); }

/// A small generator for damage that is the same in every run (SplitMix64).
class TestRandom {
 public:
  explicit TestRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

/// Flips bits, cuts or repeats pieces: what a channel or a bad disk might do.
inline std::string damaged(std::string bytes, TestRandom& random) {
  const std::uint64_t blows = 1 + random.below(6);
  for (std::uint64_t i = 0; i < blows && !bytes.empty(); ++i) {
    const std::size_t at = random.below(bytes.size());
    switch (random.below(4)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes.insert(at, bytes.substr(random.below(bytes.size()), random.below(40)));
        break;
      default:
        bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1u << random.below(8)));
    }
  }
  return bytes;
}

}  // namespace noema::media
