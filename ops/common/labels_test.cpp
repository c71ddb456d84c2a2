// Labels inside metric names.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/labels.h"

#include <gtest/gtest.h>

namespace noema::ops {
namespace {

TEST(Labels, MetricLabelKeepsLettersDigitsAndSingleUnderscores) {
  EXPECT_EQ(metric_label("boundary"), "boundary");
  EXPECT_EQ(metric_label("  TX  Boundary (A/B) "), "tx_boundary_a_b");
  EXPECT_EQ(metric_label("__a___b__"), "a_b");
  EXPECT_EQ(metric_label("snr=-3.5 dB"), "snr_3_5_db");
  EXPECT_EQ(metric_label("caf\xC3\xA9 9"), "caf_9");
}

TEST(Labels, MetricLabelIsNeverEmpty) {
  EXPECT_EQ(metric_label(""), "boundary");
  EXPECT_EQ(metric_label(" .- "), "boundary");
  EXPECT_EQ(metric_label("___"), "boundary");
}

TEST(Labels, SpacesOnlyRuleLeavesEverythingElse) {
  EXPECT_EQ(spaces_only_label("Coded BER (5 dB)"), "Coded_BER_(5_dB)");
  EXPECT_EQ(spaces_only_label("  x "), "__x_");
  EXPECT_EQ(spaces_only_label("a\tb"), "a\tb");
  EXPECT_EQ(spaces_only_label(""), "");
}

}  // namespace
}  // namespace noema::ops
