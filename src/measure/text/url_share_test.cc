// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_urls.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_url_share(const SlowView& view) {
  if (view.code_points.empty()) return std::nullopt;
  return static_cast<double>(slow_urls(view.text).second) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(UrlShareTest, "url_share", slow_url_share);

TEST(UrlShareTest, EqualsItsSlowFormOnTextsOfUrls) {
  expect_equals_slow_on("url_share", slow_url_share, texts_of(kUrlPieces, 2000));
}

TEST(UrlShareTest, CountsCodePointsInsideUrls) {
  EXPECT_EQ(measure_of("url_share", "http://a.b"), 1.0);
  EXPECT_EQ(measure_of("url_share", "See www.a.com/x."), 11.0 / 16);
  EXPECT_EQ(measure_of("url_share", "(https://x.io/?q=1)"), 17.0 / 19);
  EXPECT_EQ(measure_of("url_share", "详见https://a.cn。"), 12.0 / 15);
  EXPECT_EQ(measure_of("url_share", "http:// and www. and wwww.a.b"), 0.0);
}

TEST(UrlShareTest, NullForAnEmptyText) { EXPECT_EQ(measure_of("url_share", ""), std::nullopt); }

}  // namespace
}  // namespace headrace::measure
