// SPDX-License-Identifier: Apache-2.0
#include "record/code_point_ngrams.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "record/testing/slow_view.h"
#include "record/testing/texts.h"

namespace headrace {
namespace {

std::vector<std::uint64_t> hashes_of(const TextView& view, unsigned n) {
  std::vector<std::uint64_t> hashes(view.counts.code_points + kCodePointHashSlack);
  const std::size_t count = hash_code_points(view, 0, view.blocks.size(), hashes.data());
  EXPECT_EQ(count, view.counts.code_points);
  hashes.resize(combine_code_point_hashes(view.simd, hashes.data(), count, n));
  return hashes;
}

TEST(CodePointNgramsTest, EqualExactlyWhereTheRunsAreEqual) {
  TextViewBuilder builder;
  for (const unsigned n : {1u, 2u, 3u, 5u, 8u, 10u, 13u, 31u, 64u}) {
    std::map<std::uint64_t, std::string> run_of;
    std::map<std::string, std::uint64_t> hash_of;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      std::string text = random_text(seed, 700);
      text = text + "你好世界abc" + text + "a你";
      const SlowView slow(text);
      const TextView& view = builder.build(text);
      const std::vector<std::uint64_t> hashes = hashes_of(view, n);
      ASSERT_EQ(hashes.size(), slow.code_points.size() - n + 1);
      for (std::size_t i = 0; i < hashes.size(); ++i) {
        const std::string run = text.substr(slow.offsets[i], slow.offsets[i + n] - slow.offsets[i]);
        ASSERT_EQ(run_of.emplace(hashes[i], run).first->second, run) << "n " << n;
        ASSERT_EQ(hash_of.emplace(run, hashes[i]).first->second, hashes[i]) << "n " << n;
      }
    }
  }
}

TEST(CodePointNgramsTest, AllLevelsAgreeOnAnyBytes) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string bytes =
        seed % 2 == 0 ? random_bytes(seed, seed * 7) : random_text(seed, seed * 9);
    TextViewBuilder scalar(SimdLevel::kScalar);
    const std::vector<std::uint64_t> expected = hashes_of(scalar.build(bytes), 10);
    for (const SimdLevel level : {SimdLevel::kAvx2, SimdLevel::kAvx512}) {
      TextViewBuilder builder(level);
      ASSERT_EQ(hashes_of(builder.build(bytes), 10), expected) << seed << " " << name_of(level);
    }
  }
}

TEST(CodePointNgramsTest, PiecesOfBlocksTogetherAreTheWhole) {
  TextViewBuilder builder;
  const TextView& view = builder.build(random_text(7, 5000));
  std::vector<std::uint64_t> whole = hashes_of(view, 1);
  std::vector<std::uint64_t> pieces(whole.size() + kCodePointHashSlack);
  std::size_t count = 0;
  for (std::size_t first = 0; first < view.blocks.size(); first += 7) {
    const std::size_t last = std::min(first + 7, view.blocks.size());
    count += hash_code_points(view, first, last, pieces.data() + count);
  }
  pieces.resize(count);
  EXPECT_EQ(pieces, whole);
}

TEST(CodePointNgramsTest, FewerCodePointsThanNGiveNothing) {
  TextViewBuilder builder;
  EXPECT_TRUE(hashes_of(builder.build("九个汉字不够一串儿"), 10).empty());
  EXPECT_EQ(hashes_of(builder.build("十个汉字正好是一串儿"), 10).size(), 1u);
}

}  // namespace
}  // namespace headrace
