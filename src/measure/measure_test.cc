// SPDX-License-Identifier: Apache-2.0
#include "measure/measure.h"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace headrace::measure {
namespace {

// Public bug reports with one cause: ratios of a text that has no words (or nothing at all).
TEST(MeasureSetTest, TextsWithoutWordsGiveFiniteNumbersOrNull) {
  const std::vector<std::string_view> texts = {"",
                                               "   \n\t",
                                               "！！！？？？",
                                               "https://a.example/b?c=d",
                                               "🙂🙂🙂",
                                               "\u200B\u200B",
                                               "123",
                                               "。",
                                               {"\0", 1},
                                               "a"};
  TextViewBuilder builder;
  MeasureSet set;
  std::vector<double> values(set.size());
  for (const std::string_view text : texts) {
    set.of(builder.build(text), values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_FALSE(std::isinf(values[i]))
          << registry().measures()[i].name << " of '" << text << "'";
    }
    EXPECT_FALSE(std::isnan(values[0])) << "code_points is never null";
  }
}

TEST(RegistryTest, FindsByName) {
  ASSERT_NE(registry().find("line_count"), nullptr);
  EXPECT_EQ(registry().find("line_count")->unit, "lines");
  EXPECT_EQ(registry().find("nothing"), nullptr);
  EXPECT_EQ(registry().measures().size(), MeasureSet().size());
}

}  // namespace
}  // namespace headrace::measure
