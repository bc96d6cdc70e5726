// SPDX-License-Identifier: Apache-2.0
// Is this a text of Western Europe in windows-1252 (or ISO-8859-1)?
//
// An English book with curly quotation marks, a French page: ASCII with single high bytes between.
// Such text is legal in any encoding of eight bits, and statistics over so few bytes are weak, so
// each byte must answer for itself: a quotation mark stands at the right end of a word, an
// apostrophe before a t or behind an l, a dash between words, an accented letter between letters
// that it stands between in French, German, Spanish, Italian, Portuguese, Catalan, Dutch, Swedish,
// Danish, Norwegian or Finnish (western_letters.inc). Other encodings put letters where the marks
// are, or other letters, and those do not keep to the rules: Czech č in windows-1250 is è, as in
// "veèer".
//
// What counts as evidence is how many *different* places were right, so that one name proves
// nothing. Letters that read the same in the other alphabets of Windows and ISO (é ö ü ä ß) prove
// the text, but not which of these alphabets it is in; places that also come out of Polish or
// Lithuanian ("siê") need the company of three that do not. One character in fifty may stand
// strangely: a mark or é anywhere, others where much of the text is letters in their places.
//
// Never taken, so that texts with them stay undetermined: ð þ ý and their capitals (Turkish letters
// in windows-1254), the symbols that are letters in ISO-8859-15.
//
// Cost: one pass over the bytes above 0x7F, which ends early for anything else.
#include <algorithm>
#include <array>
#include <set>

#include "normalize/internal/encodings.h"
#include "normalize/internal/western.h"

namespace headrace::normalize::internal {
namespace {

struct LetterPlace {
  char16_t letter;
  std::u16string_view before;  // lower-case letters, _ for none
  std::u16string_view after;
};

#include "normalize/western_letters.inc"

constexpr std::size_t kStrangeShare = 50;  // one in so many may be
constexpr std::size_t kFewestPlaces = 4;   // different ones that tell
constexpr std::size_t kFewestForeign = 3;  // of letters that other alphabets lack
constexpr std::size_t kManyPlaces = 8;
constexpr std::u16string_view kSameElsewhere = u"éöüäßÉÖÜÄ";
constexpr std::u16string_view kWordsOfOneLetter = u"àéèóåöÀÈÉÅ";
// Turkish in windows-1254; letters in ISO-8859-15.
constexpr std::u16string_view kNever = u"ðþýÐÞÝ¤¦¨´¸";

// 0x80 to 0x9F; 0: nothing there.
constexpr std::array<char16_t, 32> kHigh = {
    u'€', 0,    u'‚', u'ƒ', u'„', u'…', u'†', u'‡', u'ˆ', u'‰', u'Š', u'‹', u'Œ', 0, u'Ž', 0,
    0,    u'‘', u'’', u'“', u'”', u'•', u'–', u'—', u'˜', u'™', u'š', u'›', u'œ', 0, u'ž', u'Ÿ'};

char16_t decoded(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 && byte < 0xA0 ? kHigh[byte - 0x80U] : byte;
}

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_ascii_letter(char32_t c) { return (c | 32) >= 'a' && (c | 32) <= 'z' && c < 0x80; }
bool is_letter(char32_t c) {
  return is_ascii_letter(c) || (c >= 0xC0 && c <= 0xFF && c != 0xD7 && c != 0xF7) || c == u'œ' ||
         c == u'Œ';
}
bool is_blank(char32_t c) { return c <= ' ' || c == 0xA0; }
bool is_word(char32_t c) { return is_letter(c) || is_digit(c); }
bool is_capital(char32_t c) {
  return (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7);
}
bool has(std::u16string_view set, char32_t c) {
  return set.find(static_cast<char16_t>(c)) != std::u16string_view::npos;
}

// As the table writes neighbours.
char16_t neighbour(char32_t c) {
  if (!is_letter(c)) return u'_';
  if (c == u'Œ') return u'œ';
  return static_cast<char16_t>(is_capital(c) ? c + 32 : c);
}

enum class Place {
  kNowhere,   // no text in windows-1252 holds it there
  kForeign,   // strange, and another character in other alphabets
  kOdd,       // strange, and the same in other alphabets
  kRight,     // and no evidence
  kDoubtful,  // right, but also elsewhere
  kTelling    // evidence
};

class Reader {
 public:
  explicit Reader(std::string_view head) : head_(head) {}

  WesternReading read() {
    std::size_t characters = 0;
    std::size_t foreign = 0;
    std::size_t odd = 0;
    bool doubt = false;
    for (std::size_t i = 0; i < head_.size(); ++i) {
      if (static_cast<unsigned char>(head_[i]) < 0x80) continue;
      ++characters;
      const Place place = place_of(i);
      foreign += place == Place::kForeign;
      odd += place == Place::kOdd;
      doubt = doubt || place == Place::kDoubtful;
      const std::size_t strange = foreign + odd;
      if (place == Place::kNowhere || (strange > 8 && strange * 4 > characters)) return {};
    }
    const bool proven = letters_.size() + (marks_prove() ? marks_.size() : 0) >= kFewestPlaces;
    const bool few_odd = (odd + foreign) * kStrangeShare <= characters;
    const bool few_foreign = foreign == 0 || (foreign_letters_.size() >= kManyPlaces &&
                                              foreign * kStrangeShare <= foreign_right_);
    doubt = doubt && foreign_letters_.size() < kFewestForeign && !italian();
    return {characters, proven && few_odd && few_foreign && !doubt};
  }

 private:
  char32_t at(std::size_t i) const { return i < head_.size() ? decoded(head_[i]) : U'\n'; }
  char32_t before(std::size_t i) const { return i > 0 ? at(i - 1) : U'\n'; }

  Place place_of(std::size_t i) {
    const char32_t c = at(i);
    const char32_t left = before(i);
    const char32_t right = at(i + 1);
    if (c == 0 || has(kNever, c)) return Place::kNowhere;
    if (is_letter(c)) return letter(i, c, left, right);
    if (has(u"‘’“”–—…", c)) return mark(i, c, left, right);
    return symbol_in_place(c, left, right) ? Place::kRight : Place::kForeign;
  }

  bool symbol_in_place(char32_t c, char32_t left, char32_t right) const {
    const bool in_word = is_word(left) && is_word(right);
    switch (c) {
      case U'\u00A0':
        return !is_letter(left) || !is_letter(right);
      case U'\u00AD':
        return is_letter(left) && is_letter(right);
      case U'«':
      case U'»':
      case U'‹':
      case U'›':
        return !in_word;
      case U'„':
      case U'‚':
        return !is_word(left) && is_word(right);
      case U'£':
      case U'€':
        return !is_letter(left) && !is_letter(right) && (is_digit(left) || is_digit(right));
      case U'°':
      case U'º':
      case U'ª':
        return is_digit(left) && (c == U'°' || !is_word(right));
      case U'½':
      case U'¼':
      case U'¾':
      case U'²':
      case U'³':
        return (is_digit(left) || (left == 'm' && c < U'¼')) && !is_word(right);
      case U'·':
        return (left == 'l' && right == 'l') || (is_blank(left) && is_blank(right));
      case U'•':
      case U'§':
      case U'©':
        return !is_word(left) && (is_blank(right) || is_digit(right));
      case U'™':
      case U'®':
        return is_word(left) && !is_word(right);
      case U'±':
      case U'×':
        return !is_letter(left) && !is_letter(right);
      case U'¿':
      case U'¡':
        return !is_word(left) && is_capital(right);
      default:
        return false;
    }
  }

  Place mark(std::size_t i, char32_t c, char32_t left, char32_t right) {
    if (!typographic_in_place(left, c, right)) {
      // German quotations end where English ones begin.
      const bool german = opened_low_ && (c == U'“' || c == U'‘');
      return german && typographic_in_place(left, U'”', right) ? Place::kRight : Place::kOdd;
    }
    const bool joins = c == U'’' && is_letter(left) && is_letter(right);
    const bool tells =
        c == U'’' ? joins && (english_ending(i + 1) || elided_word(i)) : c == U'“' || c == U'”';
    if (!tells) return Place::kRight;
    (c == U'’' ? apostrophes_ : c == U'“' ? opened_ : closed_) = true;
    if (marks_.size() < kManyPlaces) marks_.insert(head_.substr(i < 3 ? 0 : i - 3, 6));
    return Place::kTelling;
  }

  // ” alone may be a letter that ends words; quotations begin and end.
  bool marks_prove() const { return apostrophes_ || (opened_ && closed_); }

  Place letter(std::size_t i, char32_t c, char32_t left, char32_t right) {
    const bool same = has(kSameElsewhere, c);
    const Place unknown = same ? Place::kOdd : Place::kForeign;
    if (!is_letter(left) && !is_letter(right)) {
      const bool may_be_word = has(kWordsOfOneLetter, c) && !is_digit(right) &&
                               (is_blank(left) || has(u"('\"«“‘’-", left));
      return may_be_word && (!is_capital(c) || begins_sentence(i)) ? Place::kRight : unknown;
    }
    const char16_t three[] = {neighbour(left), static_cast<char16_t>(c), neighbour(right)};
    const std::u16string_view place(three, 3);
    if (is_capital(c) && (is_capital(left) || is_capital(right))) {
      // Words of capitals tell nothing: quotation marks of the Macintosh look like them.
      const bool all =
          (!is_letter(left) || is_capital(left)) && (!is_letter(right) || is_capital(right));
      return all && stands(static_cast<char16_t>(c + 32), place[0], place[2]) ? Place::kRight
                                                                              : unknown;
    }
    if (is_capital(c) && is_letter(left)) return unknown;
    if (is_capital(c) && same && stands(neighbour(c), u'_', place[2])) return Place::kRight;
    if (!stands(c, place[0], place[2])) return unknown;
    foreign_right_ += !same;
    if (!same && kAlsoElsewhere.find(place) != std::u16string_view::npos) return Place::kDoubtful;
    if (letters_.size() < kManyPlaces) letters_.emplace(place);
    if (!same && foreign_letters_.size() < kManyPlaces) foreign_letters_.emplace(place);
    return Place::kTelling;
  }

  // dell', all', sull': Italian ends its words in à, è, ì, ò and ù, as Lithuanian in windows-1257.
  bool italian() const {
    std::size_t elisions = 0;
    for (std::size_t i = head_.find("ll"); i < head_.size(); i = head_.find("ll", i + 2)) {
      elisions += (at(i + 2) == '\'' || at(i + 2) == U'’') && is_letter(at(i + 3));
      if (elisions == kFewestForeign) return true;
    }
    return false;
  }

  static bool stands(char32_t c, char16_t left, char16_t right) {
    const auto place = std::find_if(std::begin(kLetterPlaces), std::end(kLetterPlaces),
                                    [&](const LetterPlace& known) { return known.letter == c; });
    return place != std::end(kLetterPlaces) && has(place->before, left) && has(place->after, right);
  }

  // n't, 's, 're, 've, 'll, 'd, 'm behind an apostrophe.
  bool english_ending(std::size_t i) const {
    std::size_t length = 0;
    while (length < 3 && is_letter(at(i + length))) ++length;
    const auto low = [&](std::size_t k) { return static_cast<char>(head_[i + k] | 32); };
    if (length == 1) return std::string_view("stdm").find(low(0)) != std::string_view::npos;
    if (length != 2) return false;
    return (low(1) == 'e' && (low(0) == 'r' || low(0) == 'v')) || (low(0) == 'l' && low(1) == 'l');
  }

  // l', qu', dell', un' before one.
  bool elided_word(std::size_t i) const {
    std::size_t length = 0;
    while (length < 12 && i > length && is_letter(at(i - 1 - length))) ++length;
    if (length == 1) return true;
    const auto low = [&](std::size_t k) { return static_cast<char>(head_[i - k] | 32); };
    return (low(2) == 'q' && low(1) == 'u') || (low(2) == 'l' && low(1) == 'l') ||
           (length == 2 && low(2) == 'u' && low(1) == 'n');
  }

  bool begins_sentence(std::size_t i) const {
    while (i > 0 && (at(i - 1) == ' ' || at(i - 1) == U'\u00A0')) --i;
    return i == 0 || has(u"\n.!?:;«“\"-–—>", before(i));
  }

  std::string_view head_;
  const bool opened_low_ =
      head_.find('\x84') != std::string_view::npos || head_.find('\x82') != std::string_view::npos;
  bool apostrophes_ = false;
  bool opened_ = false;
  bool closed_ = false;
  std::size_t foreign_right_ = 0;  // letters in place that other alphabets have otherwise
  // Different places that tell, up to kManyPlaces each.
  std::set<std::string_view> marks_;
  std::set<std::u16string> letters_;
  std::set<std::u16string> foreign_letters_;
};

}  // namespace

bool typographic_in_place(char32_t left, char32_t c, char32_t right) {
  const auto closes = [](char32_t x) { return !is_blank(x) && has(u".,!?;:)]-%'…’”–—\"", x); };
  switch (c) {
    case U'‘':
    case U'“':
      return !is_word(left) && !is_blank(right) && !has(u",;:!?)]", right);
    case U'’':
      return is_word(left) || closes(left) || (!is_word(left) && is_word(right));
    case U'”':
      return (is_word(left) || closes(left)) && !is_word(right);
    case U'–':
    case U'—':
      return is_blank(left) == is_blank(right) || right == '\n' || right == '\r' || left == '\n';
    case U'…':
      return !is_word(left) || !is_word(right);
    default:
      return false;
  }
}

WesternReading read_as_western(std::string_view head) { return Reader(head).read(); }

}  // namespace headrace::normalize::internal
