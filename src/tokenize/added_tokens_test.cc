// SPDX-License-Identifier: Apache-2.0
#include "tokenize/added_tokens.h"

#include <gtest/gtest.h>

namespace headrace::tokenize {
namespace {

// The matches as "id:begin-end ...".
std::string matches(const AddedTokenMatcher& matcher, std::string_view text, bool skip_special) {
  std::string found;
  AddedMatch match;
  std::size_t done = 0;
  for (std::size_t from = 0; matcher.find(text, from, done, skip_special, &match, &from);) {
    found += (found.empty() ? "" : " ") + std::to_string(match.id) + ":" +
             std::to_string(match.begin) + "-" + std::to_string(match.end);
    done = match.end;
  }
  return found;
}

TEST(AddedTokenMatcherTest, LeftmostThenLongest) {
  const AddedTokenMatcher matcher({{.content = "<a", .id = 1},
                                   {.content = "<ab>", .id = 2},
                                   {.content = "b>c", .id = 3},
                                   {.content = "  ", .id = 4}});
  EXPECT_EQ(matches(matcher, "", false), "");
  EXPECT_EQ(matches(matcher, "x<a", false), "1:1-3");
  EXPECT_EQ(matches(matcher, "<ab>c", false), "2:0-4");
  EXPECT_EQ(matches(matcher, "<ab<ab>", false), "1:0-2 2:3-7");
  EXPECT_EQ(matches(matcher, "b>c", false), "3:0-3");
  EXPECT_EQ(matches(matcher, "     x", false), "4:0-2 4:2-4");
}

// As tokenizers does with encode_special_tokens: found, passed over, and what they cover with them.
TEST(AddedTokenMatcherTest, SkippedSpecialTokensHideWhatTheyCover) {
  const AddedTokenMatcher matcher(
      {{.content = "<end>", .id = 1, .special = true}, {.content = "end", .id = 2}});
  EXPECT_EQ(matches(matcher, "<end> end", false), "1:0-5 2:6-9");
  EXPECT_EQ(matches(matcher, "<end> end", true), "2:6-9");
}

TEST(AddedTokenMatcherTest, StripTakesWhiteSpace) {
  const AddedTokenMatcher matcher({{.content = "L", .id = 1, .strip_left = true},
                                   {.content = "R", .id = 2, .strip_right = true}});
  EXPECT_EQ(matches(matcher, "a \u3000\nL b", false), "1:1-7");
  EXPECT_EQ(matches(matcher, "  L", false), "1:0-3");
  EXPECT_EQ(matches(matcher, "R \t x", false), "2:0-4");
  EXPECT_EQ(matches(matcher, "R L", false), "2:0-2 1:2-3");  // not into the match before
}

}  // namespace
}  // namespace headrace::tokenize
