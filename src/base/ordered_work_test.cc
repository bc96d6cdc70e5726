// SPDX-License-Identifier: Apache-2.0
#include "base/ordered_work.h"

#include <atomic>
#include <latch>
#include <set>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/thread_pool.h"

namespace headrace {
namespace {

struct Number {
  int value = 0;
  int square = 0;
};

OrderedWork<Number>::Work square() {
  return [](Number& number) { number.square = number.value * number.value; };
}

TEST(OrderedWorkTest, FinishesInOrderWithAnyHelpers) {
  for (const int helpers : {0, 1, 3}) {
    std::vector<int> squares;
    OrderedWork<Number> work(40, square, [&](Number& number) -> Result<void> {
      squares.push_back(number.square);
      return {};
    });
    for (int i = 0; i < helpers; ++i) work.add_helper();
    for (int i = 0; i < 2000; ++i) {
      auto number = std::make_unique<Number>();
      number->value = i;
      ASSERT_TRUE(work.put(std::move(number), 1 + static_cast<std::size_t>(i % 7)));
    }
    ASSERT_TRUE(work.drain());
    ASSERT_EQ(squares.size(), 2000u);
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(squares[static_cast<std::size_t>(i)], i * i);
  }
}

TEST(OrderedWorkTest, HoldsNoMoreThanItsCapacity) {
  std::atomic<int> unfinished{0};
  int most = 0;
  OrderedWork<Number> work(10, square, [&](Number&) -> Result<void> {
    --unfinished;
    return {};
  });
  work.add_helper();
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(work.put(std::make_unique<Number>(), 2));
    most = std::max(most, ++unfinished);
  }
  ASSERT_TRUE(work.drain());
  EXPECT_EQ(unfinished.load(), 0);
  // One may be finished between put() and the count.
  EXPECT_LE(most, 6);
}

TEST(OrderedWorkTest, OneLargeItemIsLetIn) {
  int finished = 0;
  OrderedWork<Number> work(10, square, [&](Number&) -> Result<void> {
    ++finished;
    return {};
  });
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(work.put(std::make_unique<Number>(), 1000));
  ASSERT_TRUE(work.drain());
  EXPECT_EQ(finished, 3);
}

// Both threads must be at work at once for either to get on.
TEST(OrderedWorkTest, TheMakerWorksAlong) {
  std::latch both(2);
  OrderedWork<Number> work(
      2, [&] { return [&](Number&) { both.arrive_and_wait(); }; },
      [](Number&) -> Result<void> { return {}; });
  work.add_helper();
  ASSERT_TRUE(work.put(std::make_unique<Number>(), 1));
  ASSERT_TRUE(work.put(std::make_unique<Number>(), 1));
  ASSERT_TRUE(work.drain());
}

TEST(OrderedWorkTest, TheFirstErrorEndsIt) {
  int finished = 0;
  OrderedWork<Number> work(4, square, [&](Number& number) -> Result<void> {
    if (number.value == 7) return unavailable("the disk is full");
    ++finished;
    return {};
  });
  work.add_helper();
  Result<void> put;
  for (int i = 0; i < 100 && put; ++i) {
    auto number = std::make_unique<Number>();
    number->value = i;
    put = work.put(std::move(number), 1);
  }
  EXPECT_EQ(put.error().message(), "the disk is full");
  EXPECT_EQ(work.drain().error().message(), "the disk is full");
  EXPECT_EQ(finished, 7);
}

TEST(OrderedWorkTest, EndsWithWorkUndone) {
  OrderedWork<Number> work(100, square, [](Number&) -> Result<void> { return {}; });
  work.add_helper();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(work.put(std::make_unique<Number>(), 1));
}

TEST(SpareThreadsTest, NoMoreAreTakenThanGiven) {
  SpareThreads spare;
  EXPECT_FALSE(spare.any());
  EXPECT_FALSE(spare.try_take());
  spare.give(2);
  EXPECT_TRUE(spare.any());
  EXPECT_TRUE(spare.try_take());
  EXPECT_TRUE(spare.try_take());
  EXPECT_FALSE(spare.try_take());
  spare.give(1);
  spare.reset(0);
  EXPECT_FALSE(spare.any());
}

}  // namespace
}  // namespace headrace
