// SPDX-License-Identifier: Apache-2.0
#include "record/text_view.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/char_class.h"
#include "record/testing/slow_view.h"
#include "record/testing/texts.h"

namespace headrace {
namespace {

using ::testing::ElementsAre;

std::vector<SimdLevel> levels() {
  std::vector<SimdLevel> all;
  for (const SimdLevel level : {SimdLevel::kScalar, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (level <= best_simd_level()) all.push_back(level);
  }
  return all;
}

std::vector<std::string> words_of(const TextView& view) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < view.word_begin.size(); ++i) words.emplace_back(view.word(i));
  return words;
}

std::vector<std::string> sentences_of(const TextView& view) {
  std::vector<std::string> sentences;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : view.sentence_ends) {
    sentences.emplace_back(view.bytes({begin, end}));
    begin = end;
  }
  return sentences;
}

std::vector<std::string> lines_of(const TextView& view) {
  std::vector<std::string> lines;
  for (const TextRange line : view.lines) lines.emplace_back(view.bytes(line));
  return lines;
}

class TextViewTest : public ::testing::TestWithParam<SimdLevel> {
 protected:
  TextViewBuilder builder_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Levels, TextViewTest, ::testing::ValuesIn(levels()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST_P(TextViewTest, EmptyTextHasNothing) {
  const TextView& view = builder_.build("");
  EXPECT_EQ(view.counts.code_points, 0u);
  EXPECT_TRUE(view.word_begin.empty());
  EXPECT_TRUE(view.sentence_ends.empty());
  EXPECT_TRUE(view.lines.empty());
  EXPECT_EQ(view.blocks.size(), 1u);
  EXPECT_EQ(view.code_points_before(0), 0u);
}

TEST_P(TextViewTest, WordsAreRunsOfLettersAndDigitsOrOneHanCharacter) {
  EXPECT_THAT(words_of(builder_.build("don't stop, v2 北京2024年!")),
              ElementsAre("don", "t", "stop", "v2", "北", "京", "2024", "年"));
  EXPECT_THAT(words_of(builder_.build("हिन्दी naïve e\u0301a")),
              ElementsAre("हिन्दी", "naïve", "e\u0301a"));
}

TEST_P(TextViewTest, SentencesEndBehindChineseAndEnglishMarks) {
  EXPECT_THAT(sentences_of(builder_.build("Pi is 3.14. See example.com! Ok?")),
              ElementsAre("Pi is 3.14.", " See example.com!", " Ok?"));
  EXPECT_THAT(sentences_of(builder_.build("今天很好！是吗？是的；完了……没有")),
              ElementsAre("今天很好！", "是吗？", "是的；", "完了……", "没有"));
  EXPECT_THAT(sentences_of(builder_.build("He said \"Go.\") Then.")),
              ElementsAre("He said \"Go.\")", " Then."));
  EXPECT_THAT(sentences_of(builder_.build("真的吗?我不信.版本1.2好")),
              ElementsAre("真的吗?", "我不信.", "版本1.2好"));
  EXPECT_THAT(sentences_of(builder_.build("“好。”他说")), ElementsAre("“好。", "”他说"));
  EXPECT_THAT(sentences_of(builder_.build("no mark")), ElementsAre("no mark"));
  EXPECT_THAT(sentences_of(builder_.build("Done. )")), ElementsAre("Done."));
}

TEST_P(TextViewTest, FullWidthFullStopsEndSentencesAsAsciiOnesDo) {
  EXPECT_THAT(sentences_of(builder_.build("我不信．她说“好．”然后走了．")),
              ElementsAre("我不信．", "她说“好．”", "然后走了．"));
  EXPECT_THAT(sentences_of(builder_.build("共３．１４米，约3．5％﹒见ｗｗｗ．ａ．ｃｎ")),
              ElementsAre("共３．１４米，约3．5％﹒", "见ｗｗｗ．ａ．ｃｎ"));
  EXPECT_THAT(sentences_of(builder_.build("完了．．．没有﹒\n又一句。．走")),
              ElementsAre("完了．．．", "没有﹒", "\n又一句。．", "走"));
}

TEST_P(TextViewTest, LinesLeaveOutBlanksAndOuterWhiteSpace) {
  EXPECT_THAT(lines_of(builder_.build("　　第一段　\r\n\r\n \n\tb c\u00A0\nend")),
              ElementsAre("第一段", "b c", "end"));
  EXPECT_TRUE(builder_.build("\n \n\t\n\n").lines.empty());
  EXPECT_EQ(builder_.build("a\nb\n").newlines.size(), 2u);
}

TEST_P(TextViewTest, WordHashesFoldAsciiCaseOnly) {
  const TextView& view = builder_.build(
      "The THE the they École école 的 纤 internationalisations Internationalisations");
  const std::vector<std::uint64_t> h(view.word_hash.begin(), view.word_hash.end());
  ASSERT_EQ(h.size(), 10u);
  EXPECT_EQ(h[0], h[1]);
  EXPECT_EQ(h[0], h[2]);
  EXPECT_NE(h[2], h[3]);
  EXPECT_NE(h[4], h[5]);  // É and é are not ASCII
  EXPECT_NE(h[6], h[7]);  // differ in bits that folding moves
  EXPECT_EQ(h[8], h[9]);
}

void expect_same(const TextView& view, const SlowView& slow) {
  ASSERT_EQ(view.text, slow.text);
  EXPECT_EQ(view.counts.code_points, slow.code_points.size());
  EXPECT_EQ(view.counts.letters, slow.count(kLetter));
  EXPECT_EQ(view.counts.digits, slow.count(kDigit));
  EXPECT_EQ(view.counts.upper, slow.count(kUpper));
  EXPECT_EQ(view.counts.spaces, slow.count(kSpace));
  EXPECT_EQ(view.counts.punct, slow.count(kPunct));
  EXPECT_EQ(view.counts.han, slow.count(kHan));
  EXPECT_EQ(view.counts.symbols, slow.count_symbols());
  EXPECT_EQ(words_of(view), slow.words);
  EXPECT_EQ(std::vector<std::uint32_t>(view.sentence_ends.begin(), view.sentence_ends.end()),
            slow.sentence_ends);
  EXPECT_EQ(lines_of(view), slow.lines);
  for (std::size_t i = 0; i < slow.code_points.size(); ++i) {
    const TextBlock& block = view.blocks[slow.offsets[i] / 64];
    const int bit = static_cast<int>(slow.offsets[i] % 64);
    const auto has = [&](std::uint64_t mask) { return (mask >> bit & 1) != 0; };
    ASSERT_TRUE(has(block.lead));
    ASSERT_EQ(view.code_points_before(slow.offsets[i]), i);
    ASSERT_EQ(has(block.end_mark), (slow.classes[i] & kEndMark) != 0);
    ASSERT_EQ(has(block.closer), is_closer(slow.classes[i]));
    ASSERT_EQ(has(block.non_ascii), slow.code_points[i] >= 0x80);
    ASSERT_EQ(has(block.newline), slow.code_points[i] == '\n');
    ASSERT_EQ(has(block.word), (slow.classes[i] & (kLetter | kDigit | kHan)) != 0);
  }
  EXPECT_EQ(view.code_points_before(static_cast<std::uint32_t>(slow.text.size())),
            slow.code_points.size());
  std::size_t word_code_points = 0;
  for (std::size_t i = 0; i < slow.words.size(); ++i) {
    ASSERT_EQ(view.word_code_points_before(view.word_begin[i]), word_code_points);
    word_code_points += view.code_points({slow.word_begin[i], slow.word_end[i]});
  }
  EXPECT_EQ(view.counts.word_code_points, word_code_points);
}

// Words that agree but for ASCII case have one hash, all others different ones.
void expect_hashes_tell_words_apart(const TextView& view,
                                    std::map<std::uint64_t, std::string>* seen) {
  for (std::size_t i = 0; i < view.word_hash.size(); ++i) {
    std::string word(view.word(i));
    for (char& c : word) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    }
    const auto [at, fresh] = seen->emplace(view.word_hash[i], word);
    ASSERT_EQ(at->second, word);
  }
}

TEST_P(TextViewTest, EqualsTheSlowViewOnOddTexts) {
  for (const std::string& text : odd_texts()) {
    SCOPED_TRACE(text);
    expect_same(builder_.build(text), SlowView(text));
  }
}

TEST_P(TextViewTest, EqualsTheSlowViewOnRandomText) {
  std::map<std::uint64_t, std::string> hashes;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const std::string text = random_text(seed, seed * 5);
    const TextView& view = builder_.build(text);
    expect_same(view, SlowView(text));
    expect_hashes_tell_words_apart(view, &hashes);
  }
}

TEST_P(TextViewTest, EqualsTheSlowViewOnRealText) {
  const std::vector<RealText> texts = real_texts(40000);
  if (texts.empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  std::map<std::uint64_t, std::string> hashes;
  for (const RealText& real : texts) {
    for (const std::string& piece : random_pieces(real.text, 1, 6000)) {
      SCOPED_TRACE(real.name + ": " + piece.substr(0, 200));
      const TextView& view = builder_.build(piece);
      expect_same(view, SlowView(piece));
      expect_hashes_tell_words_apart(view, &hashes);
    }
  }
}

template <class T>
bool equal(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool equal_views(const TextView& a, const TextView& b) {
  return equal(a.blocks, b.blocks) && std::memcmp(&a.counts, &b.counts, sizeof(a.counts)) == 0 &&
         equal(a.word_begin, b.word_begin) && equal(a.word_end, b.word_end) &&
         equal(a.word_hash, b.word_hash) && equal(a.newlines, b.newlines) &&
         equal(a.sentence_ends, b.sentence_ends) && equal(a.lines, b.lines);
}

// Also where nothing is promised about the values: bytes that are not UTF-8. The inputs lie in
// blocks of exactly their size, so that a sanitizer sees a read behind the end.
TEST(TextViewLevelsTest, AllLevelsAgreeOnAnyBytes) {
  std::vector<std::unique_ptr<TextViewBuilder>> builders;
  for (const SimdLevel level : levels())
    builders.push_back(std::make_unique<TextViewBuilder>(level));
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const std::string bytes = random_bytes(seed, seed % 520);
    const auto exact = std::make_unique<char[]>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), exact.get());
    const TextView& scalar = builders[0]->build({exact.get(), bytes.size()});
    EXPECT_EQ(scalar.word_begin.size(), scalar.word_end.size());
    for (std::size_t i = 1; i < builders.size(); ++i) {
      const TextView& other = builders[i]->build({exact.get(), bytes.size()});
      ASSERT_TRUE(equal_views(scalar, other)) << "seed " << seed << ", " << name_of(other.simd);
    }
  }
}

TEST(TextViewBuilderTest, MemoryOfALargeTextIsReusedAndGivenBack) {
  TextViewBuilder builder;
  const std::string large(std::size_t{65} << 20, 'a');
  EXPECT_EQ(builder.build(large).counts.words, 1u);
  EXPECT_EQ(builder.build("two words").counts.words, 2u);
  EXPECT_EQ(builder.build(large).counts.code_points, large.size());
}

TEST(TextViewBuilderTest, LevelBeyondTheMachineIsLowered) {
  TextViewBuilder builder(SimdLevel::kAvx512);
  EXPECT_LE(builder.build("a").simd, best_simd_level());
}

}  // namespace
}  // namespace headrace
