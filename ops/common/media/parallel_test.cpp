// Items side by side: each visited once, the lowest error returned.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/parallel.h"

#include <gtest/gtest.h>

#include <new>

namespace noema::media {
namespace {

TEST(ForEachItem, VisitsEveryItemOnce) {
  for (const int threads : {1, 2, 8}) {
    std::vector<int> visits(1000);
    EXPECT_TRUE(for_each_item(threads, visits.size(), [&](std::size_t i) -> Result<void> {
      ++visits[i];
      return {};
    }));
    EXPECT_EQ(visits, std::vector<int>(1000, 1));
  }
}

TEST(ForEachItem, GivesTheLowestError) {
  for (const int threads : {1, 8}) {
    const auto done = for_each_item(threads, 100, [&](std::size_t i) -> Result<void> {
      if (i == 90) throw std::bad_alloc();
      if (i >= 17) return Error{code::kernel_failed, {}, std::to_string(i), {}, {}};
      return {};
    });
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().message, "17");
  }
}

}  // namespace
}  // namespace noema::media
