// Every CRC-32 equals the definition, the published check value and itself in parts.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/crc32.h"

#include <string_view>

#include "kernels/kernel_test.h"

namespace noema::kernels {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::vector<std::byte> random_bytes(std::size_t size) {
  SplitMix random(3);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

class Crc32Test : public testing::TestWithParam<Implementation<Crc32>> {};

TEST_P(Crc32Test, GivesThePublishedValues) {
  NOEMA_SKIP_UNLESS_AVAILABLE();
  const Crc32 crc = GetParam().function;
  EXPECT_EQ(crc(bytes_of("123456789"), 0), 0xCBF43926u);  // the check value of the CRC catalogue
  EXPECT_EQ(crc({}, 0), 0u);
  EXPECT_EQ(crc(bytes_of("The quick brown fox jumps over the lazy dog"), 0), 0x414FA339u);
  EXPECT_EQ(crc(std::vector<std::byte>(32, std::byte{0}), 0), 0x190A55ADu);
  EXPECT_EQ(crc(std::vector<std::byte>(100, std::byte{0xFF}), 0), 0x03D28681u);
}

TEST_P(Crc32Test, EqualsTheDefinitionAtEveryLengthAndOffset) {
  NOEMA_SKIP_UNLESS_AVAILABLE();
  const std::vector<std::byte> bytes = random_bytes(700);
  for (std::size_t offset = 0; offset < 17; ++offset) {
    for (std::size_t length = 0; length <= 600; ++length) {
      const std::span<const std::byte> part = std::span(bytes).subspan(offset, length);
      ASSERT_EQ(GetParam().function(part, 0x12345678u), crc32_reference(part, 0x12345678u)) << offset << '+' << length;
    }
  }
}

TEST_P(Crc32Test, MayBeTakenInParts) {
  NOEMA_SKIP_UNLESS_AVAILABLE();
  const std::vector<std::byte> bytes = random_bytes(300);
  const std::uint32_t whole = GetParam().function(bytes, 0);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    const std::uint32_t first = GetParam().function(std::span(bytes).first(cut), 0);
    ASSERT_EQ(GetParam().function(std::span(bytes).subspan(cut), first), whole) << cut;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Crc32Test, testing::ValuesIn(crc32_implementations), implementation_name<Crc32>);

TEST(Crc32Combine, JoinsTwoParts) {
  const std::vector<std::byte> bytes = random_bytes(1000);
  const std::span<const std::byte> all(bytes);
  for (const std::size_t cut : {0u, 1u, 7u, 500u, 999u, 1000u}) {
    EXPECT_EQ(crc32_combine(crc32(all.first(cut)), crc32(all.subspan(cut)), bytes.size() - cut), crc32(all));
  }
  // 2^32 zero bytes: their effect, squared 8 times from 2^24 of them.
  const std::vector<std::byte> zeros(std::size_t{1} << 24);
  std::uint32_t crc = crc32(zeros);
  std::uint64_t length = zeros.size();
  for (int doubling = 0; doubling < 8; ++doubling, length *= 2) crc = crc32_combine(crc, crc, length);
  EXPECT_EQ(length, std::uint64_t{1} << 32);
  EXPECT_EQ(crc, 0xD202EF8Du);
}

}  // namespace
}  // namespace noema::kernels
