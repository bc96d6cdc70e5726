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
  return static_cast<double>(slow_urls(view.text).first);
}

HEADRACE_TEST_AGAINST_SLOW(UrlsTest, "urls", slow);

TEST(UrlsTest, EqualsItsSlowFormOnTextsOfUrls) {
  expect_equals_slow_on("urls", slow, texts_of(kPieces, 2000));
}

TEST(UrlsTest, CountsUrls) {
  EXPECT_EQ(measure_of("urls", ""), 0.0);
  EXPECT_EQ(measure_of("urls", "http://www.a.com/http://b and HTTPS://C"), 2.0);
  EXPECT_EQ(measure_of("urls", "网址：www.a.cn，备用www.b.cn。"), 2.0);
  EXPECT_EQ(measure_of("urls", "ftp://a.b mail a@b.c http:/x"), 0.0);
}

}  // namespace
}  // namespace headrace::measure
