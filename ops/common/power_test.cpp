// Power traces and previews.
// SPDX-License-Identifier: Apache-2.0
#include "ops/common/power.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ops/common/preview.h"

namespace noema::ops {
namespace {

std::vector<Complex> ramp(std::size_t count) {
  std::vector<Complex> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = {static_cast<float>(i), 1.0F};
  return values;
}

TEST(PowerTrace, SamplesAtEqualStepsWhateverTheChunks) {
  const std::vector<Complex> values = ramp(300);
  Value first;
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{300}}) {
    PowerTrace trace(values.size());
    for (std::size_t at = 0; at < values.size(); at += chunk) {
      trace.add(std::span(values).subspan(at, std::min(chunk, values.size() - at)));
    }
    const Value preview = trace.preview("tx_power_trace", "here", "mW");
    EXPECT_EQ(preview.at("indices").size(), 100u);  // 300 over 128: every third
    EXPECT_EQ(preview.at("indices")[99], Value(297));
    EXPECT_EQ(preview.at("values")[99], Value(297.0 * 297.0 + 1.0));
    EXPECT_EQ(preview.at("source_count"), Value(300));
    EXPECT_EQ(preview.at("total_energy"), Value(299.0 * 300 * 599 / 6 + 300));
    EXPECT_EQ(preview.at("unit"), Value("mW"));
    if (chunk == 1) first = preview;
    EXPECT_EQ(preview, first);
  }
}

TEST(PowerTrace, KeepsAllOfAShortStreamAndNothingOfNone) {
  PowerTrace trace(128);
  trace.add(ramp(128));
  EXPECT_EQ(trace.preview("k", "l", "u").at("indices").size(), 128u);
  const PowerTrace none(0);
  EXPECT_EQ(none.average(), 0.0);
  EXPECT_EQ(none.preview("k", "l", "u").at("values").size(), 0u);
}

TEST(ResponsePreview, SpreadsSixtyFourPointsLikeALinearSpacing) {
  // round-half-even(linspace(0, 99, 64)), from NumPy.
  const std::vector<int> expected{0,  2,  3,  5,  6,  8,  9,  11, 13, 14, 16, 17, 19, 20, 22, 24,
                                  25, 27, 28, 30, 31, 33, 35, 36, 38, 39, 41, 42, 44, 46, 47, 49,
                                  50, 52, 53, 55, 57, 58, 60, 61, 63, 64, 66, 68, 69, 71, 72, 74,
                                  75, 77, 79, 80, 82, 83, 85, 86, 88, 90, 91, 93, 94, 96, 97, 99};
  ResponsePreview preview(100);
  const std::vector<Complex> values = ramp(100);
  for (std::size_t at = 0; at < 100; at += 9)
    preview.add(std::span(values).subspan(at, std::min<std::size_t>(9, 100 - at)));
  const Value value = preview.value("symbol", "k");
  ASSERT_EQ(value.at("indices").size(), 64u);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(value.at("indices")[i], Value(expected[i]));
  EXPECT_EQ(value.at("magnitude")[63], Value(static_cast<double>(static_cast<float>(std::sqrt(99.0 * 99.0 + 1)))));
  EXPECT_EQ(value.at("phase_rad")[0], Value(static_cast<double>(1.57079632679F)));
  const Value empty = ResponsePreview(0).value("symbol", "k");
  EXPECT_EQ(empty.size(), 4u);
}

TEST(DecisionPreview, CutsThePlaneAtTheAxes) {
  const Value preview = qpsk_decision_preview("mode", "Label");
  const Value& rows = preview.at("grid").at("class_rows");
  ASSERT_EQ(rows.size(), 64u);
  EXPECT_EQ(rows[0].string(), std::string(32, '3') + std::string(32, '1'));   // Q < 0
  EXPECT_EQ(rows[63].string(), std::string(32, '2') + std::string(32, '0'));  // Q > 0
  EXPECT_EQ(preview.at("constellation")[2].at("bits"), Value("10"));
  EXPECT_EQ(preview.at("constellation")[2].at("i"), Value(-1 / std::sqrt(2.0)));
  EXPECT_EQ(preview.at("constellation")[2].at("q"), Value(1 / std::sqrt(2.0)));
}

}  // namespace
}  // namespace noema::ops
