// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/judge.h"

namespace headrace::judge {
namespace {

using testing::HasSubstr;

TEST(PresetTest, NoneHasNoRules) {
  const auto preset = find_preset("none");
  ASSERT_TRUE(preset.has_value());
  EXPECT_TRUE((*preset)->rules.empty());
}

TEST(PresetTest, ZhWebHasTheStatedBounds) {
  const auto preset = find_preset("zh-web");
  ASSERT_TRUE(preset.has_value());
  EXPECT_THAT((*preset)->rules,
              testing::ElementsAre(Rule{.column = "code_points", .min = 20, .max = 100000},
                                   Rule{.column = "special_symbol_share", .max = 0.3},
                                   Rule{.column = "digit_share", .max = 0.5},
                                   Rule{.column = "mean_sentence_length", .min = 3, .max = 200}));
}

TEST(PresetTest, EveryPresetCompiles) {
  for (const Preset& preset : registry().presets()) {
    EXPECT_FALSE(preset.summary.empty()) << preset.name;
    std::vector<std::string> columns;
    for (const Rule& rule : preset.rules) columns.push_back(rule.column);
    EXPECT_TRUE(Judge::make(columns, {preset.rules}).has_value()) << preset.name;
  }
}

TEST(PresetTest, UnknownNameGetsASuggestion) {
  const auto preset = find_preset("zh-wbe");
  ASSERT_FALSE(preset.has_value());
  EXPECT_EQ(preset.error().code(), Code::kInvalidArgument);
  EXPECT_THAT(preset.error().message(), HasSubstr("did you mean 'zh-web'?"));
}

TEST(PresetTest, PublishedRuleSetsOfLaterVersionsAreNamed) {
  for (const char* name :
       {"gopher", "c4", "fineweb", "fineweb2-zh", "roots-zh", "data-juicer-zh", "dolma", "code"}) {
    const auto preset = find_preset(name);
    ASSERT_FALSE(preset.has_value()) << name;
    EXPECT_EQ(preset.error().code(), Code::kUnsupported) << name;
    EXPECT_THAT(preset.error().message(), HasSubstr(std::string("'") + name + "'"));
  }
}

}  // namespace
}  // namespace headrace::judge
