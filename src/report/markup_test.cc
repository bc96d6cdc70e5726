// SPDX-License-Identifier: Apache-2.0
#include "report/markup.h"

#include <limits>

#include <gtest/gtest.h>

namespace headrace::report {
namespace {

using std::string_literals::operator""s;

TEST(MarkupTest, EscapesMarkup) {
  EXPECT_EQ(escape("<script>alert(\"1\" & '2')</script>"),
            "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;");
  EXPECT_EQ(escape("&lt;"), "&amp;lt;");
  EXPECT_EQ(escape("中文，𠀀 é"), "中文，𠀀 é");
  EXPECT_EQ(escape(""), "");
}

struct Spelled {
  std::string text;
  const char* shown;
};

TEST(MarkupTest, SpellsOutWhatDoesNotShow) {
  const Spelled kCases[] = {
      {"a\0b"s, "aU+0000b"},
      {"\x1b[1m", "U+001B[1m"},
      {"\x7f", "U+007F"},
      {"\xc2\x85", "U+0085"},  // C1
      {"a\xe2\x80\x8b"
       "b",
       "aU+200Bb"},  // zero width
      {"\xe2\x80\xae"
       "evil",
       "U+202Eevil"},              // right-to-left override
      {"\xef\xbb\xbf", "U+FEFF"},  // byte order mark
      {"\xef\xbf\xbf", "U+FFFF"},  // noncharacter: forbidden in XML
      {"\xf0\x9f\xbf\xbe", "U+1FFFE"},
      {"\xf3\xa0\x81\x81", "U+E0041"},  // tag character
      {"\xe2\x80\xa8", "U+2028"},
      {"\r\n", " "},
      {"a\rb", "aU+000Db"},
      {"a\tb\nc", "a b c"},
  };
  for (const Spelled& c : kCases) {
    EXPECT_EQ(escape(c.text), c.shown);
  }
}

TEST(MarkupTest, SpellsOutBytesThatAreNotUtf8) {
  const Spelled kCases[] = {
      {"\xff\xfe", "\\xFF\\xFE"},
      {"\xc0\xaf", "\\xC0\\xAF"},           // overlong slash
      {"\xe0\x80\xbc", "\\xE0\\x80\\xBC"},  // overlong "<"
      {"\xc0\xbcscript>", "\\xC0\\xBCscript&gt;"},
      {"\xed\xa0\x80", "\\xED\\xA0\\x80"},           // surrogate
      {"\xf4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"},  // above U+10FFFF
      {"\xf8\x88\x80\x80\x80", "\\xF8\\x88\\x80\\x80\\x80"},
      {"\xe4\xb8", "\\xE4\\xB8"},                    // cut
      {"\xe4<\xb8", "\\xE4&lt;\\xB8"},               // a lead byte must not swallow markup
      {"\xd6\xd0\xce\xc4", "\\xD6\\xD0\\xCE\\xC4"},  // GB18030
  };
  for (const Spelled& c : kCases) {
    EXPECT_EQ(escape(c.text), c.shown);
  }
}

TEST(MarkupTest, SampleKeepsLines) {
  EXPECT_EQ(escape_sample("a\r\nb\tc\n\xe2\x80\x8b<\xff"),
            "a\nb\tc\n<b class=\"c\">U+200B</b>&lt;<b class=\"c\">\\xFF</b>");
}

TEST(MarkupTest, Percent) {
  EXPECT_EQ(percent(1, 0), "–");
  EXPECT_EQ(percent(0, 3), "0 %");
  EXPECT_EQ(percent(3, 3), "100 %");
  EXPECT_EQ(percent(1, 3), "33.3 %");
  EXPECT_EQ(percent(1, 1'000'000), "≈ 0 %");
  EXPECT_EQ(percent(999'999, 1'000'000), "≈ 100 %");
  EXPECT_EQ(percent(1, 1'000), "0.1 %");
  EXPECT_EQ(percent(std::numeric_limits<std::uint64_t>::max(), 1), "1844674407370955161600.0 %");
}

TEST(MarkupTest, Numbers) {
  EXPECT_EQ(number(100000), "100,000");
  EXPECT_EQ(number(0.35), "0.35");
  EXPECT_EQ(number(-3), "−3");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "∞");
  EXPECT_EQ(number(1e300), "1e+300");
  EXPECT_EQ(short_count(0), "0");
  EXPECT_EQ(short_count(-0.0), "0");
  EXPECT_EQ(short_count(0.2), "0.2");
  EXPECT_EQ(short_count(999), "999");
  EXPECT_EQ(short_count(999.7), "1 k");
  EXPECT_EQ(short_count(12345), "12.3 k");
  EXPECT_EQ(short_count(999'600), "1 M");
  EXPECT_EQ(short_count(1.8446744073709552e19), "18.4 E");
  EXPECT_EQ(coordinate(12.50), "12.5");
  EXPECT_EQ(coordinate(-0.001), "0");
  EXPECT_EQ(coordinate(100), "100");
}

TEST(MarkupTest, BarKeepsSliversInside) {
  const std::string full = bar("\"x\"", {{"kept", 1.0}, {"drop", 1e-9}, {"quar", 0}});
  EXPECT_NE(full.find("aria-label=\"&quot;x&quot;\""), std::string::npos);
  EXPECT_NE(full.find("<rect class=\"kept\" x=\"0\" width=\"1000\""), std::string::npos);
  EXPECT_NE(full.find("<rect class=\"drop\" x=\"996\" width=\"4\""), std::string::npos);
  EXPECT_EQ(full.find("quar"), std::string::npos);
}

}  // namespace
}  // namespace headrace::report
