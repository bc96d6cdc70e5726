// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_encoded_data_share(const SlowView& view) {
  if (view.code_points.empty()) return std::nullopt;
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
  const auto any = [](const std::string& run, const char* set) {
    return run.find_first_of(set) != run.npos;
  };
  std::size_t found = 0;
  for (std::size_t at = 0; at < view.text.size();) {
    const std::size_t end = std::min(view.text.find_first_not_of(alphabet, at), view.text.size());
    const std::string run = view.text.substr(at, end - at);
    const bool digit = any(run, "0123456789");
    const bool upper = any(run, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const bool lower = any(run, "abcdefghijklmnopqrstuvwxyz");
    const bool hex = run.find_first_not_of("0123456789abcdefABCDEF") == run.npos;
    if (run.size() >= 64 && digit && ((upper && lower) || (hex && (upper || lower))))
      found += run.size();
    at = end + 1;
  }
  return static_cast<double>(found) / static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(EncodedDataShareTest, "encoded_data_share", slow_encoded_data_share);

const std::string kHex = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

TEST(EncodedDataShareTest, EqualsItsSlowFormOnLongRuns) {
  expect_equals_slow_on(
      "encoded_data_share", slow_encoded_data_share,
      texts_of({"Ab1", "0123456789abcdef", std::string(60, 'x'), std::string(64, 'Q'), "+/=", " ",
                "汉", "\n", "1", kHex, kHex, "aB3dEfGhIjKlMnOpQrStUvWxYz012345"},
               2000));
}

TEST(EncodedDataShareTest, NeedsLengthAndMixedClasses) {
  EXPECT_EQ(measure_of("encoded_data_share", kHex), 1.0);
  EXPECT_EQ(measure_of("encoded_data_share", "摘要" + kHex + "。"), 64.0 / 67);
  EXPECT_EQ(measure_of("encoded_data_share", kHex.substr(1)), 0.0);
  EXPECT_EQ(measure_of("encoded_data_share", std::string(100, '=')), 0.0);
  EXPECT_EQ(measure_of("encoded_data_share", std::string(100, '1')), 0.0);
  EXPECT_EQ(measure_of("encoded_data_share", std::string(64, 'g') + "1"), 0.0);
  EXPECT_EQ(measure_of("encoded_data_share", std::string(64, 'g') + "1Q"), 1.0);
}

TEST(EncodedDataShareTest, NullForAnEmptyText) {
  EXPECT_EQ(measure_of("encoded_data_share", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
