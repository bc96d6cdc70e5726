// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_phrases.h"

namespace headrace::measure {
namespace {

const std::vector<std::string> kPhrases = {"lorem ipsum"};

std::optional<double> slow_lorem_ipsum(const SlowView& view) {
  return static_cast<double>(slow_phrases(view, kPhrases).count);
}

HEADRACE_TEST_AGAINST_SLOW(LoremIpsumTest, "lorem_ipsum", slow_lorem_ipsum);

TEST(LoremIpsumTest, EqualsItsSlowFormOnTextsOfPhrases) {
  std::vector<std::string> pieces = kPhrases;
  for (const char* other : {" ", "\n", "x", "，", "的", "-"}) pieces.insert(pieces.end(), 4, other);
  expect_equals_slow_on("lorem_ipsum", slow_lorem_ipsum, texts_of(pieces, 500));
}

TEST(LoremIpsumTest, CountsPhrases) {
  EXPECT_EQ(measure_of("lorem_ipsum", ""), 0.0);
  EXPECT_EQ(measure_of("lorem_ipsum", "Lorem ipsum dolor sit amet. LOREM\n  IPSUM"), 2.0);
  EXPECT_EQ(measure_of("lorem_ipsum", "填充文字lorem ipsum等"), 1.0);
  EXPECT_EQ(measure_of("lorem_ipsum", "lorem, ipsum; lorem ipsums"), 0.0);
}

}  // namespace
}  // namespace headrace::measure
