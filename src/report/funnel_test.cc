// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "report/page_reader.h"
#include "report/sample_report.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

std::unique_ptr<Element> section(void (*append)(const ReportData&, std::string*),
                                 const ReportData& data) {
  std::string html;
  append(data, &html);
  PageReader reader;
  auto page = reader.read(html);
  EXPECT_NE(page, nullptr) << reader.error();
  return page;
}

// "cell|cell|cell" for each row, head and foot included.
std::vector<std::string> rows(const Element& page) {
  std::vector<std::string> all;
  for (const Element* row : page.named("tr")) {
    std::string line;
    for (const auto& cell : row->children) {
      line += (line.empty() ? "" : "|") + cell->text;
    }
    all.push_back(line);
  }
  return all;
}

double width(const Element& rect) { return std::stod(rect.attributes.at("width")); }

TEST(FunnelTest, Totals) {
  const Totals all = totals(sample_report().stages);
  EXPECT_EQ(all.in, 1000u);
  EXPECT_EQ(all.kept, 800u);
  EXPECT_EQ(all.dropped, 196u);
  EXPECT_EQ(all.quarantined, 4u);
  EXPECT_TRUE(imbalances(sample_report().stages).empty());
  EXPECT_EQ(totals({}).in, 0u);
}

TEST(FunnelTest, StagesAndTheirSum) {
  const auto page = section(append_stages, sample_report());
  EXPECT_EQ(rows(*page), (std::vector<std::string>{
                             "Stage|In||Out|Dropped|Quarantined|Goes on",
                             "read|1,000||990|6|4|99.0 %",
                             "judge|990||890|100|0|89.9 %",
                             "dedup|890||800|90|0|89.9 %",
                             "all|1,000||800|196|4|80.0 %",
                         }));
}

TEST(FunnelTest, BarsShareTheScaleOfWhatCameIn) {
  const auto page = section(append_stages, sample_report());
  const auto bars = page->of_class("bar");
  ASSERT_EQ(bars.size(), 4u);
  const auto judge = bars[1]->named("rect");
  ASSERT_EQ(judge.size(), 2u);
  EXPECT_DOUBLE_EQ(width(*judge[0]), 890);
  EXPECT_DOUBLE_EQ(width(*judge[1]), 100);
  EXPECT_EQ(judge[1]->attributes.at("x"), "890");
  EXPECT_EQ(judge[1]->attributes.at("class"), "drop");
}

TEST(FunnelTest, WrongStageIsMarked) {
  ReportData data = sample_report();
  data.stages[2].quarantined = 1;
  const auto page = section(append_stages, data);
  const auto wrong = page->of_class("wrong");
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong[0]->children[0]->text, "dedup");
}

TEST(FunnelTest, Domains) {
  const auto page = section(append_domains, sample_report());
  EXPECT_EQ(rows(*page), (std::vector<std::string>{
                             "Domain|In|lost in read|lost in judge|lost in dedup|Kept||Tokens|",
                             "news|600|4|30|66|500|83.3 %|7,000|70.0 %",
                             "诗词|400|6|70|24|300|75.0 %|3,000|30.0 %",
                             "all|1,000|10|100|90|800|80.0 %|10,000|100 %",
                         }));
}

TEST(FunnelTest, DomainsWithoutTokenizer) {
  ReportData data = sample_report();
  for (DomainFunnel& domain : data.domains) {
    domain.tokens = 0;
  }
  EXPECT_EQ(rows(*section(append_domains, data))[0],
            "Domain|In|lost in read|lost in judge|lost in dedup|Kept|");
}

TEST(FunnelTest, ReasonsByStageThenLargestFirst) {
  const auto page = section(append_reasons, sample_report());
  EXPECT_EQ(rows(*page), (std::vector<std::string>{
                             "Reason|Stage|Documents|Of all in|news|诗词",
                             "text_missing|read|6|0.6 %|·|1.5 %",
                             "quarantined|read|4|0.4 %|0.7 %|·",
                             "code_points_below_min|judge|70|7.0 %|·|17.5 %",
                             "digit_share_above_max|judge|30|3.0 %|5.0 %|·",
                             "exact_duplicate|dedup|90|9.0 %|11.0 %|6.0 %",
                         }));
  const auto links = page->named("a");
  ASSERT_EQ(links.size(), 1u);  // only one reason has samples
  EXPECT_EQ(links[0]->attributes.at("href"), "#samples-1");
}

TEST(FunnelTest, SameReasonInTwoStagesIsTwoRows) {
  ReportData data = sample_report();
  data.domains.clear();
  data.stages = {{"judge", 10, 8, 0, {{"too_long", 2}}}, {"pack", 8, 5, 0, {{"too_long", 3}}}};
  EXPECT_EQ(rows(*section(append_reasons, data)),
            (std::vector<std::string>{"Reason|Stage|Documents|Of all in|",
                                      "too_long|judge|2|20.0 %|", "too_long|pack|3|30.0 %|"}));
}

TEST(FunnelTest, ManyDomainsLeaveTheReasonsNarrow) {
  ReportData data = sample_report();
  for (int i = 0; i < 20; ++i) {
    data.domains.push_back({"d" + std::to_string(i), {}, 0});
  }
  EXPECT_EQ(rows(*section(append_reasons, data))[0], "Reason|Stage|Documents|Of all in|");
  EXPECT_EQ(rows(*section(append_domains, data)).size(), 24u);  // head, 22, all
}

TEST(FunnelTest, StagesWithoutLossesHaveNoColumn) {
  ReportData data = sample_report();
  data.stages.push_back({"tokenize", 800, 800, 0, {}});
  EXPECT_EQ(rows(*section(append_domains, data))[0],
            "Domain|In|lost in read|lost in judge|lost in dedup|Kept||Tokens|");
}

}  // namespace
}  // namespace headrace::report
