// SPDX-License-Identifier: Apache-2.0
// What holds for every step and any text: valid UTF-8 stays valid, a second application changes
// nothing, the count is 0 exactly when the bytes are the same, the same text gives the same result
// whatever the memory to reuse holds, and a text without markup gets none.
#include <filesystem>
#include <simdjson.h>

#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "normalize/internal/test_data.h"
#include "normalize/internal/utf8.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

struct Variant {
  std::string name;
  OptionValues options;
};

// Every registered step with its defaults and with each value of each option alone: a new step is
// tested by being registered.
std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const StepInfo& step : registry().all()) {
    all.push_back({step.name, {}});
    for (const OptionInfo& option : step.options) {
      for (const std::string& value : option.allowed)
        all.push_back({step.name, {{option.name, value}}});
    }
  }
  return all;
}

// What steps that look for whole pieces find only where pieces stand together.
std::string random_pieces(const CounterRng& rng, std::uint64_t draw) {
  static const std::vector<std::string> kPieces = split_list(
      "13812345678,138 1234 5678,138-1234-5678,010-88886666,(0571) 8888666,+86,0086 ,86-,"
      "415-555-2671,1-,400-8208-820,+44 20 7946 0958,a.b@c-d.org,@,x@y.zz,11010519491231002X,"
      "61.135.169.121,1.2.3.4,2001:da8:8000:1::80,::,:,/,://,-, ,.,version ,9,12,4567,(,),（,）,，,"
      "\n,<,>,git@,v,é,－,Ã©,â€™,ÃƒÂ©,Ã,Â,©,СЃ,Р,涓枃,鈥,ÖÐ¹ú,ÎÒÃÇ,√©,╨┐,’,…,\uFFFD,<p>,</p>,<br>,"
      "<!DOCTYPE html><html><body>,&amp;,&eacute;");
  std::string text;
  for (std::uint64_t pieces = rng.at(draw++) % 9; pieces > 0; --pieces)
    text += kPieces[rng.at(draw++) % kPieces.size()];
  return text;
}

// Draws characters from alphabets that hold what the steps act on, and from all of Unicode.
std::string random_text(const CounterRng& rng, std::uint64_t index) {
  static const std::u32string kAlphabets[] = {
      U" \t\n\r\v\f\u0085\u00A0\u2003\u2028\u2029\u3000ab，中",
      U" \n\u3000a中\t",
      U"a\r\n\u200B\u200C\u200D\uFEFF\u202E👩💻\uFE0F🏽میक्",
      U"<>/pbatrdl&;=\"' \n\u3000中é-!",
      U"🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E007F\U000E0001x",
      U"e\u0301\u0300\u0323a\u1100\u1161\u11A8１，ﬁ½Å\uF900",
  };
  std::string text;
  std::uint64_t draw = index << 8;
  const std::uint64_t length = rng.at(draw++) % 120;
  if (rng.at(draw++) % 3 == 0) return random_pieces(rng, draw);
  const std::uint64_t kind = rng.at(draw++) % (std::size(kAlphabets) + 1);
  while (text.size() < length) {
    const std::uint64_t bits = rng.at(draw++);
    if (kind < std::size(kAlphabets)) {
      internal::append_utf8(kAlphabets[kind][bits % kAlphabets[kind].size()], &text);
      continue;
    }
    const auto c = static_cast<char32_t>(bits % (bits >> 63 != 0 ? 0x110000 : 0x300));
    if (c < 0xD800 || c > 0xDFFF) internal::append_utf8(c, &text);
  }
  return text;
}

// What must hold for any step and text. Returns whether the text changed.
bool check(const Step& step, const std::string& before, Markup markup, const std::string& what) {
  std::string scratch = "what an earlier document left";
  std::string text = before;
  Markup after = markup;
  const std::size_t changes = step.apply(text, after, scratch);
  EXPECT_TRUE(simdjson::validate_utf8(text.data(), text.size())) << what;
  EXPECT_EQ(changes == 0, text == before) << what << ": " << before.substr(0, 400);
  // Markup is only ever taken away, and what has none keeps none.
  EXPECT_TRUE(after == markup || (markup != Markup::kPlain && after == Markup::kPlain)) << what;

  std::string other = before;  // from other memory
  Markup other_markup = markup;
  std::string empty;
  EXPECT_EQ(step.apply(other, other_markup, empty), changes) << what;
  EXPECT_EQ(other, text) << what;
  EXPECT_EQ(other_markup, after) << what;

  std::string again = text;
  EXPECT_EQ(step.apply(again, after, scratch), 0U) << what << ": " << before.substr(0, 400);
  EXPECT_EQ(again, text) << what << ": " << before.substr(0, 400);
  return changes > 0;
}

TEST(StepsPropertyTest, ValidIdempotentAndCounted) {
  const CounterRng rng(20261130, purpose("steps_test"));
  for (const Variant& variant : variants()) {
    const auto step = make_step(variant.name, variant.options).value();
    std::size_t changed = 0;
    for (std::uint64_t i = 0; i < 20000 && !HasFailure(); ++i) {
      const auto markup = static_cast<Markup>(rng.at(i) % 3);
      changed += check(*step, random_text(rng, i), markup, variant.name + " " + std::to_string(i));
    }
    EXPECT_GT(changed, 100U) << variant.name << ": the texts do not exercise it";
  }
}

// Real text: whole documents, and their pieces, which begin and end anywhere.
TEST(StepsPropertyTest, RealText) {
  if (data_folder().empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  std::size_t texts = 0;
  for (const char* folder :
       {"multi-wikipedia-mars", "enc-mojibake", "zh-reviews", "quality-labels-en", "zh-novels"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(data_folder() + "/" + folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string text = read_gzip(entry.path()).substr(0, 1 << 18);
      if (!simdjson::validate_utf8(text.data(), text.size())) continue;
      ++texts;
      for (const Variant& variant : variants()) {
        const auto step = make_step(variant.name, variant.options).value();
        const std::string what = variant.name + " " + entry.path().string();
        check(*step, text, Markup::kPlain, what);
        for (std::size_t i = 0; i < text.size();) {
          std::size_t end = std::min(text.size(), i + 997);
          while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
          check(*step, text.substr(i, end - i), Markup::kPlain, what);
          i = end;
        }
      }
    }
  }
  EXPECT_GT(texts, 20U);
}

// Only nfkc, asked for by name, makes ASCII of what Chinese text is written with.
TEST(StepsPropertyTest, FullWidthCharactersStay) {
  std::string text = "中文";
  for (char32_t c = 0x3001; c <= 0x301F; ++c) internal::append_utf8(c, &text);
  for (char32_t c = 0xFF01; c <= 0xFF65; ++c) internal::append_utf8(c, &text);
  for (const char32_t c : U"‘’“”…—·《》￥￡１２３ＡＢＣ") {
    if (c != 0) internal::append_utf8(c, &text);
  }
  std::string scratch;
  for (const Variant& variant : variants()) {
    const bool folds = variant.options.contains("form") && variant.options.at("form") == "nfkc";
    std::string after = text;
    make_step(variant.name, variant.options).value()->apply(after, scratch);
    EXPECT_EQ(after != text, folds) << variant.name;
  }
}

// The removing steps count code points, so a count can be checked without knowing the rules.
TEST(StepsPropertyTest, CountCoversTheLostCodePoints) {
  const CounterRng rng(7, purpose("steps_test"));
  const auto points = [](const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
  };
  std::string scratch;
  for (const char* name : {"control_chars", "whitespace"}) {
    const auto step = make_step(name, {}).value();
    for (std::uint64_t i = 0; i < 5000; ++i) {
      const std::string before = random_text(rng, i);
      std::string text = before;
      const std::size_t changes = step->apply(text, scratch);
      if (points(before) >= points(text)) {
        ASSERT_GE(changes, points(before) - points(text)) << name << " " << i;
      }
      ASSERT_LE(changes, points(before)) << name << " " << i;
    }
  }
}

}  // namespace
}  // namespace headrace::normalize
