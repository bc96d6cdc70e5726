// SPDX-License-Identifier: Apache-2.0
#include "io/retry.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"

namespace headrace::io {
namespace {

class RetryTest : public testing::Test {
 protected:
  RetryTest() {
    policy_.sleep = [this](double seconds) { pauses_.push_back(seconds); };
  }

  // Fails `failures` times, then works.
  Result<void> fail(int failures, bool transient, double asked = 0) {
    return with_retries(policy_, "reading s3://b/k", [&]() -> std::optional<Failure> {
      if (calls_++ >= failures) return std::nullopt;
      return Failure{unavailable("cause {}", calls_), transient, asked};
    });
  }

  RetryPolicy policy_;
  std::vector<double> pauses_;
  int calls_ = 0;
};

TEST_F(RetryTest, WhatPassesIsRepeated) {
  EXPECT_TRUE(fail(4, true));
  EXPECT_EQ(calls_, 5);
  EXPECT_EQ(pauses_.size(), 4u);
}

TEST_F(RetryTest, ErrorTellsTheTriesAndTheLastCause) {
  const auto result = fail(99, true);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "reading s3://b/k: cause 5 (after 5 tries)");
  EXPECT_EQ(result.error().code(), Code::kUnavailable);
  EXPECT_TRUE(result.error().retryable());
  EXPECT_EQ(calls_, 5);
}

TEST_F(RetryTest, WhatStaysIsNotRepeated) {
  const auto result = fail(99, false);
  EXPECT_EQ(result.error().message(), "reading s3://b/k: cause 1 (after 1 try)");
  EXPECT_FALSE(result.error().retryable());
  EXPECT_TRUE(pauses_.empty());
}

TEST_F(RetryTest, PausesDoubleAndAreDrawn) {
  policy_.tries = 12;
  EXPECT_TRUE(fail(11, true));
  double whole = policy_.first_pause_seconds;
  for (const double pause : pauses_) {
    EXPECT_GE(pause, whole / 2);
    EXPECT_LE(pause, whole);
    whole = std::min(whole * 2, policy_.longest_pause_seconds);
  }
  EXPECT_NE(policy_.pause_seconds(1, 0), policy_.pause_seconds(1, 0));
}

TEST_F(RetryTest, WhatIsAskedForIsWaitedFor) {
  EXPECT_TRUE(fail(2, true, 7));
  EXPECT_EQ(pauses_, (std::vector<double>{7, 7}));
  EXPECT_EQ(policy_.pause_seconds(1, 1e9), policy_.longest_asked_seconds);
}

}  // namespace
}  // namespace headrace::io
