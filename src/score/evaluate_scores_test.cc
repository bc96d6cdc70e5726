// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "headrace/score.h"

namespace headrace {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(EvaluateScoresTest, SaysWhatACardHolds) {
  const double scores[] = {0.9, 0.8, 0.7, 0.6, 0.2, kNan};
  const bool wanted[] = {true, true, false, true, false, false};
  const double recalls[] = {0.6, 1.0};
  const auto made = evaluate_scores(scores, wanted, recalls, 1);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->positives, 3u);
  EXPECT_EQ(made->negatives, 3u);
  EXPECT_EQ(made->invalid, 1u);
  EXPECT_NEAR(made->average_precision, (1.0 + 1.0 + 0.75) / 3, 1e-12);
  EXPECT_LE(made->average_precision_interval.low, made->average_precision);
  EXPECT_GE(made->average_precision_interval.high, made->average_precision);
  EXPECT_LT(made->average_precision_interval.low, made->average_precision_interval.high);
  EXPECT_EQ(made->best_f1.threshold, 0.6);
  EXPECT_NEAR(made->best_f1.f1, 6.0 / 7, 1e-12);
  ASSERT_EQ(made->precision_at_recall.size(), 2u);
  EXPECT_EQ(made->precision_at_recall[0].threshold, 0.8);
  EXPECT_EQ(made->precision_at_recall[0].precision, 1.0);
  EXPECT_EQ(made->precision_at_recall[1].precision, 0.75);

  const auto again = evaluate_scores(scores, wanted, recalls, 1);
  EXPECT_EQ(again->average_precision_interval.low, made->average_precision_interval.low);
}

// Perplexities: the same numbers as of the negated scores, told as a line from above.
TEST(EvaluateScoresTest, WhereLowIsBetterTheLineIsTheMost) {
  const double scores[] = {100, 200, 300, 400, 800, kNan};
  const double negated[] = {-100, -200, -300, -400, -800, kNan};
  const bool wanted[] = {true, true, false, true, false, false};
  const double recalls[] = {0.6, 1.0};
  const auto made = evaluate_scores(scores, wanted, recalls, 1, true);
  const auto mirror = evaluate_scores(negated, wanted, recalls, 1);
  ASSERT_TRUE(made && mirror);
  EXPECT_TRUE(made->low_is_better);
  EXPECT_FALSE(mirror->low_is_better);
  EXPECT_EQ(made->average_precision, mirror->average_precision);
  EXPECT_EQ(made->best_f1.f1, mirror->best_f1.f1);
  EXPECT_EQ(made->best_f1.threshold, 400);
  EXPECT_EQ(made->best_f1.threshold_interval.low, -mirror->best_f1.threshold_interval.high);
  EXPECT_EQ(made->best_f1.threshold_interval.high, -mirror->best_f1.threshold_interval.low);
  EXPECT_EQ(made->precision_at_recall[0].threshold, 200);
  EXPECT_EQ(made->precision_at_recall[1].threshold, 400);
  EXPECT_EQ(made->curve.front().threshold, 100);
  EXPECT_EQ(made->histogram.low, 100);
  EXPECT_EQ(made->histogram.high, 800);
  EXPECT_EQ(made->histogram.positives.front(), 1u);
  EXPECT_EQ(made->histogram.negatives.back(), 1u);
}

TEST(EvaluateScoresTest, UnreachedRecallsAreLeftOut) {
  const double scores[] = {0.9, kNan, 0.1};
  const bool wanted[] = {true, true, false};
  const double recalls[] = {0.5, 0.9};
  const auto made = evaluate_scores(scores, wanted, recalls, 1);
  ASSERT_TRUE(made) << made.error().message();
  ASSERT_EQ(made->precision_at_recall.size(), 1u);
  EXPECT_EQ(made->precision_at_recall[0].recall, 0.5);
}

TEST(EvaluateScoresTest, WithoutAValidScore) {
  const double scores[] = {kNan, kNan};
  const bool wanted[] = {true, false};
  EXPECT_FALSE(evaluate_scores(scores, wanted, {}, 1));
}

}  // namespace
}  // namespace headrace
