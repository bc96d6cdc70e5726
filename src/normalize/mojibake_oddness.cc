// SPDX-License-Identifier: Apache-2.0
// How odd a few characters beyond ASCII read: what shows that text was read in a wrong encoding.
//
// Bytes of UTF-8 come out as a letter and one to three symbols, again and again: "cafÃ© dâ€™or".
// People write symbols between blanks, marks at the ends of words, and words in one case and one
// script. Each breach counts points, and so does a character that hardly anyone writes (phonetic
// letters, control characters, unassigned code points): the wrong reading shows breaches, and a
// chance reading of sound text shows rare characters. The points were set by hand and are held in
// place by tests on real mojibake and on text that only looks like it.
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "normalize/internal/character_cost.h"
#include "normalize/internal/mojibake.h"

namespace headrace::normalize::internal {
namespace {

enum class Kind { kBlank, kUpper, kLower, kLetter, kMark, kDigit, kOpen, kClose, kSymbol, kBox };

bool between(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }

Kind kind_of(char32_t c) {
  if (between(c, 0x2500, 0x259F)) return Kind::kBox;
  if (c == 0xAD) return Kind::kSymbol;  // a soft hyphen stands behind letters of a long word only
  switch (u_charType(static_cast<UChar32>(c))) {
    case U_UPPERCASE_LETTER:
    case U_TITLECASE_LETTER:
      return Kind::kUpper;
    case U_LOWERCASE_LETTER:
      return Kind::kLower;
    case U_MODIFIER_LETTER:
    case U_OTHER_LETTER:
      return Kind::kLetter;
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_COMBINING_SPACING_MARK:
      return Kind::kMark;
    case U_DECIMAL_DIGIT_NUMBER:
      return Kind::kDigit;
    case U_START_PUNCTUATION:
    case U_INITIAL_PUNCTUATION:
      return Kind::kOpen;
    case U_END_PUNCTUATION:
    case U_FINAL_PUNCTUATION:
    case U_DASH_PUNCTUATION:
    case U_CONNECTOR_PUNCTUATION:
      return Kind::kClose;
    case U_OTHER_PUNCTUATION:
      return c == 0xA1 || c == 0xBF ? Kind::kOpen : Kind::kClose;
    case U_MATH_SYMBOL:
    case U_CURRENCY_SYMBOL:
    case U_MODIFIER_SYMBOL:
    case U_OTHER_SYMBOL:
    case U_OTHER_NUMBER:
    case U_LETTER_NUMBER:
      return c == 0x2122 ? Kind::kClose : Kind::kSymbol;  // a trade mark ends a name
    default:
      return Kind::kBlank;
  }
}

bool is_letter_kind(Kind kind) {
  return kind == Kind::kUpper || kind == Kind::kLower || kind == Kind::kLetter;
}

// Alphabets that no word mixes with Latin. Greek letters and Han stand in Latin words and next to
// them.
int alphabet(char32_t c) {
  if (c < 0x250 || between(c, 0x1E00, 0x1EFF)) return 1;
  if (between(c, 0x400, 0x52F)) return 2;
  if (between(c, 0x531, 0x58F)) return 3;
  if (between(c, 0x590, 0x5FF)) return 4;
  if (between(c, 0x600, 0x6FF)) return 5;
  return 0;
}

constexpr char32_t kFirstEastAsian = 0x2E80;  // where words have no blanks between them

// ’ in "l’eau", dashes, … in "word…word", · in Catalan.
bool joins_words(char32_t c) {
  return c == 0x2019 || c == 0xB7 || c == 0x2026 || between(c, 0x2010, 0x2015);
}

int rarity(char32_t c) {
  if (c < 0x80) return 0;
  if (c < 0xA0) return 3;
  if (c < 0x180) return c == 0x17F ? 2 : 0;
  if (c < 0x250) {  // Vietnamese, Pinyin and Romanian letters are the living ones
    const bool living = between(c, 0x1A0, 0x1A1) || between(c, 0x1AF, 0x1B0) ||
                        between(c, 0x1CD, 0x1DC) || between(c, 0x218, 0x21B);
    return living ? 0 : 2;
  }
  if (c < 0x300) return c == 0x2C6 || c == 0x2C7 || between(c, 0x2D8, 0x2DD) ? 1 : 2;
  if (c < 0x370) return 0;
  if (c < 0x460) return between(c, 0x370, 0x385) || between(c, 0x3CF, 0x3FF) ? 2 : 0;
  if (c < 0x530) return between(c, 0x490, 0x4BF) || between(c, 0x4D8, 0x4E9) ? 1 : 2;
  if (c < 0x590) return 1;
  if (c < 0x5D0) return 2;
  if (c < 0x700) return c >= 0x6D6 && c < 0x6F0 ? 2 : 0;
  if (c < 0x900) return 2;
  if (between(c, 0x1400, 0x1DBF)) return between(c, 0x1780, 0x17FF) ? 0 : 2;
  if (between(c, 0xE000, 0xF8FF)) return 4;
  if (is_han(c)) return is_common_han(c) ? 0 : 2;
  const auto type = u_charType(static_cast<UChar32>(c));
  if (type == U_FORMAT_CHAR) return 1;
  return type == U_UNASSIGNED || type == U_CONTROL_CHAR || type == U_PRIVATE_USE_CHAR ? 4 : 0;
}

}  // namespace

bool is_common_han(char32_t c) {
  constexpr float kListed = 17;  // what the rarest listed characters cost
  return is_han(c) && (character_bits(Language::kSimplified, c) <= kListed ||
                       character_bits(Language::kTraditional, c) <= kListed ||
                       character_bits(Language::kJapanese, c) <= kListed);
}

int oddness(char32_t before, std::u32string_view text, char32_t after) {
  int points = 0;
  char32_t last = before;
  Kind last_kind = kind_of(before);
  bool in_word = is_letter_kind(last_kind);  // since the last blank or mark a letter has come
  bool symbols = false;                      // and then a symbol
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char32_t c = i < text.size() ? text[i] : after;
    const Kind kind = kind_of(c);
    const bool beyond = c >= 0x80 || last >= 0x80;
    const bool letter = is_letter_kind(kind);
    const bool last_letter = is_letter_kind(last_kind);
    if (i < text.size()) points += rarity(c);
    if (beyond && last_kind == Kind::kLower && kind == Kind::kUpper && c < kFirstEastAsian)
      ++points;
    if (beyond && letter && last_letter && alphabet(c) > 0 && alphabet(last) > 0 &&
        alphabet(c) != alphabet(last)) {
      ++points;
    }
    if ((kind == Kind::kBox && last_letter) || (last_kind == Kind::kBox && letter)) ++points;
    const bool math = u_charType(static_cast<UChar32>(c)) == U_MATH_SYMBOL;
    if (c >= 0x80 && last_letter && (last >= 0x80 || math) &&
        (kind == Kind::kSymbol || kind == Kind::kOpen)) {
      ++points;
    }
    // A symbol or an opening mark in a word; but √ belongs to the letter behind it.
    if (letter && symbols && last != 0x221A) ++points;
    if (letter) {
      in_word = c < kFirstEastAsian;
      symbols = false;
    } else if (kind == Kind::kBlank || c < 0x80 || c >= kFirstEastAsian) {
      in_word = symbols = false;
    } else if (kind != Kind::kMark && kind != Kind::kDigit && kind != Kind::kBox &&
               !joins_words(c)) {
      symbols |= in_word;
    }
    last = c;
    last_kind = kind;
  }
  return points;
}

}  // namespace headrace::normalize::internal
