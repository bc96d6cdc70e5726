// SPDX-License-Identifier: Apache-2.0
// The parser is myhtml (docs/decisions/0024), which follows the HTML5 rules and so has their costs:
// a tag looks through the open elements, text reopens the formatting elements that a block closed,
// a second <body> merges attribute by attribute. On made-up input these are quadratic in time, and
// reopening multiplies memory a hundredfold. What bounds them is a look at each token before the
// tree sees it: a tag that must not count becomes a comment.
//
// - Depth: a start tag below kHtmlMaxDepth goes, with as many end tags. The library's stacks then
//   never grow beyond their first allocation either (its adoption of formatting elements keeps a
//   pointer into them while they may grow).
// - Reopening: at most kMaxFormatting elements wait for it, and none once more of them were made
//   than twice the tokens.
// - <html> and <body> count once.
//
// Memory: about 100 bytes a node and 120 an attribute beside the text. A tree that grew is given
// back before the next page.
#include "normalize/internal/html_parser.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::size_t kMaxFormatting = 64;
constexpr std::size_t kKeptBytes = 1 << 20;

struct Guard {
  std::size_t tokens = 0;
  std::size_t reopened = 0;  // formatting elements made again
  bool keep_scripts = false;
  std::size_t left_out = 0;  // start tags whose end tags are to be left out as well
};

bool is_void(myhtml_tag_id_t tag) {
  switch (tag) {
    case MyHTML_TAG_AREA:
    case MyHTML_TAG_BASE:
    case MyHTML_TAG_BR:
    case MyHTML_TAG_COL:
    case MyHTML_TAG_EMBED:
    case MyHTML_TAG_FRAME:
    case MyHTML_TAG_HR:
    case MyHTML_TAG_IMAGE:
    case MyHTML_TAG_IMG:
    case MyHTML_TAG_INPUT:
    case MyHTML_TAG_LINK:
    case MyHTML_TAG_META:
    case MyHTML_TAG_PARAM:
    case MyHTML_TAG_SOURCE:
    case MyHTML_TAG_TRACK:
    case MyHTML_TAG_WBR:
      return true;
    default:
      return false;
  }
}

// Elements whose content the tokenizer reads as text: leaving out their tag would show it.
bool holds_raw_text(myhtml_tag_id_t tag) {
  switch (tag) {
    case MyHTML_TAG_IFRAME:
    case MyHTML_TAG_NOEMBED:
    case MyHTML_TAG_NOFRAMES:
    case MyHTML_TAG_NOSCRIPT:
    case MyHTML_TAG_PLAINTEXT:
    case MyHTML_TAG_SCRIPT:
    case MyHTML_TAG_STYLE:
    case MyHTML_TAG_TEXTAREA:
    case MyHTML_TAG_TITLE:
    case MyHTML_TAG_XMP:
      return true;
    default:
      return false;
  }
}

void leave_out(myhtml_token_node_t* token) {
  token->tag_id = MyHTML_TAG__COMMENT;
  token->attr_first = nullptr;
  token->attr_last = nullptr;
}

// Whether the next text would make formatting elements again.
bool reopens(myhtml_tree_t* tree) {
  const myhtml_tree_list_t& formatting = *tree->active_formatting;
  myhtml_tree_node_t* last = formatting.list[formatting.length - 1];
  if (myhtml_tree_active_formatting_is_marker(tree, last)) return false;
  for (std::size_t i = tree->open_elements->length; i > 0; --i) {
    if (tree->open_elements->list[i - 1] == last) return false;
  }
  return true;
}

// Comments, style sheets and scripts are most bytes of many pages: not worth a copy.
bool is_unread(const myhtml_tree_t& tree, const myhtml_token_node_t& token, bool keep_scripts) {
  if (token.tag_id == MyHTML_TAG__COMMENT) return true;
  if (token.tag_id != MyHTML_TAG__TEXT || tree.open_elements->length == 0) return false;
  const myhtml_tag_id_t parent = tree.open_elements->list[tree.open_elements->length - 1]->tag_id;
  return parent == MyHTML_TAG_STYLE || (parent == MyHTML_TAG_SCRIPT && !keep_scripts);
}

void* on_token(myhtml_tree_t* tree, myhtml_token_node_t* token, void* context) {
  auto* guard = static_cast<Guard*>(context);
  ++guard->tokens;
  const std::size_t formatting = tree->active_formatting->length;
  if (formatting > 0) {
    if (reopens(tree)) guard->reopened += formatting;
    if (formatting > kMaxFormatting || guard->reopened > 2 * guard->tokens + 1024) {
      tree->active_formatting->length = 0;
    }
  }
  const myhtml_tag_id_t tag = token->tag_id;
  if (is_unread(*tree, *token, guard->keep_scripts)) token->raw_length = 0;
  if (tag <= MyHTML_TAG__DOCTYPE || tag == MyHTML_TAG__END_OF_FILE) return context;
  if ((token->type & MyHTML_TOKEN_TYPE_CLOSE) != 0) {
    if (guard->left_out > 0 && !holds_raw_text(tag)) {
      --guard->left_out;
      leave_out(token);
    }
  } else if ((tag == MyHTML_TAG_BODY && tree->node_body != nullptr) ||
             (tag == MyHTML_TAG_HTML && tree->node_html != nullptr)) {
    leave_out(token);
  } else if (tree->open_elements->length >= kHtmlMaxDepth && !is_void(tag) &&
             !holds_raw_text(tag)) {
    if ((token->type & MyHTML_TOKEN_TYPE_CLOSE_SELF) == 0) ++guard->left_out;
    leave_out(token);
  }
  return context;
}

}  // namespace

std::string_view html_attribute(const HtmlNode* node, std::string_view name) {
  for (const HtmlAttribute* a = first_attribute(node); a != nullptr; a = a->next) {
    if (view_of(a->key) == name) return view_of(a->value);
  }
  return {};
}

bool HtmlParser::open() {
  if (engine_ == nullptr) {
    engine_.reset(myhtml_create());
    if (engine_ == nullptr ||
        myhtml_init(engine_.get(), MyHTML_OPTIONS_PARSE_MODE_SINGLE, 1, 0) != MyHTML_STATUS_OK) {
      engine_.reset();
      return false;
    }
  }
  if (last_size_ > kKeptBytes) tree_.reset();
  if (tree_ == nullptr) {
    tree_.reset(myhtml_tree_create());
    if (tree_ == nullptr || myhtml_tree_init(tree_.get(), engine_.get()) != MyHTML_STATUS_OK) {
      tree_.reset();
      return false;
    }
  }
  return true;
}

const HtmlNode* HtmlParser::parse(std::string_view html, bool keep_scripts) {
  if (!open()) return nullptr;
  last_size_ = html.size();
  Guard guard{.keep_scripts = keep_scripts};
  myhtml_callback_before_token_done_set(tree_.get(), on_token, &guard);
  const mystatus_t status =
      myhtml_parse_single(tree_.get(), MyENCODING_UTF_8, html.data(), html.size());
  myhtml_callback_before_token_done_set(tree_.get(), nullptr, nullptr);
  if (status != MyHTML_STATUS_OK) {
    tree_.reset();
    return nullptr;
  }
  return myhtml_tree_get_document(tree_.get());
}

std::string_view HtmlParser::tag_name(const HtmlNode* node) const {
  std::size_t length = 0;
  const char* name = myhtml_tag_name_by_id(tree_.get(), node->tag_id, &length);
  return name == nullptr ? std::string_view{} : std::string_view(name, length);
}

}  // namespace headrace::normalize::internal
