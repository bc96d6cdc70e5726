// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_mean_line_length(const SlowView& view) {
  if (view.lines.empty()) return std::nullopt;
  std::size_t sum = 0;
  for (const std::string& line : view.lines) sum += SlowView(line).code_points.size();
  return static_cast<double>(sum) / static_cast<double>(view.lines.size());
}

HEADRACE_TEST_AGAINST_SLOW(MeanLineLengthTest, "mean_line_length", slow_mean_line_length);

TEST(MeanLineLengthTest, CodePointsPerLine) {
  EXPECT_EQ(measure_of("mean_line_length", "今天很好。\n是吗"), 3.5);
  EXPECT_EQ(measure_of("mean_line_length", "  ab  \n\n\tabcd\r\n"), 3.0);
}

TEST(MeanLineLengthTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("mean_line_length", ""), std::nullopt);
  EXPECT_EQ(measure_of("mean_line_length", "\n \n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
