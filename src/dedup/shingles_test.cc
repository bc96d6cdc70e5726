// SPDX-License-Identifier: Apache-2.0
#include "dedup/shingles.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "base/counter_rng.h"
#include "dedup/internal/near_kernels.h"

namespace headrace::dedup {
namespace {

std::vector<std::uint64_t> shingles_of(std::string_view text, std::uint32_t ngram) {
  TextViewBuilder builder;
  Shingler shingler;
  const auto span = shingler.shingles(builder.build(text), ngram);
  return {span.begin(), span.end()};
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::vector<std::uint64_t> random_numbers(std::uint64_t seed, std::size_t count) {
  const CounterRng rng(seed, purpose("shingles_test"));
  std::vector<std::uint64_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = rng.at(i);
  return numbers;
}

std::vector<std::uint32_t> random_set(std::uint64_t seed, std::size_t count, std::uint32_t range) {
  const CounterRng rng(seed, purpose("shingles_test set"));
  std::set<std::uint32_t> set;
  for (std::uint64_t i = 0; set.size() < count; ++i)
    set.insert(static_cast<std::uint32_t>(rng.below(i, range)));
  return {set.begin(), set.end()};
}

// Runs `check` once for each set of instructions that this machine has.
template <class Check>
void for_each_target(Check check) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    SCOPED_TRACE(hwy::TargetName(target));
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST(ShinglesTest, AreRunsOfWords) {
  const auto six = shingles_of("one two three four five six", 5);
  ASSERT_EQ(six.size(), 2U);
  EXPECT_EQ(shingles_of("One, TWO - three\nfour (five)!", 5)[0], six[0]);
  EXPECT_EQ(shingles_of("two three four five six", 5)[0], six[1]);
  EXPECT_NE(shingles_of("five four three two one", 5)[0], six[0]);
}

TEST(ShinglesTest, HanCharactersAreWords) {
  EXPECT_EQ(shingles_of("今天天气很好，我们去公园。", 3).size(), 9U);
  EXPECT_EQ(shingles_of("今天天气", 3), shingles_of("今 天 天 气", 3));
}

TEST(ShinglesTest, ShortTextIsOneShingle) {
  EXPECT_EQ(shingles_of("cat", 5).size(), 1U);
  EXPECT_NE(shingles_of("cat", 5), shingles_of("dog", 5));
  EXPECT_EQ(shingles_of("a b c d", 5).size(), 1U);
  EXPECT_TRUE(shingles_of("", 5).empty());
  EXPECT_TRUE(shingles_of("... !?", 5).empty());
}

// These bits stand in files: another value needs another kShingleVersion.
TEST(ShinglesTest, ValuesStay) {
  EXPECT_EQ(shingles_of("the quick brown fox jumps", 5),
            std::vector<std::uint64_t>{16576541519490733462U});
  EXPECT_EQ(shingles_of("天地玄黄", 4), std::vector<std::uint64_t>{1168436417649206065U});
}

TEST(NgramChoiceTest, GoesByScriptAndLength) {
  TextViewBuilder builder;
  const auto choice = [&](const std::string& text) {
    const NgramChoice chosen = choose_ngram(builder.build(text));
    return std::pair(chosen.ngram, chosen.other);
  };
  EXPECT_EQ(choice(repeated("汉", 100)), std::pair(3U, 0U));
  EXPECT_EQ(choice(repeated("汉", kShortHanWords - 1)), std::pair(3U, 0U));
  EXPECT_EQ(choice(repeated("汉", kShortHanWords)), std::pair(5U, 3U));
  EXPECT_EQ(choice(repeated("汉", 2 * kShortHanWords)), std::pair(5U, 0U));
  EXPECT_EQ(choice(repeated("word ", 100)), std::pair(5U, 0U));
  EXPECT_EQ(choice(repeated("汉 word ", 50)), std::pair(3U, 0U));
  EXPECT_EQ(choice(repeated("汉 word word ", 30)), std::pair(5U, 3U));  // nearly half
}

TEST(ShingleSetTest, IsSortedWithoutRepeats) {
  for (const std::size_t count : {0, 1, 2, 7, 100, 5000}) {
    std::vector<std::uint64_t> shingles = random_numbers(count, count);
    shingles.insert(shingles.end(), shingles.begin(), shingles.begin() + count / 2);
    std::set<std::uint32_t> expected;
    for (const std::uint64_t shingle : shingles)
      expected.insert(static_cast<std::uint32_t>(shingle >> 32));
    std::vector<std::uint32_t> set;
    shingle_set(shingles, &set);
    EXPECT_TRUE(std::equal(set.begin(), set.end(), expected.begin(), expected.end())) << count;
  }
}

TEST(ShingleSetTest, ManyEqualShinglesStaySmall) {
  std::vector<std::uint32_t> set;
  shingle_set(std::vector<std::uint64_t>(100'000, std::uint64_t{42} << 32), &set);
  EXPECT_EQ(set, std::vector<std::uint32_t>{42});
}

TEST(JaccardTest, CountsWhatIsCommon) {
  const std::vector<std::uint32_t> a = {1, 2, 3, 4};
  const std::vector<std::uint32_t> b = {2, 3, 4, 5};
  EXPECT_DOUBLE_EQ(jaccard(a, b), 0.6);
  EXPECT_DOUBLE_EQ(jaccard(a, a), 1);
  EXPECT_DOUBLE_EQ(jaccard(a, {}), 0);
  EXPECT_DOUBLE_EQ(jaccard({}, {}), 0);
}

TEST(NearKernelsTest, IntersectIsTheSameForAllInstructions) {
  for_each_target([] {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const auto a = random_set(2 * seed, seed * 7 % 90, 128);
      const auto b = random_set(2 * seed + 1, seed * 13 % 90, 128);
      std::vector<std::uint32_t> common;
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
      ASSERT_EQ(internal::intersect(a.data(), a.size(), b.data(), b.size()), common.size())
          << "seed " << seed;
    }
  });
}

// All kernels on all lengths around the width of vectors, against the narrowest instructions.
TEST(NearKernelsTest, AllInstructionsGiveTheSame) {
  struct Results {
    std::vector<std::uint64_t> shingles;
    std::vector<std::uint64_t> fresh;
    std::vector<std::uint64_t> sums;
    std::vector<std::uint32_t> minima;
    bool operator==(const Results&) const = default;
  };
  const auto run = [] {
    const auto words = random_numbers(1, 70);
    const auto multiply = random_numbers(2, 48);
    std::vector<std::uint32_t> factors;
    for (const std::uint64_t number : multiply)
      factors.push_back(static_cast<std::uint32_t>(number) | 1);
    Results results;
    for (std::size_t count = 5; count <= words.size(); ++count) {
      std::vector<std::uint64_t> out(count - 4);
      internal::make_shingles(words.data(), count, 5, out.data());
      results.shingles.insert(results.shingles.end(), out.begin(), out.end());
      std::vector<std::uint64_t> fresh(count);
      internal::hash_for_round(words.data(), count, 3, fresh.data());
      results.fresh.insert(results.fresh.end(), fresh.begin(), fresh.end());
      const internal::ShingleSums sums = internal::sum_shingles(words.data(), count);
      results.sums.insert(results.sums.end(), {sums.plain, sums.products});
      for (const std::size_t permutations : {16, 48}) {
        std::vector<std::uint32_t> minima(permutations);
        internal::min_hashes(words.data(), count, factors.data(), factors.data(), permutations,
                             minima.data());
        results.minima.insert(results.minima.end(), minima.begin(), minima.end());
      }
    }
    return results;
  };
  const Results expected = run();
  for_each_target([&] { EXPECT_TRUE(run() == expected); });
}

}  // namespace
}  // namespace headrace::dedup
