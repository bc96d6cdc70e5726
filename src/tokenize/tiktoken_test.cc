// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/tokenizer.h"

#include "tokenize/test_file.h"

namespace headrace::tokenize {
namespace {

using ::testing::HasSubstr;
using Ids = std::vector<std::uint32_t>;

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < count ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? kDigits[bits >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

// All bytes, then these tokens.
std::string rank_file(const std::vector<std::string>& tokens) {
  std::string text;
  std::size_t rank = 0;
  for (int byte = 0; byte < 256; ++byte) {
    text += base64(std::string(1, static_cast<char>(byte))) + ' ' + std::to_string(rank++) + '\n';
  }
  for (const std::string& token : tokens) {
    text += base64(token) + ' ' + std::to_string(rank++) + '\n';
  }
  return text;
}

Ids encode(const Tokenizer& tokenizer, std::string_view text, bool special = false) {
  Encoder encoder(tokenizer, {.special_tokens_in_text = special});
  Ids ids;
  EXPECT_TRUE(encoder.encode(text, &ids).has_value());
  return ids;
}

TokenizerOptions gpt2() { return {.pattern = "gpt2", .special_tokens = {{"<end>", 300}}}; }

class TiktokenTest : public ::testing::Test {
 protected:
  static Result<Tokenizer> open_ranks(const std::vector<std::string>& tokens,
                                      const TokenizerOptions& options) {
    return open_text(rank_file(tokens), options);
  }
  static Result<Tokenizer> open_text(const std::string& text, const TokenizerOptions& options) {
    const std::string path = ::testing::TempDir() + "ranks_" + std::to_string(::getpid()) + "_" +
                             std::to_string(count_++) + ".tiktoken";
    std::ofstream(path, std::ios::binary) << text;
    auto opened = Tokenizer::open(path, options);
    std::remove(path.c_str());
    return opened;
  }

 private:
  static inline std::atomic<int> count_ = 0;
};

TEST_F(TiktokenTest, MergesByRank) {
  const auto tokenizer = open_ranks({"ab", "bc", "abc", "xyz"}, gpt2());
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
  EXPECT_EQ(encode(*tokenizer, "abc"), Ids{258});
  EXPECT_EQ(encode(*tokenizer, "abcd"), (Ids{258, 'd'}));
  EXPECT_EQ(encode(*tokenizer, "xbc"), (Ids{'x', 257}));
  // Nothing merges to "xyz", but a piece that is a token becomes it.
  EXPECT_EQ(encode(*tokenizer, "xyz"), Ids{259});
  EXPECT_EQ(encode(*tokenizer, "xyzz"), (Ids{'x', 'y', 'z', 'z'}));
}

// "aaa" is a + aa and aa + a, of one rank.
TEST_F(TiktokenTest, EveryWayToMakeATokenHasItsRank) {
  const auto tokenizer = open_ranks({"aa", "aaa"}, gpt2());
  ASSERT_TRUE(tokenizer.has_value());
  EXPECT_EQ(encode(*tokenizer, "aaaaaaa"), (Ids{256, 256, 257}));
  EXPECT_EQ(encode(*tokenizer, "aaaaa"), (Ids{256, 257}));
}

TEST_F(TiktokenTest, SpecialTokens) {
  const auto tokenizer = open_ranks({}, gpt2());
  ASSERT_TRUE(tokenizer.has_value());
  EXPECT_EQ(tokenizer->token_id("<end>"), 300U);
  EXPECT_EQ(tokenizer->vocabulary_size(), 301U);
  EXPECT_EQ(encode(*tokenizer, "a<end>").size(), 6U);
  EXPECT_EQ(encode(*tokenizer, "a<end>", true), (Ids{'a', 300}));
  EXPECT_EQ(tokenizer->decode(Ids{'a', 300}).value(), "a<end>");
  EXPECT_FALSE(tokenizer->decode(Ids{299}).has_value());
}

TEST_F(TiktokenTest, APatternOfOnesOwn) {
  const auto tokenizer = open_ranks({"aa", "bb"}, {.pattern = "a|b+"});
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
  // What no alternative matches is dropped, as tiktoken does it.
  EXPECT_EQ(encode(*tokenizer, "aa-bb"), (Ids{'a', 'a', 257}));
  const auto other = open_ranks({"aa", "bb"}, {.pattern = "a+|b+"});
  EXPECT_EQ(encode(*other, "aa-bb"), (Ids{256, 257}));
  EXPECT_EQ(other->sha256(), tokenizer->sha256());
  EXPECT_NE(other->fingerprint(), tokenizer->fingerprint());
}

TEST_F(TiktokenTest, WhatIsRefused) {
  const std::string good = rank_file({});
  const struct {
    const char* name;
    std::string text;
    TokenizerOptions options;
    const char* in_message;
  } cases[] = {
      {"no pattern", good, {}, "give a pattern"},
      {"a broken line", good + "YQ= 7\n", gpt2(), "line 257 is not base64"},
      {"no rank", good + "YWE=\n", gpt2(), "line 257"},
      {"a rank twice", good + "YWE= 7\n", gpt2(), "line 257: rank 7 or its token is there twice"},
      {"a token twice", good + "YQ== 256\n", gpt2(), "twice"},
      {"a huge rank", good + "YWE= 99999999\n", gpt2(), "the limit is"},
      {"a byte is missing", good.substr(good.find('\n') + 1), gpt2(), "no token for byte 0x00"},
      {"special on a rank",
       good,
       {.pattern = "gpt2", .special_tokens = {{"<x>", 5}}},
       "belongs to"},
      {"lowercase", good, {.pattern = "gpt2", .lowercase = true}, "lowercase is for vocab.txt"},
      {"a bad pattern", good, {.pattern = "(a"}, "a group without its ')'"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto opened = open_text(c.text, c.options);
    ASSERT_FALSE(opened.has_value());
    EXPECT_THAT(opened.error().message(), HasSubstr(c.in_message));
  }
}

}  // namespace
}  // namespace headrace::tokenize
