// SPDX-License-Identifier: Apache-2.0
// What is left of a page after the one walk over its tree: two flat arrays in document order, and
// the text of the blocks. Every later pass works on these and on prefix sums.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::normalize::internal {

// The tags that a later pass tells apart.
enum class HtmlTag : std::uint8_t {
  kOther,
  kHtml,
  kBody,
  kP,
  kHeading1,
  kHeading2,
  kHeading3,  // h3 to h6
  kUl,
  kOl,
  kLi,
  kDl,
  kDt,
  kDd,
  kTable,
  kThead,
  kTbody,
  kTr,
  kTd,
  kTh,
  kCaption,
  kPre,
  kBlockquote,
  kFigure,
  kFigcaption,
  kArticle,
  kAside,
  kNav,
  kFooter,
  kAddress,
};

inline bool is_heading(HtmlTag tag) {
  return tag >= HtmlTag::kHeading1 && tag <= HtmlTag::kHeading3;
}

// Bits of HtmlElement::hints that speak against an element.
enum HtmlHint : std::uint8_t {
  kHintWeak = 1,
  kHintStrong = 2,
  kHintComments = 4,
  kHintFigure = 8,
  kHintHidden = 16,
};

// A maximal run of inline content. Weights: characters, three for a Chinese, Japanese or Korean
// one, so that one scale serves all languages (it is the length in UTF-8 for them and for ASCII).
struct HtmlBlock {
  std::uint32_t begin = 0;  // its text: HtmlPage::text [begin, end)
  std::uint32_t end = 0;
  std::uint32_t element = 0;      // the nearest block-level element
  std::uint32_t weight = 0;       // > 0
  std::uint32_t link_weight = 0;  // of what stands in links; at most weight
  std::uint32_t lead_weight = 0;  // of the first piece of text if that is in a link, else 0
  std::uint32_t marks = 0;        // sentence marks
  HtmlTag tag = HtmlTag::kOther;  // of that element
  bool preformatted = false;
  bool negative = false;  // in a region that is not content
  double value = 0;

  double link_share() const { return static_cast<double>(link_weight) / weight; }
};

// A block-level element. Its blocks are [begin, end).
struct HtmlElement {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::uint32_t parent = kNone;
  std::uint32_t first_child = kNone;
  std::uint32_t last_child = kNone;
  std::uint32_t next_sibling = kNone;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint64_t signature = 0;  // of its tag and first class: alike for the rows of a list
  HtmlTag tag = HtmlTag::kOther;
  std::uint8_t hints = 0;     // HtmlHint
  std::uint8_t positive = 0;  // names that speak for it, at most 100
  bool has_class = false;
  bool article_body = false;   // declared by its author
  bool holds_article = false;  // an ancestor of the one article, or the article itself
  bool holds_table = false;    // a table with a table inside
};

struct HtmlPage {
  std::string text;
  std::string title;
  std::vector<HtmlBlock> blocks;
  std::vector<HtmlElement> elements;  // [0] is the page

  std::string_view text_of(const HtmlBlock& block) const {
    return std::string_view(text).substr(block.begin, block.end - block.begin);
  }
  void clear() {
    text.clear();
    title.clear();
    blocks.clear();
    elements.clear();
  }
};

}  // namespace headrace::normalize::internal
