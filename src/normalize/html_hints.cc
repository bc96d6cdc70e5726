// SPDX-License-Identifier: Apache-2.0
// Class names and ids are written for style sheets, but in a few hundred words: "article-body",
// "sidebar", "fenxiang". A name is cut into words and votes as a whole; "has-sidebar" says nothing
// about the element itself, so words like "has" silence a name. Words match as a whole, stems at
// the beginning; looking for them anywhere in a name drops documentation ("#sharing-with-others").
// Pinyin: pinglun comments, fenxiang share, xiangguan related, tuijian recommended, ewm QR code,
// daohang navigation, dibu footer, banquan copyright, paihang ranking, zebian editor, guanggao
// advertising, zhengwen body text, neirong content.
//
// Cost: one hash per word; the table is made at compile time.
#include "normalize/internal/html_hints.h"

#include <algorithm>
#include <array>

namespace headrace::normalize::internal {
namespace {

enum Word : std::uint8_t {
  kNoWord = 0,
  kWeakWord = kHintWeak,
  kStrongWord = kHintStrong,
  kCommentsWord = kHintComments,
  kSilencer,
  kPositive,
  kPositiveAlone,  // only where it is the whole name
};

constexpr std::string_view kSilencers = "has with no enabled without layout is js";
constexpr std::string_view kComments = "respond pinglun replies reply livefyre footer";
constexpr std::string_view kCommentStems = "comment disqus kommentar comentari commentaire";
constexpr std::string_view kStrong =
    "share shares sharing sns related nav navbar navigation crumb crumbs promo promos promotion "
    "ads adv pager paging taglist tagcloud authorbox signup gdpr mostread mostpopular addthis "
    "addtoany jiathis bdshare bdsharebuttonbox fenxiang xiangguan tuijian ewm erweima qrcode "
    "daohang dibu banquan xgyd xgxw paihang hotnews guanggao editsection navbox catlinks werbung "
    "anzeige teilen publicidad publicite compartir relacionadas";
constexpr std::string_view kStrongStems =
    "related relacionad verwandt sharebar sharetool sharedadd sharebutton social recommend recirc "
    "sidebar breadcrumb advert adsbygoogle adsense sponsor newsletter subscri cookie consent "
    "paginat outbrain taboola popular trending";
constexpr std::string_view kWeak =
    "rail foot menu menus ad tags byline dateline toolbar tools popup modal overlay login signin "
    "search copyright rss latest carousel slideshow slider hidden noprint masthead topbar rank "
    "editor zebian bianji gotop backtop caption credit credits postmeta metadata timestamp pubdate "
    "author authors printonly teaser teasers widget widgets reflist toc noticebox ambox hatnote "
    "print tjyd prevnext meta";
constexpr std::string_view kPositiveWords =
    "article story storybody articlebody content contents entry hentry detail details zhengwen "
    "neirong artibody endtext newstext wenzhang postcontent entrycontent articlecontent "
    "articletext bodytext";
constexpr std::string_view kPositiveAloneWords = "text main post body trs nr con";

constexpr std::size_t kSlots = 1024;

constexpr std::uint32_t hash_of(std::string_view word) {
  std::uint32_t hash = 2166136261U;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash ^ hash >> 15;
}

struct Slot {
  std::string_view word;
  Word kind = kNoWord;
};

template <class Function>
constexpr void for_each_word(std::string_view list, Function&& function) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end > 0) function(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

constexpr std::array<Slot, kSlots> make_words() {
  std::array<Slot, kSlots> slots{};
  const auto add = [&](std::string_view list, Word kind) {
    for_each_word(list, [&](std::string_view word) {
      std::size_t i = hash_of(word) % kSlots;
      while (slots[i].kind != kNoWord) i = (i + 1) % kSlots;
      slots[i] = {word, kind};
    });
  };
  // In the order in which lists are asked: the first one that holds a word wins.
  add(kSilencers, kSilencer);
  add(kComments, kCommentsWord);
  add(kStrong, kStrongWord);
  add(kWeak, kWeakWord);
  add(kPositiveWords, kPositive);
  add(kPositiveAloneWords, kPositiveAlone);
  return slots;
}
constexpr std::array<Slot, kSlots> kWords = make_words();

bool begins_with_stem(std::string_view word, std::string_view stems) {
  bool found = false;
  for_each_word(stems, [&](std::string_view stem) {
    found |= stem.front() == word.front() && word.starts_with(stem);
  });
  return found;
}

Word kind_of(std::string_view word) {
  Word kind = kNoWord;
  for (std::size_t i = hash_of(word) % kSlots; kWords[i].kind != kNoWord; i = (i + 1) % kSlots) {
    if (kWords[i].word == word) {
      kind = kWords[i].kind;
      break;
    }
  }
  if (kind == kSilencer || kind == kCommentsWord || word.size() < 6) return kind;
  if (begins_with_stem(word, kCommentStems)) return kCommentsWord;
  if (kind == kStrongWord) return kind;
  return begins_with_stem(word, kStrongStems) ? kStrongWord : kind;
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// The words of a name, cut at everything but letters and where the case changes: "postContent",
// "HTMLBody" → html body. Longer words than any we know are cut short.
class Words {
 public:
  explicit Words(std::string_view name) : name_(name) {}

  bool next() {
    while (at_ < name_.size() && !is_upper(name_[at_]) && !is_lower(name_[at_])) ++at_;
    if (at_ == name_.size()) return false;
    std::size_t end = at_;
    if (is_lower(name_[at_])) {
      while (end < name_.size() && is_lower(name_[end])) ++end;
    } else {
      while (end < name_.size() && is_upper(name_[end])) ++end;
      if (end < name_.size() && is_lower(name_[end])) {
        if (end - at_ > 1) {
          --end;  // the last capital begins the next word
        } else {
          while (end < name_.size() && is_lower(name_[end])) ++end;
        }
      }
    }
    length_ = std::min(end - at_, sizeof word_);
    for (std::size_t i = 0; i < length_; ++i) {
      word_[i] = static_cast<char>(name_[at_ + i] | 0x20);
    }
    at_ = end;
    return true;
  }
  std::string_view word() const { return {word_, length_}; }

 private:
  std::string_view name_;
  std::size_t at_ = 0;
  char word_[24] = {};
  std::size_t length_ = 0;
};

int count_words(std::string_view name, int limit) {
  int count = 0;
  for (Words words(name); count < limit && words.next();) ++count;
  return count;
}

void vote(std::string_view name, HtmlElement* element) {
  std::uint8_t hints = 0;
  bool positive = false;
  for (Words words(name); words.next();) {
    const Word kind = kind_of(words.word());
    if (kind == kSilencer) {
      hints = 0;
      break;
    }
    if (kind == kPositive || (kind == kPositiveAlone && count_words(name, 2) == 1)) {
      positive = true;
    } else if (kind == kWeakWord || kind == kStrongWord || kind == kCommentsWord) {
      hints |= kind;
    }
  }
  element->hints |= hints;
  if (hints == 0 && positive && element->positive < 100) ++element->positive;
}

void add_tag_hints(const HtmlNames& names, HtmlElement* element) {
  constexpr std::string_view kRoles[] = {"navigation", "complementary", "contentinfo",
                                         "banner",     "dialog",        "search"};
  if (element->tag == HtmlTag::kNav || element->tag == HtmlTag::kAside ||
      std::find(std::begin(kRoles), std::end(kRoles), names.role) != std::end(kRoles)) {
    element->hints |= kHintStrong;
  }
  if (element->tag == HtmlTag::kFooter) element->hints |= kHintComments;
  if (element->tag == HtmlTag::kFigure || element->tag == HtmlTag::kFigcaption) {
    element->hints |= kHintFigure;
  }
  if (element->tag == HtmlTag::kAddress) element->hints |= kHintWeak;
  element->article_body = names.itemprop == "articleBody";
  if (element->article_body) element->positive += 3;
  if (element->tag == HtmlTag::kArticle) ++element->positive;
  if (element->tag == HtmlTag::kBody || element->tag == HtmlTag::kHtml) element->hints = 0;
}

}  // namespace

void set_hints(const HtmlNames& names, HtmlElement* element) {
  constexpr std::string_view kBlanks = " \t\n\f\r";
  for (std::size_t at = names.classes.find_first_not_of(kBlanks); at < names.classes.size();) {
    const std::size_t end =
        std::min(names.classes.find_first_of(kBlanks, at), names.classes.size());
    vote(names.classes.substr(at, end - at), element);
    at = names.classes.find_first_not_of(kBlanks, end);
  }
  // Longer ids come from headings: "#sharing-with-others".
  if (!names.id.empty() && count_words(names.id, 4) <= 3) vote(names.id, element);
  add_tag_hints(names, element);
}

bool is_gutter(std::string_view classes) {
  return classes == "linenos" || classes == "lineno" || classes == "linenumber" ||
         classes == "linenumbers" || classes == "gutter";
}

}  // namespace headrace::normalize::internal
