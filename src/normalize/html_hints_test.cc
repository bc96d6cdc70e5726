// SPDX-License-Identifier: Apache-2.0
#include "normalize/internal/html_hints.h"

#include <gtest/gtest.h>

namespace headrace::normalize::internal {
namespace {

struct Case {
  HtmlNames names;
  int hints;
  int positive;
};

TEST(HtmlHintsTest, NamesVote) {
  const Case cases[] = {
      {{.classes = ""}, 0, 0},
      {{.classes = "sidebar"}, kHintStrong, 0},
      {{.classes = "has-sidebar"}, 0, 0},
      {{.classes = "leftSidebarBox"}, kHintStrong, 0},
      {{.classes = "NAV"}, kHintStrong, 0},
      {{.classes = "HTMLNav"}, kHintStrong, 0},
      {{.classes = "canvas navy"}, 0, 0},
      {{.classes = "comments-list"}, kHintComments, 0},
      {{.classes = "js-comments"}, 0, 0},
      {{.classes = "article-body"}, 0, 1},
      {{.classes = "article-footer"}, kHintComments, 0},
      {{.classes = "article  entry\tx"}, 0, 2},
      {{.classes = "text"}, 0, 1},
      {{.classes = "text-large"}, 0, 0},
      {{.id = "related-posts"}, kHintStrong, 0},
      {{.id = "sharing-with-others-today"}, 0, 0},
      {{.classes = "zhengwen fenxiang"}, kHintStrong, 1},
      {{.role = "navigation"}, kHintStrong, 0},
      {{.itemprop = "articleBody"}, 0, 3},
  };
  for (const Case& c : cases) {
    HtmlElement element;
    set_hints(c.names, &element);
    EXPECT_EQ(element.hints, c.hints) << c.names.classes << c.names.id << c.names.role;
    EXPECT_EQ(element.positive, c.positive) << c.names.classes << c.names.id;
  }
}

TEST(HtmlHintsTest, TagsVote) {
  const std::pair<HtmlTag, int> cases[] = {
      {HtmlTag::kNav, kHintStrong},      {HtmlTag::kAside, kHintStrong},
      {HtmlTag::kFooter, kHintComments}, {HtmlTag::kFigure, kHintFigure},
      {HtmlTag::kAddress, kHintWeak},    {HtmlTag::kOther, 0}};
  for (const auto& [tag, hints] : cases) {
    HtmlElement element;
    element.tag = tag;
    set_hints({}, &element);
    EXPECT_EQ(element.hints, hints) << static_cast<int>(tag);
  }
  HtmlElement body;
  body.tag = HtmlTag::kBody;
  set_hints({.classes = "sidebar"}, &body);
  EXPECT_EQ(body.hints, 0);
}

}  // namespace
}  // namespace headrace::normalize::internal
