// Fuzzing the readers of NPZ and NPY: nothing that a file holds may crash us or make us allocate without bound.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/npz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using noema::NpzReader;
  const auto bytes = std::as_bytes(std::span(data, size));
  static_cast<void>(noema::read_npy(bytes, "fuzz.npy"));
  noema::NpzOptions options;
  options.inflated_bytes = 1 << 24;
  const std::shared_ptr<const void> owner(data, [](const void*) {});
  const auto reader = NpzReader::from_bytes(owner, bytes, "fuzz.npz", options);
  if (!reader) return 0;
  for (const auto& member : reader->members()) {
    static_cast<void>(reader->header(member.name));
    static_cast<void>(reader->array(member.name));
  }
  static_cast<void>(reader->metadata());
  return 0;
}
