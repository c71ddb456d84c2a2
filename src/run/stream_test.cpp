// SPDX-License-Identifier: Apache-2.0
#include "run/stream.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

namespace noema {
namespace {

Segment segment(BlockPool& pool, const std::vector<std::uint8_t>& bytes) {
  auto block = pool.take(bytes.size());
  std::memcpy(block.get(), bytes.data(), bytes.size());
  const std::byte* data = block.get();
  return {std::move(block), data, bytes.size()};
}

TEST(InputQueue, GivesWholeMultiplesUntilTheStreamEnds) {
  BlockPool pool;
  InputQueue queue(DType::u8, 7);
  queue.push(segment(pool, {1, 2}));
  EXPECT_EQ(queue.peek(3).count, 0u);
  queue.push(segment(pool, {3, 4, 5}));
  EXPECT_EQ(queue.peek(3).count, 3u);
  queue.consume(3);
  EXPECT_EQ(queue.peek(3).count, 0u);
  queue.push(segment(pool, {6, 7}));
  const Segment joined = queue.peek(3);
  ASSERT_EQ(joined.count, 3u);
  EXPECT_EQ(static_cast<int>(joined.data[2]), 6);
  queue.consume(3);
  EXPECT_EQ(queue.peek(3).count, 1u) << "the tail may be short";
  queue.consume(1);
  EXPECT_TRUE(queue.finished());
}

TEST(InputQueue, KeepsTheOrderUnderAnyCuts) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 300; ++trial) {
    BlockPool pool;
    std::vector<std::uint8_t> sent(1 + random() % 500);
    std::iota(sent.begin(), sent.end(), std::uint8_t{0});
    InputQueue queue(DType::u8, sent.size());
    std::vector<std::uint8_t> got;
    std::size_t at = 0;
    while (!queue.finished()) {
      if (at < sent.size()) {
        const std::size_t count = std::min<std::size_t>(1 + random() % 17, sent.size() - at);
        queue.push(segment(pool, {sent.begin() + static_cast<std::ptrdiff_t>(at),
                                  sent.begin() + static_cast<std::ptrdiff_t>(at + count)}));
        at += count;
      }
      const std::uint64_t multiple = 1 + random() % 23;
      const Segment part = queue.peek(multiple);
      const bool tail = queue.received() == sent.size() && part.count == queue.queued();
      if (!tail) {
        ASSERT_EQ(part.count % multiple, 0u);
      }
      for (std::uint64_t i = 0; i < part.count; ++i) got.push_back(static_cast<std::uint8_t>(part.data[i]));
      queue.consume(part.count);
    }
    ASSERT_EQ(got, sent);
  }
}

TEST(BlockPool, GivesMemoryBackAfterItsLastReader) {
  BlockPool pool;
  const std::byte* first = pool.take(10000).get();
  EXPECT_EQ(pool.take(9000).get(), first);
  auto held = pool.take(9000);
  EXPECT_NE(pool.take(9000).get(), held.get());
}

}  // namespace
}  // namespace noema
