// SPDX-License-Identifier: Apache-2.0
// One walk, in document order, on a stack of its own. Inline content gathers at the end of
// page->text until a block-level boundary ends the block; so each element's blocks lie together
// and it needs but two numbers to name them.
//
// - A second <br> in a row ends a block as well: old Chinese pages and forums part paragraphs so.
// - "a<b" in code parses as a tag. One-letter inline tags whose attributes have no values, right
//   after a letter or digit, and unknown tags there or in <pre> give their text back.
// - Links within the page (href="#...") are headings and contents lists, no links.
// - Hidden inline content and rendered copies of formulas are walked dead: of them only the
//   mathematics comes out (KaTeX hides its MathML from the eye and its rendering from the reader).
//
// Cost: each node once, its attributes once; text is copied once and folded in place.
#include "normalize/internal/html_walk.h"

#include <algorithm>

#include "normalize/internal/html_attributes.h"
#include "normalize/internal/html_math.h"
#include "normalize/internal/html_tags.h"
#include "normalize/internal/html_weight.h"

namespace headrace::normalize::internal {
namespace {

std::uint64_t signature_of(const HtmlNode* node, std::string_view classes) {
  const std::string_view trimmed = trim_white(classes);
  std::uint64_t hash = 1469598103934665603ULL ^ node->tag_id;
  for (const char c : trimmed.substr(0, trimmed.find_first_of(" \t\n\f\r"))) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  return hash * 1099511628211ULL;
}

// What browsers show by a script only, in a drawing, or without scripts.
bool is_unshown(myhtml_tag_id_t tag) {
  return tag == MyHTML_TAG_TEMPLATE || tag == MyHTML_TAG_SVG || tag == MyHTML_TAG_NOSCRIPT;
}

bool contains(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

class Walker {
 public:
  Walker(const HtmlParser& parser, const HtmlWalkOptions& options, HtmlPage* page)
      : parser_(parser), options_(options), page_(*page) {}

  void run(const HtmlNode* document) {
    page_.elements.emplace_back().tag = HtmlTag::kHtml;
    frames_.push_back({.next = document->child, .tag = HtmlTag::kHtml, .opened = true});
    while (!frames_.empty()) {
      const HtmlNode* node = frames_.back().next;
      if (node == nullptr) {
        leave();
      } else {
        frames_.back().next = node->next;
        visit(node);
      }
    }
    mark_articles();
  }

 private:
  // The children of one node that are still to be walked, and what holds for them.
  struct Frame {
    const HtmlNode* next = nullptr;
    std::uint32_t element = 0;  // the nearest block-level element, and its tag
    HtmlTag tag = HtmlTag::kOther;
    bool opened = false;  // by this frame's node
    bool preformatted = false;
    bool in_link = false;
    bool dead = false;
    bool had_formula = false;  // among the children so far
    std::uint8_t breaks = 0;   // in a row
  };

  Frame child_frame(const HtmlNode* node) const {
    Frame frame = frames_.back();
    frame.next = node->child;
    frame.opened = frame.had_formula = false;
    frame.breaks = 0;
    return frame;
  }

  void leave() {
    const Frame frame = frames_.back();
    if (frame.opened) {
      end_block(frame);
      page_.elements[frame.element].end = static_cast<std::uint32_t>(page_.blocks.size());
    }
    frames_.pop_back();
  }

  void visit(const HtmlNode* node) {
    Frame& frame = frames_.back();
    if (node->tag_id == MyHTML_TAG__TEXT) return add_text(html_text(node), &frame);
    const HtmlTagInfo info = tag_info(parser_, node);
    switch (info.kind) {
      case HtmlKind::kSkip:
        if (!options_.keep_unshown || !is_unshown(node->tag_id)) return;
        break;
      case HtmlKind::kHead:
        for (const HtmlNode* child = node->child; child != nullptr; child = child->next) {
          if (child->tag_id == MyHTML_TAG_TITLE) set_title(child);
        }
        return;
      case HtmlKind::kTitle:
        return set_title(node);
      case HtmlKind::kScript:
        return add_tex_script(node);
      case HtmlKind::kMath:
        page_.text.push_back(' ');
        append_math(parser_, node, &page_.text);
        page_.text.push_back(' ');
        frame.had_formula = true;
        return;
      case HtmlKind::kBreak:
        if (++frame.breaks >= 2 && !frame.preformatted) {
          end_block(frame);
          frame.breaks = 2;
        } else {
          page_.text.push_back('\n');
        }
        return;
      case HtmlKind::kControl:
        if (!options_.keep_controls) return;
        break;
      default:
        break;
    }
    visit_element(node, info);
  }

  void visit_element(const HtmlNode* node, const HtmlTagInfo& info) {
    Frame& frame = frames_.back();
    const HtmlAttributes attributes = read_attributes(node);
    const std::string_view classes = attributes.names.classes;
    const bool is_inline = info.kind == HtmlKind::kInline;
    Frame inner = child_frame(node);
    inner.dead = frame.dead ||
                 (attributes.hidden && !options_.keep_controls &&
                  (is_inline || contains(classes, "math"))) ||
                 is_rendering(node, info, classes);
    if (info.kind == HtmlKind::kImage) return add_image(attributes, &frame);
    if (contains(classes, "mwe-math")) frame.had_formula = true;
    if (is_inline) {
      if (info.one_letter && attributes.any && !attributes.any_value && !frame.dead &&
          after_word()) {
        add_source(node);
      }
      if (frame.preformatted && is_gutter(classes)) return;
      if (!options_.keep_controls && contains(classes, "editsection")) return;  // "[edit]"
      inner.in_link |=
          node->tag_id == MyHTML_TAG_A && attributes.has_href && !attributes.href.starts_with('#');
    } else if (info.kind == HtmlKind::kUnknown && (frame.preformatted || after_word())) {
      if (!frame.dead) add_source(node);
    } else if (!inner.dead) {
      if (is_gutter(classes)) return;
      return open_element(node, info, attributes, inner);
    }
    frames_.push_back(inner);
  }

  void open_element(const HtmlNode* node, const HtmlTagInfo& info, const HtmlAttributes& attributes,
                    Frame inner) {
    Frame& frame = frames_.back();
    end_block(frame);
    frame.breaks = 0;
    const auto index = static_cast<std::uint32_t>(page_.elements.size());
    HtmlElement element;
    element.tag = info.tag;
    element.parent = frame.element;
    element.begin = element.end = static_cast<std::uint32_t>(page_.blocks.size());
    element.signature = signature_of(node, attributes.names.classes);
    element.has_class = !attributes.names.classes.empty();
    set_hints(attributes.names, &element);
    if (attributes.hidden) element.hints |= kHintHidden;
    HtmlElement& parent = page_.elements[frame.element];
    (parent.first_child == HtmlElement::kNone ? parent.first_child
                                              : page_.elements[parent.last_child].next_sibling) =
        index;
    parent.last_child = index;
    if (info.tag == HtmlTag::kTable) mark_outer_table(frame.element);
    page_.elements.push_back(element);
    inner.element = index;
    inner.tag = info.tag;
    inner.opened = true;
    inner.preformatted |= info.preformatted;
    frames_.push_back(inner);
  }

  void mark_outer_table(std::uint32_t element) {
    while (element != HtmlElement::kNone && page_.elements[element].tag != HtmlTag::kTable) {
      element = page_.elements[element].parent;
    }
    if (element != HtmlElement::kNone) page_.elements[element].holds_table = true;
  }

  // The copy of a formula that is made for the eye; its source stands beside it.
  bool is_rendering(const HtmlNode* node, const HtmlTagInfo& info, std::string_view classes) const {
    if (classes == "katex-html") return true;
    if (options_.tex_scripts && (classes.starts_with("MathJax") || classes.starts_with("mjx"))) {
      return true;
    }
    return info.kind == HtmlKind::kInline && node->tag_id >= MyHTML_TAG_LAST_ENTRY &&
           parser_.tag_name(node) == "mjx-math";
  }

  void add_text(std::string_view text, Frame* frame) {
    if (frame->dead || text.empty()) return;
    std::string& out = page_.text;
    const std::string_view trimmed = trim_white(text);
    // What stands between tags is mostly indentation of the source.
    if (trimmed.empty() && !frame->preformatted && is_ascii(text.front())) {
      if (out.size() > block_begin_ && out.back() != ' ') out.push_back(' ');
      return;
    }
    const std::size_t begin = out.size();
    out.append(text);
    if (!frame->preformatted) {
      std::replace_if(
          out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(),
          [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    }
    if (trimmed.empty()) return;
    frame->breaks = 0;
    if (!frame->in_link) {
      lead_known_ = true;
      return;
    }
    const std::uint32_t weight = weigh(trimmed).weight;
    link_weight_ += weight;
    if (!lead_known_) lead_weight_ = weight;
    lead_known_ = true;
  }

  void add_tex_script(const HtmlNode* node) {
    const std::string_view type = html_attribute(node, "type");
    if (!type.starts_with("math/tex")) return;
    page_.text.push_back(' ');
    if (node->child != nullptr) {
      append_tex(html_text(node->child), contains(type, "display"), &page_.text);
    }
    page_.text.push_back(' ');
  }

  // An image of a formula, unless the formula itself stands beside it.
  void add_image(const HtmlAttributes& attributes, Frame* frame) {
    const std::string_view classes = attributes.names.classes;
    if (frame->dead || frame->had_formula || attributes.alternative.empty()) return;
    if (!contains(classes, "math") && !contains(classes, "latex") && classes != "tex") return;
    page_.text.push_back(' ');
    append_tex(attributes.alternative, false, &page_.text);
    page_.text.push_back(' ');
  }

  // Whether the open block ends in a letter or digit.
  bool after_word() const {
    if (page_.text.size() == block_begin_) return false;
    const auto c = static_cast<unsigned char>(page_.text.back());
    return c >= 0x80 || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
  }

  // A tag that was none. An attribute that ends in "<" has swallowed an end tag.
  void add_source(const HtmlNode* node) {
    std::string& out = page_.text;
    out.append("<").append(parser_.tag_name(node));
    const HtmlAttribute* attribute = first_attribute(node);
    const bool any = attribute != nullptr;
    for (; attribute != nullptr; attribute = attribute->next) {
      std::string_view key = view_of(attribute->key);
      const bool swallowed = key.ends_with('<');
      if (swallowed) key.remove_suffix(1);
      if (!key.empty()) out.append(" ").append(key);
      if (swallowed) return;
    }
    out.append(any ? "> " : ">");
  }

  void set_title(const HtmlNode* node) {
    if (!page_.title.empty() || node->ns != MyHTML_NAMESPACE_HTML || node->child == nullptr) return;
    page_.title = trim_white(html_text(node->child));
    fold_lines(&page_.title, 0);
    std::replace(page_.title.begin(), page_.title.end(), '\n', ' ');
  }

  void end_block(const Frame& frame) {
    std::string& text = page_.text;
    if (text.size() == block_begin_) return;
    if (frame.preformatted) {
      strip_preformatted();
    } else {
      fold_lines(&text, block_begin_);
    }
    const std::string_view body = std::string_view(text).substr(block_begin_);
    if (trim_white(body).empty()) {
      text.resize(block_begin_);
    } else {
      const TextWeight weight = weigh(body);
      HtmlBlock block;
      block.begin = static_cast<std::uint32_t>(block_begin_);
      block.end = static_cast<std::uint32_t>(text.size());
      block.element = frame.element;
      block.tag = frame.tag;
      block.weight = weight.weight;
      block.marks = weight.marks;
      block.link_weight = std::min(link_weight_, weight.weight);
      block.lead_weight = lead_weight_;
      block.preformatted = frame.preformatted;
      page_.blocks.push_back(block);
      block_begin_ = text.size();
    }
    link_weight_ = lead_weight_ = 0;
    lead_known_ = false;
  }

  // Outer line ends and the blanks at the end go; indentation stays.
  void strip_preformatted() {
    std::string& text = page_.text;
    const std::string_view body = std::string_view(text).substr(block_begin_);
    const std::size_t first = std::min(body.find_first_not_of('\n'), body.size());
    const std::string_view trimmed = trim_white(body.substr(first));
    const std::size_t length =
        trimmed.empty()
            ? 0
            : static_cast<std::size_t>(trimmed.data() - (body.data() + first)) + trimmed.size();
    text.resize(block_begin_ + first + length);
    text.erase(block_begin_, first);
  }

  // What holds the one <article>, or a declared article body, is no margin.
  void mark_articles() {
    std::vector<HtmlElement>& all = page_.elements;
    const auto is_article = [](const HtmlElement& e) { return e.tag == HtmlTag::kArticle; };
    const bool one = std::count_if(all.begin(), all.end(), is_article) == 1;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (!all[i].article_body && !(one && is_article(all[i]))) continue;
      for (std::uint32_t up = i; up != HtmlElement::kNone && !all[up].holds_article;
           up = all[up].parent) {
        all[up].holds_article = true;
      }
    }
  }

  const HtmlParser& parser_;
  const HtmlWalkOptions options_;
  HtmlPage& page_;
  std::vector<Frame> frames_;
  // The open block: page_.text from here on.
  std::size_t block_begin_ = 0;
  std::uint32_t link_weight_ = 0;
  std::uint32_t lead_weight_ = 0;
  bool lead_known_ = false;
};

}  // namespace

void walk_html(const HtmlParser& parser, const HtmlNode* document, const HtmlWalkOptions& options,
               HtmlPage* page) {
  Walker(parser, options, page).run(document);
}

}  // namespace headrace::normalize::internal
