// SPDX-License-Identifier: Apache-2.0
// Public reports of measures gone wrong in other tools, reduced to small texts. Two more stand with
// their measures: blank lines as duplicates (repeated_line_share_test.cc) and Chinese end marks
// (end_mark_line_share_test.cc).
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/measure.h"
#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

const std::string kChinese =
    "春天来了，河边的柳树长出了新芽，孩子们在草地上放风筝。老人坐在长椅上晒太阳，聊着往年的收成和今"
    "年"
    "的打算。远处的山还带着一点雪，风吹过来并不冷。";
const std::string kEnglish =
    "The river was quiet that morning and the boats had not yet left the harbour. A man with a "
    "basket walked along the wall and counted the gulls, as he did every day of the week.";

// Ratios over no words: a division by zero elsewhere. Here a finite number, or null.
TEST(MeasureCasesTest, TextWithoutWordsGivesNumbersOrNull) {
  const std::vector<std::string> texts = {"",
                                          "   \n\t",
                                          "！！！？？？",
                                          "https://a.example/b?c=d",
                                          "🙂🙂🙂",
                                          "\u200B\u200B",
                                          "123",
                                          "。",
                                          std::string(1, '\0'),
                                          "a"};
  for (const std::string& text : texts) {
    for (const std::string& name : registry().names()) {
      const std::optional<double> value = measure_of(name, text);
      EXPECT_TRUE(!value.has_value() || std::isfinite(*value)) << name << " of " << text;
    }
  }
  for (const char* name :
       {"mean_line_length", "median_line_length", "end_mark_line_share", "repeated_paragraph_share",
        "c4_line_share", "newlines_per_word", "mean_sentence_words", "unended_sentence_share"}) {
    EXPECT_EQ(measure_of(name, ""), std::nullopt) << name;
    EXPECT_EQ(measure_of(name, "   \n\t"), std::nullopt) << name;
  }
}

// Split at blanks, Chinese prose is one word.
TEST(MeasureCasesTest, ChineseHasWordsWithoutBlanks) {
  EXPECT_GE(measure_of("words", kChinese), 20.0);
  EXPECT_GE(measure_of("words", kEnglish), 20.0);
  EXPECT_LT(measure_of("words", "好的。"), 20.0);
}

// Every rule about line ends and sentences must hold for Chinese as for English.
TEST(MeasureCasesTest, ChineseProseIsProse) {
  for (const std::string& text : {kChinese, kEnglish}) {
    EXPECT_EQ(measure_of("end_mark_line_share", text), 1.0) << text;
    EXPECT_EQ(measure_of("c4_line_share", text), 1.0) << text;
    EXPECT_EQ(measure_of("unended_sentence_share", text), 0.0) << text;
    EXPECT_GE(measure_of("c4_sentences", text), 2.0) << text;
  }
}

}  // namespace
}  // namespace headrace::measure
