// SPDX-License-Identifier: Apache-2.0
// HTML5 bytes → a tree, within bounds; the only place that owns the library's memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include <myhtml/myhtml.h>
#include <myhtml/token.h>
#include <myhtml/tree.h>

namespace headrace::normalize::internal {

using HtmlNode = myhtml_tree_node;
using HtmlAttribute = myhtml_token_attr;

// Bounds of one tree. Tags nested deeper are left out, their text stays.
constexpr std::size_t kHtmlMaxDepth = 256;
// A page with more bytes or tags than this is not parsed whole: see html_pieces.
constexpr std::size_t kHtmlMaxBytes = 8 << 20;
constexpr std::size_t kHtmlMaxTags = 250'000;

inline std::string_view view_of(const mycore_string& string) {
  return string.data == nullptr ? std::string_view{} : std::string_view(string.data, string.length);
}
inline std::string_view html_text(const HtmlNode* node) {
  return node->token == nullptr ? std::string_view{} : view_of(node->token->str);
}
inline const HtmlAttribute* first_attribute(const HtmlNode* node) {
  return node->token == nullptr ? nullptr : node->token->attr_first;
}
// "" where the attribute is missing.
std::string_view html_attribute(const HtmlNode* node, std::string_view name);

// Single-threaded, reusable: one per thread. What parse() returned lives until the next call.
class HtmlParser {
 public:
  HtmlParser() = default;
  HtmlParser(const HtmlParser&) = delete;
  HtmlParser& operator=(const HtmlParser&) = delete;

  // The document node, or nullptr when the library refused (out of memory). `html` is UTF-8 of at
  // most kHtmlMaxBytes and kHtmlMaxTags, and outlives the tree.
  // The text of comments, style sheets and, unless `keep_scripts`, of scripts is left out.
  const HtmlNode* parse(std::string_view html, bool keep_scripts);

  // Lower case; of elements only.
  std::string_view tag_name(const HtmlNode* node) const;

 private:
  struct Engine {
    void operator()(myhtml_t* engine) const { myhtml_destroy(engine); }
  };
  struct Tree {
    void operator()(myhtml_tree_t* tree) const { myhtml_tree_destroy(tree); }
  };
  bool open();

  std::unique_ptr<myhtml_t, Engine> engine_;
  std::unique_ptr<myhtml_tree_t, Tree> tree_;
  std::size_t last_size_ = 0;
};

}  // namespace headrace::normalize::internal
