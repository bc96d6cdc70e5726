// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "report/page_reader.h"
#include "report/picture.h"
#include "report/sample_report.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

std::unique_ptr<Element> section(const ReportData& data) {
  std::string html;
  append_measures(data, &html);
  PageReader reader;
  auto page = reader.read(html);
  EXPECT_NE(page, nullptr) << reader.error();
  return page;
}

// Three values below 10, one of exactly 10, two above, of which a rule drops the last.
Histogram with_edges(std::optional<double> max) {
  Histogram histogram;
  histogram.measure = "words";
  histogram.family = "Words";
  histogram.high = 20;
  histogram.edges = {0, 10, 20};
  Histogram::Series series{"news", {3, 3}, 4, {}, max, max ? 1u : 0u};
  series.all = {0, 1, 2, 1, 1, 0, 1};
  series.place = "judge.rules";
  series.min_line = {{0, 1, 2, 1, 1, 0, 0}, {0, 0, 0, 0, 0, 0, 0}};
  series.max_line = {{0, 1, 2, 1, 1, 0, 0}, {0, 0, 0, 0, 0, 0, 1}};
  histogram.series = {series};
  return histogram;
}

TEST(MeasuresTest, RuledOnesLieOpenOthersAreFoldedByFamily) {
  ReportData data;
  data.histograms = {with_edges(20.0), with_edges({}), with_edges({})};
  data.histograms[2].family = "Repetition";
  const auto page = section(data);
  EXPECT_EQ(page->named("figure").size(), 1u);
  const auto families = page->of_class("family");
  ASSERT_EQ(families.size(), 2u);
  EXPECT_EQ(families[0]->named("summary").at(0)->text, "Words 1");
  EXPECT_EQ(families[1]->named("summary").at(0)->text, "Repetition 1");
  for (const Element* family : families) EXPECT_FALSE(family->attributes.contains("open"));
}

TEST(MeasuresTest, CountsStandForTheScript) {
  ReportData data;
  data.histograms = {with_edges(20.0)};
  const auto page = section(data);
  const auto rows = page->all([](const Element& e) { return e.attributes.contains("data-all"); });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]->attributes.at("data-all"), "0 2 1*2;1*2 0");
  EXPECT_EQ(rows[0]->attributes.at("data-lost"), "0*3 1;0*3");
  EXPECT_EQ(rows[0]->attributes.at("data-open-max"), "0*3 1;0*3");
  EXPECT_FALSE(rows[0]->attributes.contains("data-open-min"));
  EXPECT_EQ(rows[0]->attributes.at("data-max"), "20");
  EXPECT_FALSE(rows[0]->attributes.contains("data-min"));
  EXPECT_EQ(rows[0]->attributes.at("data-place"), "judge.rules");
  EXPECT_FALSE(rows[0]->attributes.contains("data-anyway"));
  EXPECT_EQ(page->named("figure").at(0)->attributes.at("data-edges"), "0 10 20");
}

TEST(MeasuresTest, SidesThatDifferStandApart) {
  ReportData data;
  data.histograms = {with_edges(20.0)};
  Histogram::Series& series = data.histograms[0].series[0];
  series.scope = "language zh";
  series.place = "judge.languages.zh.rules";
  series.max_line.kept[1] = 0;
  series.max_line.dropped_anyway = 1;
  const auto page = section(data);
  const auto rows = page->all([](const Element& e) { return e.attributes.contains("data-all"); });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]->attributes.at("data-lost-min"), "0*3 1;0*3");
  EXPECT_EQ(rows[0]->attributes.at("data-lost-max"), "0*3 1;1 0*2");
  EXPECT_EQ(rows[0]->attributes.at("data-anyway"), "0*2 1 0");
  EXPECT_EQ(rows[0]->named("th").at(0)->text, "news · language zh");
}

TEST(MeasuresTest, SpreadWithoutScripts) {
  ReportData data;
  data.histograms = {with_edges({})};
  const auto page = section(data);
  EXPECT_EQ(page->named("tbody").at(0)->text, "\nnews6010> 20\n");
  EXPECT_EQ(page->of_class("facts").at(0)->text, "6 values, 4 null");
}

TEST(MeasuresTest, RuledWithoutValuesSaysSo) {
  for (const std::vector<std::uint64_t>& bins : {std::vector<std::uint64_t>{}, {0, 0}}) {
    ReportData data;
    data.histograms.emplace_back();
    data.histograms[0].series = {{"a", bins, 3, 1.0, {}, 0}};
    const auto page = section(data);
    EXPECT_TRUE(page->named("svg").empty());
    EXPECT_EQ(page->of_class("facts").at(0)->text, "0 values, 3 null");
  }
}

TEST(MeasuresTest, NumbersThatAreNone) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double high : {inf, std::numeric_limits<double>::quiet_NaN()}) {
    ReportData data;
    data.histograms = {with_edges({})};
    data.histograms[0].high = high;
    data.histograms[0].series[0].min = high;
    std::string html;
    append_measures(data, &html);
    EXPECT_EQ(html.find("nan"), std::string::npos);
    EXPECT_EQ(html.find("inf"), std::string::npos);
  }
}

TEST(MeasuresTest, EightyMeasuresOfFourDomainsStaySmall) {
  ReportData data;
  for (int i = 0; i < 80; ++i) {
    Histogram histogram = with_edges(i < 12 ? std::optional(0.3) : std::nullopt);
    histogram.scale = Scale::kSquareRoot;
    histogram.high = 1;
    histogram.edges = line_edges(histogram.scale, 0, 1, {});
    const std::size_t places = 2 * histogram.edges.size() + 1;
    Histogram::Series series{
        "news", std::vector<std::uint64_t>(60), 0, {}, histogram.series[0].max};
    for (std::size_t bin = 0; bin < 60; ++bin) series.bins[bin] = 10'000 + 37 * bin;
    series.all.assign(places, 0);
    for (std::size_t at = 0; at < places; at += 2) series.all[at] = 4'000 + 17 * at;
    series.min_line.kept = series.max_line.kept = series.all;
    histogram.series.assign(4, series);
    data.histograms.push_back(histogram);
  }
  std::string html;
  append_measures(data, &html);
  EXPECT_LT(html.size(), 700'000u);
}

TEST(RunLengthsTest, RunsAndSingles) {
  const std::pair<std::vector<std::uint64_t>, const char*> kCases[] = {
      {{}, ""}, {{7}, "7"}, {{0, 0, 0}, "0*3"}, {{1, 2, 2, 0, 0, 5}, "1 2*2 0*2 5"}};
  for (const auto& [counts, text] : kCases) EXPECT_EQ(run_lengths(counts), text);
}

}  // namespace
}  // namespace headrace::report
