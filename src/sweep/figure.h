// A sweep as an SVG figure with the same bytes for the same numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweep/columns.h"

namespace noema {

struct FigurePoint {
  double x = 0;
  Estimate y;
  bool hollow = false;  ///< something was lost at this point
};

struct FigureSeries {
  std::string label;
  std::vector<FigurePoint> points;  ///< sorted by x
};

struct FigurePanel {
  std::string label;  ///< vertical axis
  bool logarithmic = false;
  std::vector<FigureSeries> series;
};

struct Figure {
  std::string title;
  std::string x_label;
  std::string hollow_label;  ///< legend of hollow markers; empty when there are none
  std::vector<FigurePanel> panels;
};

/// Panels one above the other on a common horizontal axis, error bars for intervals, one colour and marker a series.
std::string figure_svg(const Figure& figure);
/// The figure of a sweep; empty when there is nothing to draw over a numeric axis.
std::optional<Figure> sweep_figure(const std::string& title, const Matrix& matrix, const ReportSpec& spec,
                                   const std::vector<SweepRow>& rows);
/// Round tick positions that cover the range (at least two).
std::vector<double> axis_ticks(double low, double high, int about);

}  // namespace noema
