// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_urls.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_url_count(const SlowView& view) {
  return static_cast<double>(slow_urls(view.text).first);
}

HEADRACE_TEST_AGAINST_SLOW(UrlsTest, "urls", slow_url_count);

TEST(UrlsTest, EqualsItsSlowFormOnTextsOfUrls) {
  expect_equals_slow_on("urls", slow_url_count, texts_of(kUrlPieces, 2000));
}

TEST(UrlsTest, CountsUrls) {
  EXPECT_EQ(measure_of("urls", ""), 0.0);
  EXPECT_EQ(measure_of("urls", "http://www.a.com/http://b and HTTPS://C"), 2.0);
  EXPECT_EQ(measure_of("urls", "网址：www.a.cn，备用www.b.cn。"), 2.0);
  EXPECT_EQ(measure_of("urls", "ftp://a.b mail a@b.c http:/x"), 0.0);
}

}  // namespace
}  // namespace headrace::measure
