// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "mix/mix.h"

namespace headrace::mix {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::uint64_t> must(Result<std::vector<std::uint64_t>> budgets) {
  EXPECT_TRUE(budgets.has_value()) << budgets.error().message();
  return budgets.value_or(std::vector<std::uint64_t>{});
}

TEST(TokenBudgetsTest, WithoutWeightsEverything) {
  EXPECT_THAT(must(token_budgets({{"a", 10}, {"b", 0}, {"c", 7}}, {}, std::nullopt)),
              ElementsAre(10, 0, 7));
  EXPECT_TRUE(must(token_budgets({}, {}, std::nullopt)).empty());
}

TEST(TokenBudgetsTest, WithoutWeightsATotalKeepsTheSharesThatAreThere) {
  EXPECT_THAT(must(token_budgets({{"a", 600}, {"b", 0}, {"c", 300}}, {}, 90)),
              ElementsAre(60, 0, 30));
  EXPECT_THAT(must(token_budgets({{"a", 600}, {"c", 300}}, {}, 900)), ElementsAre(600, 300));
}

TEST(TokenBudgetsTest, TheScarcestDomainIsUsedUp) {
  EXPECT_THAT(must(token_budgets({{"news", 1000}, {"forum", 90}, {"code", 5000}},
                                 {{"news", 0.4}, {"forum", 0.3}, {"code", 0.3}}, std::nullopt)),
              ElementsAre(120, 90, 90));
}

TEST(TokenBudgetsTest, WeightsHaveAnyScale) {
  const std::vector<DomainSupply> supply = {{"a", 100}, {"b", 1000}};
  for (const double scale : {1e-300, 1.0, 7.0, 1e307}) {
    EXPECT_THAT(must(token_budgets(supply, {{"a", 1 * scale}, {"b", 3 * scale}}, std::nullopt)),
                ElementsAre(100, 300))
        << scale;
  }
}

TEST(TokenBudgetsTest, ATotalIsDealtOutToTheToken) {
  const std::vector<DomainSupply> supply = {{"a", 100}, {"b", 100}, {"c", 100}};
  const std::map<std::string, double> thirds = {{"a", 1}, {"b", 1}, {"c", 1}};
  EXPECT_THAT(must(token_budgets(supply, thirds, 100)), ElementsAre(34, 33, 33));
  EXPECT_THAT(must(token_budgets(supply, thirds, 101)), ElementsAre(34, 34, 33));
  EXPECT_THAT(must(token_budgets(supply, {{"a", 1}, {"b", 2}, {"c", 4}}, 70)),
              ElementsAre(10, 20, 40));
}

// Random supplies and weights: budgets add up, shares hold to the token, one domain is used up.
TEST(TokenBudgetsTest, TotalUpToWhatTheWeightsAllow) {
  constexpr CounterRng rng(4, purpose("test"));
  std::uint64_t draw = 0;
  for (int round = 0; round < 500; ++round) {
    std::vector<DomainSupply> supply;
    std::map<std::string, double> weights;
    for (char name = 'a'; name < 'a' + 5; ++name) {
      supply.push_back({std::string(1, name), 1 + rng.below(draw++, 1'000'000'000'000)});
      weights[supply.back().domain] = rng.unit(draw++) + 1e-3;
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0,
                                       [](double s, const auto& w) { return s + w.second; });
    double allowed = 1e300;
    for (const auto& s : supply) {
      allowed = std::min(allowed, static_cast<double>(s.tokens) * sum / weights[s.domain]);
    }
    const auto total = static_cast<std::uint64_t>(allowed * 0.999999);
    const auto budgets = must(token_budgets(supply, weights, total));
    ASSERT_EQ(std::accumulate(budgets.begin(), budgets.end(), std::uint64_t{0}), total);
    const auto most = must(token_budgets(supply, weights, std::nullopt));
    bool is_used_up = false;
    for (std::size_t i = 0; i < supply.size(); ++i) {
      ASSERT_LE(budgets[i], supply[i].tokens);
      ASSERT_LE(most[i], supply[i].tokens);
      ASSERT_NEAR(static_cast<double>(budgets[i]),
                  weights[supply[i].domain] / sum * static_cast<double>(total), 1.01);
      ASSERT_NEAR(static_cast<double>(most[i]), weights[supply[i].domain] / sum * allowed, 1.01);
      is_used_up |= most[i] == supply[i].tokens;
    }
    ASSERT_TRUE(is_used_up);
    const auto above =
        token_budgets(supply, weights, static_cast<std::uint64_t>(allowed * 1.000001) + 1);
    ASSERT_FALSE(above.has_value());
    ASSERT_EQ(above.error().code(), Code::kInvalidArgument);
  }
}

TEST(TokenBudgetsTest, TooLargeATotalNamesTheScarceDomain) {
  const auto budgets =
      token_budgets({{"news", 1000}, {"forum", 90}}, {{"news", 7}, {"forum", 3}}, 301);
  ASSERT_FALSE(budgets.has_value());
  EXPECT_EQ(budgets.error().code(), Code::kInvalidArgument);
  EXPECT_THAT(budgets.error().message(), HasSubstr("allow 300 without a repeat"));
  EXPECT_THAT(budgets.error().message(), HasSubstr("'forum' has 90 tokens for a share of 0.3"));
  EXPECT_THAT(
      must(token_budgets({{"news", 1000}, {"forum", 90}}, {{"news", 7}, {"forum", 3}}, 300)),
      ElementsAre(210, 90));
  EXPECT_FALSE(token_budgets({{"a", 10}}, {}, 11).has_value());
}

TEST(TokenBudgetsTest, AllFaultsAtOnce) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto budgets = token_budgets(
      {{"news", 10}, {"forum", 10}, {"code", 0}, {"books", 5}, {"math", 1}, {"web", 1}},
      {{"nwes", 1}, {"forum", 0}, {"code", 1}, {"books", -1}, {"math", nan}, {"web", infinity}},
      std::nullopt);
  ASSERT_FALSE(budgets.has_value());
  EXPECT_EQ(budgets.error().code(), Code::kInvalidArgument);
  const std::string& message = budgets.error().message();
  EXPECT_THAT(message, HasSubstr("no domain 'nwes'; did you mean 'news'?"));
  EXPECT_THAT(message, HasSubstr("'news' has no weight"));
  EXPECT_THAT(message, HasSubstr("weight 0 of domain 'forum'"));
  EXPECT_THAT(message, HasSubstr("weight -1 of domain 'books'"));
  EXPECT_THAT(message, HasSubstr("domain 'math' is not a positive number"));
  EXPECT_THAT(message, HasSubstr("domain 'web' is not a positive number"));
  EXPECT_THAT(message, HasSubstr("'code' has a weight and no tokens"));
}

}  // namespace
}  // namespace headrace::mix
