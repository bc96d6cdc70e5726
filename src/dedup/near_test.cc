// SPDX-License-Identifier: Apache-2.0
#include "dedup/near.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"

namespace headrace::dedup {
namespace {

struct Signed {
  std::uint32_t ngram;
  std::uint32_t shingles;
  Hash128 set;
  std::vector<std::uint16_t> values;
};

std::vector<Signed> sign(std::string_view text, const SignatureSettings& settings = {}) {
  TextViewBuilder builder;
  Signer signer(settings);
  std::vector<Signed> all;
  for (const Signature& signature : signer.sign(builder.build(text))) {
    all.push_back({signature.ngram,
                   signature.shingles,
                   signature.set,
                   {signature.values.begin(), signature.values.end()}});
  }
  return all;
}

std::string words(std::uint64_t from, std::uint64_t to) {
  const CounterRng rng(5, purpose("near_test"));
  std::string text;
  for (std::uint64_t i = from; i < to; ++i) text += fmt::format("{:x} ", rng.at(i));
  return text;
}

NearOptions completed(NearOptions options) {
  const auto done = complete(&options);
  EXPECT_TRUE(done) << (done ? "" : done.error().message());
  return options;
}

TEST(NearOptionsTest, BandsFollowFromThresholdAndPermutations) {
  EXPECT_EQ(completed({}).bands, (Bands{21, 6}));
  for (const double threshold : {0.5, 0.7, 0.8, 0.9, 1.0}) {
    const NearOptions options = completed({.threshold = threshold});
    EXPECT_GE(options.bands.recall(threshold), 0.995) << threshold;
    EXPECT_LE(options.bands.count * options.bands.rows, 128U);
  }
  EXPECT_EQ(completed({.bands = {32, 0}}).bands, (Bands{32, 4}));
  EXPECT_EQ(completed({.bands = {0, 13}}).bands, (Bands{9, 13}));
  EXPECT_EQ(completed({.bands = {9, 13}}).bands, (Bands{9, 13}));
}

TEST(NearOptionsTest, RefusesWhatCannotBe) {
  const auto refused = [](NearOptions options, std::string_view what) {
    const auto done = complete(&options);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code(), Code::kInvalidArgument);
    EXPECT_NE(done.error().message().find(what), std::string::npos) << done.error().message();
  };
  refused({.bands = {32, 5}}, "160 permutations");
  refused({.signature = {.permutations = 100}}, "multiple of 16");
  refused({.threshold = 1.5}, "threshold");
  refused({.bands = {200, 0}}, "200 bands of 1 rows");
}

TEST(SignatureSettingsTest, FingerprintsDiffer) {
  const SignatureSettings base;
  EXPECT_NE(base.fingerprint(), (SignatureSettings{.ngram = 5}.fingerprint()));
  EXPECT_NE(base.fingerprint(), (SignatureSettings{.permutations = 256}.fingerprint()));
  EXPECT_NE(base.fingerprint(),
            (SignatureSettings{.method = SignatureMethod::kMinHash}.fingerprint()));
}

TEST(SignerTest, TextWithoutWordsHasNoSignature) {
  EXPECT_TRUE(sign("").empty());
  EXPECT_TRUE(sign("... !?").empty());
}

TEST(SignerTest, SameShinglesHaveTheSameSet) {
  const auto a = sign(words(0, 100));
  ASSERT_EQ(a.size(), 1U);
  EXPECT_EQ(a[0].ngram, 5U);
  EXPECT_EQ(a[0].shingles, 96U);
  EXPECT_EQ(sign("\"" + words(0, 100) + "!\"")[0].set, a[0].set);
  EXPECT_NE(sign(words(0, 101))[0].set, a[0].set);
  EXPECT_NE(sign("cat")[0].set, sign("dog")[0].set);
}

TEST(SignerTest, TextsAtTheBorderHaveTwo) {
  std::string han;
  for (int i = 0; i < 300; ++i) han += std::string("天地玄黄宇宙洪荒").substr(3 * (i % 8), 3);
  const auto both = sign(han);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].ngram, kLongNgram);
  EXPECT_EQ(both[1].ngram, kShortHanNgram);
  EXPECT_NE(both[0].set, both[1].set);
  EXPECT_EQ(sign(han, {.ngram = 4}).size(), 1U);
}

// Against theory: independent minima err by sqrt(s (1 - s) / permutations).
class EstimateTest : public testing::TestWithParam<SignatureMethod> {};

TEST_P(EstimateTest, IsAsGoodAsTheory) {
  for (const std::uint64_t size : {3, 20, 90, 900}) {
    double sum = 0;
    double bias = 0;
    constexpr std::uint64_t kPairs = 200;
    const SignatureSettings settings{.method = GetParam(), .ngram = 1};
    for (std::uint64_t i = 0; i < kPairs; ++i) {
      const std::uint64_t common = size * 2 / 3;
      const std::uint64_t at = i * 10'000;
      const std::string shared = words(at, at + common);
      const auto a = sign(shared + words(at + 2000, at + 2000 + size - common), settings);
      const auto b = sign(shared + words(at + 4000, at + 4000 + size - common), settings);
      const double truth = static_cast<double>(common) / static_cast<double>(2 * size - common);
      const double error = estimated_similarity(a[0].values, b[0].values) - truth;
      bias += error / kPairs;
      sum += error * error * 128 / (truth * (1 - truth)) / kPairs;
    }
    EXPECT_LT(std::sqrt(sum), 1.2) << size;
    EXPECT_LT(std::abs(bias), 0.015) << size;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EstimateTest,
                         testing::Values(SignatureMethod::kSketch, SignatureMethod::kMinHash),
                         [](const auto& method) {
                           return method.param == SignatureMethod::kSketch ? "Sketch" : "MinHash";
                         });

// The minima of a text of a hundred thousand words are small numbers; what is kept of them must
// still tell texts apart.
TEST(SignerTest, LongTextsThatShareNothingAreNotSimilar) {
  const auto a = sign(words(0, 100'000));
  const auto b = sign(words(200'000, 300'000));
  EXPECT_LT(estimated_similarity(a[0].values, b[0].values), 0.03);
}

}  // namespace
}  // namespace headrace::dedup
