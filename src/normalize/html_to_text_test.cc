// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "normalize/internal/html_text.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

constexpr std::string_view kFirst =
    "Sorting a vector is done with std::sort, which takes two iterators, and a comparison.";
constexpr std::string_view kSecond =
    "It is fast: n log n comparisons, in the worst case too, and it needs no memory of its own.";
constexpr std::string_view kThird =
    "Elements that compare equal may change places, so use stable_sort where that matters.";

std::string p(std::string_view text) { return "<p>" + std::string(text) + "</p>"; }

std::string page(const std::string& body) {
  return "<!DOCTYPE html><html><head><title>Sorting</title><style>p{}</style></head><body>" + body +
         "</body></html>";
}

std::string article(const std::string& inside) {
  return page("<div class=article>" + p(kFirst) + inside + p(kThird) + "</div>");
}

std::string convert(std::string html, const std::string& mode = "main") {
  const auto step = make_step("html_to_text", {{"mode", mode}}).value();
  std::string scratch;
  Markup markup = Markup::kHtml;
  step->apply(html, markup, scratch);
  EXPECT_EQ(markup, Markup::kPlain);
  return html;
}

std::string around(const std::string& inside) {
  return std::string(kFirst) + "\n\n" + inside + "\n\n" + std::string(kThird);
}

TEST(HtmlToTextTest, KeepsParagraphsAndDropsWhatSurroundsThem) {
  const std::string html = page(
      "<nav><ul><li><a href=/>Home</a><li><a href=/news>News of the day</a></ul></nav>"
      "<script>var a = '<p>no text</p>';</script><div id=content>" +
      p(kFirst) + p(kSecond) + p(kThird) +
      "</div><div class=comments><p>I like this, but it could be longer, I think.</p></div>"
      "<footer>Copyright 2024 by a company, all rights reserved.</footer>");
  EXPECT_EQ(convert(html),
            std::string(kFirst) + "\n\n" + std::string(kSecond) + "\n\n" + std::string(kThird));
}

// As HTML 5 has them (13.2.5.80): what names no character is U+FFFD, and is not taken out.
TEST(HtmlToTextTest, CharacterReferencesThatNameNoCharacter) {
  struct Case {
    const char* reference;
    const char* text;
  };
  for (const Case& test :
       {Case{"&#0;", "\uFFFD"}, Case{"&#x0;", "\uFFFD"}, Case{"&#xD800;", "\uFFFD"},
        Case{"&#xDFFF;", "\uFFFD"}, Case{"&#x110000;", "\uFFFD"}, Case{"&#99999999999;", "\uFFFD"},
        Case{"&#128;", "€"}, Case{"&#x4E2D;", "中"}, Case{"&#;", "&#;"},
        Case{"&nosuch;", "&nosuch;"}}) {
    for (const char* mode : {"main", "plain"}) {
      EXPECT_EQ(convert("<p>a" + std::string(test.reference) + "b", mode),
                "a" + std::string(test.text) + "b")
          << test.reference;
    }
  }
}

// Only where there is no other: a page is no empty document because of how it shows its text.
TEST(HtmlToTextTest, TextThatIsShownByScriptsOrInDrawings) {
  for (const std::string& inside :
       {"<template>" + p(kFirst) + "</template>",
        "<svg><foreignObject><div>" + p(kFirst) + "</div></foreignObject></svg>",
        "<svg><text x=1>" + std::string(kFirst) + "</text></svg>",
        "<noscript>" + p(kFirst) + "</noscript>"}) {
    for (const char* mode : {"main", "plain"}) {
      EXPECT_EQ(convert(page(inside), mode), kFirst) << inside;
      EXPECT_EQ(convert(page(p(kSecond) + inside), mode), kSecond) << inside;
    }
  }
  EXPECT_EQ(convert(page("<svg><style>p{}</style><script>1</script></svg>")), "");
}

TEST(HtmlToTextTest, KeepsListsTablesAndCode) {
  struct Case {
    std::string html;
    std::string text;
  };
  const Case cases[] = {
      {"<ul><li>First item, with some words</li><li>Second item of it</li></ul>",
       "- First item, with some words\n- Second item of it"},
      {"<table><tr><th>Name<th>Cost</tr><tr><td>heap<td>n log "
       "n</tr><tr><td>radix<td>n</tr></table>",
       "Name | Cost\nheap | n log n\nradix | n"},
      {"<pre><code>for x in v:\n    if <span class=k>not</span> x:\n\n        pass\n</code></pre>",
       "for x in v:\n    if not x:\n\n        pass"},
      {"<pre>\n\n    indented();\n  less();\n\n</pre>", "    indented();\n  less();"},
      {"<p>one line, and<br>another line, of it</p>", "one line, and\nanother line, of it"},
      {"<h3>A heading</h3>" + p(kSecond), "A heading\n\n" + std::string(kSecond)},
  };
  for (const Case& c : cases) EXPECT_EQ(convert(article(c.html)), around(c.text)) << c.html;
}

TEST(HtmlToTextTest, KeepsListsAndTablesOfLinksThatTheAuthorAnnounces) {
  struct Case {
    std::string html;
    std::string text;
  };
  const Case cases[] = {
      {"<p>These are the functions that the standard has, each with a page:</p><ul><li><a href=1>"
       "stable_sort</a></li><li><a href=2>partial_sort</a></li></ul>",
       "These are the functions that the standard has, each with a page:\n\n- stable_sort\n- "
       "partial_sort"},
      {"<table><tr><th>Film<th>Year<tr><td><a href=1>One of the films</a><td>1947<tr><td><a href=2>"
       "Another film</a><td>1964</table>",
       "Film | Year\nOne of the films | 1947\nAnother film | 1964"},
      {"<h3>Use <span class=mw-editsection>[<a href=e>edit</a>]</span></h3>" + p(kSecond),
       "Use\n\n" + std::string(kSecond)},
  };
  for (const Case& c : cases) EXPECT_EQ(convert(article(c.html)), around(c.text)) << c.html;
}

// The first post alone has nearly all of the text, and what says who wrote costs.
TEST(HtmlToTextTest, KeepsAllPostsOfAThread) {
  std::string first;
  for (int i = 0; i < 20; ++i) {
    first += p("In step " + std::to_string(i) + ", one part is sorted, and then the rest of it.");
  }
  std::string posts;
  for (const std::string& post : {first, p(kSecond), p(kThird)}) {
    posts +=
        "<div class=row><div class=who>Some user of this board<br><br>who wrote 312 posts on "
        "it<br><br>and has been here since spring</div><div class=said>" +
        post + "</div></div>";
  }
  const std::string text = convert(page("<div>" + posts + "</div>"));
  for (const std::string_view part : {std::string_view("In step 8"), kSecond, kThird}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(HtmlToTextTest, KeepsAngleBracketsOfTheText) {
  struct Case {
    std::string html;
    std::string text;
  };
  const Case cases[] = {
      {"If a &lt; b, then a&lt;b holds; 1<2 is fine, and so is 3 < 4, I hope.",
       "If a < b, then a<b holds; 1<2 is fine, and so is 3 < 4, I hope."},
      {"If a<b and c>d then swap them, and look at a vector<int>, please.",
       "If a<b and c> d then swap them, and look at a vector<int>, please."},
      {"Write to J. Doe &lt;doe@example.org&gt;, or to &amp;amp; me, soon.",
       "Write to J. Doe <doe@example.org>, or to &amp; me, soon."},
      {"Pages say caf&eacute;, na&#239;ve&hellip; and &#x4e2d;&#25991;, of course.",
       "Pages say café, naïve… and 中文, of course."},
  };
  for (const Case& c : cases) EXPECT_EQ(convert(article(p(c.html))), around(c.text)) << c.html;
}

TEST(HtmlToTextTest, KeepsFormulasOnce) {
  struct Case {
    std::string name;
    std::string html;
    std::string text;
  };
  const Case cases[] = {
      {"KaTeX",
       "<span class=katex><span class=katex-mathml><math><semantics><mi>n</mi><annotation "
       "encoding='application/x-tex'>n \\log n</annotation></semantics></math></span><span "
       "class=katex-html aria-hidden=true>nlogn</span></span>",
       "$n \\log n$"},
      {"MathJax 2",
       "<span class=MathJax_Preview>x2</span><span class=MathJax>x2</span><script "
       "type='math/tex; mode=display'>x^2 < y</script>",
       "$$x^2 < y$$"},
      {"MathJax 3",
       "<mjx-container><mjx-math>x2</mjx-math><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn>"
       "</msup></math></mjx-assistive-mml></mjx-container>",
       "x^2"},
      {"Wikipedia",
       "<span class=mwe-math-element><span class=mwe-math-mathml-inline style='display: none;'>"
       "<math alttext='{\\displaystyle a^{2}}'><mi>a</mi></math></span><img class="
       "mwe-math-fallback-image-inline alt='{\\displaystyle a^{2}}'></span>",
       "$a^{2}$"},
      {"image", "<img class=tex alt='\\sqrt{x}'>", "$\\sqrt{x}$"},
      {"presentation",
       "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac><msqrt><mi>x</mi>"
       "</msqrt><msubsup><mi>s</mi><mn>0</mn><mrow><mn>1</mn><mn>0</mn></mrow></msubsup></math>",
       "(a+b)/2sqrt(x)s_0^(10)"},
  };
  for (const Case& c : cases) {
    const std::string sentence = p("It holds that " + c.html + " is so, as is known, mostly.");
    EXPECT_EQ(convert(article(sentence)),
              around("It holds that " + c.text + " is so, as is known, mostly."))
        << c.name;
  }
}

TEST(HtmlToTextTest, ChinesePageWithLineBreaks) {
  const std::string html = page(
      "<div id=daohang><a href=1>首页</a> <a href=2>新闻中心</a></div><div class=zhengwen>"
      "　　新华社北京电，记者从有关部门了解到，今年的粮食产量再创新高，达到了一万三千亿斤。"
      "<br><br>　　专家表示，这与天气、政策、科技投入都有关系，明年的形势仍然需要关注。</div>"
      "<div class=xiangguan><a href=3>相关新闻一则标题</a></div>");
  EXPECT_EQ(convert(html),
            "新华社北京电，记者从有关部门了解到，今年的粮食产量再创新高，达到了一万三千亿斤。\n\n"
            "专家表示，这与天气、政策、科技投入都有关系，明年的形势仍然需要关注。");
}

TEST(HtmlToTextTest, PlainKeepsAllText) {
  const std::string html =
      page("<nav><a href=/>Home</a></nav><h1>Sorting</h1>" + p(kFirst) +
           "<script>x()</script><ul><li>a<li>b</ul><button>Go on</button>"
           "<div style='display:none'>hidden</div><footer>Copyright 2024</footer>");
  EXPECT_EQ(convert(html, "plain"), "Home\n\nSorting\n\n" + std::string(kFirst) +
                                        "\n\n- a\n- b\n\nGo on\n\nhidden\n\nCopyright 2024");
}

TEST(HtmlToTextTest, TakesStructuredDataWhereThePageIsEmpty) {
  for (const std::string rest : {"<p>Loading</p>", ""}) {
    const std::string html = page(
        "<script type='application/ld+json'>{\"articleBody\": \"A &quot;short&quot; text\\nthat is "
        "only here, \\u4e2d\\u6587\\u0000 <b>too</b>.\"}</script><div id=app></div>" +
        rest);
    EXPECT_EQ(convert(html), "A \"short\" text that is only here, 中文 too.") << rest;
  }
}

TEST(HtmlToTextTest, ActsOnPagesOnly) {
  struct Case {
    std::string text;
    Markup before;
    bool changes;
  };
  const Case cases[] = {
      {"<!doctype html><p>x y", Markup::kUnknown, true},
      {"\xEF\xBB\xBF \n<!-- c --><HTML lang=zh><p>x y", Markup::kUnknown, true},
      {"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC ''><p>x y", Markup::kUnknown, true},
      {"<p>x y", Markup::kUnknown, false},
      {"<p>x y", Markup::kHtml, true},
      {"<!doctype html><p>x y", Markup::kPlain, false},
      {"<htmlx> is no tag", Markup::kUnknown, false},
      {"<!-- no end <html>", Markup::kUnknown, false},
      {"a<b, std::vector<int> v; Doe <doe@example.org> <html>", Markup::kUnknown, false},
      {"", Markup::kUnknown, false},
      {"", Markup::kHtml, false},
  };
  const auto step = make_step("html_to_text", {}).value();
  std::string scratch;
  for (const Case& c : cases) {
    std::string text = c.text;
    Markup markup = c.before;
    EXPECT_EQ(step->apply(text, markup, scratch), c.changes ? 1U : 0U) << c.text;
    EXPECT_EQ(text, c.changes ? "x y" : c.text);
    EXPECT_EQ(markup, c.changes || c.before == Markup::kHtml ? Markup::kPlain : c.before);
  }
}

TEST(HtmlToTextTest, AlwaysTakesAFragmentForAPage) {
  const auto step = make_step("html_to_text", {{"when", "always"}, {"mode", "plain"}}).value();
  std::string scratch;
  std::string text = "<b>x</b> y<p>z";
  EXPECT_EQ(step->apply(text, scratch), 1U);
  EXPECT_EQ(text, "x y\n\nz");
}

TEST(HtmlToTextTest, NulBytesGoAlone) {
  EXPECT_EQ(convert(std::string("<p>a\0b\0\0 &#128; &bogus; c\0中", 29), "plain"),
            "ab € &bogus; c中");
}

}  // namespace
}  // namespace headrace::normalize
