// SPDX-License-Identifier: Apache-2.0
#include "leak/internal/token_text.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "leak/internal/ascii_block.h"
#include "leak/internal/item_tokens.h"

namespace headrace::leak {
namespace {

using testing::ElementsAre;

const FoldTable& folds() { return **FoldTable::get(); }

struct Tokens {
  std::vector<std::uint32_t> hashes;
  std::vector<std::string> words;
  std::vector<int> half_units;
  std::vector<TextRange> bytes;
};

Tokens tokens_of(std::string_view text) {
  TokenText tokens(folds());
  tokens.assign(text);
  Tokens seen;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const TextRange bytes = tokens.bytes(i);
    seen.hashes.push_back(tokens.row().token(i));
    seen.words.emplace_back(text.substr(bytes.begin, bytes.end - bytes.begin));
    seen.half_units.push_back(tokens.row().half_units[i]);
    seen.bytes.push_back(bytes);
  }
  return seen;
}

TEST(TokenTextTest, CutsWordsNumbersAndHan) {
  EXPECT_THAT(tokens_of("Don't run 5km, 用户2024年 x").words,
              ElementsAre("Don", "t", "run", "5", "km", "用", "户", "2024", "年", "x"));
  EXPECT_THAT(tokens_of("ab 7 12 用").half_units, ElementsAre(3, 1, 3, 2));
  EXPECT_THAT(tokens_of("").words, ElementsAre());
  EXPECT_THAT(tokens_of(" \n，。— ").words, ElementsAre());
}

TEST(TokenTextTest, DisguisesHaveTheSameTokens) {
  const std::pair<const char*, const char*> pairs[] = {
      {"Hello World 2024", "ｈＥＬＬＯ　ｗｏｒｌｄ　２０２４"},
      {"café naïve", "cafe\u0301 nai\u0308ve"},
      {"cafe naive", "CAFÉ NAÏVE"},
      {"office file", "o\uFB03ce \uFB01le"},
      {"5 km", "5㎞"},
      {"soft hyphen", "so\u00ADft hy\u200Bphen"},
      {"下列关于计算机网络的说法", "下 列\u3000關\n於，計算機網絡的說法"},
      {"为什么发展历史台湾", "爲什麼發展歷史臺灣"},
      {"群峰线里床", "羣峯線裏牀"},
      {"Straße", "STRASSE"},
      {"москва", "МОСКВА"},
      {"가나다", "가 나 다"},
      {"123 ①", "１２３ 1"},
  };
  for (const auto& [one, other] : pairs) {
    EXPECT_EQ(tokens_of(one).hashes, tokens_of(other).hashes) << one << " / " << other;
    EXPECT_FALSE(tokens_of(one).hashes.empty()) << one;
  }
  EXPECT_NE(tokens_of("hello").hashes, tokens_of("hellp").hashes);
  EXPECT_NE(tokens_of("12").hashes, tokens_of("13").hashes);
  EXPECT_NE(tokens_of("网").hashes, tokens_of("络").hashes);
}

// The fast way through ASCII and the slow one make the same tokens, wherever blocks begin.
TEST(TokenTextTest, BlocksDoNotShow) {
  std::string text;
  const char* const words[] = {"the", "A", "cat7", "2024", " ", ".", "supercalifragilistic",  "\n",
                               "x",   "é", "用",   "-",    "0", "Z", std::string("").c_str(), "q9"};
  const CounterRng random(7, purpose("leak.test"), 0);
  for (std::uint64_t i = 0; i < 3000; ++i) {
    text += words[random.at(i) % 16];
    if (random.at(i + 100000) % 3 == 0) text += ' ';
  }
  text += std::string(500, 'a') + " " + std::string(64, 'B') + "1 end";
  const Tokens whole = tokens_of(text);
  ASSERT_GT(whole.words.size(), 1000u);
  for (const std::size_t front : {1u, 3u, 31u, 63u, 64u, 65u}) {
    // Separators in front move every block.
    const Tokens moved = tokens_of(std::string(front, ' ') + text);
    EXPECT_EQ(moved.hashes, whole.hashes);
    EXPECT_EQ(moved.words, whole.words);
  }
  // A joiner in front of every letter forces the slow way.
  std::string slow;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80 || byte >= 0xC0) slow += "\u200D";
    slow += text[i];
  }
  const Tokens slowly = tokens_of(slow);
  EXPECT_EQ(slowly.hashes, whole.hashes);
  EXPECT_EQ(slowly.half_units, whole.half_units);
}

TEST(TokenTextTest, AnyBytes) {
  std::string text;
  const CounterRng random(9, purpose("leak.test"), 1);
  for (std::uint64_t i = 0; i < 20000; ++i) text += static_cast<char>(random.at(i));
  for (const std::size_t size : {0u, 1u, 2u, 3u, 63u, 64u, 71u, 72u, 73u, 20000u}) {
    // A copy of its own, so that a look behind the end is seen by the sanitizer.
    const std::vector<char> exact(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    const Tokens tokens = tokens_of({exact.data(), exact.size()});
    std::uint32_t end = 0;
    for (const TextRange bytes : tokens.bytes) {
      EXPECT_LT(bytes.begin, bytes.end);
      EXPECT_LE(bytes.end, size);
      EXPECT_GE(bytes.begin + 18, end);  // several tokens of one code point share its bytes
      end = bytes.end;
    }
  }
  EXPECT_THAT(tokens_of("ab\xE4\xBD").words, ElementsAre("ab"));
  EXPECT_THAT(tokens_of("\xE4\xBD用\xFFok").words, ElementsAre("用", "ok"));
}

TEST(AsciiBlockTest, IsItsDefinition) {
  std::string bytes(64, '\0');
  for (int round = 0; round < 256; ++round) {
    for (int i = 0; i < 64; ++i)
      bytes[static_cast<std::size_t>(i)] = static_cast<char>(round + 5 * i);
    const AsciiBlock fast = classify(bytes.data());
    const AsciiBlock plain = classify_plainly(bytes.data());
    EXPECT_EQ(fast.letters, plain.letters);
    EXPECT_EQ(fast.digits, plain.digits);
    EXPECT_EQ(fast.other, plain.other);
  }
}

TEST(ItemTokensTest, LeadingNumbersAndScoresGo) {
  const std::pair<const char*, const char*> cases[] = {
      {"8．（3分）下列", "下列"}, {"12. What", "What"},      {"(5 分) 若", "若"},
      {"3.5 kg of", "3.5 kg of"}, {"  7、 题", "题"},        {"２１．（４分）题", "题"},
      {"2024年", "2024年"},       {"1. 2. 3. 4. x", "4. x"}, {"", ""},
      {"(1) 已知", "(1) 已知"},
  };
  for (const auto& [text, left] : cases) {
    EXPECT_EQ(std::string_view(text).substr(leading_number_bytes(text)), left) << text;
  }
}

TEST(ItemTokensTest, OrderOfOptionsPlaysNoPart) {
  TokenText text(folds());
  const auto key = [&](Item item) { return headrace::leak::tokens_of(item, &text).key(); };
  Item item{.id = "1",
            .set = "s",
            .question = "Which one?",
            .options = {"red", "blue sky"},
            .answer = "red",
            .solution = "",
            .passage = ""};
  const Hash128 first = key(item);
  std::swap(item.options[0], item.options[1]);
  EXPECT_EQ(key(item), first);
  item.question = "Ｗhich  one";
  EXPECT_EQ(key(item), first);
  item.options[0] = "green sky";
  EXPECT_NE(key(item), first);
}

}  // namespace
}  // namespace headrace::leak
