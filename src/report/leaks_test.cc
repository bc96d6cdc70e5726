// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/page_reader.h"
#include "report/report.h"

namespace headrace::report {
namespace {

using ::testing::HasSubstr;

std::string section(const ReportData& data) {
  const std::string page = render_html(data);
  PageReader reader;
  const auto top = reader.read(page);
  EXPECT_TRUE(top) << reader.error();
  const Element* const found = top ? top->id("leaks") : nullptr;
  return found == nullptr ? "" : found->text;
}

TEST(LeaksTest, NothingFoundStandsBesideWhatWasLookedFor) {
  ReportData data;
  EXPECT_EQ(section(data), "");
  data.leak = LeakBooks{.verdict = "drop",
                        .items = 1319,
                        .without_seeds = 2,
                        .documents = 48'000,
                        .sets = {{.name = "gsm8k", .items = 1319}}};
  const std::string text = section(data);
  EXPECT_THAT(text, HasSubstr("1,319 items were looked for in 48,000 documents"));
  EXPECT_THAT(text, HasSubstr("0 of them hold one"));
  EXPECT_THAT(text, HasSubstr("2 have nothing to search by"));
}

TEST(LeaksTest, SetsSayWhatAHitDoes) {
  ReportData data;
  data.leak = LeakBooks{.verdict = "remove_span",
                        .sets = {{.name = "a<b", .drop = 7, .flag = 3, .documents = 9},
                                 {.name = "own", .report_only = true}}};
  const std::string text = section(data);
  EXPECT_THAT(text, HasSubstr("a&lt;b0973has it taken out of its text"));
  EXPECT_THAT(text, HasSubstr("own0000is only counted"));
}

TEST(LeaksTest, ValidationSaysWhetherAnybodyLooked) {
  ReportData data;
  data.validation = ValidationBooks{.documents = 12, .checked = 988, .leaks = 5, .flagged = 1};
  EXPECT_THAT(section(data), HasSubstr("988 training documents were looked through for their text: "
                                       "5 hold it and were dropped, 1 hold a little"));
  data.validation->checks_leaks = false;
  EXPECT_THAT(section(data), HasSubstr("12 documents are held out. Nobody looked"));
}

}  // namespace
}  // namespace headrace::report
