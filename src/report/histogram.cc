// SPDX-License-Identifier: Apache-2.0
// One picture per measure, as inline SVG: a strip per domain on a common axis, each with the bounds
// that its rules set and the share of its documents that lies outside. Languages and buckets with
// bounds of their own have strips of their own: a document lies in the strip that judges it.
//
// What a reader asks of it: where do my documents lie, and what would another bound cost? Domains
// differ more than documents do, and so do their rules, hence strips: in one histogram of all, the
// largest domain hides the others and the labels of their bounds run into each other (tried).
// A strip is scaled to its own tallest bar. Bars outside the bounds have the colour of what is
// dropped, and those that are not empty stay visible.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include "base/progress.h"
#include "report/axis.h"
#include "report/markup.h"
#include "report/picture.h"

namespace headrace::report {
namespace {

constexpr double kWidth = 520;
constexpr double kMargin = 6;
constexpr double kLongestName = 150;
constexpr double kOutsideWidth = 52;
constexpr double kStrip = 36;
constexpr double kBars = 27;
constexpr double kAxisHeight = 20;
constexpr double kLabelRow = 10;
constexpr double kMinBar = 1.5;
constexpr std::size_t kMaxStrips = 12;

void add_counts(const std::vector<std::uint64_t>& counts, std::vector<std::uint64_t>* sum) {
  sum->resize(std::max(sum->size(), counts.size()));
  for (std::size_t i = 0; i < counts.size(); ++i) (*sum)[i] += counts[i];
}

// At 10 pixels; a wide character counts at its lead byte.
double text_width(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    width += byte < 0x80 ? 6.0 : byte >= 0xE0 ? 10.0 : byte >= 0xC0 ? 6.5 : 0.0;
  }
  return width;
}

std::string shortened(std::string name) {
  if (text_width(name) <= kLongestName) {
    return name;
  }
  while (!name.empty() && text_width(name) > kLongestName - 10) {
    while (!name.empty() && (static_cast<unsigned char>(name.back()) & 0xC0) == 0x80) {
      name.pop_back();
    }
    if (!name.empty()) {
      name.pop_back();
    }
  }
  return name + "…";
}

// `text` in at most so many lines of kLongestName, broken behind a blank or a mark where there is
// one; what does not fit in the last is cut.
std::vector<std::string> wrapped(const std::string& text, std::size_t most_lines) {
  if (text_width(text) <= kLongestName || most_lines < 2) return {shortened(text)};
  std::size_t fits = 0;  // bytes
  std::size_t at_mark = 0;
  double width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    width += text_width(text.substr(i, 1));
    if (width > kLongestName) break;
    const bool whole =
        i + 1 == text.size() || (static_cast<unsigned char>(text[i + 1]) & 0xC0) != 0x80;
    if (!whole) continue;
    fits = i + 1;
    if (std::string_view(" _-,/").find(text[i]) != std::string_view::npos) at_mark = fits;
  }
  const std::size_t cut = at_mark > 0 ? at_mark : fits;
  std::vector<std::string> lines = {text.substr(0, cut)};
  for (std::string& rest : wrapped(text.substr(cut), most_lines - 1))
    lines.push_back(std::move(rest));
  return lines;
}

// The name of a strip and, where it is not all of its domain, which part: three lines at most.
struct NameLines {
  std::vector<std::string> name;
  std::vector<std::string> scope;
};

NameLines lines_of(const Series& strip) {
  NameLines lines;
  const bool long_scope = text_width(strip.scope) > kLongestName;
  lines.name = wrapped(strip.domain, long_scope ? 1 : 2);
  if (!strip.scope.empty()) lines.scope = wrapped(strip.scope, lines.name.size() == 1 ? 2 : 1);
  return lines;
}

// Bars as two outlines, one per colour: an element for each would be most of the page.
void append_bars(const Series& series, const Axis& axis, double base, Bars bars,
                 std::string* html) {
  if (bars == Bars::kLater) {
    fmt::format_to(std::back_inserter(*html),
                   "<path class=\"kept\" data-base=\"{}\" data-bins=\"{}\"/>", coordinate(base),
                   run_lengths(series.bins));
    return;
  }
  const std::size_t n = series.bins.size();
  const std::uint64_t peak = n == 0 ? 0 : *std::max_element(series.bins.begin(), series.bins.end());
  std::string kept;
  std::string drop;
  for (std::size_t i = 0; i < n; ++i) {
    if (series.bins[i] == 0) {
      continue;
    }
    const double from = axis.edge(i, n);
    const double to = axis.edge(i + 1, n);
    const double left = axis.x(from);
    const double width = axis.x(to) - left;
    const double height =
        std::max(kMinBar, kBars * static_cast<double>(series.bins[i]) / static_cast<double>(peak));
    const bool outside = (series.min && to <= *series.min) || (series.max && from >= *series.max);
    fmt::format_to(std::back_inserter(outside ? drop : kept), "M{} {}V{}h{}V{}z", coordinate(left),
                   coordinate(base), coordinate(base - height),
                   coordinate(width - (width > 3 ? 0.6 : 0)), coordinate(base));
  }
  for (const auto& [css_class, outline] : {std::pair("kept", &kept), std::pair("drop", &drop)}) {
    if (!outline->empty()) {
      fmt::format_to(std::back_inserter(*html), "<path class=\"{}\" d=\"{}\"/>", css_class,
                     *outline);
    }
  }
}

struct Label {
  double x = 0;
  double left = 0;
  double right = 0;
  bool ends_here = false;
  std::string text;
};

// Beside its line, in the part that it cuts off unless there is no room.
Label label_of(const char* sign, double bound, bool cuts_left, double x, double left,
               double right) {
  Label label;
  label.text = fmt::format("{} {}", sign, number(bound));
  const double width = text_width(label.text);
  label.ends_here = cuts_left ? x - 3 - width >= left : x + 3 + width > right;
  label.x = label.ends_here ? x - 3 : x + 3;
  label.left = label.ends_here ? label.x - width : label.x;
  label.right = label.left + width;
  return label;
}

void append_bounds(const Series& series, const Axis& axis, double left, double right, double top,
                   std::string* html) {
  auto out = std::back_inserter(*html);
  std::vector<Label> labels;
  const auto add = [&](const char* sign, const std::optional<double>& bound, bool cuts_left) {
    if (!bound || std::isnan(*bound)) {
      return;
    }
    const bool inside = axis.contains(*bound);
    const double x = inside ? axis.x(*bound) : *bound < 0 ? left : right;
    if (inside) {
      fmt::format_to(out, "<path class=\"bound\" d=\"M{} {}V{}\"/>", coordinate(x), coordinate(top),
                     coordinate(top + kStrip));
    }
    labels.push_back(label_of(sign, *bound, cuts_left, x, left, right));
  };
  add("≥", series.min, true);
  add("≤", series.max, false);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool collides = i > 0 && labels[i].left < labels[i - 1].right + 4 &&
                          labels[i - 1].left < labels[i].right + 4;
    fmt::format_to(out, "<text class=\"bound\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>",
                   coordinate(labels[i].x), coordinate(top + kLabelRow * (collides ? 2 : 1)),
                   labels[i].ends_here ? "end" : "start", labels[i].text);
  }
}

void append_axis(const Axis& axis, double base, std::string* html) {
  auto out = std::back_inserter(*html);
  for (const double tick : axis.ticks()) {
    const double x = axis.x(tick);
    const char* anchor = x < 20 ? "start" : x > kWidth - 12 ? "end" : "middle";
    fmt::format_to(out,
                   "<path class=\"axis\" d=\"M{0} {1}v4\"/><text class=\"tick\" x=\"{0}\" "
                   "y=\"{2}\" text-anchor=\"{3}\">{4}</text>",
                   coordinate(x), coordinate(base), coordinate(base + 15), anchor,
                   short_count(tick));
  }
}

}  // namespace

std::uint64_t values_of(const Series& series) {
  return std::accumulate(series.bins.begin(), series.bins.end(), std::uint64_t{0});
}

namespace {

void add_line(const Histogram::Line& line, Histogram::Line* sum) {
  add_counts(line.kept, &sum->kept);
  add_counts(line.open, &sum->open);
  sum->dropped_anyway += line.dropped_anyway;
  sum->kept_anyway += line.kept_anyway;
}

// From the bottom up; the whole text where a part of it is cut.
void append_name(const Series& strip, double right, double base, std::string* html) {
  const NameLines lines = lines_of(strip);
  const double step = lines.name.size() + lines.scope.size() > 2 ? 11 : 12;
  double y = base - 2 - step * static_cast<double>(lines.name.size() + lines.scope.size() - 1);
  const auto add = [&](const char* css_class, const std::string& text,
                       const std::vector<std::string>& shown) {
    for (const std::string& line : shown) {
      const bool cut = line.ends_with("…");
      fmt::format_to(std::back_inserter(*html),
                     "<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}{}</text>",
                     css_class, coordinate(right), coordinate(y), escape(line),
                     cut ? fmt::format("<title>{}</title>", escape(text)) : "");
      y += step;
    }
  };
  add("name", strip.domain, lines.name);
  add("scope", strip.scope, lines.scope);
}

}  // namespace

std::vector<Series> strips_of(const Histogram& histogram) {
  std::vector<Series> strips = histogram.series;
  if (strips.size() <= kMaxStrips) {
    return strips;
  }
  // A line moves at one place of the recipe, so what is added up shares its place.
  std::vector<Series> rests;
  std::vector<std::size_t> added;
  for (std::size_t i = kMaxStrips - 1; i < strips.size(); ++i) {
    auto rest = std::find_if(rests.begin(), rests.end(),
                             [&](const Series& one) { return one.place == strips[i].place; });
    if (rest == rests.end()) {
      rests.emplace_back().place = strips[i].place;
      added.push_back(0);
      rest = rests.end() - 1;
    }
    ++added[static_cast<std::size_t>(rest - rests.begin())];
    add_counts(strips[i].bins, &rest->bins);
    add_counts(strips[i].all, &rest->all);
    add_line(strips[i].min_line, &rest->min_line);
    add_line(strips[i].max_line, &rest->max_line);
    rest->nulls += strips[i].nulls;
    rest->outside += strips[i].outside;
  }
  strips.resize(kMaxStrips - 1);
  for (std::size_t i = 0; i < rests.size(); ++i) {
    rests[i].domain = fmt::format("{} more", added[i]);
    strips.push_back(std::move(rests[i]));
  }
  return strips;
}

void append_picture(const Histogram& histogram, const std::vector<Series>& strips, Bars bars,
                    std::string* html) {
  auto out = std::back_inserter(*html);
  double left = kMargin;
  if (strips.size() > 1) {
    for (const Series& strip : strips) {
      const NameLines lines = lines_of(strip);
      for (const auto& part : {lines.name, lines.scope}) {
        for (const std::string& line : part) left = std::max(left, text_width(line) + 10);
      }
    }
  }
  const bool bounded = std::any_of(strips.begin(), strips.end(),
                                   [](const Series& strip) { return strip.min || strip.max; });
  const double right = kWidth - (bounded ? kOutsideWidth : kMargin);
  const Axis axis(histogram, left, right);
  const double height = kStrip * static_cast<double>(strips.size());
  fmt::format_to(out,
                 "<svg class=\"plot\" viewBox=\"0 0 {} {}\" data-left=\"{}\" data-right=\"{}\" "
                 "role=\"img\" aria-label=\"values of {}\">",
                 coordinate(kWidth), coordinate(height + kAxisHeight), coordinate(left),
                 coordinate(right), escape(histogram.measure));
  for (std::size_t i = 0; i < strips.size(); ++i) {
    const Series& strip = strips[i];
    const double top = kStrip * static_cast<double>(i);
    const double base = top + kStrip;
    if (strips.size() > 1) append_name(strip, left - 8, base, html);
    append_bars(strip, axis, base, bars, html);
    fmt::format_to(out, "<path class=\"axis\" d=\"M{} {}H{}\"/>", coordinate(left),
                   coordinate(base), coordinate(right));
    append_bounds(strip, axis, left, right, top, html);
    if (strip.min || strip.max) {
      fmt::format_to(out,
                     "<text class=\"outside\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}<title>{} of "
                     "{} outside</title></text>",
                     coordinate(kWidth - 1), coordinate(base - 2),
                     percent(strip.outside, values_of(strip)), format_count(strip.outside),
                     format_count(values_of(strip)));
    }
  }
  append_axis(axis, height, html);
  *html += "</svg>\n";
}

}  // namespace headrace::report
