// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_hash_per_word(const SlowView& view) {
  if (view.words.empty()) return std::nullopt;
  return static_cast<double>(std::count(view.text.begin(), view.text.end(), '#')) /
         static_cast<double>(view.words.size());
}

HEADRACE_TEST_AGAINST_SLOW(HashPerWordTest, "hash_per_word", slow_hash_per_word);

TEST(HashPerWordTest, SignsPerWord) {
  EXPECT_EQ(measure_of("hash_per_word", "#win #free stuff"), 2.0 / 3);
  EXPECT_EQ(measure_of("hash_per_word", "### 标题"), 1.5);
  EXPECT_EQ(measure_of("hash_per_word", "＃标"), 0.0);
  EXPECT_EQ(measure_of("hash_per_word", std::string(100, '#') + "a"), 100.0);
}

TEST(HashPerWordTest, NullWithoutWords) {
  for (const char* text : {"", "###", "🙂"})
    EXPECT_EQ(measure_of("hash_per_word", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
