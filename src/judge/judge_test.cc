// SPDX-License-Identifier: Apache-2.0
#include "judge/judge.h"

#include <limits>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"

namespace headrace::judge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Judge must_make(const std::vector<std::string>& columns,
                const std::vector<std::vector<Rule>>& domains) {
  auto judge = Judge::make(columns, domains);
  EXPECT_TRUE(judge.has_value()) << judge.error().message();
  return *std::move(judge);
}

// Row by row, bound by bound: what the columnar loop must equal.
ReasonSet judge_row(const Judge& judge, const std::vector<std::string>& columns,
                    const std::vector<Rule>& rules, const std::vector<double>& row) {
  ReasonSet set = 0;
  const auto flag = [&](const std::string& reason) {
    for (std::size_t r = 0; r < judge.reasons().size(); ++r) {
      if (judge.reasons()[r] == reason) set |= ReasonSet{1} << r;
    }
  };
  for (const Rule& rule : rules) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c] != rule.column) continue;
      if (rule.min && row[c] < *rule.min) flag(reason_below_min(rule.column));
      if (rule.max && row[c] > *rule.max) flag(reason_above_max(rule.column));
    }
  }
  return set;
}

std::vector<ReasonSet> verdicts_of(const Judge& judge,
                                   const std::vector<std::vector<double>>& columns,
                                   const std::vector<std::uint32_t>& domain) {
  std::vector<std::span<const double>> spans(columns.begin(), columns.end());
  std::vector<ReasonSet> verdicts(domain.size(), ~ReasonSet{0});
  judge.judge(spans, domain, verdicts);
  return verdicts;
}

TEST(JudgeTest, BoundsAreInclusiveAndNullBreaksNone) {
  const Judge judge = must_make({"x"}, {{{.column = "x", .min = 2, .max = 5}}});
  EXPECT_THAT(judge.reasons(), ElementsAre("x_below_min", "x_above_max"));
  const std::vector<double> x = {1.999, 2, 3, 5, 5.001, kNaN, -kInfinity, kInfinity};
  EXPECT_THAT(verdicts_of(judge, {x}, std::vector<std::uint32_t>(8, 0)),
              ElementsAre(1, 0, 0, 0, 2, 0, 1, 2));
}

TEST(JudgeTest, EveryBrokenBoundIsABit) {
  const Judge judge =
      must_make({"a", "b"}, {{{.column = "b", .max = 1}, {.column = "a", .min = 1, .max = 2}}});
  EXPECT_THAT(judge.reasons(), ElementsAre("b_above_max", "a_below_min", "a_above_max"));
  EXPECT_EQ(judge.column_of(0), 1u);
  EXPECT_EQ(judge.column_of(1), 0u);
  EXPECT_THAT(verdicts_of(judge, {{0, 3, 3}, {2, 2, 0}}, {0, 0, 0}),
              ElementsAre(0b011, 0b101, 0b100));
}

TEST(JudgeTest, ReasonsStandInOrderOfFirstAppearance) {
  const Judge judge = must_make({"a", "b", "c"}, {{{.column = "b", .max = 1}},
                                                  {},
                                                  {{.column = "c", .min = 1},
                                                   {.column = "b", .min = 0, .max = 9},
                                                   {.column = "a", .min = 1, .max = 2}}});
  EXPECT_THAT(judge.reasons(), ElementsAre("b_above_max", "c_below_min", "b_below_min",
                                           "a_below_min", "a_above_max"));
}

TEST(JudgeTest, DomainsHaveTheirOwnBounds) {
  const Judge judge =
      must_make({"x"}, {{{.column = "x", .min = 5}}, {}, {{.column = "x", .min = 1, .max = 4}}});
  EXPECT_THAT(judge.reasons(), ElementsAre("x_below_min", "x_above_max"));
  EXPECT_THAT(verdicts_of(judge, {{4.5, 4.5, 4.5, kNaN, 0, 0}}, {0, 1, 2, 2, 1, 2}),
              ElementsAre(1, 0, 2, 0, 0, 1));
}

TEST(JudgeTest, TwoRulesOnOneColumnBothHold) {
  const Judge judge =
      must_make({"x"}, {{{.column = "x", .min = 1, .max = 9}, {.column = "x", .min = 3}}});
  EXPECT_THAT(verdicts_of(judge, {{2, 3, 10}}, {0, 0, 0}), ElementsAre(1, 0, 2));
}

TEST(JudgeTest, NoRulesKeepEverything) {
  const Judge judge = must_make({"x"}, {{}});
  EXPECT_TRUE(judge.reasons().empty());
  EXPECT_THAT(verdicts_of(judge, {{}}, {0, 0}), ElementsAre(0, 0));
  EXPECT_TRUE(verdicts_of(judge, {{}}, {}).empty());
}

// Blocks of one domain, blocks of several, a short last block; all against the naive loop.
TEST(JudgeTest, ColumnarLoopEqualsRowByRow) {
  const std::vector<std::string> columns = {"a", "b", "c"};
  std::vector<std::vector<Rule>> domains(3);
  domains[0] = {{.column = "a", .min = 0.2}, {.column = "c", .min = 0.1, .max = 0.9}};
  domains[1] = {{.column = "b", .max = 0.5}};
  domains[2] = {{.column = "a", .min = 0.3, .max = 0.4}, {.column = "b", .min = 0.1}};
  const Judge judge = must_make(columns, domains);
  constexpr CounterRng rng(11, purpose("test"));
  constexpr std::size_t kRows = 10007;
  std::vector<std::vector<double>> values(3, std::vector<double>(kRows));
  std::vector<std::uint32_t> domain(kRows);
  for (std::size_t row = 0; row < kRows; ++row) {
    domain[row] = row < 3000 ? 1 : row < 6000 ? rng.below(row, 3) : 2;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint64_t index = (row * 3 + c) << 8;
      values[c][row] = rng.below(index, 10) == 0 ? kNaN : rng.unit(index + 1);
    }
  }
  const auto verdicts = verdicts_of(judge, values, domain);
  std::size_t dropped = 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::vector<double> cells = {values[0][row], values[1][row], values[2][row]};
    ASSERT_EQ(verdicts[row], judge_row(judge, columns, domains[domain[row]], cells)) << row;
    dropped += verdicts[row] != 0;
  }
  EXPECT_GT(dropped, kRows / 4);
  EXPECT_LT(dropped, kRows);
}

TEST(JudgeTest, AllFaultsOfTheRulesAreToldAtOnce) {
  const auto judge = Judge::make({"code_points", "digit_share"},
                                 {{{.column = "code_piont", .min = 1}},
                                  {{.column = "code_piont", .min = 1},
                                   {.column = "digit_share", .min = 0.5, .max = 0.25},
                                   {.column = "code_points", .max = kNaN}}});
  ASSERT_FALSE(judge.has_value());
  EXPECT_EQ(judge.error().code(), Code::kInvalidArgument);
  const std::string& message = judge.error().message();
  EXPECT_THAT(message, HasSubstr("'code_piont', which does not exist; did you mean 'code_points'"));
  EXPECT_THAT(message, HasSubstr("'digit_share' has min 0.5 above max 0.25"));
  EXPECT_THAT(message, HasSubstr("'code_points' has a bound that is not a number"));
  EXPECT_EQ(message.find("code_piont'"), message.rfind("code_piont'")) << message;
}

TEST(JudgeTest, SixtyFourReasonsFit) {
  std::vector<std::string> columns;
  std::vector<Rule> rules;
  for (int i = 0; i < 33; ++i) {
    columns.push_back(fmt::format("m{}", i));
    if (i < 32) rules.push_back({.column = columns.back(), .min = 0, .max = 1});
  }
  const Judge judge = must_make(columns, {rules});
  ASSERT_EQ(judge.reasons().size(), 64u);
  std::vector<std::vector<double>> values(33, {0.5, 0.5});
  values[31] = {2, -1};
  EXPECT_THAT(verdicts_of(judge, values, {0, 0}),
              ElementsAre(ReasonSet{1} << 63, ReasonSet{1} << 62));
  rules.push_back({.column = "m32", .min = 0});
  const auto refused = Judge::make(columns, {rules});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Code::kInvalidArgument);
  EXPECT_THAT(refused.error().message(), HasSubstr("65"));
}

TEST(JudgeTest, UnresolvedPercentilesAreOurMistake) {
  const auto judge = Judge::make({"x"}, {{{.column = "x", .auto_min_percentile = 5}}});
  ASSERT_FALSE(judge.has_value());
  EXPECT_EQ(judge.error().code(), Code::kInternal);
}

TEST(OverrideRulesTest, ReplacesWholeRulesInPlaceAndAppends) {
  const std::vector<Rule> base = {{.column = "a", .min = 1, .max = 2}, {.column = "b", .max = 3}};
  const std::vector<Rule> over = {{.column = "c", .min = 7}, {.column = "a", .max = 9}};
  EXPECT_THAT(override_rules(base, over),
              ElementsAre(Rule{.column = "a", .max = 9}, Rule{.column = "b", .max = 3},
                          Rule{.column = "c", .min = 7}));
  EXPECT_EQ(override_rules(base, {}), base);
  EXPECT_EQ(override_rules({}, over), over);
}

}  // namespace
}  // namespace headrace::judge
