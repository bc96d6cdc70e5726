// SPDX-License-Identifier: Apache-2.0
#include "shuffle/permutation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "base/counter_rng.h"

namespace headrace::shuffle {
namespace {

std::uint64_t test_key(std::uint64_t i) { return CounterRng(i, purpose("test")).key(); }

std::vector<std::uint64_t> all_of(const Permutation& permutation) {
  std::vector<std::uint64_t> values(permutation.size());
  for (std::uint64_t i = 0; i < permutation.size(); ++i) values[i] = permutation.at(i);
  return values;
}

// Pearson's statistic against equal expected counts, as standard deviations from its mean.
double chi_square_deviation(const std::vector<std::uint64_t>& counts) {
  const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), 0ULL));
  const double expected = total / static_cast<double>(counts.size());
  double statistic = 0;
  for (const std::uint64_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    statistic += difference * difference / expected;
  }
  const double freedom = static_cast<double>(counts.size() - 1);
  return (statistic - freedom) / std::sqrt(2 * freedom);
}

TEST(PermutationTest, IsABijectionOfEverySize) {
  std::vector<std::uint64_t> sizes(300);
  std::iota(sizes.begin(), sizes.end(), 0);
  for (const std::uint64_t n : {1000, 1023, 1024, 1025, 4096, 4097, 65'535, 65'537, 250'000})
    sizes.push_back(n);
  for (const std::uint64_t n : sizes) {
    std::vector<std::uint64_t> values = all_of(Permutation(n, test_key(n)));
    std::sort(values.begin(), values.end());
    for (std::uint64_t i = 0; i < n; ++i) ASSERT_EQ(values[i], i) << "n = " << n;
  }
}

TEST(PermutationTest, StaysInsideHugeDomainsWithoutCollision) {
  for (const std::uint64_t n : {std::uint64_t{1'000'000'000'000}, (std::uint64_t{1} << 40) + 1,
                                Permutation::kMaxSize - 1, Permutation::kMaxSize}) {
    const Permutation permutation(n, test_key(n));
    std::vector<std::uint64_t> values;
    for (std::uint64_t i = 0; i < 5000; ++i) {
      values.push_back(permutation.at(i));
      values.push_back(permutation.at(n - 1 - i));
      ASSERT_LT(values[values.size() - 2], n);
      ASSERT_LT(values.back(), n);
    }
    std::sort(values.begin(), values.end());
    EXPECT_EQ(std::adjacent_find(values.begin(), values.end()), values.end()) << n;
  }
}

TEST(PermutationTest, SmallSizesTakeEveryOrderEquallyOften) {
  for (const std::uint64_t n : {2, 3, 4, 5}) {
    std::map<std::vector<std::uint64_t>, std::uint64_t> seen;
    std::uint64_t orders = 1;
    for (std::uint64_t i = 2; i <= n; ++i) orders *= i;
    for (std::uint64_t key = 0; key < 2000 * orders; ++key)
      ++seen[all_of(Permutation(n, test_key(key)))];
    ASSERT_EQ(seen.size(), orders) << "n = " << n;
    std::vector<std::uint64_t> counts;
    for (const auto& [order, count] : seen) counts.push_back(count);
    EXPECT_LT(chi_square_deviation(counts), 5) << "n = " << n;
  }
}

TEST(PermutationTest, EveryPositionMeetsEveryElementEquallyOften) {
  for (const std::uint64_t n : {7, 16, 17, 100}) {
    std::vector<std::uint64_t> counts(n * n);
    for (std::uint64_t key = 0; key < 20'000; ++key) {
      const Permutation permutation(n, test_key(key));
      for (std::uint64_t i = 0; i < n; ++i) ++counts[i * n + permutation.at(i)];
    }
    EXPECT_LT(chi_square_deviation(counts), 5) << "n = " << n;
  }
}

TEST(PermutationTest, TwoPositionsAreIndependent) {  // few rounds show in pairs first
  for (const std::uint64_t n : {16, 256, 300, 4096}) {
    std::vector<std::uint64_t> counts(n - 1);
    for (std::uint64_t key = 0; key < 100 * n; ++key) {
      const Permutation permutation(n, test_key(key));
      ++counts[(permutation.at(1) + n - permutation.at(0)) % n - 1];
    }
    EXPECT_LT(chi_square_deviation(counts), 5) << "n = " << n;
  }
}

// Neighbours must part: the step from at(i) to at(i + 1) is as even as that of a random order.
TEST(PermutationTest, StepsBetweenNeighboursAreEven) {
  const std::uint64_t n = 1'000'000;
  const Permutation permutation(n, test_key(1));
  std::vector<std::uint64_t> counts(1000);
  for (std::uint64_t i = 0; i + 1 < n; ++i) {
    const std::uint64_t step = (permutation.at(i + 1) + n - permutation.at(i)) % n;
    ++counts[step * counts.size() / n];
  }
  EXPECT_LT(chi_square_deviation(counts), 5);
}

TEST(PermutationTest, DifferentKeysAgreeAsRarelyAsChance) {
  const std::uint64_t n = 1000;
  std::uint64_t agreements = 0;
  for (std::uint64_t key = 0; key < 1000; ++key) {
    const Permutation a(n, test_key(key));
    const Permutation b(n, test_key(key + 1));
    for (std::uint64_t i = 0; i < n; ++i) agreements += a.at(i) == b.at(i) ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(agreements), 1000,
              160);  // Poisson of mean 1 per pair: five sigma
}

TEST(PermutationTest, ValuesNeverChange) {  // orders of existing runs depend on them; checked
                                            // against another implementation
  EXPECT_EQ(all_of(Permutation(10, 7)), (std::vector<std::uint64_t>{1, 3, 2, 6, 0, 7, 9, 5, 4, 8}));
  EXPECT_EQ(Permutation(1'000'003, 20'261'130).at(12'345), 106'712U);
  EXPECT_EQ(Permutation(1'000'000'000'000, ~std::uint64_t{0}).at(999'999'999'999),
            997'261'086'776U);
}

}  // namespace
}  // namespace headrace::shuffle
