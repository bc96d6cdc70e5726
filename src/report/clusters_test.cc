// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "report/page_reader.h"
#include "report/sample_report.h"
#include "report/sections.h"

namespace headrace::report {
namespace {

std::unique_ptr<Element> page_of(const ReportData& data) {
  std::string html;
  append_clusters(data, &html);
  PageReader reader;
  auto page = reader.read(html);
  EXPECT_NE(page, nullptr) << reader.error();
  return page;
}

TEST(ClustersTest, NothingWhereNobodyLooked) {
  std::string html;
  append_clusters(sample_report(), &html);
  EXPECT_EQ(html, "");
}

TEST(ClustersTest, SaysWhenThereIsNone) {
  ReportData data = sample_report();
  data.near.emplace();
  EXPECT_EQ(page_of(data)->of_class("none").size(), 1U);
}

TEST(ClustersTest, ShowsTheLargestWithTheirMembers) {
  ReportData data = sample_report();
  data.near = ClusterReport{.clusters = 1200,
                            .documents = 4000,
                            .largest = {{7,
                                         0.8123,
                                         {{"0:1", "news", "a.jsonl", "", "one <b>", false, ""},
                                          {"0:9", "news", "a.jsonl", "0.812", "two", false, ""}}}}};
  const auto page = page_of(data);
  EXPECT_EQ(page->named("h3").at(0)->text, "7 documents least similarity 0.812");
  ASSERT_EQ(page->named("pre").size(), 2U);
  EXPECT_EQ(page->named("pre").at(0)->text, "one &lt;b&gt;");
  EXPECT_EQ(page->named("details").size(), 1U);
}

}  // namespace
}  // namespace headrace::report
