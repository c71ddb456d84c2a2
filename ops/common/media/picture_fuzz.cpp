// No bytes crash the picture decoders, and none make them allocate beyond their limit.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/picture.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr std::uint64_t limit = std::uint64_t{1} << 20;
  if (const auto decoded = noema::media::decode_picture(bytes, "fuzz", limit);
      decoded && decoded->picture.pixels() > limit) {
    __builtin_trap();
  }
  return 0;
}
