// SPDX-License-Identifier: Apache-2.0
#include "sweep/figure.h"

#include <gtest/gtest.h>

namespace noema {
namespace {

TEST(Figure, TicksAreRoundAndInside) {
  EXPECT_EQ(axis_ticks(0, 20, 10), (std::vector<double>{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20}));
  EXPECT_EQ(axis_ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
}

TEST(Figure, EscapesTextAndMarksOutage) {
  Figure figure{"a < b & c", "x", "lost", {}};
  figure.panels.push_back({"y", false, {{"one", {{0, {1, 0.5, 1.5}, true}, {1, {2, {}, {}}, false}}}}});
  const std::string svg = figure_svg(figure);
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_NE(svg.find("fill=\"#ffffff\" stroke=\"#4477aa\""), std::string::npos) << "the lost point is hollow";
  EXPECT_EQ(svg, figure_svg(figure));
}

TEST(Figure, LeavesZeroOffALogarithmicAxis) {
  Figure figure{"t", "x", "", {}};
  figure.panels.push_back({"y", true, {{"one", {{0, {0.01, {}, {}}, false}, {1, {0, 0.0, 1e-4}, false}}}}});
  const std::string svg = figure_svg(figure);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(Figure, DrawsValuesAtTheEndsOfTheRange) {
  for (const bool logarithmic : {false, true}) {
    for (const auto& [a, b] :
         {std::pair{1e17, 1e17}, {1e300, 1e300}, {-1.7e308, 1.7e308}, {5e-324, 1e-310}, {1e17, 1e17 + 16}}) {
      Figure figure{"t", "x", "", {}};
      figure.panels.push_back({"y", logarithmic, {{"one", {{a, {a, {}, {}}, false}, {b, {b, {}, {}}, false}}}}});
      const std::string svg = figure_svg(figure);
      EXPECT_EQ(svg.find("\"nan"), std::string::npos) << a;
      EXPECT_EQ(svg.find("\"inf"), std::string::npos) << a;
      EXPECT_LT(svg.size(), 100'000u) << a;
    }
  }
}

}  // namespace
}  // namespace noema
