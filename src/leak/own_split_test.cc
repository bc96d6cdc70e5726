// SPDX-License-Identifier: Apache-2.0
#include "leak/own_split.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"

namespace headrace::leak {
namespace {

using testing::IsEmpty;

// Sentences that no other number makes.
std::vector<std::string> sentences(std::uint64_t number, bool is_chinese, std::size_t count) {
  const CounterRng random(number, purpose("leak.test"));
  std::vector<std::string> sentences;
  std::uint64_t drawn = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    for (int k = 0; k < 14; ++k) {
      if (is_chinese) {
        const auto c = static_cast<std::uint32_t>(0x4E00 + random.below(drawn++, 4000));
        text += static_cast<char>(0xE0 | c >> 12);
        text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        text += static_cast<char>(0x80 | (c & 0x3F));
      } else {
        for (int letter = 0; letter < 5; ++letter) {
          text += static_cast<char>('a' + random.below(drawn++, 26));
        }
        text += ' ';
      }
    }
    sentences.push_back(text + (is_chinese ? "。" : ". "));
  }
  return sentences;
}

std::string joined(const std::vector<std::string>& parts, std::size_t first = 0,
                   std::size_t last = 1000) {
  std::string text;
  for (std::size_t i = first; i < std::min(last, parts.size()); ++i) text += parts[i];
  return text;
}

class OwnSplitTest : public testing::TestWithParam<bool> {};

TEST_P(OwnSplitTest, FindsCopiesHalvesAndSentencesInAnotherOrder) {
  SplitBuilder builder = *SplitBuilder::make();
  std::vector<std::vector<std::string>> validation;
  for (std::uint64_t i = 0; i < 20; ++i) {
    validation.push_back(sentences(i, GetParam(), 24));
    builder.add("v" + std::to_string(i), joined(validation.back()));
  }
  const SplitIndex index = *builder.finish();
  SplitScanner scanner = *SplitScanner::make(index);
  const std::string host = joined(sentences(99, GetParam(), 60));
  const auto leaks = [&](const std::string& text) {
    std::vector<std::string> found;
    for (const SplitHit& hit : scanner.scan(text)) {
      if (hit.leak) found.push_back(index.id(hit.document));
    }
    return found;
  };
  const std::vector<std::string> expected = {"v3"};
  EXPECT_EQ(leaks(joined(validation[3])), expected);
  EXPECT_EQ(leaks(host + joined(validation[3]) + host), expected);
  EXPECT_EQ(leaks(host + joined(validation[3], 4, 16)), expected);
  std::vector<std::string> shuffled = validation[3];
  std::reverse(shuffled.begin(), shuffled.end());
  EXPECT_EQ(leaks(joined(shuffled)), expected);
  EXPECT_THAT(leaks(host), IsEmpty());
  EXPECT_THAT(leaks(host + validation[3][5]), IsEmpty());

  const std::string text = host + joined(validation[3], 4, 16);
  const auto hits = scanner.scan(text);
  ASSERT_EQ(hits.size(), 1u);
  EXPECT_NEAR(hits[0].share_validation, 0.5, 0.15);
  EXPECT_GE(hits[0].pieces.front().begin, host.size());
  EXPECT_LE(hits[0].pieces.back().end, text.size());
}

INSTANTIATE_TEST_SUITE_P(Languages, OwnSplitTest, testing::Values(false, true));

TEST(SplitBuilderTest, WhatManyDocumentsShareIsNoLeak) {
  const std::string licence = joined(sentences(7, false, 20));
  SplitBuilder builder = *SplitBuilder::make();
  builder.add("own", licence + joined(sentences(8, false, 20)));
  for (int i = 0; i < 200; ++i) builder.add_reference(licence + std::to_string(i));
  builder.add_reference("");
  const SplitIndex index = *builder.finish();
  EXPECT_EQ(index.stats().reference_documents, 201u);
  SplitScanner scanner = *SplitScanner::make(index);
  EXPECT_THAT(scanner.scan(licence), IsEmpty());
  EXPECT_EQ(scanner.scan(joined(sentences(8, false, 20))).size(), 1u);
}

TEST(SplitBuilderTest, ShortAndEmptyDocuments) {
  SplitBuilder builder = *SplitBuilder::make();
  builder.add("empty", "");
  builder.add("short", "two words");
  EXPECT_FALSE(builder.finish().has_value());
  SplitBuilder other = *SplitBuilder::make();
  other.add("empty", "");
  other.add("line", joined(sentences(1, true, 1)));  // may have none of the kept hashes
  const SplitIndex index = *other.finish();
  EXPECT_EQ(index.stats().without_fingerprints, 1u);
  EXPECT_GE(index.stats().fingerprints, 1u);
  EXPECT_FALSE(SplitBuilder::make({.half_units = 0}).has_value());
  EXPECT_FALSE(SplitScanner::make(index, {.leak_share = 0}).has_value());
}

}  // namespace
}  // namespace headrace::leak
