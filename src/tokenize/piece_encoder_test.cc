// SPDX-License-Identifier: Apache-2.0
// The encoder against splitting by the scanner and merging each piece by the heap, at every
// instruction set of this machine. With HEADRACE_DATA: real vocabularies, published texts.
#include "tokenize/piece_encoder.h"

#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "headrace/tokenizer.h"

#include "tokenize/nfc.h"
#include "tokenize/test_file.h"
#include "tokenize/tokenizer_impl.h"

namespace headrace::tokenize {
namespace {

using Ids = std::vector<std::uint32_t>;

// No masks, no cut, no cache, no jobs, no backtracking.
Ids slow_ids(const Tokenizer& tokenizer, std::string_view text) {
  const Tokenizer::Impl& impl = tokenizer.impl();
  std::string normalized;
  if (impl.nfc && to_nfc(text, &normalized)) text = normalized;
  Ids all;
  MergeScratch scratch;
  for (std::size_t begin = 0; begin < text.size();) {
    std::uint32_t end = 0;
    EXPECT_EQ(impl.splitter->split(text, begin, {&end, 1}), 1U);
    const std::string piece(text.substr(begin, end - begin));
    begin = end;
    const auto whole = impl.unreachable.find(piece);
    if (whole != impl.unreachable.end()) {
      all.push_back(whole->second);
      continue;
    }
    Ids ids(piece.size());
    ids.resize(impl.bpe->merge_long(piece, &scratch, ids.data()));
    all.insert(all.end(), ids.begin(), ids.end());
  }
  return all;
}

const std::vector<std::string> kParts = {"the",
                                         " the",
                                         " of",
                                         "Hello",
                                         " internationalization",
                                         "Pneumonoultramicroscopic",
                                         "don't",
                                         "camelCase",
                                         "HTMLParser",
                                         "0",
                                         "123456",
                                         " ",
                                         "  ",
                                         "\n",
                                         "\n\n",
                                         "\t",
                                         ",",
                                         ".",
                                         "--",
                                         "/*",
                                         "{",
                                         "};",
                                         "\r\n",
                                         "今天",
                                         "天气",
                                         "的",
                                         "中华人民共和国",
                                         "，",
                                         "。",
                                         "しない",
                                         "ひらがな",
                                         "カタカナ",
                                         "한국어",
                                         " việc",
                                         "e\u0301",
                                         "é",
                                         "и\u0306",
                                         "क्षेत्र",
                                         "ไทย",
                                         "العربية",
                                         "🙂",
                                         "👨‍👩‍👧",
                                         "𠀀",
                                         "龘",
                                         "\u3000",
                                         "xyzzyq",
                                         "qqqqqqqqqqqqqqqqq",
                                         std::string(70, '-'),
                                         std::string(90, 'a'),
                                         "\u0300\u0316"};

std::string drawn_text(std::mt19937* random) {
  std::string text;
  const auto draw = [&](std::size_t most) { return (*random)() % most; };
  switch (draw(6)) {
    case 0:
      for (std::size_t i = draw(100); i > 0; --i) {
        constexpr char32_t kMost[] = {0x7F, 0x7FF, 0x9FFF, 0xFFFF, 0x1FFFF, 0x10FFFF};
        auto c = static_cast<char32_t>(draw(kMost[draw(6)] + 1));
        if (c >= 0xD800 && c < 0xE000) c = U'数';
        append_utf8(c, &text);
      }
      break;
    case 1:
      for (std::size_t i = draw(300); i > 0; --i) text += static_cast<char>('a' + draw(26));
      break;
    case 2:
      for (std::size_t i = draw(100); i > 0; --i)
        append_utf8(static_cast<char32_t>(0x4E00 + draw(0x800)), &text);
      break;
    default:
      for (std::size_t i = draw(80); i > 0; --i) text += kParts[draw(kParts.size())];
  }
  return text;
}

void expect_slow_ids(const std::string& path, int rounds) {
  const auto tokenizer = Tokenizer::open(path);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message();
  std::vector<Encoder> encoders;
  for (const SimdLevel level : {SimdLevel::kScalar, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (level <= best_simd_level()) encoders.emplace_back(*tokenizer, EncodeOptions{}, level);
  }
  std::mt19937 random(23);
  for (int round = 0; round < rounds; ++round) {
    const std::string text = drawn_text(&random);
    const Ids expected = slow_ids(*tokenizer, text);
    for (Encoder& encoder : encoders) {
      Ids ids = {7};
      ASSERT_TRUE(encoder.encode(text, &ids).has_value());
      ids.erase(ids.begin());
      ASSERT_EQ(ids, expected) << path << ", round " << round << ": "
                               << ::testing::PrintToString(text);
    }
  }
}

TEST(PieceEncoderTest, TinyTokenizer) { expect_slow_ids(kTinyTokenizer, 2000); }

class RealPieceEncoderTest : public ::testing::TestWithParam<const char*> {};

TEST_P(RealPieceEncoderTest, IdsOfTheSlowWay) {
  const char* data = std::getenv("HEADRACE_DATA");
  if (data == nullptr) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  expect_slow_ids(std::string(data) + "/tokenizers/" + GetParam() + "/tokenizer.json", 3000);
}

INSTANTIATE_TEST_SUITE_P(All, RealPieceEncoderTest,
                         ::testing::Values("gpt2", "llama3", "qwen3", "deepseek_v3"),
                         [](const auto& test) { return std::string(test.param); });

// Long texts: more starts than are held at once, and characters that NFC changes far behind.
TEST(PieceEncoderTest, LongTexts) {
  const char* data = std::getenv("HEADRACE_DATA");
  if (data == nullptr) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  const auto tokenizer =
      Tokenizer::open(std::string(data) + "/tokenizers/qwen3/tokenizer.json").value();
  Encoder encoder(tokenizer);
  std::mt19937 random(3);
  for (int round = 0; round < 10; ++round) {
    std::string text;
    while (text.size() < 100000) text += kParts[random() % 35];
    text += "e\u0301";
    text += round % 2 == 0 ? "" : " the end";
    Ids ids;
    ASSERT_TRUE(encoder.encode(text, &ids).has_value());
    ASSERT_EQ(ids, slow_ids(tokenizer, text));
  }
}

}  // namespace
}  // namespace headrace::tokenize
