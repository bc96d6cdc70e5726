// SPDX-License-Identifier: Apache-2.0
#include "curate/removed_spans.h"

#include <filesystem>

#include <gtest/gtest.h>

namespace headrace::curate {
namespace {

using enum SpanReason;

TEST(RemovedSpansTest, TextWithoutTouchingAndOverlappingRanges) {
  const std::string text = "一二三四five";
  EXPECT_EQ(text_without(text, {}), text);
  const std::vector<RemovedSpan> one = {{.id = 1, .begin = 3, .end = 6}};
  EXPECT_EQ(text_without(text, one), "一三四five");
  const std::vector<RemovedSpan> some = {{.id = 1, .begin = 0, .end = 6},
                                         {.id = 1, .begin = 3, .end = 4},
                                         {.id = 1, .begin = 3, .end = 9},
                                         {.id = 1, .begin = 9, .end = 12},
                                         {.id = 1, .begin = 15, .end = 99}};
  EXPECT_EQ(text_without(text, some), "fiv");
}

TEST(RemovedSpansTest, LittleLeftIsNoRange) {
  const std::vector<RemovedSpan> spans = {{.id = 1, .begin = 0, .end = 9, .reason = kLittleLeft},
                                          {.id = 1, .begin = 0, .end = 2, .reason = kLeak}};
  EXPECT_EQ(text_without("ab  ", spans), "  ");
}

TEST(RemovedSpansTest, FilesComeBackAsTheyWere) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "headrace_removed_spans_test.parquet").string();
  const std::vector<RemovedSpan> spans = {
      {.id = 7, .begin = 0, .end = 4, .reason = kDuplicateLine, .kept = {{3, 11}}},
      {.id = 7, .begin = 2, .end = 9, .reason = kLeak},
      {.id = 9, .begin = 0, .end = 5, .reason = kLittleLeft},
      {.id = 9, .begin = 0, .end = 5, .reason = kDuplicateSubstring, .kept = {{0, 0}}}};
  std::vector<RemovedSpan> sorted = spans;
  std::sort(sorted.begin(), sorted.end());
  ASSERT_TRUE(write_spans(path, sorted));
  const auto read = RemovedSpans::read(path);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->all(), sorted);
  EXPECT_EQ(read->of(7).size(), 2U);
  EXPECT_TRUE(read->of(8).empty());
  EXPECT_FALSE(read->drops(7));
  EXPECT_TRUE(read->drops(9));
  std::string text = "abcdefghij";
  EXPECT_TRUE(read->cut(7, &text));
  EXPECT_EQ(text, "j");
  EXPECT_FALSE(read->cut(8, &text));
  std::filesystem::remove(path);
}

TEST(RemovedSpansTest, AFileOutOfOrderIsRefused) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "headrace_removed_spans_order.parquet").string();
  const std::vector<RemovedSpan> spans = {{.id = 9, .begin = 0, .end = 4, .kept = {{3, 11}}},
                                          {.id = 7, .begin = 2, .end = 9, .kept = {{3, 11}}}};
  ASSERT_TRUE(write_spans(path, spans));
  EXPECT_FALSE(RemovedSpans::read(path));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace headrace::curate
