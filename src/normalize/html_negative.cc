// SPDX-License-Identifier: Apache-2.0
// Pass 2: regions that are not content. Names are hints, not proofs: a "sidebar" that holds half of
// the page's running text is the article of an author with odd names. So a hint counts only where
// enough text remains without the element: comments most easily, as they may outweigh the article.
//
// Teasers (headline in a link, summary) repeat: siblings with the same tag and class of which
// seven in ten have their shape. This needs no names and carries most of the weight on news sites.
//
// Cost: prefix sums; each child of an element is looked at once, sorted by signature.
#include <algorithm>
#include <span>

#include "normalize/internal/html_choice.h"

namespace headrace::normalize::internal {
namespace {

using Sums = std::vector<double>;

template <class Value>
Sums prefix_sums(const std::vector<HtmlBlock>& blocks, Value value) {
  Sums sums(blocks.size() + 1);
  for (std::size_t i = 0; i < blocks.size(); ++i) sums[i + 1] = sums[i] + value(blocks[i]);
  return sums;
}

class Marker {
 public:
  Marker(bool use_hints, HtmlPage* page)
      : use_hints_(use_hints), elements_(page->elements), blocks_(page->blocks) {}

  void run() {
    for (HtmlBlock& block : blocks_) block.negative = false;
    plain_ = prefix_sums(
        blocks_, [](const HtmlBlock& b) { return static_cast<double>(b.weight - b.link_weight); });
    find_links();
    sum_worth();
    if (use_hints_) {
      for (const HtmlElement& element : elements_) {
        if ((element.hints & kHintComments) != 0 &&
            total_ - worth(element) >= std::max(150.0, .06 * total_)) {
          mark(element);
        }
      }
      sum_worth();
    }
    for (const HtmlElement& element : elements_) {
      if (use_hints_ && is_margin(element)) mark(element);
      mark_teasers(element);
    }
  }

 private:
  void sum_worth() {
    worth_ = prefix_sums(
        blocks_, [](const HtmlBlock& b) { return b.negative ? 0.0 : std::max(0.0, b.value); });
    total_ = worth_.back() > 0 ? worth_.back() : 1;
  }

  double worth(const HtmlElement& element) const {
    return worth_[element.end] - worth_[element.begin];
  }

  void mark(const HtmlElement& element) {
    for (std::uint32_t i = element.begin; i < element.end; ++i) blocks_[i].negative = true;
  }

  // next_link_[i]: the first block from i on that is nearly all link.
  void find_links() {
    const auto count = static_cast<std::uint32_t>(blocks_.size());
    next_link_.assign(count + 1, count);
    for (std::uint32_t i = count; i-- > 0;) {
      const bool link = blocks_[i].link_share() > .8 && blocks_[i].weight > 12;
      next_link_[i] = link ? i : next_link_[i + 1];
    }
  }

  bool is_margin(const HtmlElement& element) const {
    const int hints = element.hints & ~kHintComments;
    if (hints == 0 || element.holds_article) return false;
    const double share = worth(element) / total_;
    if ((hints & kHintHidden) != 0 && share < .8) return true;
    if ((hints & kHintFigure) != 0 && share < .5) return true;
    if (element.positive == 0) return share < .5;
    return (hints & kHintStrong) != 0 && share < .25;
  }

  bool is_teaser(const HtmlElement& element, std::size_t group_size) const {
    const std::uint32_t begin = element.begin;
    const std::uint32_t count = element.end - begin;
    if (count == 0) return false;
    if (count == 1) {
      const HtmlBlock& block = blocks_[begin];
      return group_size > 3 && block.lead_weight >= 25 && block.weight > block.lead_weight + 20;
    }
    const std::uint32_t link = next_link_[begin];
    if (link >= element.end) return false;
    const double text = plain_[element.end] - plain_[begin];
    return text < 700 && plain_[link] - plain_[begin] <= .5 * text;
  }

  void mark_teasers(const HtmlElement& parent) {
    children_.clear();
    for (std::uint32_t i = parent.first_child; i != HtmlElement::kNone;
         i = elements_[i].next_sibling) {
      const HtmlTag tag = elements_[i].tag;
      if (tag == HtmlTag::kP || tag == HtmlTag::kTr || tag == HtmlTag::kTd) continue;
      children_.push_back(i);
    }
    if (children_.size() < 3) return;
    std::sort(children_.begin(), children_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(elements_[a].signature, a) < std::pair(elements_[b].signature, b);
    });
    for (std::size_t begin = 0; begin < children_.size();) {
      std::size_t end = begin + 1;
      while (end < children_.size() &&
             elements_[children_[end]].signature == elements_[children_[begin]].signature) {
        ++end;
      }
      mark_group(std::span(children_).subspan(begin, end - begin));
      begin = end;
    }
  }

  void mark_group(std::span<const std::uint32_t> group) {
    if (group.size() < 3) return;
    std::size_t teasers = 0;
    double sum = 0;
    for (const std::uint32_t i : group) {
      teasers += is_teaser(elements_[i], group.size());
      sum += worth(elements_[i]);
    }
    if (static_cast<double>(teasers) < .7 * static_cast<double>(group.size())) return;
    if (sum >= .8 * total_) return;
    for (const std::uint32_t i : group) mark(elements_[i]);
  }

  const bool use_hints_;
  const std::vector<HtmlElement>& elements_;
  std::vector<HtmlBlock>& blocks_;
  Sums plain_;  // text outside links
  Sums worth_;
  double total_ = 1;
  std::vector<std::uint32_t> next_link_;
  std::vector<std::uint32_t> children_;
};

}  // namespace

void mark_negative(bool use_hints, HtmlPage* page) { Marker(use_hints, page).run(); }

}  // namespace headrace::normalize::internal
