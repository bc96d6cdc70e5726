// SPDX-License-Identifier: Apache-2.0
#include "base/bounded_queue.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(BoundedQueueTest, KeepsOrderAndNeverHoldsMoreThanItsBytes) {
  BoundedQueue<int> queue(100);
  std::vector<int> got;
  std::atomic<bool> over{false};
  {
    std::jthread producer([&](std::stop_token stop) {
      for (int i = 0; i < 1000; ++i) {
        if (!queue.push(i, 30, stop)) return;
        if (queue.held_bytes() > 100) over = true;
      }
      queue.close();
    });
    std::stop_source never;
    while (auto item = queue.pop(never.get_token())) got.push_back(*item);
  }
  ASSERT_EQ(got.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], i);
  EXPECT_FALSE(over);
}

TEST(BoundedQueueTest, LetsOneHugeItemThroughWhenEmpty) {
  BoundedQueue<int> queue(10);
  std::stop_source stop;
  EXPECT_TRUE(queue.push(1, 1000, stop.get_token()));
  EXPECT_EQ(queue.pop(stop.get_token()), 1);
}

TEST(BoundedQueueTest, StopEndsEveryWait) {
  BoundedQueue<int> queue(10);
  std::stop_source stop;
  std::atomic<int> ended{0};
  std::jthread consumer([&] {
    EXPECT_EQ(queue.pop(stop.get_token()), std::nullopt);
    ++ended;
  });
  stop.request_stop();
  consumer.join();
  EXPECT_EQ(ended, 1);

  std::stop_source full_stop;
  ASSERT_TRUE(queue.push(1, 10, full_stop.get_token()));
  std::jthread producer([&] {
    EXPECT_FALSE(queue.push(2, 10, full_stop.get_token()));
    ++ended;
  });
  full_stop.request_stop();
  producer.join();
  EXPECT_EQ(ended, 2);
}

TEST(BoundedQueueTest, ClosedQueueDrainsThenEnds) {
  BoundedQueue<int> queue(100);
  std::stop_source stop;
  ASSERT_TRUE(queue.push(1, 1, stop.get_token()));
  queue.close();
  EXPECT_FALSE(queue.push(2, 1, stop.get_token()));
  EXPECT_EQ(queue.pop(stop.get_token()), 1);
  EXPECT_EQ(queue.pop(stop.get_token()), std::nullopt);
}

}  // namespace
}  // namespace headrace
