// SPDX-License-Identifier: Apache-2.0
// Phrases by which the lines around an article give themselves away, English and Chinese. Only
// asked about short blocks, so plain scans over a lower-case copy are fast enough.
#include <algorithm>
#include <array>
#include <cstring>

#include "normalize/internal/html_values.h"
#include "normalize/internal/html_weight.h"
#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

std::string lower_copy(std::string_view text) {
  std::string copy(text);
  for (char& c : copy) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  return copy;
}

// A place in a lower-case text.
class Cursor {
 public:
  Cursor(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  bool word(std::string_view expected) {
    if (peek(0) != expected[0] || !text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }
  bool any_of(std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return word(w); });
  }
  bool digits(std::size_t low, std::size_t high) {
    std::size_t count = 0;
    while (count < high && is_digit(peek(count))) ++count;
    if (count < low) return false;
    at_ += count;
    return true;
  }
  bool year() { return any_of({"19", "20"}) && digits(2, 2); }
  bool month() {
    if (!any_of(
            {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"})) {
      return false;
    }
    while (is_letter(peek(0))) ++at_;
    return true;
  }
  char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  std::string_view rest() const { return text_.substr(at_); }

 private:
  std::string_view text_;
  std::size_t at_;
};

// 2024-3, 2024年 3
bool year_first(Cursor c) {
  if (!c.year()) return false;
  c.word(" ");
  if (!c.any_of({"-", "/", ".", "年"})) return false;
  c.word(" ");
  return c.digits(1, 2);
}

// march 3rd, 2024
bool month_first(Cursor c) {
  if (!c.month()) return false;
  c.word(".");
  if (!c.word(" ") || !c.digits(1, 2)) return false;
  c.any_of({"st", "nd", "rd", "th"});
  c.word(",");
  if (!c.word(" ")) return false;
  c.word("at ");
  return c.year();
}

// 3. march 2024
bool day_first(Cursor c) {
  if (!c.digits(1, 2)) return false;
  c.word(".");
  if (!c.word(" ") || !c.month()) return false;
  c.word(".");
  c.word(",");
  return c.word(" ") && c.year();
}

// 3/4/2024
bool slashes(Cursor c) {
  return c.digits(1, 2) && c.word("/") && c.digits(1, 2) && c.word("/") && c.year();
}

// Symbols and punctuation, as far as lines begin with them.
bool is_word_character(char32_t c) {
  if (c < 0x80)
    return is_digit(static_cast<char>(c)) || is_letter(static_cast<char>(c)) || c == '_';
  if (c < 0xC0) return c == 0xAA || c == 0xB5 || c == 0xBA;
  if (c >= 0x2000 && c < 0x2C00) return c >= 0x2C00 || c == 0x2071 || c == 0x207F;
  if (c >= 0x3000 && c <= 0x303F) return c >= 0x3005 && c <= 0x3007;
  return !((c >= 0xFF00 && c <= 0xFF0F) || (c >= 0xFF1A && c <= 0xFF20) ||
           (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xFE30 && c <= 0xFE6F));
}

std::size_t skip_to_word(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const CodePoint c = code_point_at(text, at);
    if (is_word_character(c.value)) break;
    at += c.length;
  }
  return at;
}

bool contains(std::string_view text, std::string_view phrase) {
  return memmem(text.data(), text.size(), phrase.data(), phrase.size()) != nullptr;
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return contains(text, phrase); });
}

// `phrase` and then a year, after at most one blank.
bool followed_by_year(std::string_view text, std::string_view phrase) {
  for (std::size_t at = text.find(phrase); at != std::string_view::npos;
       at = text.find(phrase, at + 1)) {
    Cursor c(text, at + phrase.size());
    c.word(" ");
    if (c.year()) return true;
  }
  return false;
}

// 未经 (at most twelve characters of the same clause) 许可 or 授权
bool without_permission(std::string_view text) {
  constexpr std::string_view kWithout = "未经";
  for (std::size_t at = text.find(kWithout); at != std::string_view::npos;
       at = text.find(kWithout, at + 1)) {
    std::size_t i = at + kWithout.size();
    for (int characters = 0; characters <= 12 && i < text.size(); ++characters) {
      const std::string_view rest = text.substr(i);
      if (rest.starts_with("许可") || rest.starts_with("授权")) return true;
      if (rest.starts_with("，") || rest.starts_with("。")) break;
      i += code_point_at(text, i).length;
    }
  }
  return false;
}

}  // namespace

bool has_date(std::string_view text) {
  if (std::none_of(text.begin(), text.end(), is_digit)) return false;
  const std::string lower = lower_copy(text);
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const char before = i == 0 ? ' ' : lower[i - 1];
    const bool word_begins = !is_digit(before) && !is_letter(before) && before != '_';
    if (is_digit(lower[i])) {
      const Cursor at(lower, i);
      if (year_first(at) || day_first(at) || (word_begins && slashes(at))) return true;
    } else if (word_begins && is_letter(lower[i]) && month_first(Cursor(lower, i))) {
      return true;
    }
  }
  return false;
}

// Asked of every paragraph: what is rare goes first, and ASCII text is not searched for Chinese.
bool is_legal(std::string_view text) {
  const std::string lower = lower_copy(text);
  if (contains(lower, "cookie") &&
      contains_any(lower,
                   {"uses cookies", "use cookies", "of cookies", "our cookies", "cookies to ",
                    "cookie settings", "cookie policy", "cookie preferences"})) {
    return true;
  }
  if (contains(lower, "all rights reserved")) return true;
  if (contains(lower, "copyright") && followed_by_year(lower, "copyright")) return true;
  if (std::all_of(lower.begin(), lower.end(), is_ascii)) return false;
  return contains_any(lower, {"icp备", "icp证", "免责声明", "版权所有"}) ||
         followed_by_year(lower, "©") || without_permission(lower);
}

bool begins_as_meta(std::string_view text) {
  const std::string lower = lower_copy(text.substr(0, 200));
  const std::size_t begin = skip_to_word(lower);
  if (std::string_view(lower).substr(0, begin).find("©") != std::string_view::npos) return true;
  Cursor c(lower, begin);
  if (begin > 0 && lower[begin - 1] == '(' && Cursor(c).any_of({"image", "photo"})) return true;
  if (Cursor by = c; by.word("by ")) return is_letter(by.peek(0));
  return c.any_of({"published",
                   "updated",
                   "posted",
                   "last updated",
                   "last modified",
                   "photo by",
                   "photo:",
                   "image by",
                   "image:",
                   "imagecredit",
                   "image credit",
                   "copyright",
                   "all rights reserved",
                   "source:",
                   "来源:",
                   "来源：",
                   "作者:",
                   "作者：",
                   "责任编辑",
                   "责编辑",
                   "编辑:",
                   "编辑：",
                   "记者:",
                   "记者：",
                   "责编",
                   "发布时间",
                   "发布日期",
                   "时间:",
                   "时间：",
                   "浏览",
                   "点击",
                   "阅读:",
                   "阅读：",
                   "阅读(",
                   "阅读（",
                   "字体",
                   "字号",
                   "文/",
                   "图/"});
}

bool begins_as_tail(std::string_view text) {
  const std::string lower = lower_copy(text.substr(0, 200));
  Cursor c(lower, skip_to_word(lower));
  if (Cursor comment = c; comment.word("comment")) {
    comment.word("s");
    const char next = comment.peek(0);
    if (!is_letter(next) && !is_digit(next) && next != '_') return true;
  }
  return c.any_of(
      {"related",      "read more", "read also",  "read next",     "more from",   "more on",
       "more stories", "more news", "you may",    "you might",     "recommended", "see also",
       "see more",     "also read", "don't miss", "don’t miss",    "most read",   "most popular",
       "most viewed",  "trending",  "share this", "advertisement", "sign up",     "subscribe",
       "follow us",    "leave a",   "sponsored",  "相关报道",      "相关新闻",    "相关阅读",
       "相关文章",     "相关链接",  "相关专题",   "相关内容",      "相关推荐",    "延伸阅读",
       "推荐阅读",     "热门",      "更多",       "猜你喜欢",      "网友评论",    "发表评论",
       "上一篇",       "上一页",    "下一篇",     "下一页",        "分享到",      "分享至",
       "扫一扫",       "返回首页",  "返回顶部",   "打印",          "关闭",        "版权"});
}

bool ends_as_caption(std::string_view text) {
  const std::string copy = lower_copy(text);
  std::string_view lower = trim_white(copy);
  if (lower.ends_with(')')) {
    for (const std::string_view word : {"(image", "(photo", "(picture", "(credit", "(pic"}) {
      const std::size_t at = lower.rfind(word);
      if (at == std::string_view::npos) continue;
      Cursor c(lower, at + word.size());
      c.word("s");
      c.any_of({" credit", " by"});
      if (c.word(":") && c.rest().find(')') == c.rest().size() - 1) return true;
    }
  }
  while (!lower.empty() && is_ascii(lower.back()) && !is_letter(lower.back()) &&
         !is_digit(lower.back())) {
    lower.remove_suffix(1);
  }
  return lower.ends_with("getty images") || lower.ends_with("shutterstock") ||
         lower.ends_with("/reuters") || lower.ends_with("/ap photo");
}

}  // namespace headrace::normalize::internal
