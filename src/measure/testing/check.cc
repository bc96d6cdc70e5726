// SPDX-License-Identifier: Apache-2.0
#include "measure/testing/check.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/counter_rng.h"
#include "measure/measure.h"
#include "record/testing/texts.h"

namespace headrace::measure {
namespace {

// Lines and paragraphs of what the rules about lines speak of.
std::string random_page(std::uint64_t seed) {
  static constexpr std::array<std::string_view, 40> kParts = {
      "\n",         "\n",
      "\n",         "\n\n",
      " \n",        "\r\n",
      "\n　",       "\n\n\n",
      " ",          " ",
      "　",         ".",
      "...",        "…",
      "？",         "。",
      "！”",        ".\"",
      "\"",         "'",
      "）",         "]",
      "- ",         "•",
      "*",          "●",
      "HOME",       "News",
      "the terms",  " of use",
      "We use",     " cookies",
      "JavaScript", "privacy policy",
      "使用",       "Cookie政策",
      "隐私条款",   "今天天气很好",
      "3.14",       "javascripts on a page"};
  const CounterRng rng(seed, purpose("random_page"));
  std::string text;
  const std::uint64_t parts = rng.below(0, 80);
  for (std::uint64_t i = 0; i < parts; ++i) text += kParts[rng.below(1 + i, kParts.size())];
  return text;
}

// Also draws text that repeats itself, which random text does not.
std::vector<std::string> built_in_texts() {
  std::vector<std::string> texts = odd_texts();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    texts.push_back(random_text(seed, seed * 11));
    const std::string unit = random_text(seed + 1000, seed % 40);
    std::string repeated = random_text(seed + 2000, seed);
    for (std::uint64_t i = 0; i < seed % 7; ++i) repeated += unit + (i % 2 == 0 ? "\n" : "");
    texts.push_back(repeated + random_text(seed + 3000, 30));
    texts.push_back(random_page(seed));
    texts.push_back(random_page(seed) + "\n\n" + random_page(seed + 1) + "\n\n" +
                    random_page(seed));
  }
  return texts;
}

void compare(std::string_view name, const SlowMeasure& slow,
             const std::vector<std::string>& texts) {
  const Measure* measure = registry().find(name);
  ASSERT_NE(measure, nullptr) << name;
  TextFactsBuilder facts;
  for (const SimdLevel level : {SimdLevel::kScalar, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (level > best_simd_level()) continue;
    TextViewBuilder builder(level);
    for (const std::string& text : texts) {
      ASSERT_EQ(measure->of(facts.build(builder.build(text))), slow(SlowView(text)))
          << name << ", " << name_of(level) << ", of:\n"
          << text.substr(0, 2000);
    }
  }
}

}  // namespace

std::optional<double> measure_of(std::string_view name, std::string_view text) {
  const Measure* measure = registry().find(name);
  EXPECT_NE(measure, nullptr) << name;
  if (measure == nullptr) return std::nullopt;
  TextViewBuilder builder;
  TextFactsBuilder facts;
  return measure->of(facts.build(builder.build(text)));
}

void expect_equals_slow(std::string_view name, const SlowMeasure& slow) {
  compare(name, slow, built_in_texts());
}

void expect_equals_slow_on(std::string_view name, const SlowMeasure& slow,
                           const std::vector<std::string>& texts) {
  compare(name, slow, texts);
}

std::vector<std::string> texts_of(const std::vector<std::string>& pieces, std::size_t count) {
  const CounterRng rng(7, purpose("texts_of"));
  std::vector<std::string> texts(count);
  std::uint64_t draw = 0;
  for (std::string& text : texts) {
    for (std::uint64_t left = rng.below(draw++, 41); left > 0; --left) {
      text += pieces[rng.below(draw++, pieces.size())];
      if (rng.below(draw++, 6) == 0) text += random_text(draw, rng.below(draw + 1, 20));
    }
  }
  return texts;
}

bool expect_equals_slow_on_real_text(std::string_view name, const SlowMeasure& slow) {
  const std::vector<RealText> texts = real_texts(30000);
  for (const RealText& real : texts) compare(name, slow, random_pieces(real.text, 2, 8000));
  return !texts.empty();
}

}  // namespace headrace::measure
