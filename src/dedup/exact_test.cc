// SPDX-License-Identifier: Apache-2.0
#include "dedup/exact.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"

namespace headrace::dedup {

bool operator==(const ExactDuplicate& a, const ExactDuplicate& b) {
  return a.id == b.id && a.survivor == b.survivor;
}

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ExactEntry entry(std::uint64_t view, std::uint64_t id, float score = 0, std::uint32_t points = 10,
                 std::uint64_t content = 1) {
  return {.view = {.high = 0, .low = view},
          .id = id,
          .content = content,
          .code_points = points,
          .score = score};
}

std::vector<ExactDuplicate> find(std::vector<ExactEntry> entries) {
  return find_exact_duplicates(entries);
}

TEST(ExactTest, NothingToFind) {
  EXPECT_THAT(find({}), IsEmpty());
  EXPECT_THAT(find({entry(1, 1)}), IsEmpty());
  EXPECT_THAT(find({entry(1, 1), entry(2, 2), entry(3, 3)}), IsEmpty());
}

TEST(ExactTest, ViewsAreComparedInFull) {
  ExactEntry a = entry(7, 1);
  ExactEntry b = entry(7, 2);
  b.view.high = 1;
  EXPECT_THAT(find({a, b}), IsEmpty());
}

TEST(ExactTest, HigherScoreSurvives) {
  EXPECT_THAT(find({entry(1, 1, 0.5f), entry(1, 2, 0.75f), entry(1, 3, -1)}),
              ElementsAre(ExactDuplicate{1, 2}, ExactDuplicate{3, 2}));
}

TEST(ExactTest, ThenMoreCodePoints) {
  EXPECT_THAT(find({entry(1, 1, 0, 9, 1), entry(1, 2, 0, 10, 5)}),
              ElementsAre(ExactDuplicate{1, 2}));
  EXPECT_THAT(find({entry(1, 1, 0, 0, 1), entry(1, 2, 0, 0xFFFFFFFF, 5)}),
              ElementsAre(ExactDuplicate{1, 2}));
}

TEST(ExactTest, ThenSmallerContentHash) {
  EXPECT_THAT(find({entry(1, 1, 0, 10, 8), entry(1, 2, 0, 10, 7)}),
              ElementsAre(ExactDuplicate{1, 2}));
}

TEST(ExactTest, ThenSmallerId) {
  EXPECT_THAT(find({entry(1, 9), entry(1, 4), entry(1, 6)}),
              ElementsAre(ExactDuplicate{6, 4}, ExactDuplicate{9, 4}));
}

TEST(ExactTest, NaNScoreIsLowest) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(find({entry(1, 1, nan), entry(1, 2, -100), entry(1, 3, nan)}),
              ElementsAre(ExactDuplicate{1, 2}, ExactDuplicate{3, 2}));
}

// Any order of the entries gives the same answer, and the answer is right.
TEST(ExactTest, OrderOfEntriesNeverDecides) {
  constexpr CounterRng rng(8, purpose("test"));
  std::uint64_t draws = 0;
  const auto draw = [&](std::uint64_t bound) { return rng.below(draws++, bound); };
  std::vector<ExactEntry> entries;
  for (std::uint64_t id = 0; id < 500; ++id) {
    ExactEntry e{.view = {.high = 0, .low = draw(120)}, .id = id * 3};
    e.score = static_cast<float>(draw(3));
    e.code_points = static_cast<std::uint32_t>(draw(2));
    e.content = draw(2);
    entries.push_back(e);
  }
  const auto expected = find(entries);

  std::map<std::uint64_t, std::set<std::uint64_t>> clusters;  // view → ids
  std::map<std::uint64_t, ExactEntry> by_id;
  for (const ExactEntry& e : entries) {
    clusters[e.view.low].insert(e.id);
    by_id[e.id] = e;
  }
  EXPECT_EQ(expected.size(), entries.size() - clusters.size());
  for (const ExactDuplicate& duplicate : expected) {
    const ExactEntry& lost = by_id[duplicate.id];
    const ExactEntry& kept = by_id[duplicate.survivor];
    ASSERT_EQ(lost.view, kept.view);
    ASSERT_GE(kept.score, lost.score);
    ASSERT_EQ(std::count_if(expected.begin(), expected.end(),
                            [&](const auto& d) { return d.id == duplicate.survivor; }),
              0);
  }
  EXPECT_TRUE(std::is_sorted(expected.begin(), expected.end(),
                             [](const auto& a, const auto& b) { return a.id < b.id; }));

  for (int round = 0; round < 50; ++round) {
    auto permuted = entries;
    for (std::size_t i = permuted.size(); i > 1; --i) {
      std::swap(permuted[i - 1], permuted[draw(i)]);
    }
    ASSERT_EQ(find_exact_duplicates(permuted), expected);
  }
}

}  // namespace
}  // namespace headrace::dedup
