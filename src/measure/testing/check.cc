// SPDX-License-Identifier: Apache-2.0
#include "measure/testing/check.h"

#include <string>
#include <vector>

#include "measure/measure.h"
#include "record/testing/texts.h"

namespace headrace::measure {
namespace {

// Also draws text that repeats itself, which random text does not.
std::vector<std::string> built_in_texts() {
  std::vector<std::string> texts = odd_texts();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    texts.push_back(random_text(seed, seed * 11));
    const std::string unit = random_text(seed + 1000, seed % 40);
    std::string repeated = random_text(seed + 2000, seed);
    for (std::uint64_t i = 0; i < seed % 7; ++i) repeated += unit + (i % 2 == 0 ? "\n" : "");
    texts.push_back(repeated + random_text(seed + 3000, 30));
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

bool expect_equals_slow_on_real_text(std::string_view name, const SlowMeasure& slow) {
  const std::vector<RealText> texts = real_texts(30000);
  for (const RealText& real : texts) compare(name, slow, random_pieces(real.text, 2, 8000));
  return !texts.empty();
}

}  // namespace headrace::measure
