// SPDX-License-Identifier: Apache-2.0
// What speaks against a detected encoding however probable it is.
//
// A probability says which of the candidates a text is, if it is one of them. A text in a language
// that no model knows, or with too little evidence, has a winner as well, and often a clear one. So
// the winner must look like itself:
//
// - Chinese, Japanese and Korean: a dozen characters at least; most of them in company, as any of
//   their encodings makes a character of a Latin accent and the letter behind it; and where there
//   are only punctuation marks (English written in Taiwan), each of them in its place.
// - An alphabet: several of its letters, in several places; hardly any letter that the language
// does
//   not have; and a cost near what text of the language costs, as that is where Quechua and
//   Turkish part. A text whose only high bytes are quotation marks and dashes: each in its place.
// - UTF-8 of few characters: Latin letters in words, or three different ones.
//
// The bounds were set on 10,000 pieces of text in a hundred languages and twelve encodings
// (western_data_test.cc), where 1,100 of 9,000 clear winners are wrong without these rules and none
// with them. What they refuse is mostly text of such languages, and short pieces.
#include "normalize/internal/encoding_doubts.h"

#include <algorithm>
#include <map>
#include <set>

#include "normalize/internal/encodings.h"
#include "normalize/internal/multi_byte_models.h"
#include "normalize/internal/single_byte_models.h"
#include "normalize/internal/utf8.h"
#include "normalize/normalize.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::size_t kLookedAt = 2048;    // bytes of the sample, for company
constexpr std::size_t kFewCharacters = 8;  // different ones of Chinese, Japanese, Korean
constexpr std::size_t kFewMarks = 20;      // where there is nothing but marks
constexpr std::size_t kFewPlaces = 6;      // different places of letters of an alphabet
constexpr std::size_t kFewLetters = 3;     // different ones
constexpr std::size_t kFewOwnPlaces = 12;  // of an alphabet without ASCII letters
constexpr std::size_t kFewMarkPlaces = 4;
constexpr double kForeignShare = 0.005;
constexpr double kCostOver = 1.2;  // times what text of the language costs
constexpr double kCostOverOfFew = 1.12;
constexpr double kCostOverOfShort =
    1.5;                             // of other alphabets; lists of names in capitals cost more
constexpr std::size_t kShort = 100;  // bytes of evidence
constexpr double kFar = 1e18;

bool is_letter(char32_t c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
bool is_blank(char32_t c) { return c <= ' ' || c == 0xA0 || c == 0x3000; }
bool is_word(char32_t c) {
  return (c < 0x80 && (is_letter(c) || (c >= '0' && c <= '9'))) || (c >= 0xC0 && c < 0x2000);
}

// Whether a quotation mark, apostrophe, dash or ellipsis may stand between these two characters.
bool mark_in_place(char32_t left, char32_t c, char32_t right) {
  constexpr std::u32string_view kClosers = U".,!?;:)]-%'…’”–—\"";
  const bool closes = kClosers.find(left) != std::u32string_view::npos;
  const bool before_word = !is_word(left) && !is_blank(right) &&
                           std::u32string_view(U",;:!?)]").find(right) == std::u32string_view::npos;
  switch (c) {
    case U'‘':
    case U'“':
    case U'„':
    case U'‚':
      return before_word;
    case U'’':
      return is_word(left) || closes || (!is_word(left) && is_word(right));
    case U'”':
      return (is_word(left) || closes) && !is_word(right);
    case U'–':
      if (is_letter(left) && is_letter(right)) return false;  // ñ of the Macintosh
      [[fallthrough]];
    case U'—':
      return is_blank(left) == is_blank(right) || right == '\n' || right == '\r' || left == '\n';
    case U'…':
      return !is_word(left) || !is_word(right);
    case U'«':
    case U'»':
    case U'‹':
    case U'›':
      return !is_word(left) || !is_word(right);
    case U'•':
    case U'§':
    case U'©':
      return !is_word(left) && (is_blank(right) || !is_letter(right));
    case U'®':
    case U'™':
      return !is_blank(left) && !is_word(right);
    case U'°':
    case U'º':
    case U'ª':
      return left >= '0' && left <= '9';
    case U'£':
    case U'€':
      return !is_letter(left) && !is_letter(right);
    case 0xA0:
    case 0x3000:
      return !is_letter(left) || !is_letter(right);
    case U'·':
      return is_blank(left) && is_blank(right);
    default:
      return false;
  }
}

struct Marks {
  std::size_t all = 0;
  std::size_t odd = 0;      // out of place
  std::size_t strange = 0;  // letters and signs
  bool joins = false;       // an apostrophe between letters
  bool opens = false;
  bool closes = false;

  // Dashes and single ends of quotations prove nothing.
  bool in_place() const { return odd * 20 <= all && strange == 0 && (joins || (opens && closes)); }
};

bool is_mark(char32_t c) {
  constexpr std::u32string_view kMarks = U"‘’“”„‚–—…«»‹›•§©®™°ºª£€·\u00A0\u3000";
  return kMarks.find(c) != std::u32string_view::npos;
}

// The letters of ASCII around a place, lower case.
std::string letters_before(std::string_view text, std::size_t end) {
  std::string letters;
  while (end > 0 && is_letter(static_cast<unsigned char>(text[end - 1]))) {
    letters.insert(letters.begin(), static_cast<char>(text[--end] | 32));
  }
  return letters;
}

std::string letters_behind(std::string_view text, std::size_t begin) {
  std::string letters;
  while (begin < text.size() && is_letter(static_cast<unsigned char>(text[begin]))) {
    letters.push_back(static_cast<char>(text[begin++] | 32));
  }
  return letters;
}

// don’t, it’s, we’ll, l’ami, qu’il, dell’arte. In other encodings a letter stands there: d’n is
// dín.
bool apostrophe_in_word(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string before = letters_before(text, begin);
  const std::string behind = letters_behind(text, end);
  if (before.empty() || behind.empty()) return true;
  for (const char* ending : {"s", "t", "d", "m", "re", "ve", "ll"}) {
    if (behind == ending) return true;
  }
  return before.size() == 1 || before.ends_with("qu") || before.ends_with("ll") || before == "un";
}

// The characters above 0x7F of UTF-8 text, taken as marks.
Marks marks_of(std::string_view text) {
  Marks marks;
  char32_t before = '\n';
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    i += c.length;
    if (c.value >= 0x80) {
      const char32_t behind = i < text.size() ? code_point_at(text, i).value : U'\n';
      ++marks.all;
      marks.strange += !is_mark(c.value);
      marks.joins = marks.joins || (c.value == U'’' && is_letter(before) && is_letter(behind));
      marks.opens = marks.opens || c.value == U'“' || c.value == U'„';
      marks.closes = marks.closes || c.value == U'”' || (c.value == U'“' && !is_word(behind));
      marks.odd += !mark_in_place(before, c.value, behind) ||
                   (c.value == U'’' && !apostrophe_in_word(text, i - c.length, i));
    }
    before = c.value;
  }
  return marks;
}

// What is read of `bytes` without errors, as UTF-8.
std::string decoded(std::string_view encoding, std::string_view bytes) {
  const auto decoder = decoders().declared(encoding);
  std::string text;
  if (decoder.has_value()) {
    (void)(*decoder)->decode(bytes.substr(0, (*decoder)->first_bad_byte(bytes)), &text);
  }
  return text;
}

// ICU's table for an encoding of the multi-byte models; "" where it has none.
const std::string& converter_of(std::string_view encoding) {
  static const auto converters = [] {
    std::map<std::string_view, std::string> made;
    for (int i = 0; i < kMultiByteModels; ++i) {
      const std::string_view name = multi_byte_model(i).encoding;
      if (!name.empty()) made[name] = resolve_encoding(name)->converter;
    }
    return made;
  }();
  return converters.at(encoding);
}

// A character of Chinese, Japanese or Korean words, or what takes its place in a wrong reading.
bool is_of_words(char32_t c) {
  const bool symbol = (c >= 0xFF00 && c <= 0xFF65) || (c >= 0xFFE0 && c < 0x10000);
  return c >= 0x3040 && !symbol;
}

struct Company {
  std::size_t characters = 0;
  std::size_t words = 0;              // of them, those that words are made of
  std::size_t alone = 0;              // of these, those between ASCII
  std::set<char16_t> different = {};  // of these, up to kFewCharacters
};

Company company_of(std::u16string_view text) {
  Company company;
  char16_t before = u' ';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char16_t after = i + 1 < text.size() ? text[i + 1] : u' ';
    if (text[i] >= 0x2000) {
      ++company.characters;
      company.words += is_of_words(text[i]);
      if (is_of_words(text[i]) && company.different.size() < kFewCharacters) {
        company.different.insert(text[i]);
      }
      company.alone += is_of_words(text[i]) && before < 0x80 && after < 0x80;
    }
    before = text[i];
  }
  return company;
}

std::u16string read_johab(std::string_view bytes) {
  std::u16string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool high = static_cast<unsigned char>(bytes[i]) >= 0x80 && i + 1 < bytes.size();
    const char16_t c = high ? decode_johab(bytes[i], bytes[i + 1]) : u'\0';
    text.push_back(c != 0 ? c : u' ');
    i += c != 0;
  }
  return text;
}

// Passes over what is not legal; "" stands for Johab, which ICU lacks.
std::u16string read_leniently(const std::string& converter, std::string_view bytes) {
  if (converter.empty()) return read_johab(bytes);
  std::u16string text;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::size_t bad = 0;
    at += icu_decode_prefix(converter, bytes.substr(at), &text, &bad);
    if (bad == 0) break;
    text.push_back(u' ');
  }
  return text;
}

// Words come in runs: in 3,763 pieces of real text 36 % of the characters stood alone at most, in
// Western text read wrongly 79 % at least.
std::string doubts_of_characters(const Detected& detected) {
  const std::string& converter = converter_of(detected.encoding);
  const Company company =
      company_of(read_leniently(converter, detected.sample.substr(0, kLookedAt)));
  if (company.words == 0) {
    const Marks marks = marks_of(decoded(detected.encoding, detected.head));
    return marks.all >= kFewMarks && marks.in_place() ? "" : ", but they are marks alone";
  }
  if (company.different.size() < kFewCharacters) return ", too few to be sure";
  const bool together =
      company.alone * 2 <= company.words && company.words * 3 >= company.characters;
  return together ? "" : ", but the characters do not stand together";
}

struct Letters {
  std::size_t high = 0;
  std::size_t foreign = 0;
  std::size_t marks = 0;
  std::set<std::uint8_t> different = {};
  std::set<std::string_view> places = {};  // a byte before and behind
};

Letters letters_of(const SingleByteModel& model, std::string_view sample) {
  const auto is_of_word = [&](std::size_t i) {
    if (i >= sample.size()) return false;
    const auto byte = static_cast<unsigned char>(sample[i]);
    return byte < 0x80 ? is_letter(byte) : model.kinds[byte] == LetterKind::kOwn;
  };
  Letters letters;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const auto byte = static_cast<unsigned char>(sample[i]);
    if (byte < 0x80) continue;
    ++letters.high;
    const LetterKind kind = model.kinds[byte];
    // A mark inside a word, or a sign in front of one, is a letter of another encoding.
    const bool in_front = is_of_word(i + 1);
    const bool inside = in_front && i > 0 && is_of_word(i - 1);
    letters.foreign += kind == LetterKind::kForeign || (kind == LetterKind::kMark && inside) ||
                       (kind == LetterKind::kSign && in_front);
    letters.marks +=
        kind == LetterKind::kMark || kind == LetterKind::kJoint || kind == LetterKind::kSign;
    if (kind == LetterKind::kOwn) letters.different.insert(model.class_of[byte]);
    if (letters.places.size() < kFewOwnPlaces) {
      letters.places.insert(sample.substr(i > 0 ? i - 1 : 0, 3));
    }
  }
  return letters;
}

std::string doubts_of_letters(const Detected& detected) {
  const SingleByteModel& model = *detected.model;
  const Letters letters = letters_of(model, detected.sample);
  if (!model.latin) {
    if (letters.places.size() < kFewOwnPlaces) return ", too few to be sure";
  } else if (letters.marks == letters.high) {
    if (letters.places.size() < kFewMarkPlaces) return ", too few to be sure";
    if (!marks_of(decoded(detected.encoding, detected.head)).in_place()) {
      return ", but they are marks alone";
    }
    return {};
  } else if (letters.places.size() < kFewPlaces || letters.different.size() < 2) {
    return ", too few to be sure";
  }
  if (static_cast<double>(letters.foreign) > kForeignShare * static_cast<double>(letters.high)) {
    return ", with letters that its language lacks";
  }
  const double expected = model.expected * static_cast<double>(detected.sample.size());
  const bool few = letters.different.size() < kFewLetters;  // Finnish has no more in plenty
  const double over = model.latin ? (few ? kCostOverOfFew : kCostOver)
                                  : (detected.sample.size() < kShort ? kCostOverOfShort : kFar);
  const bool strange = detected.bits > over * expected;
  return strange ? ", of a language that is not known" : "";
}

// In a long file of ASCII one odd character is no sign of another encoding.
std::string doubts_of_utf8(const Detected& detected) {
  if (detected.western || detected.sample.size() * 50 < detected.head.size()) return {};
  std::set<std::string_view> letters;
  Utf8Fault fault;
  for (std::size_t i = 0; i < detected.sample.size();) {
    const std::size_t length = sequence_length(detected.sample, i, &fault);
    if (length > 1) letters.insert(detected.sample.substr(i, length));
    i += std::max<std::size_t>(length, 1);
  }
  return letters.size() < kFewLetters ? ", too few to be sure" : "";
}

}  // namespace

bool is_english_in_big5(std::string_view head) {
  if (std::count(head.begin(), head.end(), '\xA1') < static_cast<int>(kFewMarks)) return false;
  const Result<std::shared_ptr<const TextDecoder>> decoder = decoders().declared("big5");
  std::string text;
  if (!decoder.has_value() || !(*decoder)->decode(head, &text).has_value()) return false;
  const Marks marks = marks_of(text);
  return marks.all >= kFewMarks && marks.in_place();
}

std::string encoding_doubts(const Detected& detected) {
  if (detected.encoding == "utf-8") return doubts_of_utf8(detected);
  return detected.model == nullptr ? doubts_of_characters(detected) : doubts_of_letters(detected);
}

}  // namespace headrace::normalize::internal
