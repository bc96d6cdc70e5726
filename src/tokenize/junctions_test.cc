// SPDX-License-Identifier: Apache-2.0
#include "tokenize/junctions.h"

#include <string>

#include <gtest/gtest.h>

namespace headrace::tokenize {
namespace {

// The text with | at each cut.
std::string cut(const Junctions& junctions, const std::string& text) {
  std::string parts;
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto* const end = p + text.size();
  while (p < end) {
    const std::uint8_t* next = junctions.next_cut(p, end);
    parts += (parts.empty() ? "" : "|") + std::string(p, next);
    p = next;
  }
  return parts;
}

TEST(JunctionsTest, CutsWhereNoEntryCrosses) {
  Junctions junctions;
  junctions.add("中国");
  junctions.add(" 我");
  junctions.add("天气!");
  EXPECT_EQ(cut(junctions, "中国人"), "中国|人");
  EXPECT_EQ(cut(junctions, "人中国中"), "人|中国|中");
  EXPECT_EQ(cut(junctions, " 我天气!"), " 我|天气!");
  EXPECT_EQ(cut(junctions, " 天 气!"), " |天| |气!");  // the entry holds 气!
}

TEST(JunctionsTest, NeverCutsShortCharacters) {
  const Junctions junctions;
  EXPECT_EQ(cut(junctions, "abcé"), "abcé");
  EXPECT_EQ(cut(junctions, "é中"), "é中");
  EXPECT_EQ(cut(junctions, "🙂中🙂"), "🙂中🙂");
}

// 中 is E4 B8 AD, 国 E5 9B BD, 人 E4 BA BA.
TEST(JunctionsTest, EntriesThatBeginOrEndInsideACharacter) {
  Junctions tail;
  tail.add(
      "\xB8\xAD"
      "国");
  EXPECT_EQ(cut(tail, "中国国人"), "中国|国|人");
  Junctions head;
  head.add("中\xE5\x9B");
  EXPECT_EQ(cut(head, "中国中人"), "中国|中|人");
  Junctions both;
  both.add("\xB8\xAD\xE5\x9B");
  EXPECT_EQ(cut(both, "中国人中"), "中国|人|中");
  Junctions blank;
  blank.add(" \xE4\xB8");
  EXPECT_EQ(cut(blank, " 中 国"), " 中| |国");
}

// More pairs than are listed: the coarse bitmap by the two bytes at the junction.
TEST(JunctionsTest, EntriesThatMatchTooManyPairs) {
  Junctions junctions;
  junctions.add("\xAD\xE5");
  EXPECT_EQ(cut(junctions, "中国人中"), "中国|人|中");
}

}  // namespace
}  // namespace headrace::tokenize
