// No bytes crash the reader of safe data, and whatever it accepts survives writing and reading unchanged.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/jpeg_wire.h"
#include "ops/common/media/safe_data.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(noema::media::unwrap_jpeg(bytes));
  const std::string wire = std::string(noema::media::safe_data_magic) + std::string(bytes);
  const auto value = noema::media::read_safe_data(wire);
  if (!value) return 0;
  const auto written = noema::media::write_safe_data(*value);
  if (!written) __builtin_trap();
  const auto again = noema::media::read_safe_data(*written);
  if (!again || !(*again == *value)) __builtin_trap();
  return 0;
}
