// SPDX-License-Identifier: Apache-2.0
// What a reader asks of it: where is the line, how sure is that, and what does another cost?
//
// The curve shows precision over recall in steps, as it is measured, not a line through points that
// no threshold gives. The stretch that the bootstrap puts the best threshold in lies on it in the
// colour of bounds, and as a band on the scores below, where the classes are mirrored: bars on top
// of each other hide the smaller class, which is most often the one that was looked for (tried).
#include "report/score.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "base/progress.h"
#include "report/axis.h"
#include "report/markup.h"
#include "report/picture.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

constexpr double kWidth = 520;
constexpr double kLeft = 34;
constexpr double kRight = 512;
constexpr double kTop = 10;
constexpr double kCurve = 300;  // height of the curve's field
constexpr double kBars = 70;    // of the tallest bar, up or down

using Point = ScoreEvaluation::Point;

double curve_x(double recall) { return kLeft + (kRight - kLeft) * recall; }
double curve_y(double precision) { return kTop + kCurve * (1 - precision); }

std::string share(double value) { return fmt::format("{:.1f} %", 100 * value); }

// 0.4821 rather than 0.48213845: a person reads it, the card has all digits.
std::string short_number(double value) { return number(std::stod(fmt::format("{:.4g}", value))); }

std::string interval(const ScoreInterval& interval) {
  return fmt::format("95 %: {} to {}", short_number(interval.low), short_number(interval.high));
}

// Steps: the precision of a threshold holds for the recall that it gains.
std::string steps(std::vector<Point>::const_iterator begin, std::vector<Point>::const_iterator end,
                  double from) {
  std::string path;
  double x = curve_x(from);
  for (auto at = begin; at != end; ++at) {
    fmt::format_to(std::back_inserter(path), "{}{} {}H{}", path.empty() ? "M" : "L", coordinate(x),
                   coordinate(curve_y(at->precision)), coordinate(curve_x(at->recall)));
    x = curve_x(at->recall);
  }
  return path;
}

void append_grid(std::string* html) {
  auto out = std::back_inserter(*html);
  for (int i = 0; i <= 10; i += 2) {
    const double value = i / 10.0;
    fmt::format_to(out,
                   "<path class=\"grid\" d=\"M{0} {1}H{2}M{3} {4}V{5}\"/>"
                   "<text class=\"tick\" x=\"{6}\" y=\"{7}\" text-anchor=\"end\">{8}</text>"
                   "<text class=\"tick\" x=\"{3}\" y=\"{9}\" text-anchor=\"middle\">{8}</text>",
                   coordinate(kLeft), coordinate(curve_y(value)), coordinate(kRight),
                   coordinate(curve_x(value)), coordinate(kTop), coordinate(kTop + kCurve),
                   coordinate(kLeft - 6), coordinate(curve_y(value) + 3.5), number(value),
                   coordinate(kTop + kCurve + 14));
  }
  fmt::format_to(out,
                 "<text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"end\">recall →</text>"
                 "<text class=\"name\" x=\"{}\" y=\"{}\">↑ precision</text>",
                 coordinate(kRight), coordinate(kTop + kCurve - 6), coordinate(kLeft + 6),
                 coordinate(kTop + 11));
}

void append_curve(const ScoreReport& report, std::string* html) {
  const ScoreEvaluation& made = report.evaluation;
  const std::vector<Point>& curve = made.curve;
  if (curve.empty()) {
    *html += "<p class=\"none\">The card of this model has no curve.</p>\n";
    return;
  }
  auto out = std::back_inserter(*html);
  fmt::format_to(out,
                 "<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"precision "
                 "over recall; average precision {}\">",
                 coordinate(kWidth), coordinate(kTop + kCurve + 18),
                 short_number(made.average_precision));
  append_grid(html);
  const double all = static_cast<double>(made.positives + made.negatives);
  const double base = curve_y(static_cast<double>(made.positives) / all);
  fmt::format_to(out,
                 "<path class=\"chance\" d=\"M{} {}H{}\"/><text class=\"tick\" x=\"{}\" y=\"{}\">"
                 "all kept: {}</text>",
                 coordinate(kLeft), coordinate(base), coordinate(kRight), coordinate(kLeft + 6),
                 coordinate(base - 4), share(static_cast<double>(made.positives) / all));
  fmt::format_to(out, "<path class=\"curve\" d=\"{}\"/>", steps(curve.begin(), curve.end(), 0));
  const auto& band = made.best_f1.threshold_interval;
  const auto is_inside = [&](const Point& point) {
    return point.threshold >= band.low && point.threshold <= band.high;
  };
  const auto begin = std::find_if(curve.begin(), curve.end(), is_inside);
  const auto end = std::find_if_not(begin, curve.end(), is_inside);
  if (begin != end) {
    fmt::format_to(out, "<path class=\"likely\" d=\"{}\"/>",
                   steps(begin, end, begin == curve.begin() ? 0 : std::prev(begin)->recall));
  }
  const double x = curve_x(made.best_f1.recall);
  const double y = curve_y(made.best_f1.precision);
  const bool to_the_left = x > kWidth / 2;
  const bool above = y > kTop + kCurve - 20;
  fmt::format_to(out,
                 "<circle class=\"best\" cx=\"{0}\" cy=\"{1}\" r=\"4\"/>"
                 "<text class=\"bound\" x=\"{2}\" y=\"{3}\" text-anchor=\"{4}\">best F1 {5} at {7} "
                 "{6}</text></svg>\n",
                 coordinate(x), coordinate(y), coordinate(to_the_left ? x - 8 : x + 8),
                 coordinate(above ? y - 9 : y + 15), to_the_left ? "end" : "start",
                 short_number(made.best_f1.f1), short_number(made.best_f1.threshold),
                 made.low_is_better ? "≤" : "≥");
}

void append_bars(const std::vector<std::uint64_t>& counts, const Axis& axis, double base,
                 double height, const char* css_class, std::string* html) {
  const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
  std::string path;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const double left = axis.x(axis.edge(i, counts.size()));
    const double width = axis.x(axis.edge(i + 1, counts.size())) - left;
    const double part = static_cast<double>(counts[i]) / static_cast<double>(most);
    const double tall = std::copysign(std::max(1.5, std::fabs(height) * part), height);
    fmt::format_to(std::back_inserter(path), "M{} {}V{}h{}V{}z", coordinate(left), coordinate(base),
                   coordinate(base - tall), coordinate(width - 0.6), coordinate(base));
  }
  fmt::format_to(std::back_inserter(*html), "<path class=\"{}\" d=\"{}\"/>", css_class, path);
}

void append_histogram(const ScoreReport& report, std::string* html) {
  const auto& bins = report.evaluation.histogram;
  if (bins.positives.empty()) return;
  Histogram values;
  values.low = bins.low;
  values.high = bins.high;
  const Axis axis(values, 8, kRight);
  const double base = kTop + 14 + kBars;
  const double bottom = base + kBars + 14;
  auto out = std::back_inserter(*html);
  fmt::format_to(out,
                 "<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"scores of "
                 "both classes\">",
                 coordinate(kWidth), coordinate(bottom + 20));
  const auto place = [&](double value) { return axis.x(std::clamp(value, bins.low, bins.high)); };
  const auto& best = report.evaluation.best_f1;
  const double low = place(best.threshold_interval.low);
  fmt::format_to(out, "<rect class=\"band\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                 coordinate(low), coordinate(kTop),
                 coordinate(std::max(1.0, place(best.threshold_interval.high) - low)),
                 coordinate(bottom - kTop));
  append_bars(bins.positives, axis, base, kBars, "kept", html);
  append_bars(bins.negatives, axis, base, -kBars, "drop", html);
  fmt::format_to(out,
                 "<path class=\"axis\" d=\"M8 {0}H{1}M8 {2}H{1}\"/><path class=\"bound\" "
                 "d=\"M{3} {4}V{2}\"/>",
                 coordinate(base), coordinate(kRight), coordinate(bottom),
                 coordinate(place(best.threshold)), coordinate(kTop));
  if (report.line) {
    fmt::format_to(out,
                   "<path class=\"bound recipe\" d=\"M{0} {1}V{2}\"/><text class=\"bound\" "
                   "x=\"{3}\" y=\"{4}\">recipe: {5}</text>",
                   coordinate(place(*report.line)), coordinate(kTop), coordinate(bottom),
                   coordinate(place(*report.line) + 4), coordinate(bottom - 4),
                   short_number(*report.line));
  }
  for (const double tick : axis.ticks()) {
    fmt::format_to(out,
                   "<path class=\"axis\" d=\"M{0} {1}v4\"/><text class=\"tick\" x=\"{0}\" "
                   "y=\"{2}\" text-anchor=\"middle\">{3}</text>",
                   coordinate(axis.x(tick)), coordinate(bottom), coordinate(bottom + 15),
                   number(tick));
  }
  *html += "</svg>\n";
}

// Where a threshold stands on the curve; nothing in cards without one.
const Point* point_at(const ScoreEvaluation& made, double threshold) {
  const auto found = std::find_if(made.curve.begin(), made.curve.end(),
                                  [&](const Point& point) { return point.threshold == threshold; });
  return found == made.curve.end() ? nullptr : &*found;
}

void append_row(std::string_view what, const std::string& threshold, double precision,
                double recall, const ScoreEvaluation& made, bool best, std::string* html) {
  const double kept = precision > 0 ? recall * static_cast<double>(made.positives) / precision : 0;
  const double f1 = precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
  fmt::format_to(
      std::back_inserter(*html),
      "<tr{}><th class=\"line\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
      "class=\"n\">{}</td><td class=\"n\">{:.3f}</td><td class=\"n\">{}</td></tr>\n",
      best ? " class=\"best\"" : "", what, threshold, share(precision), share(recall), f1,
      percent(static_cast<std::uint64_t>(std::llround(kept)), made.positives + made.negatives));
}

void append_table(const ScoreReport& report, std::string* html) {
  const ScoreEvaluation& made = report.evaluation;
  fmt::format_to(
      std::back_inserter(*html),
      "<div class=\"scroll\"><table><thead><tr><th>line</th><th class=\"n\">score {}</th>"
      "<th class=\"n\">precision</th><th class=\"n\">recall</th><th class=\"n\">F1</th>"
      "<th class=\"n\">kept</th></tr></thead><tbody>\n",
      made.low_is_better ? "at most" : "at least");
  const auto& best = made.best_f1;
  append_row("best F1", short_number(best.threshold), best.precision, best.recall, made, true,
             html);
  for (const auto& at : made.precision_at_recall) {
    const Point* point = point_at(made, at.threshold);
    append_row(fmt::format("recall ≥ {:.4g} %", 100 * at.recall), short_number(at.threshold),
               at.precision, point != nullptr ? point->recall : at.recall, made, false, html);
  }
  const double valid_share = made.curve.empty() ? 1 : made.curve.back().recall;
  append_row("every score", "–",
             made.curve.empty() ? static_cast<double>(made.positives) /
                                      static_cast<double>(made.positives + made.negatives)
                                : made.curve.back().precision,
             valid_share, made, false, html);
  *html += "</tbody></table></div>\n";
}

void append_fact(std::string_view label, const std::string& value, const std::string& detail,
                 std::string* html) {
  fmt::format_to(
      std::back_inserter(*html),
      "<div class=\"card\"><dt>{}</dt><dd><strong>{}</strong> <span>{}</span></dd></div>\n", label,
      value, detail);
}

void append_facts(const ScoreEvaluation& made, std::string* html) {
  const auto& best = made.best_f1;
  *html += "<dl class=\"cards\">\n";
  append_fact("Average precision", short_number(made.average_precision),
              interval(made.average_precision_interval), html);
  append_fact("Best F1", short_number(best.f1), interval(best.f1_interval), html);
  append_fact("Its threshold", short_number(best.threshold), interval(best.threshold_interval),
              html);
  append_fact("Precision there", share(best.precision), "", html);
  append_fact("Recall there", share(best.recall), "", html);
  append_fact("Labelled", format_count(made.positives + made.negatives),
              fmt::format("{} positive", format_count(made.positives)), html);
  if (made.invalid > 0)
    append_fact("Without a number", format_count(made.invalid), "kept by no threshold", html);
  *html += "</dl>\n";
}

std::string title_of(const ScoreReport& report) {
  return report.name.empty() ? "unnamed score" : escape(report.name);
}

void append_body(const ScoreReport& report, std::string* html) {
  const ScoreEvaluation& made = report.evaluation;
  auto out = std::back_inserter(*html);
  append_facts(made, html);
  std::string files;
  for (const std::string& file : made.files) {
    files += fmt::format("{}<code>{}</code>", files.empty() ? "" : ", ", escape(file));
  }
  fmt::format_to(out,
                 "<p class=\"lead\">{} A document is kept when its score is {} the threshold. "
                 "The intervals hold 95 % of a bootstrap over the labelled documents{}{}.</p>\n",
                 report.positive.empty()
                     ? ""
                     : fmt::format("Positive are documents of the label <code>{}</code>.",
                                   escape(report.positive)),
                 made.low_is_better ? "at most" : "at least", files.empty() ? "" : " of ", files);
  *html +=
      "<div class=\"measures\"><figure><figcaption class=\"about\">Precision and recall at "
      "each threshold; the thick part holds the thresholds of the interval</figcaption>\n";
  append_curve(report, html);
  *html +=
      "</figure>\n<figure><figcaption class=\"about\">Scores of the "
      "<span class=\"key kept\"></span>positive (up) and the <span class=\"key drop\"></span>"
      "negative (down), each scaled to its tallest bar; the line is the threshold, the band its "
      "interval</figcaption>\n";
  append_histogram(report, html);
  append_table(report, html);
  *html += "</figure></div>\n";
}

}  // namespace

void append_scores(const ReportData& data, std::string* html) {
  if (data.scores.empty()) return;
  *html += "<section id=\"scores\"><h2>Scores</h2>\n";
  for (const ScoreReport& report : data.scores) {
    fmt::format_to(std::back_inserter(*html), "<h3><code>{}</code> <small>{}</small></h3>\n",
                   title_of(report), escape(report.kind));
    append_body(report, html);
  }
  *html += "</section>\n";
}

std::string render_score(const ScoreReport& report) {
  std::string html;
  fmt::format_to(
      std::back_inserter(html),
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; "
      "style-src &#39;unsafe-inline&#39;; img-src data:\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<link rel=\"icon\" href=\"data:,\"/>\n<title>{0} · headrace score</title>\n"
      "<style>{1}</style></head>\n<body>\n<header><p class=\"mark\">headrace <span>{2}</span></p>"
      "<h1>{0}</h1><p class=\"path\">{3}</p></header>\n<main>\n",
      title_of(report), style_sheet(), escape(report.version),
      report.kind.empty() ? "score" : "score of the kind " + escape(report.kind));
  append_body(report, &html);
  html +=
      "</main>\n<footer>Written by headrace. The same scores and labels give the same page, byte "
      "for byte.</footer>\n</body></html>\n";
  return html;
}

}  // namespace headrace::report
