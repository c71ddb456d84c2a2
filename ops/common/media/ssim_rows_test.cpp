// The vector version of every row operation equals the plain one, at all small lengths and on every instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/media/ssim_rows.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/simd.h"
#include "ops/common/media/test_pictures.h"

namespace noema::media {
namespace {

std::vector<double> draw(TestRandom& random, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = static_cast<double>(random.below(1u << 30)) / (1u << 30);
  return values;
}

TEST(SsimRows, EveryVersionGivesTheSameBits) {
  TestRandom random(17);
  const std::vector<double> weights = draw(random, ssim_taps);
  for (const std::string& target : kernels::simd_targets()) {
    ASSERT_TRUE(kernels::force_simd_target(target));
    for (std::size_t count = 0; count < 70; ++count) {
      const std::vector<double> a = draw(random, count + ssim_taps), b = draw(random, count + ssim_taps),
                                c = draw(random, count), d = draw(random, count);
      std::vector<const double*> rows;
      for (std::size_t k = 0; k < ssim_taps; ++k) rows.push_back(a.data() + k / 2);
      std::vector<std::vector<double>> results;
      for (const auto& [name, version, available] : ssim_rows_implementations) {
        std::vector<double> out(6 * (count + 1), -1.0);  // a guard behind each row
        const auto row = [&](std::size_t i) { return out.data() + i * (count + 1); };
        version->products(a.data(), b.data(), row(0), row(1), count);
        version->across(a.data(), weights.data(), row(2), count);
        version->down(rows.data(), weights.data(), row(3), count);
        version->terms(a.data(), b.data(), c.data(), d.data(), row(4), row(5), count);
        for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(row(i)[count], -1.0) << name;
        results.push_back(std::move(out));
      }
      EXPECT_EQ(results[0], results[1]) << target << ' ' << count;
    }
  }
  ASSERT_TRUE(kernels::force_simd_target("auto"));
}

}  // namespace
}  // namespace noema::media
