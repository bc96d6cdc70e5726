// SPDX-License-Identifier: Apache-2.0
#include "curate/span_rows.h"

#include <gtest/gtest.h>

namespace headrace::curate {
namespace {

using enum SpanReason;

RemovedSpan span(std::uint32_t begin, std::uint32_t end, SpanReason reason, std::uint64_t kept_id,
                 std::uint32_t kept_begin) {
  return {.id = 7, .begin = begin, .end = end, .reason = reason, .kept = {{kept_id, kept_begin}}};
}

std::vector<RemovedSpan> settled(std::string_view text, std::vector<RemovedSpan> spans,
                                 std::uint64_t min_rest = 1) {
  settle_spans(text, min_rest, &spans);
  return spans;
}

TEST(SpanRowsTest, StretchesOfOneSourceBecomeOne) {
  const std::string text(100, 'x');
  const auto rows = settled(
      text, {span(30, 50, kDuplicateSubstring, 1, 130), span(10, 30, kDuplicateSubstring, 1, 110),
             span(20, 40, kDuplicateSubstring, 1, 120), span(45, 60, kDuplicateSubstring, 2, 0)});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], span(10, 50, kDuplicateSubstring, 1, 110));
  EXPECT_EQ(rows[1], span(45, 60, kDuplicateSubstring, 2, 0));
}

TEST(SpanRowsTest, WhatLiesInAnotherGoesButLeaksStay) {
  const std::string text(100, 'x');
  RemovedSpan leak = span(20, 25, kLeak, 0, 0);
  leak.kept.reset();
  const auto rows =
      settled(text, {leak, span(10, 40, kDuplicateParagraph, 1, 0),
                     span(10, 40, kDuplicateLine, 1, 0), span(15, 30, kDuplicateSubstring, 2, 9)});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], span(10, 40, kDuplicateParagraph, 1, 0));
  EXPECT_EQ(rows[1], leak);
}

TEST(SpanRowsTest, StretchesEndAtWholeCharacters) {
  const std::string text = "ae\u0301bce\u0301d";  // a, e + acute (1-4), b, c, e + acute (6-9), d
  // From the accent of the first letter to the letter of the second: neither is whole.
  const auto rows = settled(text, {span(2, 7, kDuplicateSubstring, 1, 50)});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0], span(4, 6, kDuplicateSubstring, 1, 52));
  EXPECT_TRUE(settled(text, {span(2, 4, kDuplicateSubstring, 1, 50)}).empty());
  // Two that touch: what is whole is so together.
  const auto two = settled(
      text, {span(1, 2, kDuplicateSubstring, 1, 50), span(2, 5, kDuplicateSubstring, 2, 50)});
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].begin, 1U);
  EXPECT_EQ(two[1].end, 5U);
}

TEST(SpanRowsTest, LinesAtTheEndTakeTheWhiteSpaceBeforeThem) {
  const std::string text = "a\n\nbb\ncc";
  const auto rows =
      settled(text, {span(3, 6, kDuplicateLine, 1, 0), span(6, 8, kDuplicateLine, 1, 9)});
  EXPECT_EQ(text_without(text, rows), "a");
  EXPECT_EQ(text_without(text, settled(text, {span(3, 6, kDuplicateLine, 1, 0)})), "a\n\ncc");
  EXPECT_EQ(text_without(text, settled(text, {span(6, 8, kDuplicateSubstring, 1, 0)})),
            "a\n\nbb\n");
}

TEST(SpanRowsTest, LittleLeft) {
  const std::string text = "　\n一二三四\u00a0";
  auto rows = settled(text, {span(4, 16, kDuplicateLine, 1, 0)});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].reason, kLittleLeft);
  EXPECT_EQ(rows[0].end, text.size());
  rows = settled(text, {span(4, 13, kDuplicateLine, 1, 0)});
  EXPECT_EQ(rows.size(), 1U);
  rows = settled(text, {span(4, 13, kDuplicateLine, 1, 0)}, 2);
  EXPECT_EQ(rows.size(), 2U);
}

TEST(SpanRowsTest, NothingStaysNothing) { EXPECT_TRUE(settled("", {}).empty()); }

}  // namespace
}  // namespace headrace::curate
