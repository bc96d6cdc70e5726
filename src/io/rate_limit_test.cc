// SPDX-License-Identifier: Apache-2.0
#include "io/rate_limit.h"

#include <gtest/gtest.h>

namespace headrace::io {
namespace {

class RateLimitTest : public testing::Test {
 protected:
  RateLimit make(double rate) {
    return RateLimit(rate, {[this] { return now_; }, [this](double seconds) { now_ += seconds; }});
  }
  double now_ = 100;
};

TEST_F(RateLimitTest, BytesPerSecondOverATime) {
  RateLimit limit = make(1000);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(limit.take(100));
  // The first second's worth lay ready, and the last taker did not wait for its own bytes.
  EXPECT_NEAR(now_ - 100, 9, 0.2);
}

TEST_F(RateLimitTest, MoreThanTheBucketIsPaidByTheNext) {
  RateLimit limit = make(1000);
  EXPECT_TRUE(limit.take(5000));
  EXPECT_NEAR(now_, 100, 1e-9);
  EXPECT_TRUE(limit.take(1));
  EXPECT_NEAR(now_, 104, 1e-6);
}

TEST_F(RateLimitTest, IdleTimeIsNotSavedUp) {
  RateLimit limit = make(1000);
  now_ += 3600;
  EXPECT_TRUE(limit.take(1000));
  EXPECT_TRUE(limit.take(1000));
  EXPECT_TRUE(limit.take(1));
  EXPECT_NEAR(now_ - 3700, 1, 1e-6);
}

TEST_F(RateLimitTest, NoLimit) {
  RateLimit limit = make(0);
  EXPECT_TRUE(limit.take(std::uint64_t{1} << 60));
  EXPECT_EQ(now_, 100);
}

TEST_F(RateLimitTest, StopEndsTheWait) {
  std::stop_source stop;
  RateLimit limit(10, {[this] { return now_; },
                       [&](double seconds) {
                         now_ += seconds;
                         stop.request_stop();
                       }});
  EXPECT_TRUE(limit.take(1000, stop.get_token()));
  EXPECT_FALSE(limit.take(1, stop.get_token()));
  EXPECT_LT(now_, 101);
}

}  // namespace
}  // namespace headrace::io
