// SPDX-License-Identifier: Apache-2.0
// Pass 3: the element with the greatest sum of block values. Scraps and links around an article
// cost, so the sum falls where an element reaches beyond it; what is left to do is to follow the
// sum down while a child has nearly all of it (tighten), never to stop at a paragraph or a list,
// and to go up again while the parent adds running text and little else (extend: the lead
// paragraph above the body). Three or more siblings that look alike and hold running text are
// content together: a forum's thread is as much content as its longest post.
//
// Cost: prefix sums; linear in blocks and elements.
#include "normalize/internal/html_choice.h"

#include <algorithm>

namespace headrace::normalize::internal {
namespace {

using Sums = std::vector<double>;

bool is_good(const HtmlBlock& block) {
  return !block.negative && block.value > 40 && block.marks > 1 && block.link_share() < .2;
}

// Never the whole of an article themselves.
bool is_part(HtmlTag tag) {
  switch (tag) {
    case HtmlTag::kP:
    case HtmlTag::kPre:
    case HtmlTag::kBlockquote:
    case HtmlTag::kUl:
    case HtmlTag::kOl:
    case HtmlTag::kDl:
    case HtmlTag::kLi:
    case HtmlTag::kDt:
    case HtmlTag::kDd:
    case HtmlTag::kFigure:
    case HtmlTag::kFigcaption:
      return true;
    default:
      return is_heading(tag);
  }
}

class Chooser {
 public:
  explicit Chooser(const HtmlPage& page) : elements_(page.elements), blocks_(page.blocks) {
    const std::size_t count = blocks_.size();
    value_.assign(count + 1, 0);
    good_.assign(count + 1, 0);
    junk_.assign(count + 1, 0);
    for (std::size_t i = 0; i < count; ++i) {
      const HtmlBlock& b = blocks_[i];
      const bool good = is_good(b);
      const bool junk = !b.negative && !good && !is_heading(b.tag);
      value_[i + 1] = value_[i] + (b.negative ? .5 * std::min(0.0, b.value) : b.value);
      good_[i + 1] = good_[i] + (good ? b.value : 0);
      junk_[i + 1] = junk_[i] + (junk ? b.weight : 0);
    }
    find_next();
  }

  HtmlChoice run() {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < elements_.size(); ++i) {
      if (score(i) >= score(best)) best = i;  // the deeper one where they are alike
    }
    best = tighten(best);
    best = leave_data_table(best);
    while (is_part(elements_[best].tag) && parent(best) > 0) best = parent(best);
    HtmlChoice choice;
    choice.core_begin = elements_[best].begin;
    choice.elements = with_siblings(extend(best));
    for (const std::uint32_t i : choice.elements) choice.value += sum(value_, elements_[i]);
    return choice;
  }

 private:
  static double sum(const Sums& sums, const HtmlElement& element) {
    return sums[element.end] - sums[element.begin];
  }

  double score(std::uint32_t i) const {
    const HtmlElement& e = elements_[i];
    const double value = sum(value_, e);
    return e.hints != 0 ? .9 * value : value * (1 + .06 * std::min<int>(e.positive, 3));
  }

  std::uint32_t parent(std::uint32_t i) const {
    const std::uint32_t up = elements_[i].parent;
    return up == HtmlElement::kNone ? 0 : up;
  }

  void find_next() {
    const auto count = static_cast<std::uint32_t>(blocks_.size());
    next_good_.assign(count + 1, count);
    next_heading_.assign(count + 1, count);
    for (std::uint32_t i = count; i-- > 0;) {
      const HtmlBlock& b = blocks_[i];
      next_good_[i] = is_good(b) ? i : next_good_[i + 1];
      next_heading_[i] = is_heading(b.tag) && !b.negative ? i : next_heading_[i + 1];
    }
  }

  std::uint32_t tighten(std::uint32_t best) const {
    for (;;) {
      std::uint32_t next = HtmlElement::kNone;
      const double whole = sum(value_, elements_[best]);
      for (std::uint32_t kid = elements_[best].first_child; kid != HtmlElement::kNone;
           kid = elements_[kid].next_sibling) {
        const double share = elements_[kid].positive == 0 ? .8 : .7;
        if (score(kid) < share * whole) continue;
        if (next == HtmlElement::kNone || score(kid) > score(next)) next = kid;
      }
      if (next == HtmlElement::kNone) return best;
      best = next;
    }
  }

  // A table of many short cells is part of a page, not the page.
  std::uint32_t leave_data_table(std::uint32_t best) const {
    const HtmlElement& e = elements_[best];
    if (e.tag != HtmlTag::kTable && e.tag != HtmlTag::kThead && e.tag != HtmlTag::kTbody &&
        e.tag != HtmlTag::kTr) {
      return best;
    }
    const std::uint32_t cells = e.end - e.begin;
    double weight = 0;
    for (std::uint32_t i = e.begin; i < e.end; ++i) weight += blocks_[i].weight;
    if (cells < 12 || weight >= 90.0 * cells) return best;
    while (elements_[best].tag != HtmlTag::kTable && parent(best) > 0) best = parent(best);
    return parent(best);
  }

  std::uint32_t extend(std::uint32_t best) const {
    while (elements_[best].parent != HtmlElement::kNone) {
      const HtmlElement& inner = elements_[best];
      const HtmlElement& outer = elements_[inner.parent];
      if (outer.tag == HtmlTag::kBody || outer.tag == HtmlTag::kHtml) break;
      double gain = good_[inner.begin] - good_[outer.begin];
      double loss = sum(junk_, outer) - sum(junk_, inner);
      const double after = good_[outer.end] - good_[inner.end];
      const std::uint32_t text = next_good_[inner.end];
      // A heading and then text: another story.
      const bool other_story = after > 0 && next_heading_[inner.end] < text && text < outer.end;
      (other_story ? loss : gain) += after;
      if (!((gain > 0 && loss < .3 * gain) || (gain == 0 && loss == 0))) break;
      best = inner.parent;
    }
    return best;
  }

  // The posts of a thread, the sections of a long page: siblings of the chosen element, or of one
  // around it, that share its tag and class and hold running text.
  std::vector<std::uint32_t> with_siblings(std::uint32_t best) const {
    std::vector<std::uint32_t> all{best};
    std::vector<std::uint32_t> alike;
    for (std::uint32_t i = best; elements_[i].parent != HtmlElement::kNone;
         i = elements_[i].parent) {
      if (!elements_[i].has_class) continue;
      alike.clear();
      for (std::uint32_t other = elements_[elements_[i].parent].first_child;
           other != HtmlElement::kNone; other = elements_[other].next_sibling) {
        if (other != i && elements_[other].signature == elements_[i].signature && is_text(other)) {
          alike.push_back(other);
        }
      }
      // One that is alike may be an aside; more are a row.
      if (alike.size() >= 2) all.insert(all.end(), alike.begin(), alike.end());
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  bool is_text(std::uint32_t i) const {
    const double good = sum(good_, elements_[i]);
    return good >= 60 && sum(junk_, elements_[i]) <= 2 * good && score(i) >= .5 * good;
  }

  const std::vector<HtmlElement>& elements_;
  const std::vector<HtmlBlock>& blocks_;
  Sums value_;
  Sums good_;
  Sums junk_;
  std::vector<std::uint32_t> next_good_;
  std::vector<std::uint32_t> next_heading_;
};

}  // namespace

HtmlChoice choose_content(const HtmlPage& page) { return Chooser(page).run(); }

}  // namespace headrace::normalize::internal
