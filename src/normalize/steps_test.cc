// SPDX-License-Identifier: Apache-2.0
// What holds for every step and any text: valid UTF-8 stays valid, a second application changes
// nothing, and the count is 0 exactly when the bytes are the same.
#include <simdjson.h>

#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "normalize/internal/utf8.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

struct Variant {
  std::string name;
  OptionValues options;
};

const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = {
      {"control_chars", {}},
      {"html_to_text", {{"when", "always"}, {"mode", "main"}}},
      {"html_to_text", {{"when", "always"}, {"mode", "plain"}}},
      {"whitespace", {{"mode", "paragraphs"}}},
      {"whitespace", {{"mode", "single_line"}}},
      {"unicode_form", {{"form", "nfc"}}},
      {"unicode_form", {{"form", "nfkc"}}}};
  return all;
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

TEST(StepsPropertyTest, ValidIdempotentAndCounted) {
  const CounterRng rng(20261130, purpose("steps_test"));
  std::string scratch;
  for (const Variant& variant : variants()) {
    const auto step = make_step(variant.name, variant.options).value();
    std::size_t changed = 0;
    for (std::uint64_t i = 0; i < 20000; ++i) {
      const std::string before = random_text(rng, i);
      std::string text = before;
      Markup markup = Markup::kUnknown;
      const std::size_t changes = step->apply(text, markup, scratch);
      ASSERT_TRUE(simdjson::validate_utf8(text.data(), text.size())) << variant.name << " " << i;
      ASSERT_EQ(changes == 0, text == before) << variant.name << " " << i << ": " << before;
      changed += changes > 0;
      std::string again = text;
      ASSERT_EQ(step->apply(again, markup, scratch), 0U)
          << variant.name << " " << i << ": " << before;
      ASSERT_EQ(again, text) << variant.name << " " << i << ": " << before;
    }
    EXPECT_GT(changed, 1000U) << variant.name << ": the texts do not exercise it";
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
