// SPDX-License-Identifier: Apache-2.0
// English with a few signs of windows-1252: 460°C, § 12, £5, © 1998, 2½, it’s.
//
// Such a text has too little evidence for models of letters: a book with one degree sign is every
// eight-bit encoding's. What tells is the sign's place. Read in another encoding the byte is a
// letter (ß, í, ú) or a box, and neither stands between a number and the C of Celsius. In the
// languages that have those letters some words end or begin in them, so the words around must be
// English, which has none; and a single byte out of place, or a letter, leaves the whole text to
// the models. What Latin-1 has of these signs it has at the same bytes.
//
// Cost: nothing where the first high byte is no sign; else a walk over the head.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "normalize/internal/encodings.h"
#include "normalize/internal/evidence_sample.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::size_t kFewWords = 8;      // English ones
constexpr std::size_t kEnglishShare = 3;  // percent of all words; prose has 10 to 20
constexpr std::size_t kMostSigns = 1;     // percent of the bytes

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
bool is_alnum(char c) { return is_digit(c) || is_letter(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_one_of(char c, std::string_view set) { return set.find(c) != set.npos; }

// The head, with line ends around it. Quotation marks and dashes of windows-1252 read as '"': they
// stand beside each other.
class Places {
 public:
  explicit Places(std::string_view head) : head_(head) {}

  char at(std::size_t i, int offset) const {
    const std::size_t place = i + static_cast<std::size_t>(offset);  // wraps below 0
    if (place >= head_.size()) return '\n';
    const auto byte = static_cast<unsigned char>(head_[place]);
    const bool mark = byte == 0x85 || (byte >= 0x91 && byte <= 0x97 && byte != 0x95);
    return mark ? '"' : head_[place];
  }

  std::string letters_before(std::size_t i) const {
    std::string letters;
    for (int k = -1; is_letter(at(i, k)) && letters.size() < 8; --k)
      letters.insert(letters.begin(), static_cast<char>(at(i, k) | 32));
    return letters;
  }
  std::string letters_behind(std::size_t i) const {
    std::string letters;
    for (int k = 1; is_letter(at(i, k)) && letters.size() < 8; ++k)
      letters += static_cast<char>(at(i, k) | 32);
    return letters;
  }

 private:
  std::string_view head_;
};

// don’t, we’ll, it’s, I’m: in other encodings a letter stands there, and país is a word.
bool is_contraction(const std::string& before, const std::string& behind) {
  static constexpr std::array<std::string_view, 15> kBeforeS = {
      "it",   "he",    "she", "that", "there", "what", "who", "let",
      "here", "where", "how", "this", "one",   "man",  "god"};
  if (behind == "t") return before.ends_with("n");
  if (behind == "ll" || behind == "ve" || behind == "re") return !before.empty();
  if (behind == "m") return before == "i";
  if (behind == "s" || behind == "d") {
    return before == "i" || before == "we" || before == "you" || before == "they" ||
           std::find(kBeforeS.begin(), kBeforeS.end(), before) != kBeforeS.end();
  }
  return false;
}

// Whether the byte at `i`, read as windows-1252, is a sign where such a sign stands.
bool is_sign_in_place(const Places& text, std::size_t i, unsigned char byte) {
  const char left = text.at(i, -1);
  const char right = text.at(i, 1);
  if (static_cast<unsigned char>(left) >= 0x80 || static_cast<unsigned char>(right) >= 0x80)
    return false;
  const bool number_left = is_digit(left) || (left == ' ' && is_digit(text.at(i, -2)));
  const bool number_right = is_digit(right) || (right == ' ' && is_digit(text.at(i, 2)));
  const bool opens = is_blank(left) || is_one_of(left, "([\"-");
  const bool ends_word = is_alnum(left) || is_one_of(left, ".,!?;:)]\"'-");
  switch (byte) {
    case 0xB0:  // °
      return number_left &&
             (!is_alnum(right) || (is_one_of(right, "CFKNESW") && !is_letter(text.at(i, 2))));
    case 0xA7:  // §
      return opens && number_right;
    case 0xA3:  // £
      return !is_alnum(left) && is_digit(right);
    case 0xA9:  // ©
      return !is_alnum(left) && (is_blank(right) || is_digit(right));
    case 0xAE:  // ®
    case 0x99:  // ™
      return (is_alnum(left) || left == ')') && !is_alnum(right);
    case 0xBC:  // ¼
    case 0xBD:  // ½
    case 0xBE:  // ¾
      return number_left && !is_alnum(right);
    case 0xB1:  // ±
    case 0xD7:  // ×
      return number_right && (number_left || byte == 0xB1);
    case 0xA0:  // no-break space
      return !is_letter(left) || !is_letter(right);
    case 0x96:  // –
      return (is_digit(left) && is_digit(right)) || (is_blank(left) && is_blank(right));
    case 0x97:  // —
      return is_blank(left) == is_blank(right) || is_one_of(left, "\n") || is_one_of(right, "\r\n");
    case 0x85:  // …
      return !is_letter(left) || !is_letter(right);
    case 0x95:  // •
      return is_blank(left) && is_blank(right);
    case 0x91:  // ‘
    case 0x93:  // “
      return opens && !is_blank(right);
    case 0x94:  // ”
      return ends_word && !is_alnum(right);
    case 0x92:  // ’
      return is_contraction(text.letters_before(i), text.letters_behind(i)) ||
             (ends_word && !is_alnum(right));
    default:
      return false;
  }
}

bool is_english(std::string_view head) {
  static constexpr std::array<std::string_view, 10> kWords = {
      "the", "of", "and", "that", "was", "with", "this", "from", "have", "which"};
  std::size_t words = 0;
  std::size_t english = 0;
  for (std::size_t i = 0; i < head.size();) {
    if (!is_letter(head[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    std::string word;
    for (; end < head.size() && is_letter(head[end]); ++end) {
      if (word.size() < 8) word += static_cast<char>(head[end] | 32);
    }
    ++words;
    english += std::find(kWords.begin(), kWords.end(), word) != kWords.end();
    i = end;
  }
  return english >= kFewWords && english * 100 >= words * kEnglishShare;
}

}  // namespace

std::size_t count_english_signs(std::string_view head) {
  const Places text(head);
  std::size_t signs = 0;
  for (std::size_t i = find_high(head, 0); i < head.size(); i = find_high(head, i + 1)) {
    if (!is_sign_in_place(text, i, static_cast<unsigned char>(head[i]))) return 0;
    ++signs;
  }
  if (signs * 100 > head.size() * kMostSigns) return 0;
  return is_english(head) ? signs : 0;
}

}  // namespace headrace::normalize::internal
