// Every way to pack and unpack gives the bytes of the definition: all small lengths, odd offsets, dirty buffers.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pack_bits.h"

#include "kernels/kernel_test.h"

namespace noema::kernels {
namespace {

std::vector<std::byte> run(PackBits pack, std::span<const Bit> bits) {
  std::vector<std::byte> bytes(packed_size(bits.size()) + 3, std::byte{0xA5});  // dirty, to show what is left unwritten
  pack(bits, bytes);
  return bytes;
}

std::vector<Bit> run(UnpackBits unpack, std::span<const std::byte> bytes, std::size_t size) {
  std::vector<Bit> bits(size + 9, 0xA5);
  unpack(bytes, std::span(bits).first(size));
  return bits;
}

class PackBitsTest : public testing::TestWithParam<Implementation<PackBits>> {};

TEST_P(PackBitsTest, PutsTheFirstBitHighestAndZerosInTheTail) {
  const std::vector<Bit> bits{1, 0, 0, 0, 0, 0, 0, 1, 1};
  std::vector<std::byte> bytes(2, std::byte{0xA5});
  GetParam().function(bits, bytes);
  EXPECT_EQ(bytes, (std::vector{std::byte{0x81}, std::byte{0x80}}));
}

TEST_P(PackBitsTest, EqualsTheDefinitionAtEveryLengthAndOffset) {
  const std::vector<Bit> bits = random_bits(700, 7);
  for_each_target([&] {
    for (std::size_t offset = 0; offset < 9; ++offset) {
      for (std::size_t length = 0; length <= 600; ++length) {
        const std::span<const Bit> part = std::span(bits).subspan(offset, length);
        ASSERT_EQ(run(GetParam().function, part), run(pack_bits_reference, part)) << offset << '+' << length;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, PackBitsTest, testing::ValuesIn(pack_bits_implementations),
                         implementation_name<PackBits>);

class UnpackBitsTest : public testing::TestWithParam<Implementation<UnpackBits>> {};

TEST_P(UnpackBitsTest, TakesTheHighestBitFirst) {
  const std::vector bytes{std::byte{0x81}, std::byte{0x80}};
  std::vector<Bit> bits(9, 0xA5);
  GetParam().function(bytes, bits);
  EXPECT_EQ(bits, (std::vector<Bit>{1, 0, 0, 0, 0, 0, 0, 1, 1}));
}

TEST_P(UnpackBitsTest, EqualsTheDefinitionAtEveryLengthAndOffset) {
  SplitMix random(11);
  std::vector<std::byte> source(90);
  for (std::byte& byte : source) byte = static_cast<std::byte>(random());
  for_each_target([&] {
    for (std::size_t offset = 0; offset < 9; ++offset) {
      for (std::size_t length = 0; length <= 600; ++length) {
        // Exactly as many bytes as are needed, so that a sanitizer sees a read beyond them.
        const std::vector<std::byte> bytes(source.begin() + static_cast<std::ptrdiff_t>(offset),
                                           source.begin() + static_cast<std::ptrdiff_t>(offset + packed_size(length)));
        ASSERT_EQ(run(GetParam().function, bytes, length), run(unpack_bits_reference, bytes, length))
            << offset << '+' << length;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Every, UnpackBitsTest, testing::ValuesIn(unpack_bits_implementations),
                         implementation_name<UnpackBits>);

}  // namespace
}  // namespace noema::kernels
