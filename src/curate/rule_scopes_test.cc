// SPDX-License-Identifier: Apache-2.0
#include "curate/rule_scopes.h"

#include <cmath>

#include <gtest/gtest.h>

#include "curate/recipe.h"

namespace headrace::curate {
namespace {

std::vector<RuleScope> scopes(const std::string& judge, const std::string& domain,
                              const std::string& column) {
  const auto recipe = Recipe::parse(
      "sources:\n  - {domain: news, paths: [a]}\n"
      "  - {domain: forum, paths: [b]}\n" +
      judge);
  EXPECT_TRUE(recipe) << recipe.error().message();
  const Recipe::Data& data = recipe->data();
  return scopes_of(data.rules_of(domain), column, data.base_place(domain));
}

std::vector<std::string> places(const std::vector<RuleScope>& scopes) {
  std::vector<std::string> all;
  for (const RuleScope& scope : scopes) all.push_back(scope.origin.place);
  return all;
}

using Places = std::vector<std::string>;

constexpr const char* kJudge = R"(
judge:
  rules: {digit_share: {min: 0.01, max: 0.5}}
  languages: {zh: {rules: {digit_share: {max: 0.3}}}}
  buckets: [{when: {code_points: {max: 500}}, rules: {digit_share: {max: 0.4}}}]
  domains: {forum: {rules: {digit_share: {max: 0.9}}}}
)";

TEST(RuleScopesTest, EachListOfRulesIsAPlaceOfTheRecipe) {
  const auto news = scopes(kJudge, "news", "digit_share");
  EXPECT_EQ(places(news),
            (Places{"judge.rules", "judge.languages.zh.rules", "judge.buckets[0].rules"}));
  EXPECT_EQ(news[0].min, 0.01);
  EXPECT_EQ(news[1].max, 0.3);
  EXPECT_EQ(news[1].min, std::nullopt);
  EXPECT_EQ(describe(news[1].when), "language zh");
  EXPECT_EQ(describe(news[2].when), "code_points ≤ 500");
  const auto forum = scopes(kJudge, "forum", "digit_share");
  EXPECT_EQ(places(forum), (Places{"judge.domains.forum.rules"}));  // replaces the buckets as well
  EXPECT_EQ(places(scopes(kJudge, "news", "words")), (Places{"judge.rules"}));
}

TEST(RuleScopesTest, PresetsAreNamed) {
  const auto base = scopes("judge: {preset: zh-web}\n", "news", "mean_sentence_length");
  ASSERT_EQ(base.size(), 3u);
  EXPECT_EQ(base[0].origin.preset, "zh-web");
  EXPECT_EQ(base[0].origin.bucket, 0u);
  EXPECT_EQ(base[1].origin.bucket, 2u);
  EXPECT_EQ(places(base), (Places{"judge.rules", "judge.rules", "judge.rules"}));
  EXPECT_EQ(written_scope(base, base[1]).max, 1000);
  const auto own =
      scopes("judge: {domains: {forum: {preset: gopher}}}\n", "forum", "flagged_word_share");
  EXPECT_EQ(places(own), (Places{"judge.domains.forum.rules"}));
  const auto language =
      scopes("judge: {languages: {zh: {preset: zh-web}}}\n", "news", "dup_10gram_coverage");
  EXPECT_EQ(places(language),
            (Places{"judge.rules", "judge.languages.zh.rules", "judge.languages.zh.rules"}));
  EXPECT_EQ(describe(language[2].when), "language zh, code_points ≤ 1000");
}

TEST(RuleScopesTest, ARuleOfBucketsOfAPresetHasNoOtherBoundToKeep) {
  const auto stop = scopes("judge: {preset: zh-web}\n", "news", "stop_word_share");
  ASSERT_EQ(stop.size(), 3u);
  EXPECT_EQ(stop[0].min, std::nullopt);
  EXPECT_EQ(stop[2].min, 0.01);
  EXPECT_EQ(written_scope(stop, stop[2]).min, std::nullopt);
}

TEST(RuleScopesTest, TheLastThatTakesARowJudgesIt) {
  const double nan = std::nan("");
  const std::vector<double> han = {0.9, 0.9, 0.0, nan, 0.9};
  const std::vector<double> length = {600, 500, 500, 10, nan};
  const std::vector<std::vector<RuleScope>> by_domain = {scopes(kJudge, "news", "digit_share"),
                                                         scopes(kJudge, "forum", "digit_share")};
  const auto rows =
      RowScopes::load(by_domain, [&](const std::string& column) -> Result<std::span<const double>> {
        return column == "han_share" ? han : length;
      });
  ASSERT_TRUE(rows);
  std::vector<std::size_t> found;
  for (std::size_t row = 0; row < han.size(); ++row) found.push_back(rows->index_of(0, row));
  EXPECT_EQ(found, (std::vector<std::size_t>{1, 2, 2, 2, 1}));
  EXPECT_EQ(rows->index_of(1, 0), 0u);
}

}  // namespace
}  // namespace headrace::curate
