// SPDX-License-Identifier: Apache-2.0
// The passes, and what happens where they find too little: first the hints are distrusted, then
// the article's text is taken from the page's structured data, then everything that reads like
// text; of a page with none, what browsers do not show by themselves.
#include "normalize/internal/html_text.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <simdjson.h>

#include "normalize/internal/html_choice.h"
#include "normalize/internal/html_parser.h"
#include "normalize/internal/html_render.h"
#include "normalize/internal/html_values.h"
#include "normalize/internal/html_walk.h"
#include "normalize/internal/html_weight.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::uint32_t kEnough = 200;  // weight of a text that needs no second try

// Per thread: the parser's memory and a page's arrays are worth keeping.
struct Workshop {
  HtmlParser parser;
  HtmlPage page;
};

Workshop& workshop() {
  thread_local Workshop mine;
  return mine;
}

bool parse(std::string_view html, const HtmlWalkOptions& options, Workshop* shop) {
  shop->page.clear();
  const HtmlNode* document = shop->parser.parse(html, options.tex_scripts);
  if (document == nullptr) return false;
  walk_html(shop->parser, document, options, &shop->page);
  return true;
}

bool holds_tex_scripts(std::string_view html) {
  return html.find("math/tex") != std::string_view::npos;
}

bool append_plain(std::string_view html, bool keep_unshown, std::string* text) {
  Workshop& shop = workshop();
  const HtmlWalkOptions options{
      .keep_controls = true, .keep_unshown = keep_unshown, .tex_scripts = holds_tex_scripts(html)};
  if (!parse(html, options, &shop)) return false;
  std::string part;
  render_all(shop.page, &part);
  if (!text->empty() && !part.empty()) text->append("\n\n");
  text->append(part);
  return true;
}

// HTML ignores NULs in text; the parser cuts off as many bytes at its end as it ignores NULs.
std::string without_nuls(std::string_view html) {
  std::string kept;
  std::remove_copy(html.begin(), html.end(), std::back_inserter(kept), '\0');
  return kept;
}

// The string after "articleBody": in the page's JSON-LD, its escapes resolved; "" if none.
std::string article_body(std::string_view html) {
  const std::size_t key = html.find("\"articleBody\"");
  if (key == std::string_view::npos) return {};
  std::size_t begin = html.find_first_not_of(" \t\r\n", key + 13);
  if (begin == std::string_view::npos || html[begin] != ':') return {};
  begin = html.find_first_not_of(" \t\r\n", begin + 1);
  if (begin == std::string_view::npos || html[begin] != '"') return {};
  std::size_t end = begin + 1;
  while (end < html.size() && html[end] != '"') end += html[end] == '\\' ? 2 : 1;
  if (end >= html.size()) return {};
  // Pages put line ends into their strings, which JSON does not allow.
  std::string literal = "[" + std::string(html.substr(begin, end + 1 - begin)) + "]";
  std::replace_if(
      literal.begin(), literal.end(), [](char c) { return is_ascii(c) && c < ' '; }, ' ');
  simdjson::dom::parser parser;
  std::string_view body;
  if (parser.parse(literal).at(0).get_string().get(body) != simdjson::SUCCESS) return {};
  return without_nuls(body);
}

// How many tags of the page the parser may have at once; all of them, if it may have it whole.
std::size_t tags_at_once(std::string_view html) {
  constexpr std::size_t kFew = 8192;
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  const auto tags = static_cast<std::size_t>(std::count(html.begin(), html.end(), '<'));
  if (tags > kFew && has_many_names(html)) return kFew / 2;
  return html.size() > kHtmlMaxBytes || tags > kHtmlMaxTags ? kHtmlMaxTags : kAll;
}

bool is_within_bounds(std::string_view html) { return tags_at_once(html) > kHtmlMaxTags; }

// In pieces where it must be.
bool plain_text(std::string_view html, bool keep_unshown, std::string* text) {
  if (is_within_bounds(html)) return append_plain(html, keep_unshown, text);
  for (const std::string_view piece : html_pieces(html, kHtmlMaxBytes, tags_at_once(html))) {
    if (!append_plain(piece, keep_unshown, text)) return false;
  }
  return true;
}

bool main_text(std::string_view html, std::string* text) {
  Workshop& shop = workshop();
  if (!parse(html, {.tex_scripts = holds_tex_scripts(html)}, &shop)) return false;
  set_values(&shop.page);
  std::string tried;
  for (const bool use_hints : {true, false}) {
    if (shop.page.blocks.empty()) break;
    mark_negative(use_hints, &shop.page);
    tried.clear();
    render_content(shop.page, choose_content(shop.page), &tried);
    if (text->empty() || weigh(tried).weight > 2 * weigh(*text).weight) text->swap(tried);
    if (weigh(*text).weight >= kEnough) return true;
  }
  if (text->empty()) render_remains(shop.page, text);
  const std::string body = article_body(html);
  if (weigh(body).weight <= 2 * weigh(*text).weight) return true;
  tried.clear();
  if (!plain_text(body, false, &tried)) return false;
  if (weigh(tried).weight > 2 * weigh(*text).weight) text->swap(tried);
  return true;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool begins_with(std::string_view text, std::string_view lower_word) {
  return text.size() >= lower_word.size() &&
         std::equal(lower_word.begin(), lower_word.end(), text.begin(),
                    [](char word, char c) { return word == lower(c); });
}

}  // namespace

bool begins_as_html(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  for (;;) {
    text = text.substr(std::min(text.find_first_not_of(" \t\r\n\f"), text.size()));
    const bool comment = text.starts_with("<!--");
    if (!comment && !text.starts_with("<?xml")) break;
    const std::string_view close = comment ? "-->" : "?>";
    const std::size_t end = text.find(close, comment ? 4 : 5);
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + close.size());
  }
  for (const std::string_view tag : {"<!doctype html", "<html", "<head", "<body"}) {
    if (!begins_with(text, tag)) continue;
    const std::string_view rest = text.substr(tag.size());
    if (!rest.empty() &&
        std::string_view(" \t\r\n\f>").find(rest.front()) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

bool html_to_text(std::string_view html, HtmlMode mode, std::string* text) {
  text->clear();
  if (html.starts_with(kByteOrderMark)) html.remove_prefix(kByteOrderMark.size());
  std::string copy;
  if (html.find('\0') != std::string_view::npos) html = copy = without_nuls(html);
  const bool plain = mode == HtmlMode::kPlain || !is_within_bounds(html);
  const bool good = plain ? plain_text(html, false, text) : main_text(html, text);
  if (!good || !text->empty()) return good;
  return plain_text(html, true, text);
}

}  // namespace headrace::normalize::internal
