// SPDX-License-Identifier: Apache-2.0
// Most formulas carry their TeX: as an annotation of the MathML (KaTeX, Wikipedia), as alttext
// (LaTeXML). Those without are written in one line, a/b, x^2, sqrt(x), an operand longer than one
// character in brackets.
//
// Cost: an operand is moved once for each pair of brackets around it, so the depth at which
// brackets are still made is bounded.
#include "normalize/internal/html_math.h"

#include <vector>

#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {
namespace {

constexpr int kMaxBracketDepth = 48;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Appends `text` with runs of blanks as one space, without blanks at its ends.
void append_folded(std::string_view text, std::string* out) {
  const std::size_t begin = out->size();
  bool blank = false;
  for (const char c : text) {
    if (is_blank(c)) {
      blank = true;
      continue;
    }
    if (blank && out->size() > begin) out->push_back(' ');
    blank = false;
    out->push_back(c);
  }
}

void append_texts(const HtmlNode* node, std::string* out) {
  for (const HtmlNode* child = node->child; child != nullptr; child = child->next) {
    if (child->tag_id == MyHTML_TAG__TEXT) out->append(html_text(child));
  }
}

bool mentions_tex(std::string_view encoding) {
  for (std::size_t i = 0; i + 3 <= encoding.size(); ++i) {
    if ((encoding[i] | 0x20) == 't' && (encoding[i + 1] | 0x20) == 'e' &&
        (encoding[i + 2] | 0x20) == 'x') {
      return true;
    }
  }
  return false;
}

// The annotation in TeX below `math`, or nullptr.
const HtmlNode* find_annotation(const HtmlParser& parser, const HtmlNode* math) {
  for (const HtmlNode* node = math->child; node != nullptr;) {
    if (node->tag_id >= MyHTML_TAG_LAST_ENTRY && parser.tag_name(node) == "annotation" &&
        mentions_tex(html_attribute(node, "encoding"))) {
      return node;
    }
    if (node->child != nullptr) {
      node = node->child;
      continue;
    }
    while (node != math && node->next == nullptr) node = node->parent;
    if (node == math) break;
    node = node->next;
  }
  return nullptr;
}

class Linear {
 public:
  Linear(const HtmlParser& parser, std::string* out) : parser_(parser), out_(*out) {}

  void append(const HtmlNode* node, int depth) {
    if (node->tag_id == MyHTML_TAG__TEXT) return append_folded(html_text(node), &out_);
    if (node->tag_id < MyHTML_TAG_A || node->tag_id == MyHTML_TAG_ANNOTATION_XML ||
        (node->tag_id >= MyHTML_TAG_LAST_ENTRY && parser_.tag_name(node) == "annotation")) {
      return;
    }
    // Deeper than any formula: the words alone, and no recursion beyond the tree's own bound.
    if (depth > kMaxBracketDepth) return append_flat(node);
    std::vector<const HtmlNode*> operands;
    for (const HtmlNode* child = node->child; child != nullptr; child = child->next) {
      if (child->tag_id >= MyHTML_TAG_A || !blank(child)) operands.push_back(child);
    }
    const std::string_view name =
        node->tag_id >= MyHTML_TAG_LAST_ENTRY ? parser_.tag_name(node) : std::string_view{};
    append_operator(node->tag_id, name, operands, depth + 1);
  }

 private:
  static bool blank(const HtmlNode* node) {
    for (const char c : html_text(node)) {
      if (!is_blank(c)) return node->tag_id != MyHTML_TAG__TEXT;
    }
    return true;
  }

  void append_flat(const HtmlNode* top) {
    for (const HtmlNode* node = top->child; node != nullptr;) {
      if (node->tag_id == MyHTML_TAG__TEXT) append_folded(html_text(node), &out_);
      if (node->child != nullptr) {
        node = node->child;
        continue;
      }
      while (node != top && node->next == nullptr) node = node->parent;
      if (node == top) break;
      node = node->next;
    }
  }

  void bracketed(const HtmlNode* node, int depth) {
    const std::size_t begin = out_.size();
    append(node, depth);
    const std::size_t length = out_.size() - begin;
    if (length == 0 || code_point_at(out_, begin).length == length) return;
    out_.insert(begin, "(");
    out_.push_back(')');
  }

  void append_all(const std::vector<const HtmlNode*>& operands, std::string_view between,
                  int depth) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (i > 0) out_.append(between);
      append(operands[i], depth);
    }
  }

  // `name` is set for tags that the library has no number for.
  void append_operator(myhtml_tag_id_t tag, std::string_view name,
                       const std::vector<const HtmlNode*>& operands, int depth) {
    const std::size_t count = operands.size();
    if (count >= 2 && tag == MyHTML_TAG_MFRAC) {
      bracketed(operands[0], depth);
      out_.push_back('/');
      bracketed(operands[1], depth);
    } else if (count >= 2 && (tag == MyHTML_TAG_MSUP || tag == MyHTML_TAG_MOVER)) {
      append(operands[0], depth);
      out_.push_back('^');
      bracketed(operands[1], depth);
    } else if (count >= 2 && (tag == MyHTML_TAG_MSUB || name == "munder")) {
      append(operands[0], depth);
      out_.push_back('_');
      bracketed(operands[1], depth);
    } else if (count >= 3 && (tag == MyHTML_TAG_MSUBSUP || name == "munderover")) {
      append(operands[0], depth);
      out_.push_back('_');
      bracketed(operands[1], depth);
      out_.push_back('^');
      bracketed(operands[2], depth);
    } else if (count >= 2 && tag == MyHTML_TAG_MROOT) {
      out_.append("root(");
      append(operands[0], depth);
      out_.push_back(',');
      append(operands[1], depth);
      out_.push_back(')');
    } else if (tag == MyHTML_TAG_MSQRT) {
      out_.append("sqrt(");
      append_all(operands, "", depth);
      out_.push_back(')');
    } else {
      append_all(operands, name == "mtr" ? ", " : name == "mtable" ? "; " : "", depth);
    }
  }

  const HtmlParser& parser_;
  std::string& out_;
};

}  // namespace

void append_tex(std::string_view tex, bool display, std::string* out) {
  std::string folded;
  append_folded(tex, &folded);
  std::string_view body = folded;
  if (body.starts_with("{\\displaystyle") && body.ends_with('}')) {
    body = body.substr(14, body.size() - 15);
    while (!body.empty() && body.front() == ' ') body.remove_prefix(1);
    while (!body.empty() && body.back() == ' ') body.remove_suffix(1);
  }
  if (body.empty()) return;
  const std::string_view fence = display ? "$$" : "$";
  out->append(fence).append(body).append(fence);
}

void append_math(const HtmlParser& parser, const HtmlNode* math, std::string* out) {
  const bool display = html_attribute(math, "display") == "block";
  if (const HtmlNode* annotation = find_annotation(parser, math)) {
    std::string tex;
    append_texts(annotation, &tex);
    return append_tex(tex, display, out);
  }
  const std::string_view alternative = html_attribute(math, "alttext");
  if (!alternative.empty()) return append_tex(alternative, display, out);
  Linear(parser, out).append(math, 0);
}

}  // namespace headrace::normalize::internal
