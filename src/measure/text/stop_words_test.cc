// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_distinct_stop_words(const SlowView& view) {
  return static_cast<double>(slow_stop_words(view).distinct);
}

HEADRACE_TEST_AGAINST_SLOW(StopWordsTest, "stop_words", slow_distinct_stop_words);

TEST(StopWordsTest, DifferentOnesOfOneLanguage) {
  EXPECT_EQ(measure_of("stop_words", "The cat and the dog"), 2.0);
  EXPECT_EQ(measure_of("stop_words", "我的书和你的书都在这"), 7.0);
  EXPECT_EQ(measure_of("stop_words", "Der Hund und die Katze"), 3.0);
  EXPECT_EQ(measure_of("stop_words", "buy cheap shoes online"), 0.0);
}

// A public bug report: words cut at blanks see none in Chinese.
TEST(StopWordsTest, ChineseProseAndKeywords) {
  EXPECT_GE(*measure_of("stop_words", "今天的天气很好，我和他在公园里走了一会儿。"), 4.0);
  EXPECT_LE(*measure_of("stop_words", "手机 电脑 相机 耳机 批发 价格"), 1.0);
}

TEST(StopWordsTest, ZeroWithoutWords) {
  for (const char* text : {"", "...", "🙂"}) EXPECT_EQ(measure_of("stop_words", text), 0.0);
}

}  // namespace
}  // namespace headrace::measure
