// SPDX-License-Identifier: Apache-2.0
// What stands inside the chosen element is nearly all content. Left out are lines that give
// themselves away: mostly link (unless between running text, where a link line belongs to it),
// author and date, picture credits, legal notices, "read more" and what follows it, the page's
// title, and paragraphs that were said before elsewhere (copies for small screens, pull quotes).
// Tables of data keep every cell; tables for layout are like any element.
//
// Cost: one pass over the blocks; texts that may repeat are kept in a hash set.
#include "normalize/internal/html_render.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "normalize/internal/html_values.h"
#include "normalize/internal/html_weight.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::uint32_t kNoRow = HtmlElement::kNone;

// For each block of a data table inside [begin, end), the element of its row.
std::vector<std::uint32_t> data_rows(const HtmlPage& page, std::uint32_t begin, std::uint32_t end) {
  std::vector<std::uint32_t> rows(page.blocks.size(), kNoRow);
  const auto row_of = [&](std::uint32_t element) {
    while (element != HtmlElement::kNone && page.elements[element].tag != HtmlTag::kTr &&
           page.elements[element].tag != HtmlTag::kCaption) {
      element = page.elements[element].parent;
    }
    return element;
  };
  for (const HtmlElement& table : page.elements) {
    const std::uint32_t count = table.end - table.begin;
    if (table.tag != HtmlTag::kTable || table.holds_table || count < 4) continue;
    if (table.begin < begin || table.end > end) continue;
    double weight = 0;
    double links = 0;
    bool has_heads = false;  // its author says that it is data
    std::uint32_t row_count = 0;
    std::uint32_t last = kNoRow;
    for (std::uint32_t i = table.begin; i < table.end; ++i) {
      weight += page.blocks[i].weight;
      has_heads |= page.blocks[i].tag == HtmlTag::kTh;
      links += page.blocks[i].link_weight;
      const std::uint32_t row = row_of(page.blocks[i].element);
      row_count += row != last;
      last = row;
    }
    if (row_count < 2 || row_count > .67 * count || weight >= 120.0 * count ||
        links >= (has_heads ? .95 : .6) * weight) {
      continue;
    }
    for (std::uint32_t i = table.begin; i < table.end; ++i) {
      rows[i] = row_of(page.blocks[i].element);
    }
  }
  return rows;
}

// Puts blocks one after another.
class Output {
 public:
  Output(const HtmlPage& page, std::string* out) : page_(page), out_(*out) {}

  void add(const HtmlBlock& block, std::uint32_t row) {
    const std::string_view text = page_.text_of(block);
    const bool item = is_item(block.tag);
    if (row != kNoRow && row == last_row_) {
      out_.append(" | ");
      add_cell(text);
      return;
    }
    if (!out_.empty()) {
      const bool close = (row != kNoRow && last_row_ != kNoRow) || (item && last_item_);
      out_.append(close ? "\n" : "\n\n");
    }
    last_row_ = row;
    last_item_ = item;
    if (row != kNoRow) return add_cell(text);
    if (block.tag == HtmlTag::kLi && list_of(block) == HtmlTag::kUl) out_.append("- ");
    out_.append(text);
  }

 private:
  static bool is_item(HtmlTag tag) {
    return tag == HtmlTag::kLi || tag == HtmlTag::kDt || tag == HtmlTag::kDd;
  }

  HtmlTag list_of(const HtmlBlock& block) const {
    const std::uint32_t parent = page_.elements[block.element].parent;
    return parent == HtmlElement::kNone ? HtmlTag::kOther : page_.elements[parent].tag;
  }

  // A row is one line.
  void add_cell(std::string_view text) {
    const std::size_t begin = out_.size();
    out_.append(text);
    std::replace(out_.begin() + static_cast<std::ptrdiff_t>(begin), out_.end(), '\n', ' ');
  }

  const HtmlPage& page_;
  std::string& out_;
  std::uint32_t last_row_ = kNoRow;
  bool last_item_ = false;
};

class Pruner {
 public:
  Pruner(const HtmlPage& page, const HtmlChoice& choice, std::string* out)
      : page_(page), choice_(choice), output_(page, out) {}

  void run() {
    for (const std::uint32_t i : choice_.elements) add_element(page_.elements[i]);
  }

 private:
  void add_element(const HtmlElement& element) {
    rows_ = data_rows(page_, element.begin, element.end);
    cut_ = false;
    anchors_.clear();
    for (std::uint32_t i = element.begin; i < element.end; ++i) {
      const HtmlBlock& block = page_.blocks[i];
      const bool anchor = block.value > 60 || (is_heading(block.tag) && block.value >= 0);
      if (!block.negative && anchor) anchors_.push_back(i);
    }
    for (std::uint32_t i = element.begin; i < element.end; ++i) {
      const HtmlBlock& block = page_.blocks[i];
      if (block.negative || is_cut(block)) continue;
      if (rows_[i] == kNoRow && is_pruned(i, block, page_.text_of(block))) continue;
      output_.add(block, rows_[i]);
      done_ += std::max(0.0, block.value);
      note_list(block);
    }
  }

  // A sentence that ends in a colon announces the list behind it, links or not.
  void note_list(const HtmlBlock& block) {
    if (block.tag == HtmlTag::kLi) return;
    const std::string_view text = page_.text_of(block);
    list_announced_ = block.value > 0 && (text.ends_with(':') || text.ends_with("："));
  }

  // After a line like "Related": until running text comes again.
  bool is_cut(const HtmlBlock& block) {
    if (!cut_) return false;
    if (block.value > 100 && block.link_share() < .1) {
      cut_ = false;
      return false;
    }
    return block.value <= 0 || block.link_share() > .3 || block.tag == HtmlTag::kLi ||
           block.tag == HtmlTag::kTd;
  }

  bool is_pruned(std::uint32_t i, const HtmlBlock& block, std::string_view text) {
    if (is_link_line(i, block, text)) return true;
    if (!block.preformatted) {
      if (block.weight < 45 && done_ > .3 * choice_.value && begins_as_tail(text)) {
        cut_ = true;
        return true;
      }
      if (is_note(block, text)) return true;
    }
    return is_title(i, block, text) || was_said(block, text);
  }

  bool is_link_line(std::uint32_t i, const HtmlBlock& block, std::string_view text) const {
    const double share = block.link_share();
    if (share <= .5) return false;
    const bool paragraph = block.tag == HtmlTag::kP || block.tag == HtmlTag::kTd;
    if (block.tag == HtmlTag::kLi && list_announced_) return false;
    if (paragraph && share <= .8 && block.weight - block.link_weight >= 25) return false;
    return !stands_between(i, block, text);
  }

  // Running text just before, text or a heading just after.
  bool stands_between(std::uint32_t i, const HtmlBlock& block, std::string_view text) const {
    if (block.weight > 140) return false;
    const auto after = std::upper_bound(anchors_.begin(), anchors_.end(), i);
    if (after == anchors_.begin() || after == anchors_.end()) return false;
    const std::uint32_t before = *(after - 1);
    return *after - before <= 3 && page_.blocks[before].value > 60 && !begins_as_tail(text);
  }

  static bool is_note(const HtmlBlock& block, std::string_view text) {
    if (block.weight < 60 && (begins_as_meta(text) ||
                              (block.marks < 4 && block.tag != HtmlTag::kTd && has_date(text)))) {
      return true;
    }
    if (block.weight < 160 && ends_as_caption(text)) return true;
    if (block.weight < 600 && block.value == kLegalValue && is_legal(text)) return true;
    return text.starts_with('<') && text.ends_with('>');
  }

  bool is_title(std::uint32_t i, const HtmlBlock& block, std::string_view text) const {
    if (!is_heading(block.tag)) return false;
    if (done_ < 60 && (block.tag == HtmlTag::kHeading1 || i < choice_.core_begin)) return true;
    return block.tag != HtmlTag::kHeading3 && page_.title.find(text) != std::string::npos;
  }

  bool was_said(const HtmlBlock& block, std::string_view text) {
    if (block.weight <= 60) return false;
    const std::uint32_t parent = page_.elements[block.element].parent;
    return said_.try_emplace(text, parent).first->second != parent;
  }

  const HtmlPage& page_;
  const HtmlChoice& choice_;
  std::vector<std::uint32_t> rows_;     // of data tables
  std::vector<std::uint32_t> anchors_;  // running text and headings
  std::unordered_map<std::string_view, std::uint32_t> said_;
  Output output_;
  double done_ = 0;  // value printed so far
  bool cut_ = false;
  bool list_announced_ = false;
};

}  // namespace

void render_content(const HtmlPage& page, const HtmlChoice& choice, std::string* out) {
  Pruner(page, choice, out).run();
}

void render_all(const HtmlPage& page, std::string* out) {
  const auto count = static_cast<std::uint32_t>(page.blocks.size());
  const std::vector<std::uint32_t> rows = data_rows(page, 0, count);
  Output output(page, out);
  for (std::uint32_t i = 0; i < count; ++i) output.add(page.blocks[i], rows[i]);
}

void render_remains(const HtmlPage& page, std::string* out) {
  Output output(page, out);
  for (const HtmlBlock& block : page.blocks) {
    if (block.value > 0) output.add(block, kNoRow);
  }
  if (!out->empty()) return;
  for (const HtmlBlock& block : page.blocks) {
    if (block.link_share() < .5) output.add(block, kNoRow);
  }
}

}  // namespace headrace::normalize::internal
