// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <lz4.h>

#include "base/counter_rng.h"
#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_compression_ratio(const SlowView& view) {
  const std::string text = view.text.substr(0, 64 << 10);
  if (text.empty()) return std::nullopt;
  std::string block(text.size() + text.size() / 255 + 16, '\0');
  const int bytes = LZ4_compress_fast(text.data(), block.data(), static_cast<int>(text.size()),
                                      static_cast<int>(block.size()), 8);
  // An LZ4 block of that many bytes is the text again.
  std::string back(text.size(), '\0');
  EXPECT_EQ(LZ4_decompress_safe(block.data(), back.data(), bytes, static_cast<int>(back.size())),
            static_cast<int>(text.size()));
  EXPECT_EQ(back, text);
  return static_cast<double>(bytes) / static_cast<double>(text.size());
}

HEADRACE_TEST_AGAINST_SLOW(CompressionRatioTest, "compression_ratio", slow_compression_ratio);

TEST(CompressionRatioTest, RepetitionIsSmallAndNoiseIsNot) {
  std::string pasted, noise;
  for (std::uint64_t i = 0; i < 50; ++i) pasted += "立即购买！全场包邮，欢迎选购。";
  for (std::uint64_t i = 0; i < 4000; ++i) noise += static_cast<char>(' ' + mix64(i) % 90);
  EXPECT_LT(*measure_of("compression_ratio", pasted), 0.1);
  EXPECT_GT(*measure_of("compression_ratio", noise), 0.95);
}

TEST(CompressionRatioTest, LooksAtTheFirst64KiB) {
  std::string text(64 << 10, 'a');
  const std::optional<double> value = measure_of("compression_ratio", text);
  for (std::uint64_t i = 0; i < 100000; ++i) text += static_cast<char>(' ' + mix64(i) % 90);
  EXPECT_EQ(measure_of("compression_ratio", text), value);
}

TEST(CompressionRatioTest, NullForAnEmptyText) {
  EXPECT_EQ(measure_of("compression_ratio", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
