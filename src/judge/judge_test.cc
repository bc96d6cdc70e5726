// SPDX-License-Identifier: Apache-2.0
#include "judge/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

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

using Rules = std::vector<Rule>;

RuleSet rules(Rules list) { return {.rules = std::move(list), .buckets = {}}; }

Judge must_make(const std::vector<std::string>& columns, const std::vector<RuleSet>& domains) {
  auto judge = Judge::make(columns, domains);
  EXPECT_TRUE(judge.has_value()) << judge.error().message();
  return *std::move(judge);
}

// Row by row, as the header says it: what the columnar loop must equal.
std::set<std::string> judge_row(const std::vector<std::string>& columns, const RuleSet& set,
                                const std::vector<double>& row) {
  std::set<std::string> reasons;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto on_column = [&](const std::vector<Rule>& list) {
      std::vector<Rule> found;
      for (const Rule& rule : list) {
        if (rule.column == columns[c]) found.push_back(rule);
      }
      return found;
    };
    std::vector<Rule> hold = on_column(set.rules);
    for (const Bucket& bucket : set.buckets) {
      bool inside = true;
      for (const Condition& condition : bucket.when) {
        const auto at = std::find(columns.begin(), columns.end(), condition.column);
        const double v = row[static_cast<std::size_t>(at - columns.begin())];
        inside = inside && !std::isnan(v) && (!condition.min || v >= *condition.min) &&
                 (!condition.max || v <= *condition.max);
      }
      if (inside && !on_column(bucket.rules).empty()) hold = on_column(bucket.rules);
    }
    for (const Rule& rule : hold) {
      if (rule.min && row[c] < *rule.min) reasons.insert(reason_below_min(columns[c]));
      if (rule.max && row[c] > *rule.max) reasons.insert(reason_above_max(columns[c]));
      if (rule.drop_null && std::isnan(row[c])) reasons.insert(reason_null(columns[c]));
    }
  }
  return reasons;
}

Verdicts verdicts_of(const Judge& judge, const std::vector<std::vector<double>>& columns,
                     const std::vector<std::uint32_t>& domain) {
  const std::vector<std::span<const double>> spans(columns.begin(), columns.end());
  return judge.judge(spans, domain);
}

std::set<std::string> reasons_of(const Judge& judge, const Verdicts& verdicts, std::size_t row) {
  std::set<std::string> reasons;
  verdicts.for_each(row, [&](std::size_t r) { reasons.insert(judge.reasons()[r]); });
  EXPECT_EQ(verdicts.kept(row), reasons.empty());
  return reasons;
}

// The bits of each row, for judges of up to 64 reasons.
std::vector<std::uint64_t> bits_of(const Judge& judge,
                                   const std::vector<std::vector<double>>& columns,
                                   const std::vector<std::uint32_t>& domain) {
  Verdicts verdicts = verdicts_of(judge, columns, domain);
  EXPECT_EQ(verdicts.words(), 1u);
  return {verdicts.word(0).begin(), verdicts.word(0).end()};
}

TEST(JudgeTest, BoundsAreInclusiveAndNullBreaksNone) {
  const Judge judge = must_make({"x"}, {rules({{.column = "x", .min = 2, .max = 5}})});
  EXPECT_THAT(judge.reasons(), ElementsAre("x_below_min", "x_above_max"));
  const std::vector<double> x = {1.999, 2, 3, 5, 5.001, kNaN, -kInfinity, kInfinity};
  EXPECT_THAT(bits_of(judge, {x}, std::vector<std::uint32_t>(8, 0)),
              ElementsAre(1, 0, 0, 0, 2, 0, 1, 2));
}

TEST(JudgeTest, NullDropsOnlyWhereItIsAskedFor) {
  const Judge judge = must_make({"x"}, {rules({{.column = "x", .min = 2, .drop_null = true}}),
                                        rules({{.column = "x", .min = 2}})});
  EXPECT_THAT(judge.reasons(), ElementsAre("x_below_min", "x_null"));
  EXPECT_THAT(bits_of(judge, {{kNaN, 3, 1, kNaN, 1}}, {0, 0, 0, 1, 1}), ElementsAre(2, 0, 1, 0, 1));
}

TEST(JudgeTest, EveryBrokenBoundIsABit) {
  const Judge judge = must_make(
      {"a", "b"}, {rules({{.column = "b", .max = 1}, {.column = "a", .min = 1, .max = 2}})});
  EXPECT_THAT(judge.reasons(), ElementsAre("a_below_min", "a_above_max", "b_above_max"));
  EXPECT_EQ(judge.column_of(1), 0u);
  EXPECT_EQ(judge.column_of(2), 1u);
  EXPECT_THAT(bits_of(judge, {{0, 3, 3}, {2, 2, 0}}, {0, 0, 0}), ElementsAre(0b101, 0b110, 0b010));
}

// Cheap measures stand first in `columns`: a row is counted under the cheapest rule that it breaks.
TEST(JudgeTest, ReasonsStandInTheOrderOfColumns) {
  const Judge judge = must_make({"a", "b", "c"}, {rules({{.column = "b", .max = 1}}),
                                                  {},
                                                  rules({{.column = "c", .min = 1},
                                                         {.column = "b", .min = 0, .max = 9},
                                                         {.column = "a", .min = 1, .max = 2}})});
  EXPECT_THAT(judge.reasons(), ElementsAre("a_below_min", "a_above_max", "b_below_min",
                                           "b_above_max", "c_below_min"));
}

TEST(JudgeTest, DomainsHaveTheirOwnBounds) {
  const Judge judge = must_make(
      {"x"},
      {rules({{.column = "x", .min = 5}}), {}, rules({{.column = "x", .min = 1, .max = 4}})});
  EXPECT_THAT(judge.reasons(), ElementsAre("x_below_min", "x_above_max"));
  EXPECT_THAT(bits_of(judge, {{4.5, 4.5, 4.5, kNaN, 0, 0}}, {0, 1, 2, 2, 1, 2}),
              ElementsAre(1, 0, 2, 0, 0, 1));
}

TEST(JudgeTest, TwoRulesOnOneColumnBothHold) {
  const Judge judge =
      must_make({"x"}, {rules({{.column = "x", .min = 1, .max = 9}, {.column = "x", .min = 3}})});
  EXPECT_THAT(bits_of(judge, {{2, 3, 10}}, {0, 0, 0}), ElementsAre(1, 0, 2));
}

TEST(JudgeTest, NoRulesKeepEverything) {
  const Judge judge = must_make({"x"}, {{}});
  EXPECT_TRUE(judge.reasons().empty());
  const Verdicts verdicts = verdicts_of(judge, {{}}, {0, 0});
  EXPECT_TRUE(verdicts.kept(0) && verdicts.kept(1));
  EXPECT_EQ(verdicts_of(judge, {{}}, {}).rows(), 0u);
}

TEST(JudgeTest, ABucketReplacesTheRuleOfItsColumn) {
  RuleSet set = rules({{.column = "x", .min = 1, .max = 9}, {.column = "y", .max = 5}});
  set.buckets = {
      {.when = {{.column = "length", .max = 100}}, .rules = {{.column = "x", .max = 20}}},
      {.when = {{.column = "length", .max = 10}}, .rules = {{.column = "x"}}}};
  const Judge judge = must_make({"length", "x", "y"}, {set});
  EXPECT_THAT(judge.columns(), ElementsAre(0, 1, 2));
  EXPECT_THAT(judge.reasons(), ElementsAre("x_below_min", "x_above_max", "y_above_max"));
  // Long; 100, where only max 20 holds; 10, where no rule on x does; of unknown length. y holds
  // everywhere.
  EXPECT_THAT(bits_of(judge,
                      {{101, 101, 100, 100, 100, 10, 10, kNaN, kNaN},
                       {0, 10, 0, 20, 21, 0, 1e9, 10, 5},
                       {5, 5, 5, 6, 6, 6, 5, 5, 5}},
                      std::vector<std::uint32_t>(9, 0)),
              ElementsAre(1, 2, 0, 4, 6, 4, 0, 2, 0));
}

TEST(JudgeTest, ABucketIsOfItsDomain) {
  RuleSet with = rules({{.column = "x", .max = 5}});
  with.buckets = {{.when = {{.column = "length", .min = 2}}, .rules = {{.column = "x", .max = 7}}}};
  const Judge judge = must_make({"length", "x"}, {rules({{.column = "x", .max = 5}}), with});
  EXPECT_THAT(bits_of(judge, {{2, 2, 1, 2}, {6, 6, 6, 8}}, {0, 1, 1, 1}), ElementsAre(1, 0, 1, 1));
}

TEST(JudgeTest, ABucketMayLiftOrAskForNull) {
  RuleSet set = rules({{.column = "x", .drop_null = true}});
  set.buckets = {{.when = {{.column = "y", .max = 1}}, .rules = {{.column = "x"}}}};
  const Judge judge = must_make({"x", "y"}, {set});
  EXPECT_THAT(judge.reasons(), ElementsAre("x_null"));
  EXPECT_THAT(bits_of(judge, {{kNaN, kNaN, kNaN}, {1, 2, kNaN}}, {0, 0, 0}), ElementsAre(0, 1, 1));
}

// Blocks of one domain, blocks of several, a short last block; buckets over each other; all against
// the naive loop.
TEST(JudgeTest, ColumnarLoopEqualsRowByRow) {
  const std::vector<std::string> columns = {"a", "b", "c"};
  std::vector<RuleSet> domains(3);
  domains[0] = rules({{.column = "a", .min = 0.2}, {.column = "c", .min = 0.1, .max = 0.9}});
  domains[1] = rules({{.column = "b", .max = 0.5, .drop_null = true}});
  domains[1].buckets = {{{{.column = "a", .min = 0.5}}, {{.column = "b", .min = 0.1}}},
                        {{{.column = "a", .min = 0.3, .max = 0.8}, {.column = "c", .max = 0.7}},
                         {{.column = "b", .max = 0.9}, {.column = "c", .min = 0.2}}}};
  domains[2] = rules({{.column = "a", .min = 0.3, .max = 0.4}, {.column = "b", .min = 0.1}});
  domains[2].buckets = {{{{.column = "b", .max = 0.5}}, {{.column = "a"}}}};
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
  const Verdicts verdicts = verdicts_of(judge, values, domain);
  std::size_t dropped = 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    const std::vector<double> cells = {values[0][row], values[1][row], values[2][row]};
    ASSERT_EQ(reasons_of(judge, verdicts, row), judge_row(columns, domains[domain[row]], cells))
        << row;
    dropped += !verdicts.kept(row);
  }
  EXPECT_GT(dropped, kRows / 4);
  EXPECT_LT(dropped, kRows * 3 / 4);
}

TEST(JudgeTest, MoreThan64Reasons) {
  std::vector<std::string> columns;
  std::vector<RuleSet> domains(8);
  for (int i = 0; i < 80; ++i) {
    columns.push_back(fmt::format("m{}", i));
    domains[i % 8].rules.push_back({.column = columns.back(), .min = 0, .max = 1});
  }
  const Judge judge = must_make(columns, domains);
  ASSERT_EQ(judge.reasons().size(), 160u);
  std::vector<std::vector<double>> values(80, {0.5, 0.5, 0.5});
  values[7] = {0.5, -1, 0.5};
  values[79] = {0.5, 2, 0.5};
  const Verdicts verdicts = verdicts_of(judge, values, {7, 7, 6});
  EXPECT_TRUE(verdicts.kept(0) && verdicts.kept(2));
  EXPECT_EQ(reasons_of(judge, verdicts, 1),
            (std::set<std::string>{"m7_below_min", "m79_above_max"}));
  EXPECT_TRUE(verdicts.has(1, 14) && verdicts.has(1, 159) && !verdicts.has(1, 95));
}

TEST(JudgeTest, AllFaultsOfTheRulesAreToldAtOnce) {
  RuleSet second = rules({{.column = "code_piont", .min = 1},
                          {.column = "digit_share", .min = 0.5, .max = 0.25},
                          {.column = "code_points", .max = kNaN}});
  second.buckets = {{.when = {}, .rules = {}},
                    {.when = {{.column = "digit_shore", .max = 1}}, .rules = {}}};
  const auto judge = Judge::make({"code_points", "digit_share"},
                                 {rules({{.column = "code_piont", .min = 1}}), second});
  ASSERT_FALSE(judge.has_value());
  EXPECT_EQ(judge.error().code(), Code::kInvalidArgument);
  const std::string& message = judge.error().message();
  EXPECT_THAT(message, HasSubstr("'code_piont', which does not exist; did you mean 'code_points'"));
  EXPECT_THAT(message, HasSubstr("'digit_share' has min 0.5 above max 0.25"));
  EXPECT_THAT(message, HasSubstr("'code_points' has a bound that is not a number"));
  EXPECT_THAT(message, HasSubstr("a bucket has no condition"));
  EXPECT_THAT(message, HasSubstr("condition names the column 'digit_shore', which does not exist; "
                                 "did you mean 'digit_share'"));
  EXPECT_EQ(message.find("code_piont'"), message.rfind("code_piont'")) << message;
}

// A model's value of a row that cheaper columns drop counts for nothing, whatever it is.
TEST(JudgeTest, LateColumnsJudgeOnlyWhatComesToThem) {
  const std::vector<LateColumn> late = {{"flag", 1, "flag", "flag"},
                                        {"first", 1, "", "first_invalid"},
                                        {"second", 2, "", "second_invalid"}};
  const RuleSet set = rules({{.column = "second", .min = 1, .drop_null = true},
                             {.column = "first", .min = 1, .drop_null = true},
                             {.column = "flag", .max = 0},
                             {.column = "x", .min = 1}});
  const auto judge = Judge::make({"x"}, {set}, late);
  ASSERT_TRUE(judge.has_value()) << judge.error().message();
  EXPECT_THAT(judge->reasons(), ElementsAre("x_below_min", "flag", "first_below_min",
                                            "first_invalid", "second_below_min", "second_invalid"));
  EXPECT_EQ(judge->group_of(0), 0u);
  EXPECT_EQ(judge->group_of(1), 1u);
  EXPECT_EQ(judge->group_of(5), 2u);
  // Rows: all well; dropped by x; by the first group, twice; by its null; by the second; by its
  // null.
  const std::vector<double> x = {1, 0, 1, 1, 1, 1};
  const std::vector<double> flag = {0, 1, 1, kNaN, 0, 0};
  const std::vector<double> first = {1, kNaN, 0, kNaN, 1, 1};
  const std::vector<double> second = {1, kNaN, 0, kNaN, 0, kNaN};
  EXPECT_THAT(bits_of(*judge, {x, flag, first, second}, std::vector<std::uint32_t>(6, 0)),
              ElementsAre(0, 0b1, 0b110, 0b1000, 0b10000, 0b100000));
}

// Blocks and words do not matter: the same as judging the groups one by one.
TEST(JudgeTest, LateColumnsOverManyRowsAndReasons) {
  const CounterRng rng(3, purpose("late"));
  std::vector<std::string> measures;
  RuleSet set;
  for (int i = 0; i < 70; ++i) {
    measures.push_back(fmt::format("m{}", i));
    set.rules.push_back({.column = measures.back(), .min = 0.01});
  }
  set.rules.push_back({.column = "late", .min = 0.5});
  set.buckets = {
      {.when = {{.column = "m0", .max = 0.3}}, .rules = {{.column = "late", .min = 0.9}}}};
  const auto judge = Judge::make(measures, {set}, {{"late", 1, "", ""}});
  ASSERT_TRUE(judge.has_value());
  constexpr std::size_t kRows = 5000;
  std::vector<std::vector<double>> columns(71, std::vector<double>(kRows));
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t row = 0; row < kRows; ++row) columns[c][row] = rng.unit(c * kRows + row);
  }
  const Verdicts verdicts = verdicts_of(*judge, columns, std::vector<std::uint32_t>(kRows, 0));
  std::size_t dropped = 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    const bool comes = std::none_of(columns.begin(), columns.end() - 1,
                                    [&](const auto& column) { return column[row] < 0.01; });
    const double line = columns[0][row] <= 0.3 ? 0.9 : 0.5;
    const bool wanted = comes && columns[70][row] < line;
    EXPECT_EQ(verdicts.has(row, 70), wanted) << row;
    dropped += wanted;
  }
  EXPECT_GT(dropped, 500u);
}

TEST(JudgeTest, UnresolvedPercentilesAreOurMistake) {
  const Rule open = {.column = "x", .auto_min_percentile = 5};
  RuleSet bucket;
  bucket.buckets = {{.when = {{.column = "x", .max = 1}}, .rules = {open}}};
  for (const RuleSet& set : {rules({open}), bucket}) {
    const auto judge = Judge::make({"x"}, {set});
    ASSERT_FALSE(judge.has_value());
    EXPECT_EQ(judge.error().code(), Code::kInternal);
  }
}

}  // namespace
}  // namespace headrace::judge
