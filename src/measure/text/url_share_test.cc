// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

bool alnum(char c) { return c < 127 && c > 0 && std::isalnum(c) != 0; }

bool starts(const std::string& text, std::size_t at, std::string_view word) {
  if (at + word.size() > text.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(text[at + i])) != word[i]) return false;
  }
  return true;
}

// Characters up to which a URL is known that begins at `at`; 0 for none.
std::size_t prefix(const std::string& text, std::size_t at) {
  if (at > 0 && alnum(text[at - 1])) return 0;
  if (starts(text, at, "http://")) return 7;
  if (starts(text, at, "https://")) return 8;
  return starts(text, at, "www.") && at + 4 < text.size() && alnum(text[at + 4]) ? 4 : 0;
}

// How many URLs, and characters in them.
std::pair<std::size_t, std::size_t> slow_urls(const std::string& text) {
  std::pair<std::size_t, std::size_t> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t known = prefix(text, at);
    std::size_t end = at + known;
    while (known > 0 && end < text.size() && text[end] > ' ' && text[end] < 127 &&
           std::string("\"<>\\^`{|}").find(text[end]) == std::string::npos) {
      ++end;
    }
    while (end > at + known && std::string(".,;:!?')]*").find(text[end - 1]) != std::string::npos)
      --end;
    if (known == 0 || end == at + known) {
      ++at;
      continue;
    }
    ++found.first;
    found.second += end - at;
    at = end;
  }
  return found;
}

const std::vector<std::string> kPieces = {
    "http://", "https://", "HTTP://", "www.", "WWW.", "www",   "x",           "a.b/c?d=e&f#g",
    ".",       ",",        ")",       "(",    " ",    "，",    "见",          "\n",
    "://",     ":",        "//",      "http", "<",    "https", "example.com", "é",
    "\"",      "'",        "1"};

std::optional<double> slow(const SlowView& view) {
  if (view.code_points.empty()) return std::nullopt;
  return static_cast<double>(slow_urls(view.text).second) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(UrlShareTest, "url_share", slow);

TEST(UrlShareTest, EqualsItsSlowFormOnTextsOfUrls) {
  expect_equals_slow_on("url_share", slow, texts_of(kPieces, 2000));
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
