// SPDX-License-Identifier: Apache-2.0
// One histogram per measure, as inline SVG, with the bounds that the rules set on it.
//
// What a reader asks of it: where do my documents lie, and what would another bound cost? So the
// bounds are lines with labels in rows above the bars, equal bounds of several domains are one
// line, and a bound outside the range is told in words rather than drawn at the edge. Bars that are
// not empty stay visible: the tails, where bounds stand, hold a thousandth of the peak.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "base/progress.h"
#include "report/markup.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

constexpr double kWidth = 360;
constexpr double kMargin = 8;
constexpr double kPlotHeight = 96;
constexpr double kLabelRow = 13;
constexpr double kAxisHeight = 18;
constexpr double kMinBar = 1.5;
constexpr std::size_t kNamedDomains = 3;  // in one label; the rest is counted

// Values → x.
class Axis {
 public:
  explicit Axis(const Histogram& histogram)
      : logarithmic_(histogram.logarithmic && histogram.low > -1),
        low_(histogram.low),
        high_(histogram.high) {
    if (!std::isfinite(low_) || !std::isfinite(high_) || high_ <= low_) {
      low_ = std::isfinite(low_) ? low_ : 0;
      high_ = low_ + 1;
    }
  }

  bool contains(double value) const { return low_ <= value && value <= high_; }

  double x(double value) const {
    const double share = (scale(value) - scale(low_)) / (scale(high_) - scale(low_));
    return kMargin + share * (kWidth - 2 * kMargin);
  }

  // The value where bin `i` of `n` begins.
  double edge(std::size_t i, std::size_t n) const {
    const double share = static_cast<double>(i) / static_cast<double>(n);
    const double at = scale(low_) + share * (scale(high_) - scale(low_));
    return logarithmic_ ? std::pow(10, at) - 1 : at;
  }

  std::vector<double> ticks() const { return logarithmic_ ? log_ticks() : linear_ticks(); }

 private:
  double scale(double value) const { return logarithmic_ ? std::log10(1 + value) : value; }

  std::vector<double> linear_ticks() const {
    const double rough = (high_ - low_) / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0}) {
      if (factor * power >= rough) {
        step = factor * power;
      }
    }
    std::vector<double> ticks;
    const double first = std::ceil(low_ / step);
    for (int i = 0; (first + i) * step <= high_ + step * 1e-9; ++i) {
      ticks.push_back((first + i) * step);
    }
    return ticks;
  }

  std::vector<double> log_ticks() const {
    std::vector<double> ticks;
    if (low_ <= 0) {
      ticks.push_back(0);
    }
    for (double power = 1; power <= high_; power *= 10) {
      if (power >= low_) {
        ticks.push_back(power);
      }
    }
    if (ticks.size() < 2) {  // less than a decade
      ticks = {low_, high_};
    }
    return ticks;
  }

  bool logarithmic_;
  double low_;
  double high_;
};

struct Line {
  double value = 0;
  std::string label;  // escaped
  double label_width = 0;
};

double text_width(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    width += byte < 0x80 ? 5.4 : byte >= 0xC0 ? 10.0 : 0.0;  // a wide character's lead byte
  }
  return width;
}

std::string domain_list(const std::vector<std::string>& names, std::size_t all_domains) {
  const bool everyone = std::find(names.begin(), names.end(), "") != names.end();
  if (everyone || (all_domains > 1 && names.size() == all_domains)) {
    return all_domains == 1 ? "" : "all";
  }
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kNamedDomains); ++i) {
    list += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kNamedDomains) {
    list += fmt::format(" +{}", names.size() - kNamedDomains);
  }
  return list;
}

// Bounds by value; domains that share one share a line.
std::vector<Line> lines(const Histogram& histogram, std::size_t all_domains) {
  std::map<std::pair<double, bool>, std::vector<std::string>> bounds;
  for (const Histogram::Threshold& threshold : histogram.thresholds) {
    if (threshold.min && !std::isnan(*threshold.min)) {
      bounds[{*threshold.min, false}].push_back(threshold.domain);
    }
    if (threshold.max && !std::isnan(*threshold.max)) {
      bounds[{*threshold.max, true}].push_back(threshold.domain);
    }
  }
  std::vector<Line> all;
  for (const auto& [bound, domains] : bounds) {
    const std::string who = domain_list(domains, all_domains);
    const std::string label = fmt::format("{} {}{}{}", bound.second ? "max" : "min",
                                          number(bound.first), who.empty() ? "" : " · ", who);
    all.push_back({bound.first, escape(label), text_width(label)});
  }
  return all;
}

struct PlacedLabel {
  double left = 0;
  bool ends_at_line = false;  // text runs to the left of its line
  std::size_t row = 0;
};

// The first row where each label overlaps no earlier one.
std::vector<PlacedLabel> place(const std::vector<Line>& lines, const Axis& axis) {
  std::vector<PlacedLabel> placed;
  std::vector<std::vector<std::pair<double, double>>> rows;
  for (const Line& line : lines) {
    const double x = axis.x(line.value);
    const bool ends = x + 3 + line.label_width > kWidth && x > kWidth / 2;
    const double left = ends ? x - 3 - line.label_width : x + 3;
    const double right = left + line.label_width;
    std::size_t row = 0;
    const auto collides = [&](const std::pair<double, double>& other) {
      return left < other.second + 6 && other.first < right + 6;
    };
    while (row < rows.size() && std::any_of(rows[row].begin(), rows[row].end(), collides)) {
      ++row;
    }
    if (row == rows.size()) {
      rows.emplace_back();
    }
    rows[row].emplace_back(std::min(left, x), std::max(right, x));
    placed.push_back({left, ends, row});
  }
  return placed;
}

void append_bars(const Histogram& histogram, const Axis& axis, double top, std::string* html) {
  auto out = std::back_inserter(*html);
  const std::size_t n = histogram.bins.size();
  const std::uint64_t peak =
      n == 0 ? 0 : *std::max_element(histogram.bins.begin(), histogram.bins.end());
  const double step = n == 0 ? 0 : (kWidth - 2 * kMargin) / static_cast<double>(n);
  const double gap = step > 3 ? 0.6 : 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (histogram.bins[i] == 0) {
      continue;
    }
    const double height = std::max(
        kMinBar, kPlotHeight * static_cast<double>(histogram.bins[i]) / static_cast<double>(peak));
    fmt::format_to(out,
                   "<rect class=\"kept\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{} to "
                   "{}: {}</title></rect>",
                   coordinate(kMargin + step * static_cast<double>(i)),
                   coordinate(top + kPlotHeight - height), coordinate(step - gap),
                   coordinate(height), number(axis.edge(i, n)), number(axis.edge(i + 1, n)),
                   format_count(histogram.bins[i]));
  }
}

void append_axis(const Axis& axis, double top, std::string* html) {
  auto out = std::back_inserter(*html);
  const double base = top + kPlotHeight;
  fmt::format_to(out, "<path class=\"axis\" d=\"M{} {}H{}\"/>", coordinate(kMargin),
                 coordinate(base), coordinate(kWidth - kMargin));
  for (const double tick : axis.ticks()) {
    const double x = axis.x(tick);
    const char* anchor = x < 20 ? "start" : x > kWidth - 20 ? "end" : "middle";
    fmt::format_to(out,
                   "<path class=\"axis\" d=\"M{0} {1}v3\"/><text class=\"tick\" x=\"{0}\" "
                   "y=\"{2}\" text-anchor=\"{3}\">{4}</text>",
                   coordinate(x), coordinate(base), coordinate(base + 14), anchor,
                   short_count(tick));
  }
}

void append_lines(const std::vector<Line>& lines, const Axis& axis, double base,
                  std::string* html) {
  auto out = std::back_inserter(*html);
  const std::vector<PlacedLabel> placed = place(lines, axis);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double x = axis.x(lines[i].value);
    const double y = kLabelRow * static_cast<double>(placed[i].row + 1);
    fmt::format_to(out,
                   "<path class=\"bound\" d=\"M{0} {1}V{2}\"/><text class=\"bound\" x=\"{3}\" "
                   "y=\"{4}\" text-anchor=\"{5}\">{6}</text>",
                   coordinate(x), coordinate(y - 10), coordinate(base),
                   coordinate(placed[i].ends_at_line ? x - 3 : x + 3), coordinate(y - 2),
                   placed[i].ends_at_line ? "end" : "start", lines[i].label);
  }
}

void append_picture(const Histogram& histogram, const std::vector<Line>& inside, const Axis& axis,
                    std::uint64_t values, std::string* html) {
  auto out = std::back_inserter(*html);
  std::size_t rows = 0;
  for (const PlacedLabel& label : place(inside, axis)) {
    rows = std::max(rows, label.row + 1);
  }
  const double top = kLabelRow * static_cast<double>(rows) + 6;
  fmt::format_to(out,
                 "<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"histogram of "
                 "{} values of {}\">",
                 coordinate(kWidth), coordinate(top + kPlotHeight + kAxisHeight),
                 format_count(values), escape(histogram.measure));
  append_bars(histogram, axis, top, html);
  append_axis(axis, top, html);
  append_lines(inside, axis, top + kPlotHeight, html);
  *html += "</svg>\n";
}

void append_histogram(const Histogram& histogram, std::size_t all_domains, std::string* html) {
  auto out = std::back_inserter(*html);
  const Axis axis(histogram);
  std::uint64_t values = 0;
  std::uint64_t peak = 0;
  for (const std::uint64_t bin : histogram.bins) {
    values += bin;
    peak = std::max(peak, bin);
  }
  std::vector<Line> inside;
  std::string outside;
  for (Line& line : lines(histogram, all_domains)) {
    if (axis.contains(line.value)) {
      inside.push_back(std::move(line));
    } else {
      outside += "; beyond the axis: " + line.label;
    }
  }
  fmt::format_to(out,
                 "<figure class=\"measure\"><figcaption><code>{}</code> <small>{}</small>"
                 "<span class=\"about\">{}</span></figcaption>\n",
                 escape(histogram.measure), escape(histogram.unit), escape(histogram.summary));
  std::string facts = format_count(values) + " values";
  if (values == 0) {
    *html += "<p class=\"none\">No document has a value.</p>\n";
  } else {
    append_picture(histogram, inside, axis, values, html);
    facts += ", tallest bar " + short_count(static_cast<double>(peak));
  }
  if (histogram.nulls > 0) {
    facts += fmt::format(", {} null", format_count(histogram.nulls));
  }
  if (histogram.logarithmic && values > 0) {
    facts += ", logarithmic axis";
  }
  fmt::format_to(out, "<p class=\"facts\">{}{}</p></figure>\n", facts, outside);
}

}  // namespace

void append_histograms(const ReportData& data, std::string* html) {
  *html += "<section id=\"measures\"><h2>Measures</h2>\n";
  if (data.histograms.empty()) {
    *html += "<p class=\"none\">No measure was taken.</p></section>\n";
    return;
  }
  *html +=
      "<p class=\"lead\">Values of all documents that were measured, kept or not. Dashed lines are "
      "the bounds of the rules, with the domains they hold for.</p>\n<div class=\"measures\">\n";
  for (const Histogram& histogram : data.histograms) {
    append_histogram(histogram, data.domains.size(), html);
  }
  *html += "</div></section>\n";
}

}  // namespace headrace::report
