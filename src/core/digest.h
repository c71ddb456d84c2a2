// SHA-256 of bytes, text and values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "noema/value.h"

namespace noema {

/// SHA-256 in pieces. `hex` may be called once.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  void update(std::span<const std::byte> bytes);
  void update(std::string_view text);
  std::string hex();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string sha256_hex(std::string_view bytes);
std::string sha256_hex(std::span<const std::byte> bytes);
/// Canonical digest: SHA-256 of the value's canonical JSON. Asserts that the value is canonical-safe (`check_json`).
std::string sha256_of(const Value& value);
/// 64 lower-case hex characters?
bool is_sha256_hex(std::string_view text);

}  // namespace noema
