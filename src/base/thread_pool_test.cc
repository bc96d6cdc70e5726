// SPDX-License-Identifier: Apache-2.0
#include "base/thread_pool.h"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"

namespace headrace {
namespace {

TEST(ThreadPoolTest, RunsEachJobOnce) {
  for (const std::size_t threads : {1U, 2U, 7U}) {
    std::vector<std::atomic<int>> runs(100);
    std::stop_source stop;
    EXPECT_TRUE(parallel_for(100, threads, stop.get_token(), [&](std::size_t job) -> Result<void> {
      ++runs[job];
      return {};
    }));
    for (const auto& count : runs) EXPECT_EQ(count, 1);
  }
}

TEST(ThreadPoolTest, ErrorStopsTheRestAndIsReturned) {
  std::atomic<int> ran{0};
  std::stop_source stop;
  const Result<void> result =
      parallel_for(1000, 1, stop.get_token(), [&](std::size_t job) -> Result<void> {
        ++ran;
        if (job == 3) return corrupt("job 3");
        return {};
      });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "job 3");
  EXPECT_EQ(ran, 4);
}

TEST(ThreadPoolTest, StopIsAnError) {
  std::stop_source stop;
  const Result<void> result =
      parallel_for(10, 2, stop.get_token(), [&](std::size_t) -> Result<void> {
        stop.request_stop();
        return {};
      });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), Code::kCancelled);
}

TEST(ThreadPoolTest, NothingToDo) {
  std::stop_source stop;
  EXPECT_TRUE(parallel_for(0, 4, stop.get_token(),
                           [](std::size_t) -> Result<void> { return internal_error("ran"); }));
}

}  // namespace
}  // namespace headrace
