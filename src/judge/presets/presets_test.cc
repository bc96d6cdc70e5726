// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/judge.h"

namespace headrace::judge {
namespace {

using testing::HasSubstr;

const RuleSet& preset(const std::string& name) {
  const auto found = find_preset(name);
  EXPECT_TRUE(found.has_value()) << name;
  return (*found)->set;
}

Rule rule_of(const std::string& name, const std::string& column) {
  for (const Rule& rule : preset(name).rules) {
    if (rule.column == column) return rule;
  }
  ADD_FAILURE() << name << " has no rule on " << column;
  return {};
}

TEST(PresetTest, NoneHasNoRules) { EXPECT_TRUE(preset("none").empty()); }

// Bounds as the sources print them, by hand and apart from the files: one of each kind.
TEST(PresetTest, PublishedBounds) {
  const struct {
    const char* preset;
    Rule rule;
  } cases[] = {
      {"gopher", {.column = "words", .min = 50, .max = 100000}},
      {"gopher", {.column = "mean_word_length", .min = 3, .max = 10}},
      {"gopher", {.column = "alphabetic_word_share", .min = 0.8}},
      {"gopher", {.column = "stop_words", .min = 2}},
      {"gopher", {.column = "top_word_3gram_share", .max = 0.18}},
      {"gopher", {.column = "dup_word_10gram_share", .max = 0.1}},
      {"c4", {.column = "c4_sentences", .min = 5}},
      {"c4", {.column = "curly_braces", .max = 0}},
      {"fineweb", {.column = "end_mark_line_share", .min = 0.12}},
      {"fineweb", {.column = "short_line_share", .max = 0.67}},
      {"fineweb", {.column = "repeated_line_char_share", .max = 0.01}},
      {"fineweb2-zh", {.column = "mean_word_length", .min = 1, .max = 5}},
      {"fineweb2-zh", {.column = "alphabetic_word_share", .min = 0.735}},
      {"fineweb2-zh", {.column = "dup_word_5gram_share", .max = 0.198}},
      {"roots-zh", {.column = "stop_word_share", .min = 0.1691}},
      {"roots-zh", {.column = "flagged_word_share", .max = 0.001}},
      {"data-juicer-zh", {.column = "char_10gram_repetition", .max = 0.6}},
      {"data-juicer-zh", {.column = "alnum_share", .min = 0.1}},
      {"dolma", {.column = "median_word_length", .min = 3, .max = 10}},
      {"dolma", {.column = "repeated_line_char_share", .max = 0.3}},
      {"code", {.column = "max_line_length", .max = 1000}},
  };
  for (const auto& c : cases) EXPECT_EQ(rule_of(c.preset, c.rule.column), c.rule) << c.preset;
}

TEST(PresetTest, FineWebIsGopherAndMore) {
  for (const Rule& rule : preset("gopher").rules) {
    if (rule.column == "repeated_line_char_share") continue;
    EXPECT_EQ(rule_of("fineweb", rule.column), rule);
  }
  EXPECT_EQ(preset("fineweb").rules.size(), preset("gopher").rules.size() + 6);
}

TEST(PresetTest, EveryPresetCompiles) {
  for (const Preset& known : registry().all()) {
    EXPECT_FALSE(known.summary.empty()) << known.name;
    EXPECT_TRUE(Judge::make(columns_of(known.set), {known.set}).has_value()) << known.name;
  }
}

// The measure 1 - distinct characters / length grows with length and drops long text of any kind.
TEST(PresetTest, NoneUsesTheNaiveMeasureOfRepetition) {
  for (const Preset& known : registry().all()) {
    EXPECT_THAT(columns_of(known.set), testing::Not(testing::Contains("char_unique_ratio")))
        << known.name;
  }
}

TEST(PresetTest, UnknownNameGetsASuggestion) {
  const auto unknown = find_preset("zh-wbe");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code(), Code::kInvalidArgument);
  EXPECT_THAT(unknown.error().message(), HasSubstr("did you mean 'zh-web'?"));
}

}  // namespace
}  // namespace headrace::judge
