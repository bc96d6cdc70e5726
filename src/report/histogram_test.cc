// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "report/page_reader.h"
#include "report/sample_report.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

std::unique_ptr<Element> section(const ReportData& data) {
  std::string html;
  append_histograms(data, &html);
  PageReader reader;
  auto page = reader.read(html);
  EXPECT_NE(page, nullptr) << reader.error();
  return page;
}

std::unique_ptr<Element> section(Histogram histogram) {
  ReportData data = sample_report();
  data.histograms = {std::move(histogram)};
  return section(data);
}

std::vector<const Element*> of(const Element& page, std::string_view name,
                               std::string_view css_class) {
  return page.all([&](const Element& e) {
    const auto it = e.attributes.find("class");
    return e.name == name && it != e.attributes.end() && it->second == css_class;
  });
}

double attribute(const Element& element, const std::string& name) {
  return std::stod(element.attributes.at(name));
}

// Where a line stands: "M120.5 3V110" → 120.5.
double line_x(const Element& line) { return std::stod(line.attributes.at("d").substr(1)); }

TEST(HistogramTest, BarsOfBinsThatHoldSomething) {
  const auto page = section(sample_report());
  const auto bars = of(*page, "rect", "kept");
  ASSERT_EQ(bars.size(), 5u);
  EXPECT_DOUBLE_EQ(attribute(*bars[2], "height"), 96);        // the peak
  EXPECT_DOUBLE_EQ(attribute(*bars[1], "height"), 96 * 0.8);  // 400 of 500
  EXPECT_DOUBLE_EQ(attribute(*bars[4], "height"), 1.5);       // one document still shows
  // Bins are equal in log10(1 + value): six over [0, 999,999] are the decades.
  EXPECT_EQ(bars[0]->text, "9 to 99: 10");
  EXPECT_EQ(bars[4]->text, "99,999 to 999,999: 1");
  EXPECT_EQ(page->of_class("facts").at(0)->text, "990 values, tallest bar 500, logarithmic axis");
}

TEST(HistogramTest, BoundsStandAtTheirValuesAndNameTheirDomains) {
  const auto page = section(sample_report());
  const auto lines = of(*page, "path", "bound");
  const auto labels = of(*page, "text", "bound");
  ASSERT_EQ(lines.size(), 2u);  // both domains share the lower bound
  ASSERT_EQ(labels.size(), 2u);
  EXPECT_NEAR(line_x(*lines[0]), 8 + 344.0 / 6, 0.02);
  EXPECT_NEAR(line_x(*lines[1]), 8 + 344.0 * 5 / 6, 0.02);
  EXPECT_EQ(labels[0]->text, "min 9 · all");
  EXPECT_EQ(labels[1]->text, "max 99,999 · news");
}

TEST(HistogramTest, LabelsNeverOverlap) {
  Histogram histogram;
  histogram.measure = "digit_share";
  histogram.bins = {1, 2, 3};
  for (int i = 0; i < 12; ++i) {
    histogram.thresholds.push_back({"领域" + std::to_string(i), {}, 0.5 + 0.001 * i});
  }
  const auto page = section(histogram);
  std::set<std::string> rows;
  for (const Element* label : of(*page, "text", "bound")) {
    EXPECT_TRUE(rows.insert(label->attributes.at("y")).second);
  }
  EXPECT_EQ(rows.size(), 12u);
}

TEST(HistogramTest, LabelsStayInsideThePicture) {
  Histogram histogram;
  histogram.bins = {1};
  histogram.thresholds = {{"", 0.0, 1.0}};
  const auto page = section(histogram);
  const auto labels = of(*page, "text", "bound");
  ASSERT_EQ(labels.size(), 2u);
  EXPECT_EQ(labels[0]->attributes.at("text-anchor"), "start");
  EXPECT_EQ(labels[1]->attributes.at("text-anchor"), "end");
}

TEST(HistogramTest, ManyDomainsAreCounted) {
  Histogram histogram;
  histogram.bins = {1};
  for (const char* domain : {"a", "b", "c", "d", "e"}) {
    histogram.thresholds.push_back({domain, 0.5, {}});
  }
  EXPECT_EQ(of(*section(histogram), "text", "bound").at(0)->text, "min 0.5 · a, b, c +2");
}

TEST(HistogramTest, BoundBeyondTheAxisIsTold) {
  Histogram histogram;
  histogram.bins = {1, 1};
  histogram.thresholds = {{"", {}, 5.0}};
  const auto page = section(histogram);
  EXPECT_TRUE(of(*page, "path", "bound").empty());
  EXPECT_EQ(page->of_class("facts").at(0)->text,
            "2 values, tallest bar 1; beyond the axis: max 5 · all");
}

TEST(HistogramTest, OneBin) {
  Histogram histogram;
  histogram.bins = {7};
  histogram.nulls = 3;
  const auto page = section(histogram);
  const auto bars = of(*page, "rect", "kept");
  ASSERT_EQ(bars.size(), 1u);
  EXPECT_NEAR(attribute(*bars[0], "width"), 344, 1);
  EXPECT_EQ(page->of_class("facts").at(0)->text, "7 values, tallest bar 7, 3 null");
}

TEST(HistogramTest, NoValues) {
  Histogram histogram;
  histogram.nulls = 3;
  for (const std::vector<std::uint64_t>& bins : {std::vector<std::uint64_t>{}, {0, 0}}) {
    histogram.bins = bins;
    const auto page = section(histogram);
    EXPECT_TRUE(page->named("svg").empty());
    EXPECT_EQ(page->of_class("facts").at(0)->text, "0 values, 3 null");
  }
}

TEST(HistogramTest, RangesThatAreNone) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::pair<double, double> kRanges[] = {{5, 5}, {9, 1}, {nan, 1}, {0, inf}, {-inf, inf}};
  for (const auto& [low, high] : kRanges) {
    for (const bool logarithmic : {false, true}) {
      Histogram histogram;
      histogram.low = low;
      histogram.high = high;
      histogram.logarithmic = logarithmic;
      histogram.bins = {1, 2};
      histogram.thresholds = {{"", nan, inf}};
      std::string html;
      ReportData data;
      data.histograms = {histogram};
      append_histograms(data, &html);
      EXPECT_EQ(html.find("nan"), std::string::npos) << low << " " << high;
      EXPECT_EQ(html.find("inf"), std::string::npos) << low << " " << high;
    }
  }
}

TEST(HistogramTest, TicksAreRoundNumbers) {
  const auto texts = [](Histogram histogram) {
    histogram.bins = {1};
    const auto page = section(histogram);
    std::string all;
    for (const Element* tick : of(*page, "text", "tick")) {
      all += tick->text + " ";
    }
    return all;
  };
  EXPECT_EQ(texts({.low = 0, .high = 1}), "0 0.2 0.4 0.6 0.8 1 ");
  EXPECT_EQ(texts({.low = -1, .high = 1}), "-1 -0.5 0 0.5 1 ");
  EXPECT_EQ(texts({.low = 0, .high = 37}), "0 10 20 30 ");
  EXPECT_EQ(texts({.low = 0, .high = 2000, .logarithmic = true}), "0 1 10 100 1 k ");
  EXPECT_EQ(texts({.low = 20, .high = 50, .logarithmic = true}), "20 50 ");
}

}  // namespace
}  // namespace headrace::report
