// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "mix/mix.h"

namespace headrace::mix {
namespace {

constexpr CounterRng kRng(12, purpose("test"));

std::vector<Candidate> some_candidates(std::size_t count) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < count; ++i) {
    candidates.push_back({.id = (i % 3) << 40 | i * 977, .tokens = 1 + kRng.below(i, 2000)});
  }
  return candidates;
}

std::uint64_t tokens_of(const std::vector<Candidate>& candidates, const std::vector<bool>& chosen) {
  std::uint64_t tokens = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    tokens += chosen[i] ? candidates[i].tokens : 0;
  return tokens;
}

std::vector<std::uint64_t> chosen_ids(const std::vector<Candidate>& candidates,
                                      std::uint64_t budget, std::uint64_t seed) {
  const auto chosen = choose_documents(candidates, budget, seed);
  std::vector<std::uint64_t> ids;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (chosen[i]) ids.push_back(candidates[i].id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

TEST(ChooseDocumentsTest, BudgetIsHitWithinHalfADocument) {
  const auto candidates = some_candidates(1000);
  const std::uint64_t all = tokens_of(candidates, std::vector<bool>(1000, true));
  for (std::uint64_t budget = 0; budget < all; budget += 7919) {
    const auto got =
        static_cast<double>(tokens_of(candidates, choose_documents(candidates, budget, 1)));
    EXPECT_LE(std::abs(got - static_cast<double>(budget)), 1000) << budget;  // tokens ≤ 2000
  }
}

TEST(ChooseDocumentsTest, OrderOfCandidatesNeverDecides) {
  auto candidates = some_candidates(500);
  const auto expected = chosen_ids(candidates, 100'000, 7);
  EXPECT_GT(expected.size(), 50u);
  EXPECT_LT(expected.size(), 450u);
  std::uint64_t draw = 0;
  for (int round = 0; round < 20; ++round) {
    for (std::size_t i = candidates.size(); i > 1; --i) {
      std::swap(candidates[i - 1], candidates[kRng.below(~draw++, i)]);
    }
    ASSERT_EQ(chosen_ids(candidates, 100'000, 7), expected);
  }
  EXPECT_NE(chosen_ids(candidates, 100'000, 8), expected);
}

TEST(ChooseDocumentsTest, ALargerBudgetKeepsWhatWasChosen) {
  const auto candidates = some_candidates(500);
  const auto fewer = chosen_ids(candidates, 50'000, 3);
  const auto more = chosen_ids(candidates, 60'000, 3);
  EXPECT_TRUE(std::includes(more.begin(), more.end(), fewer.begin(), fewer.end()));
}

TEST(ChooseDocumentsTest, TheLastDocumentOnlyIfItLandsNearer) {
  struct Case {
    std::uint64_t tokens;
    std::uint64_t budget;
    bool taken;
  };
  // Two documents of the same length: one fits, the other is at the edge.
  for (const Case& c : {Case{100, 149, false}, Case{100, 150, false}, Case{100, 151, true}}) {
    const std::vector<Candidate> candidates = {{1, c.tokens}, {2, c.tokens}};
    const auto chosen = choose_documents(candidates, c.budget, 5);
    EXPECT_EQ(std::count(chosen.begin(), chosen.end(), true), c.taken ? 2 : 1) << c.budget;
  }
  EXPECT_EQ(choose_documents(std::vector<Candidate>{{1, 100}}, 50, 5), std::vector<bool>{false});
  EXPECT_EQ(choose_documents(std::vector<Candidate>{{1, 100}}, 51, 5), std::vector<bool>{true});
}

TEST(ChooseDocumentsTest, EdgesOfTheBudget) {
  const std::vector<Candidate> candidates = {{1, 10}, {2, 0}, {3, 5}, {4, 0}};
  EXPECT_EQ(choose_documents(candidates, 15, 1), std::vector<bool>(4, true));
  EXPECT_EQ(choose_documents(candidates, ~std::uint64_t{0}, 1), std::vector<bool>(4, true));
  EXPECT_EQ(choose_documents(candidates, 0, 1), std::vector<bool>(4, false));
  EXPECT_TRUE(choose_documents({}, 10, 1).empty());
  const std::vector<Candidate> huge = {{1, ~std::uint64_t{0}}, {2, ~std::uint64_t{0}}};
  const auto chosen = choose_documents(huge, ~std::uint64_t{0}, 1);
  EXPECT_EQ(std::count(chosen.begin(), chosen.end(), true), 1);
}

// Long documents are as likely as short ones: the choice depends on the id alone.
TEST(ChooseDocumentsTest, NoBiasToLength) {
  std::vector<Candidate> candidates;
  for (std::uint64_t id = 0; id < 20'000; ++id) candidates.push_back({id, id % 2 ? 10u : 1000u});
  const auto chosen = choose_documents(candidates, 20'000 * 505 / 4, 2);
  std::size_t by_parity[2] = {};
  for (std::size_t i = 0; i < chosen.size(); ++i) by_parity[i % 2] += chosen[i];
  EXPECT_NEAR(static_cast<double>(by_parity[0]), 2500, 60);   // fixed by the budget
  EXPECT_NEAR(static_cast<double>(by_parity[1]), 2500, 200);  // four standard deviations
}

// Persistent: which documents a run chose depends on these.
TEST(ChooseDocumentsTest, TheKeyedOrderIsKnown) {
  std::vector<Candidate> candidates;
  for (std::uint64_t id = 0; id < 10; ++id) candidates.push_back({id, 1});
  EXPECT_EQ(chosen_ids(candidates, 4, 20261130), (std::vector<std::uint64_t>{0, 5, 7, 8}));
}

}  // namespace
}  // namespace headrace::mix
