// SPDX-License-Identifier: Apache-2.0
#include "headrace/tokenizer.h"

#include <chrono>
#include <cstdlib>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tokenize/test_file.h"

namespace headrace::tokenize {
namespace {

using ::testing::HasSubstr;
using Ids = std::vector<std::uint32_t>;
using Json = nlohmann::json;

Ids encode(Encoder* encoder, std::string_view text) {
  Ids ids;
  const auto encoded = encoder->encode(text, &ids);
  EXPECT_TRUE(encoded.has_value()) << encoded.error().message();
  return ids;
}

Encoder tiny_encoder(EncodeOptions options = {}) {
  return Encoder(Tokenizer::open(kTinyTokenizer).value(), options);
}

// Expected: tokenizers 0.22.2 on the same file.
TEST(EncoderTest, IdsOfTheTinyTokenizer) {
  Encoder encoder = tiny_encoder();
  const struct {
    std::string text;
    Ids ids;
  } cases[] = {
      {"", {}},
      {"Every rule is a threshold. 数据的质量",
       {485, 460, 279, 286, 263, 477, 13, 220, 355, 324, 112, 101, 358}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(encode(&encoder, c.text), c.ids) << c.text;
    EXPECT_EQ(encode(&encoder, c.text), c.ids) << "warm: " << c.text;
  }
}

TEST(EncoderTest, SpecialTokensInTextStayTextUnlessAsked) {
  const std::string text = "The end.<|endoftext|>The end.";
  Encoder as_text = tiny_encoder();
  EXPECT_THAT(encode(&as_text, text), ::testing::Not(::testing::Contains(499U)));
  Encoder as_token = tiny_encoder({.special_tokens_in_text = true});
  const Ids ids = encode(&as_token, text);
  EXPECT_EQ(std::ranges::count(ids, 499U), 1);
  Ids expected = encode(&as_text, "The end.");
  expected.push_back(499);
  for (const std::uint32_t id : encode(&as_text, "The end.")) expected.push_back(id);
  EXPECT_EQ(ids, expected);
}

TEST(EncoderTest, AddedTokensThatAreNotSpecialAlwaysMatch) {
  Json json = Json::parse(read_text(kTinyTokenizer));
  json["added_tokens"][0]["special"] = false;
  const TestFile file(json.dump());
  Encoder encoder(Tokenizer::open(file.path()).value());
  EXPECT_THAT(encode(&encoder, "a<|endoftext|>b"), ::testing::Contains(499U));
}

TEST(EncoderTest, AppendsAndKeepsWhatIsThere) {
  Encoder encoder = tiny_encoder();
  Ids ids = {7};
  ASSERT_TRUE(encoder.encode("a", &ids).has_value());
  ASSERT_TRUE(encoder.encode("a", &ids).has_value());
  EXPECT_EQ(ids, (Ids{7, 64, 64}));
}

TEST(EncoderTest, NotUtf8IsAnErrorWithTheOffset) {
  Encoder encoder = tiny_encoder();
  const std::string good = "数据 data ";
  const std::string long_text(100000, 'x');
  const struct {
    std::string text;
    std::size_t offset;
  } cases[] = {
      {"\xFF", 0},
      {good + "\x80", good.size()},
      {good + "\xE6\x95", good.size()},  // cut off
      {good + "\xC0\xAF", good.size()},  // overlong
      {good + "\xED\xA0\x80"
              "x",
       good.size()},                             // a surrogate
      {good + "\xF4\x90\x80\x80", good.size()},  // beyond U+10FFFF
      {long_text + "\xFE" + long_text, long_text.size()},
      {"\xE6\x95\xB0\xE6\x95"
       "a" +
           long_text,
       3},
      {long_text + good + "\xF0\x9F\x99", long_text.size() + good.size()},
  };
  for (const auto& c : cases) {
    Ids ids = {1};
    const auto encoded = encoder.encode(c.text, &ids);
    ASSERT_FALSE(encoded.has_value());
    EXPECT_EQ(encoded.error().code(), Code::kCorrupt);
    EXPECT_EQ(encoded.error().reach(), Reach::kRecord);
    EXPECT_THAT(encoded.error().message(),
                ::testing::EndsWith("not UTF-8 at byte " + std::to_string(c.offset)));
    EXPECT_EQ(ids, Ids{1});
  }
}

TEST(EncoderTest, PrefixSpace) {
  Json json = Json::parse(read_text(kTinyTokenizer));
  json["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", true}};
  const TestFile file(json.dump());
  Encoder encoder(Tokenizer::open(file.path()).value(), {.special_tokens_in_text = true});
  EXPECT_EQ(encode(&encoder, "rule"), encode(&encoder, " rule"));
  Ids twice = encode(&encoder, " rule");
  twice.push_back(499);
  for (const std::uint32_t id : encode(&encoder, " rule")) twice.push_back(id);
  EXPECT_EQ(encode(&encoder, "rule<|endoftext|>rule"), twice);
}

TEST(EncoderTest, IgnoreMergesTakesWholePiecesFirst) {
  Json json = Json::parse(read_text(kTinyTokenizer));
  json["model"]["vocab"]["zq"] = 499;  // no merge makes it
  json["added_tokens"][0]["id"] = 500;
  json["model"]["ignore_merges"] = true;
  const TestFile with(json.dump());
  json["model"]["ignore_merges"] = false;
  const TestFile without(json.dump());
  Encoder whole(Tokenizer::open(with.path()).value());
  Encoder merged(Tokenizer::open(without.path()).value());
  EXPECT_EQ(encode(&whole, "zq"), Ids{499});
  EXPECT_EQ(encode(&whole, "zq"), Ids{499});
  EXPECT_EQ(encode(&merged, "zq").size(), 2U);
  EXPECT_EQ(encode(&whole, "zqzq"), encode(&merged, "zqzq"));
}

// A part of a piece that is cut is not a whole piece, even if the same bytes are: it is merged.
TEST(EncoderTest, IgnoreMergesDoesNotReachIntoPieces) {
  Json json = Json::parse(read_text(kTinyTokenizer));
  const std::string entry = "é¾ĺé¾ĺ";  // 龘龘
  const std::string long_entry = entry + entry + entry;
  json["model"]["vocab"][entry] = 499;
  json["model"]["vocab"][long_entry] = 500;
  json["added_tokens"][0]["id"] = 501;
  json["model"]["ignore_merges"] = true;
  const TestFile with(json.dump());
  json["model"]["ignore_merges"] = false;
  const TestFile without(json.dump());
  Encoder merged(Tokenizer::open(without.path()).value());
  for (const std::string& text : {std::string("龘龘"), std::string("龘龘龘龘龘龘")}) {
    const Ids id = {text.size() == 6 ? 499U : 500U};
    const Ids in_word = encode(&merged, text + "a");
    EXPECT_EQ(in_word.size(), text.size() + 1);
    Encoder whole(Tokenizer::open(with.path()).value());
    for (int pass = 0; pass < 2; ++pass) {
      EXPECT_EQ(encode(&whole, text), id);
      EXPECT_EQ(encode(&whole, text + "a"), in_word);
    }
    Encoder other_order(Tokenizer::open(with.path()).value());
    for (int pass = 0; pass < 2; ++pass) {
      EXPECT_EQ(encode(&other_order, text + "a"), in_word);
      EXPECT_EQ(encode(&other_order, text), id);
    }
  }
}

TEST(TokenizerTest, DecodeTurnsIdsBackIntoTheText) {
  const Tokenizer tokenizer = Tokenizer::open(kTinyTokenizer).value();
  for (const bool special : {false, true}) {
    Encoder encoder(tokenizer, {.special_tokens_in_text = special});
    std::mt19937 random(11);
    for (int round = 0; round < 500; ++round) {
      std::u32string drawn(random() % 60, U' ');
      for (char32_t& c : drawn) {
        constexpr char32_t kMost[] = {0x7F, 0x7FF, 0xD7FF, 0x1FFFF};
        c = 1 + random() % kMost[random() % 4];
        if (c >= 0xD800 && c < 0xE000) c = U'数';
      }
      std::string text = round % 3 == 0 ? "<|endoftext|>" : "";
      for (const char32_t c : drawn) append_utf8(c, &text);
      const auto decoded = tokenizer.decode(encode(&encoder, text));
      ASSERT_TRUE(decoded.has_value());
      ASSERT_EQ(*decoded, text);
    }
  }
}

TEST(TokenizerTest, DecodeOfAnUnknownIdIsAnError) {
  const Tokenizer tokenizer = Tokenizer::open(kTinyTokenizer).value();
  const auto decoded = tokenizer.decode(Ids{1, 500});
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error().code(), Code::kInvalidArgument);
  EXPECT_THAT(decoded.error().message(), HasSubstr("id 500 at place 1"));
}

// No input may be quadratic: at 1 MB that would be minutes. The bound is loose, for slow machines
// and sanitizers; quadratic misses it by far.
TEST(EncoderTest, HostileTextsAreNotQuadratic) {
  Encoder encoder = tiny_encoder({.special_tokens_in_text = true});
  constexpr std::size_t kSize = 1000000;
  std::mt19937 random(1);
  std::string letters(kSize, ' ');
  for (char& c : letters) c = static_cast<char>('a' + random() % 26);
  const std::string texts[] = {
      std::string(kSize, 'a'), std::string(kSize, ' '),       std::string(kSize, '\n'),
      std::string(kSize, '-'), std::string(kSize, ' ') + "x", std::string(kSize, '\''),
      std::string(kSize, '<'), std::string(kSize, '\0'),      letters,
  };
  for (const std::string& text : texts) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(encode(&encoder, text).empty());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    EXPECT_LT(seconds.count(), 10.0) << static_cast<int>(text[0]) << " " << text.size();
  }
}

}  // namespace
}  // namespace headrace::tokenize
