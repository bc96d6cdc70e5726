// SPDX-License-Identifier: Apache-2.0
#include "feed/read_ahead.h"

#include <atomic>
#include <latch>
#include <set>

#include <gtest/gtest.h>

#include "base/error.h"

namespace headrace::feed {
namespace {

Result<Batch> numbered(std::uint64_t step) {
  Batch batch;
  batch.consumed = step;
  return batch;
}

TEST(ReadAheadTest, HandsOutInOrderWhateverTheThreads) {
  for (const std::size_t threads : {1U, 2U, 4U}) {
    for (const std::uint64_t capacity : {1U, 3U, 1000U}) {
      ReadAhead ahead({.steps = 500, .capacity = capacity, .threads = threads},
                      [](std::uint64_t step, std::stop_token) { return numbered(step); });
      for (std::uint64_t step = 0; step < 500; ++step) {
        const Result<Batch> batch = ahead.next();
        ASSERT_TRUE(batch);
        ASSERT_EQ(batch->consumed, step);
      }
    }
  }
}

// The first step waits until the others of the window are made: they are made ahead, and the order
// holds though the first is ready last. A window of less would hang here.
TEST(ReadAheadTest, MakesTheWindowWhileTheFirstIsSlow) {
  std::latch others(3);
  ReadAhead ahead({.steps = 10, .capacity = 4, .threads = 2},
                  [&](std::uint64_t step, std::stop_token) {
                    if (step == 0) others.wait();
                    if (step >= 1 && step <= 3) others.count_down();
                    return numbered(step);
                  });
  for (std::uint64_t step = 0; step < 10; ++step) EXPECT_EQ(ahead.next()->consumed, step);
}

TEST(ReadAheadTest, NeverMakesMoreThanTheWindowAhead) {
  std::atomic<std::uint64_t> handed_out{0};
  std::atomic<bool> too_far{false};
  ReadAhead ahead({.steps = 300, .capacity = 5, .threads = 4},
                  [&](std::uint64_t step, std::stop_token) {
                    if (step >= handed_out + 5) too_far = true;
                    return numbered(step);
                  });
  for (std::uint64_t step = 0; step < 300; ++step) {
    ++handed_out;  // before the call, so that the check above is never too strict
    ASSERT_TRUE(ahead.next());
  }
  EXPECT_FALSE(too_far);
}

TEST(ReadAheadTest, ErrorsArriveInTheirPlace) {
  ReadAhead ahead({.steps = 10, .capacity = 8, .threads = 3},
                  [](std::uint64_t step, std::stop_token) -> Result<Batch> {
                    if (step == 4) return corrupt("step {}", step);
                    return numbered(step);
                  });
  for (std::uint64_t step = 0; step < 10; ++step) {
    const Result<Batch> batch = ahead.next();
    EXPECT_EQ(batch.has_value(), step != 4);
  }
}

TEST(ReadAheadTest, DestructionStopsThreadsThatWaitAndThreadsThatWork) {
  for (int round = 0; round < 50; ++round) {
    std::latch working(1);
    ReadAhead ahead({.steps = 1000, .capacity = 2, .threads = 4},
                    [&](std::uint64_t step, std::stop_token stop) -> Result<Batch> {
                      if (step == 1) {  // a read that only ends by being stopped
                        working.count_down();
                        std::mutex mutex;
                        std::unique_lock lock(mutex);
                        std::condition_variable_any().wait(lock, stop, [] { return false; });
                        return cancelled("stopped");
                      }
                      return numbered(step);
                    });
    EXPECT_EQ(ahead.next()->consumed, 0U);
    working.wait();
  }
}

TEST(ReadAheadTest, DestructionStartsNoFurtherStep) {
  std::atomic<int> made{0};
  std::latch working(3);
  {
    ReadAhead ahead({.steps = 1'000'000, .capacity = 1'000'000, .threads = 3},
                    [&](std::uint64_t step, std::stop_token stop) -> Result<Batch> {
                      ++made;
                      if (step < 3) working.count_down();
                      std::mutex mutex;
                      std::unique_lock lock(mutex);
                      std::condition_variable_any().wait(lock, stop, [] { return false; });
                      return cancelled("stopped");
                    });
    working.wait();
  }
  EXPECT_EQ(made, 3);
}

TEST(ReadAheadTest, NoStepsIsNoWork) {
  std::atomic<int> made{0};
  {
    ReadAhead ahead({.steps = 0, .capacity = 3, .threads = 2},
                    [&](std::uint64_t step, std::stop_token) {
                      ++made;
                      return numbered(step);
                    });
  }
  EXPECT_EQ(made, 0);
}

}  // namespace
}  // namespace headrace::feed
