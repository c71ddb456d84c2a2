// SPDX-License-Identifier: Apache-2.0
#include "sweep/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/json.h"
#include "sweep/table.h"

namespace noema {
namespace {

// Paul Tol's bright scheme: distinct for colour-blind readers and in print.
constexpr std::array<const char*, 7> colours{"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                             "#66ccee", "#aa3377", "#bbbbbb"};
constexpr double width = 760;
constexpr double left = 86;
constexpr double right = 24;
constexpr double panel_height = 250;
constexpr double gap = 26;
constexpr double top = 76;
constexpr double bottom = 58;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// Coordinates with two digits: enough for a page, and the same text everywhere.
std::string at(double value) { return fmt::format("{:.2f}", value); }

std::string tick_text(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size < 1e-3 || size >= 1e6) return fmt::format("{:.0e}", value);
  return fmt::format("{:.6g}", value);
}

struct Range {
  double low = 0;
  double high = 1;
};

/// From data to pixels along one axis.
struct Axis {
  Range range;
  double from = 0;
  double to = 1;
  bool logarithmic = false;
  double place(double value) const {
    const auto scaled = [&](double v) { return logarithmic ? std::log10(v) : v; };
    const double share = (scaled(value) - scaled(range.low)) / (scaled(range.high) - scaled(range.low));
    return from + (std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.5) * (to - from);
  }
};

std::string marker(std::size_t shape, double x, double y, const char* colour, bool hollow) {
  const std::string paint =
      fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.8\"", hollow ? "#ffffff" : colour, colour);
  switch (shape % 4) {
    case 0:
      return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"4.2\" {}/>\n", at(x), at(y), paint);
    case 1:
      return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"8\" height=\"8\" {}/>\n", at(x - 4), at(y - 4), paint);
    case 2:
      return fmt::format("<path d=\"M{} {} L{} {} L{} {} Z\" {}/>\n", at(x), at(y - 5), at(x + 4.8), at(y + 4),
                         at(x - 4.8), at(y + 4), paint);
    default:
      return fmt::format("<path d=\"M{} {} L{} {} L{} {} L{} {} Z\" {}/>\n", at(x), at(y - 5.2), at(x + 5.2), at(y),
                         at(x), at(y + 5.2), at(x - 5.2), at(y), paint);
  }
}

Range y_range(const FigurePanel& panel) {
  double low = INFINITY;
  double high = -INFINITY;
  for (const FigureSeries& series : panel.series) {
    for (const FigurePoint& point : series.points) {
      for (const double value :
           {point.y.value, point.y.low.value_or(point.y.value), point.y.high.value_or(point.y.value)}) {
        if (panel.logarithmic && value <= 0) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
  }
  if (!(low <= high)) return panel.logarithmic ? Range{0.1, 1} : Range{0, 1};
  if (panel.logarithmic) {
    // Powers of ten that a double still holds.
    const double from = std::pow(10, std::floor(std::log10(std::max(low, 1e-300))));
    const double to = std::pow(10, std::ceil(std::log10(std::min(std::max(low, high), 1e300))));
    return {from, from == to ? 10 * to : to};
  }
  const double room = low == high ? std::max(1.0, std::abs(low)) * 0.1 : 0.06 * (high - low);
  Range range{low - room, high + room};
  // Shares stay between 0 and 1, with a little air for the markers.
  if (low >= 0 && range.low < 0) range.low = high <= 1.0 ? -0.03 : 0;
  return range;
}

std::vector<double> ticks_of(const FigurePanel& panel, const Range& range) {
  if (!panel.logarithmic) {
    std::vector<double> ticks = axis_ticks(range.low, range.high, 6);
    std::erase_if(ticks, [&](double tick) { return tick < range.low || tick > range.high; });
    return ticks;
  }
  std::vector<double> ticks;
  const int from = static_cast<int>(std::lround(std::log10(range.low)));
  const int to = static_cast<int>(std::lround(std::log10(range.high)));
  const int step = std::max(1, (to - from + 6) / 7);
  for (int power = from; power <= to; power += step) ticks.push_back(std::pow(10, power));
  return ticks;
}

std::string draw_panel(const FigurePanel& panel, const Axis& x, double y0, bool last, const std::string& x_label,
                       const std::vector<double>& x_ticks) {
  const Range range = y_range(panel);
  const Axis y{range, y0 + panel_height, y0, panel.logarithmic};
  std::string out;
  for (const double tick : ticks_of(panel, range)) {
    const double place = y.place(tick);
    out += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#e4e4e4\"/>\n", at(left), at(place),
                       at(width - right), at(place));
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", at(left - 9), at(place + 4.2),
                       tick_text(tick));
  }
  for (const double tick : x_ticks) {
    const double place = x.place(tick);
    out += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#e4e4e4\"/>\n", at(place), at(y0),
                       at(place), at(y0 + panel_height));
    if (last)
      out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", at(place),
                         at(y0 + panel_height + 20), tick_text(tick));
  }
  out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#555555\"/>\n",
                     at(left), at(y0), at(width - right - left), at(panel_height));
  const double middle = y0 + panel_height / 2;
  out += fmt::format("<text transform=\"translate({} {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n", at(22),
                     at(middle), escaped(panel.label));
  if (last) {
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", at((left + width - right) / 2),
                       at(y0 + panel_height + 44), escaped(x_label));
  }
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    const char* colour = colours.at(s % colours.size());
    std::string path;
    for (const FigurePoint& point : panel.series[s].points) {
      if (panel.logarithmic && point.y.value <= 0) continue;
      path += fmt::format("{}{} {}", path.empty() ? "M" : " L", at(x.place(point.x)), at(y.place(point.y.value)));
    }
    if (!path.empty())
      out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>\n", path, colour);
    for (const FigurePoint& point : panel.series[s].points) {
      const double px = x.place(point.x);
      const bool has_low = point.y.low && (!panel.logarithmic || *point.y.high > 0);
      if (has_low) {
        const double low = panel.logarithmic && *point.y.low <= 0 ? range.low : *point.y.low;
        out += fmt::format(
            "<path d=\"M{0} {1} L{0} {2} M{3} {1} L{4} {1} M{3} {2} L{4} {2}\" fill=\"none\" stroke=\"{5}\" "
            "stroke-width=\"1.1\"/>\n",
            at(px), at(y.place(low)), at(y.place(*point.y.high)), at(px - 3.5), at(px + 3.5), colour);
      }
      if (panel.logarithmic && point.y.value <= 0) continue;
      out += marker(s, px, y.place(point.y.value), colour, point.hollow);
    }
  }
  return out;
}

}  // namespace

std::vector<double> axis_ticks(double low, double high, int about) {
  const double raw = (high - low) / about;
  if (!std::isfinite(raw)) return {};
  // No round steps lie between numbers that differ in their last digits only.
  if (!(raw > 1e-12 * std::max(std::abs(low), std::abs(high)))) return {low};
  const double power = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double nice : {1.0, 2.0, 2.5, 5.0}) {
    if (raw <= nice * power * 1.0000001) {
      step = nice * power;
      break;
    }
  }
  std::vector<double> ticks;
  const auto first = static_cast<long>(std::ceil(low / step - 1e-9));
  const auto last = static_cast<long>(std::floor(high / step + 1e-9));
  for (long k = first; k <= last; ++k) ticks.push_back(static_cast<double>(k) * step);
  return ticks;
}

std::string figure_svg(const Figure& figure) {
  const auto count = static_cast<double>(figure.panels.size());
  const double height = top + count * panel_height + (count - 1) * gap + bottom;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#222222\">\n"
      "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n",
      width, height);
  out += fmt::format("<text x=\"{}\" y=\"28\" font-size=\"16\" font-weight=\"bold\">{}</text>\n", at(left),
                     escaped(figure.title));

  Range xs{INFINITY, -INFINITY};
  for (const FigurePanel& panel : figure.panels) {
    for (const FigureSeries& series : panel.series) {
      for (const FigurePoint& point : series.points) {
        xs.low = std::min(xs.low, point.x);
        xs.high = std::max(xs.high, point.x);
      }
    }
  }
  const double air = xs.low == xs.high ? 1 : 0.03 * (xs.high - xs.low);
  const Axis x{{xs.low - air, xs.high + air}, left, width - right, false};
  std::vector<double> x_ticks = axis_ticks(xs.low, xs.high > xs.low ? xs.high : xs.low + 1, 10);
  std::erase_if(x_ticks, [&](double tick) { return tick > x.range.high; });

  double place = left;
  const auto legend = [&](const std::string& text, const std::string& sign) {
    out += sign;
    out += fmt::format("<text x=\"{}\" y=\"56\">{}</text>\n", at(place + 26), escaped(text));
    place += 26 + 7.4 * static_cast<double>(text.size()) + 22;
  };
  const std::vector<FigureSeries>& first = figure.panels.front().series;
  for (std::size_t s = 0; s < first.size(); ++s) {
    const char* colour = colours.at(s % colours.size());
    legend(first[s].label,
           fmt::format("<line x1=\"{}\" y1=\"52\" x2=\"{}\" y2=\"52\" stroke=\"{}\" stroke-width=\"1.8\"/>\n",
                       at(place), at(place + 20), colour) +
               marker(s, place + 10, 52, colour, false));
  }
  if (!figure.hollow_label.empty()) legend(figure.hollow_label, marker(0, place + 10, 52, "#555555", true));

  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const double y0 = top + static_cast<double>(p) * (panel_height + gap);
    out += draw_panel(figure.panels[p], x, y0, p + 1 == figure.panels.size(), figure.x_label, x_ticks);
  }
  return out + "</svg>\n";
}

std::optional<Figure> sweep_figure(const std::string& title, const Matrix& matrix, const ReportSpec& spec,
                                   const std::vector<SweepRow>& rows) {
  if (spec.x.empty() || spec.panels.empty()) return std::nullopt;
  const auto column_index = [&](const std::string& id) {
    return static_cast<std::size_t>(std::ranges::find(spec.columns, id, &Column::id) - spec.columns.begin());
  };
  Figure figure{title, spec.x_label, {}, {}};
  bool any_hollow = false;
  for (const Panel& panel : spec.panels) {
    const std::size_t index = column_index(panel.column);
    std::map<std::size_t, FigureSeries> series;  // by the order of the other dimensions' values
    for (const SweepRow& row : rows) {
      const Value& x = row.variant.selection.at(spec.x);
      if (index >= row.cells.size() || !row.cells[index] || !x.is_numeric()) continue;
      std::size_t order = 0;
      std::string label;
      for (const auto& [name, values] : matrix.dimensions) {
        if (name == spec.x) continue;
        const Value& value = row.variant.selection.at(name);
        order = order * values.size() +
                static_cast<std::size_t>(std::ranges::find(values.items(), value) - values.items().begin());
        label += (label.empty() ? "" : ", ") + name + " " + plain_text(value);
      }
      FigurePoint point{x.number(), *row.cells[index], false};
      if (!spec.outage_column.empty()) {
        const auto& outage = row.cells[column_index(spec.outage_column)];
        point.hollow = outage && outage->value < 1;
        any_hollow |= point.hollow;
      }
      FigureSeries& one = series[order];
      one.label = label.empty() ? panel.label : label;
      one.points.push_back(point);
    }
    FigurePanel drawn{panel.label, panel.logarithmic, {}};
    for (auto& [order, one] : series) {
      std::ranges::sort(one.points, {}, &FigurePoint::x);
      drawn.series.push_back(std::move(one));
    }
    if (!drawn.series.empty()) figure.panels.push_back(std::move(drawn));
  }
  if (figure.panels.empty()) return std::nullopt;
  if (any_hollow) figure.hollow_label = spec.outage_label;
  return figure;
}

}  // namespace noema
