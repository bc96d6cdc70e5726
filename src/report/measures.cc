// SPDX-License-Identifier: Apache-2.0
// The section of measures: those with rules as pictures with their bounds, the rest folded by
// family; and under each what the page's script needs to say what another line would drop.
//
// A run has some eighty measures and a recipe rules on a few, so a page of eighty pictures would be
// long, slow and, at a megabyte of outlines, heavy to mail. A folded measure holds its counts and
// is drawn when it is opened; without scripts its percentiles still tell. The same counts, cut at
// round values, give the effect of a new line exactly (line_edges.cc).
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/progress.h"
#include "report/axis.h"
#include "report/markup.h"
#include "report/picture.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

bool has_rule(const Histogram& histogram) {
  return std::any_of(histogram.series.begin(), histogram.series.end(), [](const Series& series) {
    return series.min || series.max || series.outside > 0;
  });
}

// Counts between edges, then counts at them: in either half most neighbours are alike (shares are
// seldom round, lengths always are).
std::string edge_counts(const EdgeCounts& counts) {
  std::vector<std::uint64_t> between;
  std::vector<std::uint64_t> at;
  for (std::size_t i = 0; i < counts.size(); ++i) (i % 2 == 0 ? between : at).push_back(counts[i]);
  return run_lengths(between) + ";" + run_lengths(at);
}

// The smallest edge with at least `share` of the values at or below it.
std::string percentile_text(const Histogram& histogram, const Series& series, double share) {
  const std::uint64_t n = std::accumulate(series.all.begin(), series.all.end(), std::uint64_t{0});
  if (n == 0 || series.all.size() != 2 * histogram.edges.size() + 1) return "–";
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < histogram.edges.size(); ++i) {
    below += series.all[2 * i] + series.all[2 * i + 1];
    if (static_cast<double>(below) >= share * static_cast<double>(n))
      return number(histogram.edges[i]);
  }
  return "> " + number(histogram.edges.back());
}

std::string attribute(const char* name, std::string_view value) {
  return fmt::format(" data-{}=\"{}\"", name, value);
}

EdgeCounts lost_of(const EdgeCounts& all, const EdgeCounts& kept) {
  EdgeCounts lost = all;
  for (std::size_t i = 0; i < lost.size(); ++i)
    lost[i] -= std::min(lost[i], i < kept.size() ? kept[i] : 0);
  return lost;
}

// What the script cannot know without it: the sums' parts of one strip.
std::string data_of(const Series& series) {
  if (series.all.empty()) return "";
  std::string data = attribute("all", edge_counts(series.all));
  if (!series.place.empty()) data += attribute("place", escape(series.place));
  for (const auto& [name, bound] : {std::pair("min", series.min), {"max", series.max}})
    if (bound && std::isfinite(*bound)) data += attribute(name, fmt::format("{}", *bound));
  const Histogram::Line& min = series.min_line;
  const Histogram::Line& max = series.max_line;
  if (min.kept == max.kept) {
    data += attribute("lost", edge_counts(lost_of(series.all, min.kept)));
  } else {
    data += attribute("lost-min", edge_counts(lost_of(series.all, min.kept)));
    data += attribute("lost-max", edge_counts(lost_of(series.all, max.kept)));
  }
  const auto any = [](const EdgeCounts& counts) {
    return std::any_of(counts.begin(), counts.end(), [](std::uint64_t n) { return n > 0; });
  };
  if (any(min.open)) data += attribute("open-min", edge_counts(min.open));
  if (any(max.open)) data += attribute("open-max", edge_counts(max.open));
  const EdgeCounts anyway = {min.dropped_anyway, min.kept_anyway, max.dropped_anyway,
                             max.kept_anyway};
  if (any(anyway)) data += attribute("anyway", run_lengths(anyway));
  return data;
}

std::string name_of(const Series& series) {
  return series.scope.empty() ? series.domain : series.domain + " · " + series.scope;
}

void append_table(const Histogram& histogram, const std::vector<Series>& strips, bool ruled,
                  std::string* html) {
  auto out = std::back_inserter(*html);
  fmt::format_to(out,
                 "<div class=\"scroll\"><table class=\"spread\"><thead><tr><th scope=\"col\">Domain"
                 "</th><th scope=\"col\" class=\"n\">Values</th><th scope=\"col\" class=\"n\">5 %"
                 "</th><th scope=\"col\" class=\"n\">Median</th><th scope=\"col\" class=\"n\">95 %"
                 "</th>{}</tr></thead><tbody>\n",
                 ruled ? "<th scope=\"col\" class=\"n\">Outside</th>" : "");
  for (const Series& series : strips) {
    fmt::format_to(out,
                   "<tr{}><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td>"
                   "<td class=\"n\">{}</td><td class=\"n\">{}</td>",
                   data_of(series), escape(name_of(series)), format_count(values_of(series)),
                   percentile_text(histogram, series, 0.05),
                   percentile_text(histogram, series, 0.5),
                   percentile_text(histogram, series, 0.95));
    *html += ruled ? fmt::format("<td class=\"n\">{}</td></tr>\n", format_count(series.outside))
                   : "</tr>\n";
  }
  *html += "</tbody></table></div>";
}

std::string facts_of(const Histogram& histogram, const std::vector<Series>& strips) {
  std::uint64_t values = 0;
  std::uint64_t nulls = 0;
  for (const Series& strip : strips) {
    values += values_of(strip);
    nulls += strip.nulls;
  }
  std::string facts = format_count(values) + " values";
  if (nulls > 0) facts += fmt::format(", {} null", format_count(nulls));
  if (values > 0) {
    facts += histogram.scale == Scale::kLogarithmic  ? ", logarithmic axis"
             : histogram.scale == Scale::kSquareRoot ? ", square-root axis"
                                                     : "";
  }
  return facts;
}

std::string line_data(const Histogram& histogram) {
  if (histogram.edges.empty()) return "";
  const Axis axis(histogram, 0, 1);
  const double low = scaled(axis.scale(), axis.low());
  return fmt::format(" data-edges=\"{}\" data-scale=\"{}\" data-low=\"{}\" data-span=\"{}\"",
                     fmt::join(histogram.edges, " "),
                     axis.scale() == Scale::kLogarithmic  ? "log"
                     : axis.scale() == Scale::kSquareRoot ? "root"
                                                          : "linear",
                     low, scaled(axis.scale(), axis.high()) - low);
}

void append_caption(const Histogram& histogram, std::string* html) {
  fmt::format_to(std::back_inserter(*html),
                 "<code>{}</code> <small>{}</small><span class=\"about\">{}</span>",
                 escape(histogram.measure), escape(histogram.unit), escape(histogram.summary));
}

// Bounded measures lie open with their pictures; the numbers are folded.
void append_ruled(const Histogram& histogram, std::string* html) {
  auto out = std::back_inserter(*html);
  const std::vector<Series> strips = strips_of(histogram);
  fmt::format_to(out, "<figure class=\"measure\"{}><figcaption>", line_data(histogram));
  append_caption(histogram, html);
  *html += "</figcaption>\n<div class=\"body\">";
  const bool any = std::any_of(strips.begin(), strips.end(),
                               [](const Series& strip) { return values_of(strip) > 0; });
  if (any) {
    append_picture(histogram, strips, Bars::kNow, html);
  } else {
    *html += "<p class=\"none\">No document has a value.</p>\n";
  }
  fmt::format_to(
      out, "<div class=\"below\"><details class=\"numbers\"><summary class=\"facts\">{}</summary>",
      facts_of(histogram, strips));
  append_table(histogram, strips, true, html);
  *html += "</details></div></div></figure>\n";
}

void append_plain(const Histogram& histogram, std::string* html) {
  const std::vector<Series> strips = strips_of(histogram);
  fmt::format_to(std::back_inserter(*html), "<details class=\"measure plain\"{}><summary>",
                 line_data(histogram));
  append_caption(histogram, html);
  *html += "</summary>\n<div class=\"body\">";
  append_picture(histogram, strips, Bars::kLater, html);
  *html += "</div>";
  append_table(histogram, strips, false, html);
  fmt::format_to(std::back_inserter(*html), "<p class=\"facts\">{}</p></details>\n",
                 facts_of(histogram, strips));
}

}  // namespace

std::string run_lengths(const std::vector<std::uint64_t>& counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size();) {
    std::size_t end = i + 1;
    while (end < counts.size() && counts[end] == counts[i]) ++end;
    if (!text.empty()) text += ' ';
    text += fmt::format("{}", counts[i]);
    if (end - i > 1) text += fmt::format("*{}", end - i);
    i = end;
  }
  return text;
}

void append_measures(const ReportData& data, std::string* html) {
  auto out = std::back_inserter(*html);
  *html += "<section id=\"measures\"><h2>Measures</h2>\n";
  if (data.histograms.empty()) {
    *html += "<p class=\"none\">No measure was taken.</p></section>\n";
    return;
  }
  *html +=
      "<p class=\"lead\">Values of all documents that were read, kept or not. Documents that the "
      "same "
      "bounds judge share a strip: those of a domain, or of a language or a bucket in it; each is "
      "scaled to its tallest bar. Dashed lines are its bounds; on the right stands the share that "
      "lies outside, whatever other rules say.<span class=\"live\"> Move a line to see what "
      "another bound at that place of the recipe would drop; <em>newly</em> counts documents that "
      "no other rule drops, before duplicates are looked for.</span></p>\n";
  std::vector<const Histogram*> ruled;
  std::vector<std::string> families;  // in the order of the columns
  std::map<std::string, std::vector<const Histogram*>> plain;
  for (const Histogram& histogram : data.histograms) {
    if (has_rule(histogram)) {
      ruled.push_back(&histogram);
      continue;
    }
    if (!plain.contains(histogram.family)) families.push_back(histogram.family);
    plain[histogram.family].push_back(&histogram);
  }
  if (ruled.empty()) *html += "<p class=\"none\">No rule looks at a measure.</p>\n";
  *html += "<div class=\"measures\">\n";
  for (const Histogram* histogram : ruled) append_ruled(*histogram, html);
  *html += "</div>\n";
  if (!families.empty()) *html += "<h3>Measures without a rule</h3>\n";
  for (const std::string& family : families) {
    fmt::format_to(out,
                   "<details class=\"family\"><summary>{} <small>{}</small></summary>\n"
                   "<div class=\"measures\">\n",
                   family.empty() ? "Others" : escape(family), plain[family].size());
    for (const Histogram* histogram : plain[family]) append_plain(*histogram, html);
    *html += "</div></details>\n";
  }
  *html += "</section>\n";
}

}  // namespace headrace::report
