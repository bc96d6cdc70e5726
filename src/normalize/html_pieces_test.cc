// SPDX-License-Identifier: Apache-2.0
// Input that is made to hurt: no crash, no hang, no text of a script.
#include <gtest/gtest.h>

#include "normalize/internal/html_parser.h"
#include "normalize/internal/html_text.h"

namespace headrace::normalize::internal {
namespace {

std::string repeated(std::string_view what, std::size_t times) {
  std::string text;
  text.reserve(what.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += what;
  return text;
}

TEST(HtmlPiecesTest, JoinToTheWholeWithinTheBounds) {
  const std::string html = repeated("<p>一 two</p><script>if (a<b) {}</script><!-- <p> -->", 50);
  for (const std::size_t bytes : {40U, 100U, 1000U}) {
    for (const std::size_t tags : {1U, 3U, 1000U}) {
      std::string joined;
      for (const std::string_view piece : html_pieces(html, bytes, tags)) {
        EXPECT_LE(piece.size(), bytes);
        EXPECT_NE(static_cast<unsigned char>(piece[0]) & 0xC0, 0x80U) << "inside a character";
        joined += piece;
      }
      EXPECT_EQ(joined, html);
    }
  }
  EXPECT_TRUE(html_pieces("", 10, 10).empty());
}

TEST(HtmlPiecesTest, CutsOutsideScripts) {
  const std::string html = repeated("<p>word</p><script>if (a<b) x('<p>');</script>", 200);
  for (const std::string_view piece : html_pieces(html, 200, 1000)) {
    EXPECT_TRUE(piece.starts_with("<p>") || piece.starts_with("</p>") ||
                piece.starts_with("<script>") || piece.starts_with("</script>"))
        << piece.substr(0, 20);
  }
}

std::string numbered(const std::string& before, int times, const std::string& after) {
  std::string text;
  for (int i = 0; i < times; ++i) text += before + std::to_string(i) + after;
  return text;
}

struct Hostile {
  std::string name;
  std::string html;
  std::string_view keeps;
};

std::vector<Hostile> hostile_pages() {
  return {
      {"nested", repeated("<div>", 100'000) + "the text", "the text"},
      {"nested and closed",
       repeated("<div><b>", 50'000) + "the text" + repeated("</b></div>", 50'000) + "<p>end",
       "end"},
      {"links", repeated("<a href=x>", 200'000) + "the text", "the text"},
      {"more links than a page has", repeated("<a>", 1'000'000) + "the text", "the text"},
      {"formatting that is reopened", repeated("<p><b id=x><i>t</p>", 60'000) + "the text",
       "the text"},
      {"formatting with attributes", numbered("<p><b a", 50'000, ">x</p>") + "the text",
       "the text"},
      {"adoption", repeated("<a><div>x", 60'000) + "the text", "the text"},
      {"bodies", repeated("<body" + numbered(" a", 20'000, "") + ">", 40) + "the text", "the text"},
      {"tables", repeated("<table><tr><td>", 60'000) + "the text", "the text"},
      {"foster parents", "<table>" + repeated("<b>x<tr>", 60'000) + "the text", "the text"},
      {"entities", repeated("&amp;&bogus;&#x1F600;", 100'000) + "the text", "the text"},
      {"open tag", repeated("<a ", 100'000), ""},
      {"angle brackets", repeated("<", 1'000'000) + " the text", "the text"},
      {"templates", repeated("<template>", 60'000) + "</template>", ""},
      {"selects", repeated("<select><option>", 60'000) + "the text", "the text"},
      {"mathematics", "<math>" + repeated("<mfrac>", 60'000) + "x", "x"},
      {"comments", repeated("<!--", 300'000), ""},
      {"scripts", repeated("<script>", 300'000), ""},
      {"custom tags", numbered("<x-", 60'000, ">") + "the text", "the text"},
      {"custom tags in structured data",
       "<script>\"articleBody\": \"" + numbered("\\u003cx-", 140'000, ">") + "\"</script>x", "x"},
      {"lists", repeated("<ul><li>x", 60'000) + "the text", "the text"},
      {"headings", repeated("<h1>x", 60'000) + "the text", "the text"},
      {"bytes without a tag", std::string(kHtmlMaxBytes * 2, 'x') + " the text", "the text"},
  };
}

TEST(HtmlBoundsTest, HostilePagesEnd) {
  for (const Hostile& c : hostile_pages()) {
    for (const HtmlMode mode : {HtmlMode::kMain, HtmlMode::kPlain}) {
      std::string text;
      EXPECT_TRUE(html_to_text(c.html, mode, &text)) << c.name;
      EXPECT_LE(text.size(), 4 * c.html.size() + 100) << c.name;
      if (mode == HtmlMode::kPlain) {
        EXPECT_NE(text.find(c.keeps), std::string::npos) << c.name;
      }
    }
  }
}

}  // namespace
}  // namespace headrace::normalize::internal
