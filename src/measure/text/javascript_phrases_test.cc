// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_phrases.h"

namespace headrace::measure {
namespace {

const std::vector<std::string> kJavascriptPhrases = {"javascript"};

std::optional<double> slow_javascript_phrases(const SlowView& view) {
  return static_cast<double>(slow_phrases(view, kJavascriptPhrases).count);
}

HEADRACE_TEST_AGAINST_SLOW(JavascriptPhrasesTest, "javascript_phrases", slow_javascript_phrases);

TEST(JavascriptPhrasesTest, EqualsItsSlowFormOnTextsOfPhrases) {
  std::vector<std::string> pieces = kJavascriptPhrases;
  for (const char* other : {" ", "\n", "x", "，", "的", "-"}) pieces.insert(pieces.end(), 4, other);
  expect_equals_slow_on("javascript_phrases", slow_javascript_phrases, texts_of(pieces, 500));
}

TEST(JavascriptPhrasesTest, CountsPhrases) {
  EXPECT_EQ(measure_of("javascript_phrases", ""), 0.0);
  EXPECT_EQ(measure_of("javascript_phrases", "Please enable JavaScript. (javascript)"), 2.0);
  EXPECT_EQ(measure_of("javascript_phrases", "请在浏览器中启用JavaScript后重试"), 1.0);
  EXPECT_EQ(measure_of("javascript_phrases", "java script, javascripts"), 0.0);
}

}  // namespace
}  // namespace headrace::measure
