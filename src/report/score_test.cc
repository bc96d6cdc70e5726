// SPDX-License-Identifier: Apache-2.0
#include "report/score.h"

#include <gtest/gtest.h>

#include "report/page_reader.h"
#include "report/sample_report.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

ScoreReport sample() {
  ScoreReport report{.name = "quality.bin",
                     .kind = "fasttext",
                     .positive = "keep",
                     .version = "0.1.0",
                     .evaluation = {},
                     .line = std::nullopt};
  report.evaluation = {
      .files = {"labels.jsonl"},
      .positives = 4,
      .negatives = 6,
      .invalid = 1,
      .average_precision = 0.75,
      .average_precision_interval = {0.5, 0.875},
      .best_f1 = {.threshold = 0.4,
                  .threshold_interval = {0.3, 0.7},
                  .precision = 0.75,
                  .recall = 0.75,
                  .f1 = 0.75,
                  .f1_interval = {0.4, 0.9}},
      .precision_at_recall = {{.recall = 0.5, .precision = 1, .threshold = 0.7}},
      .curve = {{.threshold = 0.9, .precision = 1, .recall = 0.25},
                {.threshold = 0.7, .precision = 1, .recall = 0.5},
                {.threshold = 0.4, .precision = 0.75, .recall = 0.75},
                {.threshold = 0.1, .precision = 0.375, .recall = 0.75}},
      .histogram = {
          .low = 0, .high = 1, .positives = {0, 0, 1, 1, 1}, .negatives = {3, 1, 1, 1, 0}}};
  return report;
}

std::unique_ptr<Element> page_of(const ScoreReport& report) {
  const std::string html = render_score(report);
  PageReader reader;
  auto page = reader.read(html);
  EXPECT_NE(page, nullptr) << reader.error();
  return page;
}

std::vector<std::string> rows(const Element& page) {
  std::vector<std::string> all;
  for (const Element* row : page.named("tr")) {
    std::string line;
    for (const auto& cell : row->children) line += (line.empty() ? "" : "|") + cell->text;
    all.push_back(line);
  }
  return all;
}

TEST(ScoreReportTest, TableOfLines) {
  EXPECT_EQ(rows(*page_of(sample())),
            (std::vector<std::string>{"line|score at least|precision|recall|F1|kept",
                                      "best F1|0.4|75.0 %|75.0 %|0.750|40.0 %",
                                      "recall ≥ 50 %|0.7|100.0 %|50.0 %|0.667|20.0 %",
                                      "every score|–|37.5 %|75.0 %|0.500|80.0 %"}));
}

TEST(ScoreReportTest, WhereLowIsBetterTheLineIsTheMost) {
  ScoreReport report = sample();
  report.evaluation.low_is_better = true;
  report.evaluation.curve = {{.threshold = 0.1, .precision = 1, .recall = 0.25},
                             {.threshold = 0.3, .precision = 1, .recall = 0.5},
                             {.threshold = 0.4, .precision = 0.75, .recall = 0.75},
                             {.threshold = 0.9, .precision = 0.375, .recall = 0.75}};
  const auto page = page_of(report);
  EXPECT_EQ(rows(*page)[0], "line|score at most|precision|recall|F1|kept");
  EXPECT_NE(render_score(report).find("at ≤ 0.4"), std::string::npos);
  EXPECT_EQ(render_score(report).find("at least"), std::string::npos);
  EXPECT_EQ(page->of_class("likely").size(), 1u);
}

TEST(ScoreReportTest, CurveIsStepsAndTheLikelyPartLiesOnIt) {
  const auto page = page_of(sample());
  const auto curve = page->of_class("curve");
  ASSERT_EQ(curve.size(), 1u);
  // From recall 0 at x 34 to 0.75 of 478 more; precision 1 at y 10, 0.375 at 10 + 0.625 * 300.
  EXPECT_EQ(curve[0]->attributes.at("d"),
            "M34 10H153.5L153.5 10H273L273 85H392.5L392.5 197.5H392.5");
  const auto likely = page->of_class("likely");  // thresholds 0.7 and 0.4
  ASSERT_EQ(likely.size(), 1u);
  EXPECT_EQ(likely[0]->attributes.at("d"), "M153.5 10H273L273 85H392.5");
  const auto best = page->of_class("best");
  ASSERT_EQ(best.size(), 2u);  // the mark and the row of the table
  EXPECT_EQ(best[0]->attributes.at("cx"), "392.5");
  EXPECT_EQ(best[0]->attributes.at("cy"), "85");
}

TEST(ScoreReportTest, ScoresWithThresholdIntervalAndLine) {
  ScoreReport report = sample();
  report.line = 0.8;
  const auto page = page_of(report);
  const auto band = page->of_class("band");
  ASSERT_EQ(band.size(), 1u);
  EXPECT_EQ(band[0]->attributes.at("x"), "159.2");      // 8 + 0.3 * 504
  EXPECT_EQ(band[0]->attributes.at("width"), "201.6");  // 0.4 * 504
  EXPECT_EQ(page->of_class("recipe").size(), 1u);
  EXPECT_TRUE(page_of(sample())->of_class("recipe").empty());
}

// A card that another trainer wrote has numbers, and nothing to draw.
TEST(ScoreReportTest, WithoutCurve) {
  ScoreReport report = sample();
  report.evaluation.curve.clear();
  report.evaluation.histogram = {};
  const auto page = page_of(report);
  EXPECT_TRUE(page->named("svg").empty());
  EXPECT_EQ(page->of_class("none").size(), 1u);
  EXPECT_EQ(rows(*page).size(), 4u);
}

TEST(ScoreReportTest, NoByteOfTheDataBecomesMarkup) {
  ScoreReport report = sample();
  report.name = "<script>\"'&\x01\xFF";
  report.positive = "</code><b>";
  report.kind = "<i>";
  report.evaluation.files = {"<u>.jsonl"};
  const auto page = page_of(report);
  EXPECT_TRUE(page->named("script").empty());
  EXPECT_TRUE(page->named("b").empty());
  EXPECT_TRUE(page->named("i").empty());
  EXPECT_TRUE(page->named("u").empty());
}

TEST(ScoreReportTest, SectionOfARunsReport) {
  ReportData data = sample_report();
  EXPECT_EQ(render_html(data).find("#scores"), std::string::npos);
  data.scores = {sample(), sample()};
  const std::string html = render_html(data);
  PageReader reader;
  const auto page = reader.read(html);
  ASSERT_NE(page, nullptr) << reader.error();
  const Element* section = page->id("scores");
  ASSERT_NE(section, nullptr);
  EXPECT_EQ(section->of_class("curve").size(), 2u);
  EXPECT_NE(html.find("href=\"#scores\""), std::string::npos);
}

}  // namespace
}  // namespace headrace::report
