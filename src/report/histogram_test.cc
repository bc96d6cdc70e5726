// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "report/page_reader.h"
#include "report/picture.h"
#include "report/sample_report.h"

namespace headrace::report {
namespace {

std::unique_ptr<Element> picture(const Histogram& histogram, Bars bars = Bars::kNow) {
  std::string html;
  append_picture(histogram, strips_of(histogram), bars, &html);
  PageReader reader;
  auto page = reader.read(html);
  EXPECT_NE(page, nullptr) << reader.error();
  return page;
}

std::unique_ptr<Element> picture(std::vector<Histogram::Series> series) {
  Histogram histogram;
  histogram.measure = "digit_share";
  histogram.series = std::move(series);
  return picture(histogram);
}

std::unique_ptr<Element> sample_picture() { return picture(sample_report().histograms[0]); }

struct Bar {
  double left = 0;
  double width = 0;
  double height = 0;
};

// "M6 36V9h20V36z..." → bars.
std::vector<Bar> bars_of(const Element& outline) {
  std::vector<Bar> bars;
  std::istringstream text(outline.attributes.at("d"));
  for (char letter = 0; text >> letter;) {
    Bar bar;
    double base = 0;
    double top = 0;
    text >> bar.left >> base >> letter >> top >> letter >> bar.width >> letter >> base >> letter;
    bar.height = base - top;
    bars.push_back(bar);
  }
  return bars;
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

std::vector<std::string> texts(const std::vector<const Element*>& elements) {
  std::vector<std::string> all;
  for (const Element* element : elements) {
    all.push_back(element->text);
  }
  return all;
}

// Where a line stands: "M120.5 3V110" → 120.5.
double line_x(const Element& line) { return std::stod(line.attributes.at("d").substr(1)); }

using Texts = std::vector<std::string>;

TEST(HistogramTest, AStripPerDomain) {
  EXPECT_EQ(texts(of(*sample_picture(), "text", "name")), (Texts{"news", "诗词"}));
}

TEST(HistogramTest, BarsOfBinsThatHoldSomething) {
  const auto page = sample_picture();
  const auto kept = of(*page, "path", "kept");
  ASSERT_EQ(kept.size(), 2u);
  const auto news = bars_of(*kept[0]);
  const auto poems = bars_of(*kept[1]);
  ASSERT_EQ(news.size(), 4u);
  ASSERT_EQ(poems.size(), 2u);
  EXPECT_DOUBLE_EQ(news[1].height, 27);  // each strip has its own peak
  EXPECT_DOUBLE_EQ(poems[1].height, 27);
  EXPECT_DOUBLE_EQ(news[2].height, 22.5);  // 250 of 300
  // Bins are equal in log10(1 + value): six over [0, 999,999] are the decades.
  const auto dropped = of(*page, "path", "drop");
  ASSERT_EQ(dropped.size(), 1u);
  const auto outside = bars_of(*dropped[0]);
  ASSERT_EQ(outside.size(), 1u);
  EXPECT_NEAR(outside[0].left - news[0].left, 4 * (news[1].left - news[0].left), 0.05);
  EXPECT_DOUBLE_EQ(outside[0].height, 1.5);  // one document still shows
}

TEST(HistogramTest, BarsForTheScriptAreCounts) {
  const auto page = picture(sample_report().histograms[0], Bars::kLater);
  const auto paths = of(*page, "path", "kept");
  ASSERT_EQ(paths.size(), 2u);
  EXPECT_EQ(paths[0]->attributes.at("data-bins"), "0 10 300 250 79 1");
  EXPECT_EQ(paths[1]->attributes.at("data-bins"), "0*2 100 250 0*2");
  EXPECT_FALSE(paths[0]->attributes.contains("d"));
}

TEST(HistogramTest, BoundsStandAtTheirValues) {
  const auto page = sample_picture();
  const auto lines = of(*page, "path", "bound");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(texts(of(*page, "text", "bound")), (Texts{"≥ 9", "≤ 99,999", "≥ 9"}));
  const double left = attribute(*of(*page, "text", "name").at(0), "x") + 8;
  const double right = 520 - 52;
  EXPECT_NEAR(line_x(*lines[0]), left + (right - left) / 6, 0.02);
  EXPECT_NEAR(line_x(*lines[1]), left + (right - left) * 5 / 6, 0.02);
}

TEST(HistogramTest, ShareOutsideStandsBesideBoundedStrips) {
  const auto page = sample_picture();
  EXPECT_EQ(texts(page->of_class("outside")),
            (Texts{"0.2 %1 of 640 outside", "0 %0 of 350 outside"}));
  const auto free = picture({{"a", {1, 2}, 0, {}, {}, 0}, {"b", {1, 2}, 0, {}, {}, 0}});
  EXPECT_TRUE(free->of_class("outside").empty());
}

TEST(HistogramTest, LabelsStayInsideThePictureAndApart) {
  for (const auto& [min, max] : {std::pair(0.0, 1.0), {0.5, 0.51}, {0.0, 0.01}, {0.99, 1.0}}) {
    const auto page = picture({{"", {1}, 0, min, max, 0}});
    const auto labels = of(*page, "text", "bound");
    ASSERT_EQ(labels.size(), 2u);
    double ends[2][2];
    for (int i = 0; i < 2; ++i) {
      const double width = 6.0 * static_cast<double>(labels[i]->text.size());
      const double x = attribute(*labels[i], "x");
      const bool ends_here = labels[i]->attributes.at("text-anchor") == "end";
      ends[i][0] = ends_here ? x - width + 18 : x;  // the sign has three bytes
      ends[i][1] = ends_here ? x : x + width - 18;
      EXPECT_GE(ends[i][0], 0);
      EXPECT_LE(ends[i][1], 520);
    }
    const bool apart = ends[0][1] < ends[1][0] || ends[1][1] < ends[0][0];
    EXPECT_TRUE(apart || labels[0]->attributes.at("y") != labels[1]->attributes.at("y")) << min;
  }
}

TEST(HistogramTest, BoundBeyondTheAxisIsTold) {
  const auto page = picture({{"", {1, 1}, 0, {}, 5.0, 0}});
  EXPECT_TRUE(of(*page, "path", "bound").empty());
  EXPECT_EQ(texts(of(*page, "text", "bound")), (Texts{"≤ 5"}));
}

TEST(HistogramTest, OneDomainNeedsNoName) {
  const auto page = picture({{"only", {7}, 3, {}, {}, 0}});
  EXPECT_TRUE(of(*page, "text", "name").empty());
  const auto bars = bars_of(*of(*page, "path", "kept").at(0));
  ASSERT_EQ(bars.size(), 1u);
  EXPECT_NEAR(bars[0].width, 508, 1);
}

TEST(HistogramTest, LongNamesAreWrappedAndThenCut) {
  const auto page =
      picture({{"a-domain-with-a-name-of-forty-characters", {1}, 0, {}, {}, 0},
               {"一个名字非常长而且写成汉字的领域", {1}, 0, {}, {}, 0},
               {std::string(30, 'x') + "-" + std::string(30, 'y'), {1}, 0, {}, {}, 0}});
  EXPECT_EQ(texts(of(*page, "text", "name")),
            (Texts{"a-domain-with-a-name-of-", "forty-characters", "一个名字非常长而且写成汉字的领",
                   "域", std::string(25, 'x'),
                   "xxxxx-" + std::string(17, 'y') + "…" + std::string(30, 'x') + "-" +
                       std::string(30, 'y')}));  // with its title
}

// A domain and its part have three lines of the strip's 36 pixels.
TEST(HistogramTest, LongPartsTakeTheLineThatTheNameLeaves) {
  Histogram::Series part{"a-domain-with-a-name-of-forty-characters", {1}, 0, {}, {}, 0};
  part.scope = "end_mark_line_share ≥ 0.5, code_points ≤ 120";
  Histogram::Series other{"short", {1}, 0, {}, {}, 0};
  other.scope = "code_points ≤ 120";
  const auto page = picture({part, other});
  EXPECT_EQ(texts(of(*page, "text", "scope")),
            (Texts{"end_mark_line_share ≥ ", "0.5, code_points ≤ 120", "code_points ≤ 120"}));
  const auto names = of(*page, "text", "name");
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(attribute(*names[0], "y"), 12);
  EXPECT_EQ(attribute(*names[1], "y"), 58);
}

TEST(HistogramTest, ManyDomainsShareTheLastStrip) {
  std::vector<Histogram::Series> series;
  for (int i = 0; i < 30; ++i) {
    series.push_back({"d" + std::to_string(i), {1, 2}, 1, 0.5, {}, 1});
  }
  const auto page = picture(series);
  const auto names = texts(of(*page, "text", "name"));
  ASSERT_EQ(names.size(), 12u);
  EXPECT_EQ(names[10], "d10");
  EXPECT_EQ(names[11], "19 more");
  EXPECT_EQ(of(*page, "text", "bound").size(), 11u);
}

TEST(HistogramTest, WhatIsAddedUpSharesItsPlaceInTheRecipe) {
  Histogram histogram;
  for (int i = 0; i < 20; ++i) {
    Histogram::Series series{"d" + std::to_string(i), {1}};
    series.place = i % 3 == 0 ? "judge.buckets[0].rules" : "judge.rules";
    series.max_line.dropped_anyway = 1;
    histogram.series.push_back(series);
  }
  const auto strips = strips_of(histogram);
  ASSERT_EQ(strips.size(), 13u);
  EXPECT_EQ(strips[11].domain, "6 more");  // 11, 13, 14, 16, 17, 19
  EXPECT_EQ(strips[11].place, "judge.rules");
  EXPECT_EQ(strips[11].max_line.dropped_anyway, 6u);
  EXPECT_EQ(strips[12].domain, "3 more");
}

TEST(HistogramTest, AStripForEachBoundsOfADomain) {
  Histogram histogram;
  histogram.measure = "digit_share";
  histogram.series = {{"web", {4, 2}, 0, {}, 0.5, 2}, {"web", {3, 3}, 0, {}, 0.25, 3}};
  histogram.series[1].scope = "code_points ≤ 500";
  const auto page = picture(histogram);
  EXPECT_EQ(texts(of(*page, "text", "name")), (Texts{"web", "web"}));
  EXPECT_EQ(texts(of(*page, "text", "scope")), (Texts{"code_points ≤ 500"}));
  EXPECT_EQ(texts(of(*page, "text", "bound")), (Texts{"≤ 0.5", "≤ 0.25"}));
  const auto lines = of(*page, "path", "bound");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_LT(line_x(*lines[1]), line_x(*lines[0]));
}

TEST(HistogramTest, OneDomainWithoutValuesDoesNotHideTheOthers) {
  const auto page = picture({{"a", {}, 3, 1.0, {}, 0}, {"b", {4}, 0, {}, {}, 0}});
  EXPECT_EQ(of(*page, "path", "kept").size(), 1u);
}

TEST(HistogramTest, BoundsThatAreNoNumbers) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double high : {1.0, inf, nan}) {
    Histogram histogram;
    histogram.high = high;
    histogram.series = {{"a", {1, 2}, 0, nan, inf, 0}, {"b", {1, 2}, 0, -inf, nan, 0}};
    std::string html;
    append_picture(histogram, strips_of(histogram), Bars::kNow, &html);
    EXPECT_EQ(html.find("nan"), std::string::npos) << high;
    EXPECT_EQ(html.find("inf"), std::string::npos) << high;
  }
}

}  // namespace
}  // namespace headrace::report
