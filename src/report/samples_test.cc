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

TEST(SamplesTest, TellsWhereFromAndWhy) {
  const auto page = section(append_samples, sample_report());
  EXPECT_EQ(page->named("h3").at(0)->text, "code_points_below_min 1 of 70 dropped");
  EXPECT_EQ(page->named("figcaption").at(0)->text, "1:0 诗词 4 min 9 raw/唐诗.txt");
  EXPECT_EQ(page->named("pre").at(0)->text, "白日依山");
}

TEST(SamplesTest, NoValueNoField) {
  ReportData data = sample_report();
  data.reasons[0].samples[0].value.clear();
  const auto page = section(append_samples, data);
  EXPECT_TRUE(page->of_class("value").empty());
}

TEST(SamplesTest, QuarantinedAreNamedAndLinked) {
  ReportData data = sample_report();
  data.reasons.push_back(
      {"not_json", 4, {{"0:7", "news", "raw/a.jsonl", "", "{", false, ""}}, true});
  const auto page = section(append_samples, data);
  EXPECT_EQ(page->named("h3").at(1)->text, "not_json 1 of 4 quarantined");
  EXPECT_EQ(page->of_class("quar").size(), 1u);
  EXPECT_EQ(sample_anchors(data), (Anchors{{"code_points_below_min", "samples-1"},
                                           {"not_json", "samples-2"},
                                           {"", "samples-2"}}));
}

TEST(SamplesTest, CutTextSaysSo) {
  ReportData data = sample_report();
  data.reasons[0].samples[0].cut = true;
  data.reasons[0].samples[0].text = "\nfirst line is empty";
  const auto page = section(append_samples, data);
  EXPECT_EQ(page->named("pre").at(0)->text, "\nfirst line is empty… goes on");
}

TEST(SamplesTest, TwoStandOpenAndTheRestFolded) {
  for (const std::size_t count : {1, 2, 3, 9}) {
    ReportData data = sample_report();
    data.reasons[0].samples.resize(count, data.reasons[0].samples[0]);
    const auto page = section(append_samples, data);
    EXPECT_EQ(page->named("pre").size(), count);
    const auto folded = page->named("details");
    ASSERT_EQ(folded.size(), count > 2 ? 1u : 0u);
    if (count > 2) {
      EXPECT_EQ(folded[0]->named("pre").size(), count - 2);
      EXPECT_EQ(folded[0]->named("summary").at(0)->text, std::to_string(count - 2) + " more");
    }
  }
}

TEST(SamplesTest, ReasonsWithoutSamplesAreLeftOut) {
  ReportData data = sample_report();
  data.reasons.insert(data.reasons.begin(), {"never_sampled", 3, {}});
  EXPECT_EQ(sample_anchors(data), (Anchors{{"code_points_below_min", "samples-2"}}));
  EXPECT_EQ(section(append_samples, data)->named("h3").size(), 1u);
  data.reasons.pop_back();
  EXPECT_EQ(section(append_samples, data)->of_class("none").size(), 1u);
}

TEST(NotesTest, FileAndFinding) {
  const auto page = section(append_notes, sample_report());
  EXPECT_EQ(page->named("tr").at(1)->text, "raw/empty.jsonlempty_file: the file has no bytes");
}

}  // namespace
}  // namespace headrace::report
