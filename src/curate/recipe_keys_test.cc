// SPDX-License-Identifier: Apache-2.0
#include "curate/recipe_keys.h"

#include <map>
#include <regex>

#include <gtest/gtest.h>

#include "headrace/run.h"

#include "curate/recipe.h"
#include "curate/yaml_check.h"

namespace headrace::curate {
namespace {

std::map<std::string, KeyInfo> by_name() {
  std::map<std::string, KeyInfo> keys;
  for (const KeyInfo& key : recipe_keys()) {
    EXPECT_TRUE(keys.emplace(key.key, key).second) << key.key << " stands twice";
  }
  return keys;
}

TEST(RecipeKeysTest, EachHasASentenceAndAKind) {
  for (const auto& [name, key] : by_name()) {
    if (key.later) {
      EXPECT_EQ(key.summary, "") << name;
    } else {
      EXPECT_NE(key.summary, "") << name;
      EXPECT_NE(key.kind, "") << name;
    }
  }
}

TEST(RecipeKeysTest, KindsAndDefaultsAreThoseOfTheParser) {
  const auto keys = by_name();
  EXPECT_EQ(keys.at("pack.length").kind, "whole number from 1 to 16777216");
  EXPECT_EQ(keys.at("pack.length").default_value, "4096");
  EXPECT_EQ(keys.at("shards.size").default_value, "512MiB");
  EXPECT_EQ(keys.at("shards.shuffle").default_value, "true");
  EXPECT_EQ(keys.at("sources[].documents").kind, "one of file, paragraph, line");
  EXPECT_EQ(keys.at("dedup.exact.view").default_value, "nfkc, casefold, whitespace");
  EXPECT_EQ(keys.at("judge.rules.MEASURE.min").kind, "number");
  EXPECT_EQ(keys.at("judge.rules.MEASURE.min").default_value, "");
  EXPECT_EQ(keys.at("limits.confidence").default_value, "0.9");
  EXPECT_EQ(keys.at("pack.method").kind, "one of concat, best_fit, padded, none");
  EXPECT_TRUE(keys.at("pack.method").later_values.empty());
  EXPECT_EQ(keys.at("judge.rules.MEASURE.null").kind, "one of keep, drop");
  EXPECT_EQ(keys.at("judge.domains.DOMAIN.buckets[].rules.MEASURE.max").summary,
            "as judge.rules.MEASURE.max");
  EXPECT_EQ(keys.at("leak.verdict").kind, "one of drop, flag, remove_span");
  EXPECT_EQ(keys.at("leak.against[].report_only").default_value, "false");
}

// The rest of what the table says by hand holds against the parser.
TEST(RecipeKeysTest, HandWrittenDefaultsHold) {
  const auto recipe = Recipe::parse("sources: [{domain: a, paths: [x]}]\n");
  ASSERT_TRUE(recipe) << recipe.error().message();
  EXPECT_TRUE(recipe->data().sources[0].keep_all);
  EXPECT_TRUE(recipe->data().rules_of("a").empty());
  EXPECT_FALSE(recipe->data().dedup.exact_view);
  EXPECT_EQ(recipe->data().threads, 0U);
  std::string steps;
  for (const StepSpec& step : recipe->data().normalize)
    steps += (steps.empty() ? "" : ", ") + step.name;
  EXPECT_EQ(by_name().at("normalize").default_value, "[" + steps + "]");
}

// A key that is in the list is known to the parser: alone in a recipe it is never "unknown".
TEST(RecipeKeysTest, TopLevelKeysAreKnown) {
  const std::regex unknown("unknown key");
  for (const auto& [name, key] : by_name()) {
    if (name.find_first_of(".[") != std::string::npos) continue;
    const auto recipe = Recipe::parse(name + ": {}\n");
    ASSERT_FALSE(recipe);
    EXPECT_FALSE(std::regex_search(recipe.error().message(), unknown)) << recipe.error().message();
  }
  const auto recipe = Recipe::parse("sauces: {}\n");
  ASSERT_FALSE(recipe);
  EXPECT_TRUE(std::regex_search(recipe.error().message(), unknown)) << recipe.error().message();
}

TEST(FormatBytesTest, IsReadBack) {
  for (const auto& [text, bytes] : {std::pair<const char*, std::uint64_t>{"0", 0},
                                    {"1000", 1000},
                                    {"1536KiB", 1572864},
                                    {"512MiB", 536870912},
                                    {"3GiB", 3221225472},
                                    {"1TiB", 1099511627776}}) {
    EXPECT_EQ(format_bytes(bytes), text);
    std::uint64_t parsed = 1;
    EXPECT_TRUE(parse_bytes(text, &parsed));
    EXPECT_EQ(parsed, bytes);
  }
}

}  // namespace
}  // namespace headrace::curate
