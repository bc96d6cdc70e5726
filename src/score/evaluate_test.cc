// SPDX-License-Identifier: Apache-2.0
#include "score/evaluate.h"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/counter_rng.h"

namespace headrace::score {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The example of scikit-learn's average_precision_score: 0.83.
TEST(EvaluateTest, CurveOfFourDocuments) {
  const std::array<bool, 4> wanted = {false, false, true, true};
  const std::array<double, 4> scores = {0.1, 0.4, 0.35, 0.8};
  const auto made = evaluate(scores, wanted);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->positives, 2U);
  EXPECT_EQ(made->negatives, 2U);
  EXPECT_EQ(made->invalid, 0U);
  ASSERT_EQ(made->curve.size(), 4U);
  EXPECT_DOUBLE_EQ(made->curve[0].threshold, 0.8);
  EXPECT_DOUBLE_EQ(made->curve[0].precision, 1.0);
  EXPECT_DOUBLE_EQ(made->curve[0].recall, 0.5);
  EXPECT_DOUBLE_EQ(made->curve[2].threshold, 0.35);
  EXPECT_DOUBLE_EQ(made->curve[2].precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(made->curve[2].recall, 1.0);
  EXPECT_NEAR(made->average_precision, 0.8333333333, 1e-9);
  EXPECT_DOUBLE_EQ(best_f1(*made)->threshold, 0.35);
  EXPECT_DOUBLE_EQ(best_f1(*made)->f1, 0.8);
}

TEST(EvaluateTest, EqualScoresAreOnePoint) {
  const std::array<bool, 4> wanted = {true, false, true, false};
  const std::array<double, 4> scores = {0.5, 0.5, 0.5, 0.5};
  const auto made = evaluate(scores, wanted);
  ASSERT_EQ(made->curve.size(), 1U);
  EXPECT_DOUBLE_EQ(made->average_precision, 0.5);
  EXPECT_DOUBLE_EQ(best_f1(*made)->recall, 1.0);
}

// Were NaN sorted like a number, it would stand somewhere in the curve or become its threshold.
TEST(EvaluateTest, InvalidScoresAreCountedAndNeverKept) {
  const std::array<bool, 6> wanted = {true, true, false, true, false, false};
  const std::array<double, 6> scores = {kNaN, 0.9, kNaN, 0.8, 0.7, 0.1};
  const auto made = evaluate(scores, wanted);
  EXPECT_EQ(made->invalid, 2U);
  EXPECT_EQ(made->positives, 3U);
  ASSERT_EQ(made->curve.size(), 4U);
  for (const CurvePoint& point : made->curve) {
    EXPECT_FALSE(std::isnan(point.threshold));
    EXPECT_LE(point.recall, 2.0 / 3 + 1e-12);
  }
  EXPECT_DOUBLE_EQ(best_f1(*made)->threshold, 0.8);
  EXPECT_DOUBLE_EQ(best_f1(*made)->f1, 0.8);
  EXPECT_DOUBLE_EQ(made->average_precision, 2.0 / 3);
  EXPECT_FALSE(precision_at_recall(*made, 0.7).has_value());
}

TEST(EvaluateTest, AllInvalidHasNoBest) {
  const std::array<bool, 2> wanted = {true, false};
  const std::array<double, 2> scores = {kNaN, kNaN};
  const auto made = evaluate(scores, wanted);
  ASSERT_TRUE(made.has_value());
  EXPECT_TRUE(made->curve.empty());
  EXPECT_EQ(made->average_precision, 0);
  EXPECT_FALSE(best_f1(*made).has_value());
  EXPECT_FALSE(bootstrap(scores, wanted, 1).has_value());
}

TEST(EvaluateTest, InfiniteScoresAreValid) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::array<bool, 3> wanted = {true, false, true};
  const std::array<double, 3> scores = {infinity, -infinity, 0};
  const auto made = evaluate(scores, wanted);
  EXPECT_EQ(made->invalid, 0U);
  EXPECT_DOUBLE_EQ(made->average_precision, 1.0);
}

TEST(EvaluateTest, PrecisionAtRecallIsTheBestThatReachesIt) {
  const std::array<bool, 5> wanted = {true, false, true, true, false};
  const std::array<double, 5> scores = {0.9, 0.8, 0.7, 0.6, 0.5};
  const auto made = evaluate(scores, wanted);
  const auto at = [&](double recall) { return precision_at_recall(*made, recall); };
  EXPECT_DOUBLE_EQ(at(0.3)->threshold, 0.9);
  EXPECT_DOUBLE_EQ(at(0.5)->precision, 0.75);  // not 2/3, where recall 0.5 is first passed
  EXPECT_DOUBLE_EQ(at(1.0)->threshold, 0.6);
  EXPECT_FALSE(at(1.1).has_value());
}

TEST(EvaluateTest, OneKindOfLabelIsRefused) {
  const std::array<bool, 2> wanted = {true, true};
  const std::array<double, 2> scores = {0, 1};
  const auto made = evaluate(scores, wanted);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code(), Code::kInvalidArgument);
  EXPECT_FALSE(evaluate(std::span(scores).first(1), wanted).has_value());
  EXPECT_FALSE(evaluate({}, {}).has_value());
}

struct Drawn {
  std::unique_ptr<bool[]> wanted;
  std::vector<double> scores;
  std::span<const bool> labels() const { return {wanted.get(), scores.size()}; }
};

// Positives score 0.25 to 1.25, negatives 0 to 1: the best F1 keeps from somewhere near 0.25 up.
Drawn draw(std::size_t count) {
  const CounterRng rng(3, purpose("evaluate_test"));
  Drawn drawn{std::make_unique<bool[]>(count), std::vector<double>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    drawn.wanted[i] = i % 2 == 0;
    drawn.scores[i] = rng.unit(i) + (i % 2 == 0 ? 0.25 : 0);
  }
  return drawn;
}

TEST(EvaluateTest, BootstrapIntervalHoldsTheBestAndNarrowsWithMoreDocuments) {
  double width = 1;
  for (const std::size_t count : {100, 10000}) {
    const Drawn drawn = draw(count);
    const auto best = best_f1(*evaluate(drawn.scores, drawn.labels()));
    const auto made = bootstrap(drawn.scores, drawn.labels(), 5, 400);
    ASSERT_TRUE(made.has_value()) << made.error().message();
    EXPECT_LE(made->threshold.low, best->threshold);
    EXPECT_GE(made->threshold.high, best->threshold);
    EXPECT_LT(made->f1.low, best->f1);
    EXPECT_GT(made->f1.high, best->f1);
    EXPECT_LT(made->f1.high - made->f1.low, width / 3);
    width = made->f1.high - made->f1.low;
    const double precision = evaluate(drawn.scores, drawn.labels())->average_precision;
    EXPECT_LT(made->average_precision.low, precision);
    EXPECT_GT(made->average_precision.high, precision);
    EXPECT_LT(made->average_precision.high - made->average_precision.low,
              count > 1000 ? 0.05 : 0.4);
  }
}

TEST(EvaluateTest, BootstrapIsAFunctionOfItsSeed) {
  const Drawn drawn = draw(200);
  const auto a = bootstrap(drawn.scores, drawn.labels(), 5, 50);
  const auto b = bootstrap(drawn.scores, drawn.labels(), 5, 50);
  const auto other = bootstrap(drawn.scores, drawn.labels(), 6, 50);
  EXPECT_EQ(a->f1.low, b->f1.low);
  EXPECT_EQ(a->threshold.high, b->threshold.high);
  EXPECT_NE(a->f1.low, other->f1.low);
}

TEST(EvaluateTest, SummaryOfManyDocumentsIsSmallAndSaysTheSame) {
  const Drawn drawn = draw(5000);
  const auto whole = evaluate(drawn.scores, drawn.labels());
  const double recalls[] = {0.5, 0.9, 1.1};
  const auto made = evaluate_scores(drawn.scores, drawn.labels(), recalls, 1);
  ASSERT_TRUE(made.has_value()) << made.error().message();
  EXPECT_EQ(made->average_precision, whole->average_precision);
  EXPECT_EQ(made->best_f1.threshold, best_f1(*whole)->threshold);
  ASSERT_EQ(made->precision_at_recall.size(), 2U);  // no threshold reaches 1.1
  EXPECT_EQ(made->precision_at_recall[1].precision, precision_at_recall(*whole, 0.9)->precision);
  EXPECT_LE(made->curve.size(), 205U);
  EXPECT_GE(made->curve.size(), 100U);
  bool has_best = false;
  for (std::size_t i = 0; i < made->curve.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(made->curve[i].threshold, made->curve[i - 1].threshold);
    }
    has_best = has_best || made->curve[i].threshold == made->best_f1.threshold;
  }
  EXPECT_TRUE(has_best);
  EXPECT_NEAR(made->histogram.low, 0, 1e-3);
  EXPECT_NEAR(made->histogram.high, 1.25, 1e-3);
  std::uint64_t positives = 0;
  for (const std::uint64_t count : made->histogram.positives) positives += count;
  EXPECT_EQ(positives, 2500U);
  EXPECT_EQ(made->histogram.positives.front(), 0U);
  EXPECT_EQ(made->histogram.negatives.back(), 0U);
}

// Whatever the scores are: a histogram has its bins, and what is no number is in none.
TEST(EvaluateTest, SummaryOfOddScores) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::array<bool, 4> wanted = {true, false, true, false};
  const std::array<double, 4> infinite = {infinity, -infinity, kNaN, 5};
  const auto made = evaluate_scores(infinite, wanted, {}, 1);
  ASSERT_TRUE(made.has_value()) << made.error().message();
  EXPECT_EQ(made->invalid, 1U);
  EXPECT_EQ(made->histogram.low, 5);
  EXPECT_EQ(made->histogram.positives.back(), 1U);
  EXPECT_EQ(made->histogram.negatives.front(), 2U);
  const std::array<double, 4> none = {kNaN, kNaN, kNaN, kNaN};
  EXPECT_FALSE(evaluate_scores(none, wanted, {}, 1).has_value());
}

}  // namespace
}  // namespace headrace::score
