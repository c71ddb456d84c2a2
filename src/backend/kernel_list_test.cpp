// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "noema/backend.h"

namespace noema {
namespace {

TEST(KernelList, FindsWhatWasAddedAndNothingElse) {
  KernelList kernels;
  kernels.add("channel.x", "cpp", "default", [](Call&) -> Result<void> { return {}; });
  EXPECT_NE(kernels.find("channel.x", "cpp", "default"), nullptr);
  EXPECT_EQ(kernels.find("channel.x", "cpp", "fast"), nullptr);
  EXPECT_EQ(kernels.names(), std::vector<std::string>{"channel.x/cpp/default"});
}

TEST(KernelList, StopsAtAKernelListedTwice) {
  KernelList kernels;
  const auto nothing = [](Call&) -> Result<void> { return {}; };
  kernels.add("channel.x", "cpp", "default", nothing);
  EXPECT_DEATH(kernels.add("channel.x", "cpp", "default", nothing), "listed twice");
}

}  // namespace
}  // namespace noema
