// SPDX-License-Identifier: Apache-2.0
// The masks against the scanners, at every instruction set of this machine.
#include "tokenize/piece_finder.h"

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tokenize/test_file.h"

namespace headrace::tokenize {
namespace {

struct Pattern {
  const char* name;
  std::unique_ptr<Splitter> (*make)();
};

const Pattern kPatterns[] = {
    {"gpt2", [] { return make_gpt2_splitter(); }},
    {"llama3", [] { return make_cl100k_splitter({.digits = 3}); }},
    {"qwen3", [] { return make_cl100k_splitter({.digits = 1}); }},
    {"qwen35", [] { return make_cl100k_splitter({.digits = 1, .marks_in_words = true}); }},
    {"o200k", [] { return make_o200k_splitter({}); }},
    {"tekken", [] { return make_o200k_splitter({.digits = 1, .contractions = false}); }},
    {"deepseek", [] { return make_deepseek_splitter(); }},
    {"whole", [] { return make_whole_splitter(); }},
};

std::vector<SimdLevel> levels() {
  std::vector<SimdLevel> all;
  for (const SimdLevel level : {SimdLevel::kScalar, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (level <= best_simd_level()) all.push_back(level);
  }
  return all;
}

// What the scanner and next_cut() say.
std::vector<std::uint32_t> expected_starts(const Splitter& splitter, const Junctions& junctions,
                                           std::string_view text) {
  std::vector<std::uint32_t> starts;
  std::uint32_t begin = 0;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  while (begin < text.size()) {
    std::uint32_t end = 0;
    EXPECT_EQ(splitter.split(text, begin, {&end, 1}), 1U);
    starts.push_back(begin);
    for (const std::uint8_t* cut = bytes + begin;
         (cut = junctions.next_cut(cut, bytes + end)) < bytes + end;) {
      starts.push_back(static_cast<std::uint32_t>(cut - bytes) | kPartBit);
    }
    begin = end;
  }
  return starts;
}

std::vector<std::uint32_t> found_starts(PieceFinder* finder, std::string_view text,
                                        std::size_t room) {
  std::vector<std::uint32_t> all;
  std::vector<std::uint32_t> some(room);
  finder->start(text);
  while (const std::size_t count = finder->next(some)) {
    all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return all;
}

// Strings that have split tokenizers before, and all that the algebra treats in its own way.
const std::vector<std::string> kParts = {"'",      "'s",       "'S",
                                         "'ſ",     "'re",      "'LL",
                                         "'v",     "'d",       "'tis",
                                         "don't",  "O'Reilly", "we've'll",
                                         "\r",     "\n",       "\r\n",
                                         " ",      "  ",       "\t",
                                         "\x0b",   "\x0c",     "\x1c",
                                         "\u0085", "\u00a0",   "\u2028",
                                         "\u3000", "\u200b",   "\ufeff",
                                         "\u180e", "a",        "ab",
                                         "Hello",  " the",     "ſ",
                                         "é",      "e\u0301",  "Ａ",
                                         "，",     "。",       "今",
                                         "天气",   "中国",     "的",
                                         "A",      "AB",       "aB",
                                         "1",      "23",       "4567",
                                         "٣",      "½",        "①",
                                         "Ⅷ",      "🙂",       "👨‍👩‍👧",
                                         "\u0300", "\u0344",   "가",
                                         "ひ",     "カ",       "゛",
                                         "・",     "゠",       "\u3097",
                                         "龥",     "龦",       "鿿",
                                         "㐀",     "豈",       "-",
                                         "--",     "/",        "//",
                                         "<",      "_",        std::string(1, '\0'),
                                         "\x7f",   "\x01\x02", "𠀀",
                                         "ⅷ",      "𞥄",         "ǅ",
                                         "ʰ",      "ª",        "\ue000",
                                         "\u0378", "$",        "€",
                                         "+1",     "...",      "!?",
                                         "(x)",    ".é",       ".aé",
                                         "\ufffd"};

std::string drawn_text(std::mt19937* random) {
  std::string text;
  const auto draw = [&](std::size_t most) { return (*random)() % most; };
  switch (draw(5)) {
    case 0:  // characters of all planes
      for (std::size_t i = draw(150); i > 0; --i) {
        constexpr char32_t kMost[] = {0x7F, 0x7FF, 0x9FFF, 0xFFFF, 0x1FFFF, 0x10FFFF};
        auto c = static_cast<char32_t>(draw(kMost[draw(6)] + 1));
        if (c >= 0xD800 && c < 0xE000) c = U'数';
        append_utf8(c, &text);
      }
      break;
    case 1:  // long runs
      for (std::size_t i = 1 + draw(4); i > 0; --i) {
        const std::string& part = kParts[draw(kParts.size())];
        for (std::size_t times = draw(90); times > 0; --times) text += part;
      }
      break;
    case 2:  // few parts, so that they meet in all ways
    {
      const std::size_t from = draw(kParts.size() - 6);
      for (std::size_t i = draw(60); i > 0; --i) text += kParts[from + draw(7)];
      break;
    }
    default:
      for (std::size_t i = draw(80); i > 0; --i) text += kParts[draw(kParts.size())];
  }
  return text;
}

class PieceFinderTest : public ::testing::TestWithParam<Pattern> {};

TEST_P(PieceFinderTest, MasksEqualTheScanner) {
  const auto splitter = GetParam().make();
  Junctions junctions;
  for (const char* entry : {"中国", "天气", " 今", "的。", "国a", "\xB8\xAD", "，\xE4", "ひカ"}) {
    junctions.add(entry);
  }
  std::vector<std::pair<SimdLevel, std::unique_ptr<PieceFinder>>> finders;
  for (const SimdLevel level : levels()) {
    finders.emplace_back(level, std::make_unique<PieceFinder>(*splitter, junctions, true, level));
  }
  std::mt19937 random(17);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = drawn_text(&random);
    // A copy of exactly its size: nothing behind the text may be read.
    const std::unique_ptr<char[]> exact(new char[text.size()]);
    std::memcpy(exact.get(), text.data(), text.size());
    const std::string_view view(exact.get(), text.size());
    const auto expected = expected_starts(*splitter, junctions, view);
    const std::size_t room = PieceFinder::kLeastRoom + random() % 300;
    for (const auto& [level, finder] : finders) {
      ASSERT_EQ(found_starts(finder.get(), view, room), expected)
          << name_of(level) << " round " << round << ": " << ::testing::PrintToString(text);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PieceFinderTest, ::testing::ValuesIn(kPatterns),
                         [](const auto& test) { return std::string(test.param.name); });

// Every code point as the neighbour of others, on both sides of the edge of a block.
TEST(PieceFinderTest, EveryCharacterAtTheEdgeOfABlock) {
  const Junctions junctions;
  for (const Pattern& pattern : kPatterns) {
    const auto splitter = pattern.make();
    PieceFinder finder(*splitter, junctions, true, best_simd_level());
    for (char32_t c = 0; c < 0x33480; c += c < 0x3400 ? 1 : 13) {
      if (c >= 0xD800 && c < 0xE000) continue;
      std::string text(62 - c % 3, 'x');
      text += c % 2 == 0 ? "." : " ";
      append_utf8(c, &text);
      text += c % 5 == 0 ? "中" : "b";
      append_utf8(c, &text);
      text += " ";
      append_utf8(c, &text);
      ASSERT_EQ(found_starts(&finder, text, 256), expected_starts(*splitter, junctions, text))
          << pattern.name << std::hex << " U+" << static_cast<std::uint32_t>(c);
    }
  }
}

TEST(PieceFinderTest, NfcFlag) {
  const Junctions junctions;
  const auto splitter = make_cl100k_splitter({.digits = 1});
  PieceFinder finder(*splitter, junctions, false, best_simd_level());
  const auto flagged = [&](std::string_view text) {
    (void)found_starts(&finder, text, 256);
    return finder.saw_nfc_sensitive();
  };
  EXPECT_TRUE(flagged("e\u0301"));
  EXPECT_TRUE(flagged(std::string(500, 'x') + "\u0301"));
  EXPECT_FALSE(flagged("é 中 word"));
}

}  // namespace
}  // namespace headrace::tokenize
