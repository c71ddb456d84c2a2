// Ranges of metrics: from declared units first, from words in the name otherwise.
// SPDX-License-Identifier: Apache-2.0
#include "evidence/metric_rules.h"

#include <gtest/gtest.h>

#include <string>

namespace noema::evidence {
namespace {

TEST(MetricRules, Patterns) {
  EXPECT_TRUE(matches_metric("channel.<label>.ber", "channel.payload.ber"));
  EXPECT_TRUE(matches_metric("channel.<label>.ber", "channel.a.b.ber"));
  EXPECT_FALSE(matches_metric("channel.<label>.ber", "channel..bler"));
  EXPECT_FALSE(matches_metric("channel.<label>.ber", "channel.ber"));
  EXPECT_TRUE(matches_metric("<a>.<b>", "x.y"));
  EXPECT_FALSE(matches_metric("<a>.<b>", "xy"));
  EXPECT_TRUE(matches_metric("plain", "plain"));
  EXPECT_FALSE(matches_metric("plain", "plainer"));
  EXPECT_FALSE(matches_metric("<a>", ""));
  EXPECT_FALSE(matches_metric("<a><b>", "x"));
  EXPECT_TRUE(matches_metric("<a><b>", "xy"));
  EXPECT_TRUE(matches_metric("<a>.ber", "x.ber.ber"));
  EXPECT_TRUE(matches_metric("<a>.ber.<b>", ".ber.ber.x"));
  EXPECT_FALSE(matches_metric("a.<b>.c", "a.c"));
}

TEST(MetricRules, PatternsOfAForgerTakeNoTime) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "<x>a";
  EXPECT_FALSE(matches_metric(pattern + "b", std::string(100'000, 'a')));
}

TEST(MetricRules, DeclaredUnitsRule) {
  const Value declared = Value::object({{"channel.<label>.ber", Value::object({{"unit", "fraction"}})},
                                        {"channel.fixed.<label>.length_delta", Value::object({{"unit", "bits"}})},
                                        {"channel.<label>.bit_count", Value::object({{"unit", "bits"}})},
                                        {"rate.coded_bpp", Value::object({{"unit", "bits/pixel"}})},
                                        {"channel.disabled", Value::object({{"unit", "flag"}})},
                                        {"channel.rate_margin_db", Value::object({{"unit", "dB"}})}});
  EXPECT_EQ(metric_range("channel.x.ber", declared), MetricRange::unit_interval);
  EXPECT_EQ(metric_range("channel.fixed.x.length_delta", declared), MetricRange::any);
  EXPECT_EQ(metric_range("channel.x.bit_count", declared), MetricRange::nonnegative);
  EXPECT_EQ(metric_range("rate.coded_bpp", declared), MetricRange::nonnegative);
  EXPECT_EQ(metric_range("channel.disabled", declared), MetricRange::flag);
  // Its name holds "rate", but its unit says that it may be negative.
  EXPECT_EQ(metric_range("channel.rate_margin_db", declared), MetricRange::any);
}

TEST(MetricRules, WordsOfUndeclaredNames) {
  EXPECT_EQ(metric_range("steps.x.channel.payload.ber", Value()), MetricRange::unit_interval);
  EXPECT_EQ(metric_range("channel.packet_success_rate", Value()), MetricRange::unit_interval);
  EXPECT_EQ(metric_range("rate.coded_bpp", Value()), MetricRange::nonnegative);
  EXPECT_EQ(metric_range("memory.run.peak_rss_bytes", Value()), MetricRange::nonnegative);
  EXPECT_EQ(metric_range("quality.psnr_db_per_pixel", Value()), MetricRange::any);
  EXPECT_EQ(metric_range("channel.fixed.x.length_delta", Value()), MetricRange::any);
  // A step's name is no part of the metric's.
  EXPECT_EQ(metric_range("steps.count.gain_db", Value()), MetricRange::any);
}

}  // namespace
}  // namespace noema::evidence
