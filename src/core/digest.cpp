// SPDX-License-Identifier: Apache-2.0
#include "core/digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "core/json.h"
#include "noema/error.h"

namespace noema {

struct Sha256::Context {
  EVP_MD_CTX* evp = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(evp); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  // Fetching the algorithm is far dearer than hashing a small text: do it once for the program.
  static EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  NOEMA_ASSERT(algorithm != nullptr && EVP_DigestInit_ex2(context_->evp, algorithm, nullptr) == 1,
               "libcrypto has no SHA-256");
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
  NOEMA_ASSERT(EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()) == 1, "SHA-256 failed");
}
void Sha256::update(std::string_view text) { update(std::as_bytes(std::span(text))); }

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest{};
  NOEMA_ASSERT(EVP_DigestFinal_ex(context_->evp, digest.data(), nullptr) == 1, "SHA-256 failed");
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(64);
  for (const unsigned char byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string sha256_hex(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}
std::string sha256_hex(std::string_view bytes) { return sha256_hex(std::as_bytes(std::span(bytes))); }
std::string sha256_of(const Value& value) { return sha256_hex(canonical_json(value)); }

bool is_sha256_hex(std::string_view text) {
  return text.size() == 64 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace noema
