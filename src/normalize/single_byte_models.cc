// SPDX-License-Identifier: Apache-2.0
// Models of languages in eight-bit encodings.
//
// In these encodings everything is legal and no byte is rare in all of them, so what tells is which
// letter follows which. A language has classes: its letters (without case), and five for what is
// none of them. The cost of a byte is the cost of its class behind the class before, of the byte
// inside its class, and of its case behind the case before; the last one is what separates KOI8-R
// from windows-1251. ASCII letters are letters of the Latin languages, so "caf" in front of é is
// evidence.
//
// The pairs come from letter_pairs.inc (tools/make_encoding_models.py); everything that depends on
// an encoding is derived from ICU's table of it on first use. Scoring all models by pairs is slow,
// so a first filter adds up single letters for all of them at once: a row of 16-bit costs per byte
// value, 16 bytes at a time.
#include "normalize/internal/single_byte_models.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "normalize/internal/encodings.h"

namespace headrace::normalize::internal {
namespace {

// Classes that every language has; its letters follow.
constexpr std::uint8_t kBoundary = 0;
constexpr std::uint8_t kAsciiLetter = 1;
constexpr std::uint8_t kTypography = 2;
constexpr std::uint8_t kOther = 3;
constexpr std::uint8_t kForeign = 4;
constexpr std::uint8_t kFirstLetter = 5;

struct LetterModel {
  std::string_view language;
  std::u16string_view letters;  // lower case, behind a to z where those are letters of it
  bool latin;
  // A row of single letters, then a row of followers per class: costs in steps of unit() from '('
  // on, where | and } stand for the backslash and the question mark.
  std::string_view costs;
};

#include "normalize/letter_pairs.inc"

struct Penalty {
  std::string_view name;
  double bits;
};

constexpr Penalty kEncodings[] = {
    {"windows-1252", 0}, {"iso-8859-15", 2},  {"macintosh", 6},    {"ibm850", 8},
    {"windows-1250", 1}, {"iso-8859-2", 1.5}, {"ibm852", 7},       {"x-mac-ce", 9},
    {"iso-8859-16", 6},  {"windows-1251", 0}, {"koi8-r", 1},       {"koi8-u", 2},
    {"iso-8859-5", 3},   {"ibm866", 3},       {"ibm855", 5},       {"x-mac-cyrillic", 4},
    {"windows-1253", 1}, {"iso-8859-7", 1},   {"windows-1254", 1}, {"iso-8859-9", 2},
    {"iso-8859-3", 5},   {"windows-1255", 1}, {"iso-8859-8", 3},   {"windows-1256", 1},
    {"iso-8859-6", 3},   {"windows-1257", 2}, {"iso-8859-13", 4},  {"iso-8859-4", 5},
    {"windows-1258", 3}, {"viscii", 6},       {"windows-874", 1}};

struct Use {
  std::string_view languages;
  std::string_view encodings;
};

// Which languages are written in which encodings.
constexpr Use kUses[] = {
    {"en fr de es it pt nl sv da nb fi is ca", "windows-1252 iso-8859-15 macintosh ibm850"},
    {"cs sk pl hu hr sl sq ro", "windows-1250 iso-8859-2 ibm852 x-mac-ce"},
    {"ro", "iso-8859-16"},
    {"sq", "windows-1252 iso-8859-15 macintosh ibm850"},
    {"ru bg", "windows-1251 koi8-r iso-8859-5 ibm866 ibm855 x-mac-cyrillic"},
    {"uk", "windows-1251 koi8-u iso-8859-5 x-mac-cyrillic"},
    {"be", "windows-1251 koi8-u iso-8859-5"},
    {"mk sr", "windows-1251 iso-8859-5"},
    {"el", "windows-1253 iso-8859-7"},
    {"tr", "windows-1254 iso-8859-9 iso-8859-3"},
    {"eo", "iso-8859-3"},
    {"he", "windows-1255 iso-8859-8"},
    {"ar", "windows-1256 iso-8859-6"},
    {"fa ur", "windows-1256"},
    {"et lv lt", "windows-1257 iso-8859-13 iso-8859-4"},
    {"et", "windows-1252 iso-8859-15"},
    {"vi-marks", "windows-1258"},
    {"vi", "viscii"},
    {"th", "windows-874"},
};

constexpr Penalty kLanguages[] = {{"mk", 3}, {"sr", 3}, {"be", 3}, {"sq", 3}, {"eo", 4},
                                  {"ur", 3}, {"ca", 1}, {"is", 2}, {"et", 2}, {"lv", 2},
                                  {"lt", 2}, {"sl", 1}, {"hr", 1}, {"uk", 1}, {"vi", 1}};

constexpr std::u16string_view kTypographic = u"«»“”‘’„‚–—…•·©®°€£§№\u00A0´¿¡ªº™‹›";

// Costs inside a class, in bits.
constexpr double kOfBoundary = 1;
constexpr double kOfAsciiLetter = 4;
constexpr double kOfTypography = 2.5;
constexpr double kOfOther = 6;
constexpr double kOfForeign = 7;
constexpr double kOfCurrency = 12;  // ¤: a letter or € is meant
constexpr double kOfControl = 12;
constexpr double kOfNothing = 14;

// Bits of lower and upper case behind none, lower, upper: one table for all languages.
constexpr double kCases[3][3] = {{0, 0.2, 2.96}, {0, 0, 11.5}, {0, 0.13, 3.54}};

std::uint8_t steps(double bits) {
  return static_cast<std::uint8_t>(std::lround(bits / SingleByteModels::unit()));
}

std::uint8_t cost_of_digit(char digit) {
  const char c = digit == '|' ? '\\' : digit == '}' ? '?' : digit;
  return static_cast<std::uint8_t>(c - '(');
}

bool is_word(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != words.npos; at = words.find(word, at + 1)) {
    const bool begins = at == 0 || words[at - 1] == ' ';
    const std::size_t end = at + word.size();
    if (begins && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

std::array<char16_t, 256> characters_of(std::string_view name) {
  std::array<char16_t, 256> characters = {};
  const auto decoder = make_decoder(*resolve_encoding(name));
  if (!decoder.has_value()) return characters;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    std::string text;
    if (!(*decoder)->decode({&c, 1}, &text).has_value()) continue;
    const icu::UnicodeString unicode = icu::UnicodeString::fromUTF8(text);
    if (unicode.length() == 1) characters[byte] = unicode[0];
  }
  return characters;
}

// Romanian has its commas below as cedillas in all encodings but one.
char16_t with_cedilla(char16_t c) {
  constexpr std::u16string_view kCommas = u"șțȘȚ";
  const std::size_t at = kCommas.find(c);
  return at == std::u16string_view::npos ? c : u"şţŞŢ"[at];
}

std::uint8_t class_of(const LetterModel& language, char16_t character) {
  const char16_t c = with_cedilla(character);
  const auto small = static_cast<char16_t>(u_tolower(c));
  if (small < 0x80) {
    const bool letter = small >= 'a' && small <= 'z';
    if (!letter) return kBoundary;
    return language.latin ? static_cast<std::uint8_t>(kFirstLetter + small - 'a') : kAsciiLetter;
  }
  for (const char16_t letter : {c, small}) {
    const std::size_t at = language.letters.find(letter);
    if (at == std::u16string_view::npos) continue;
    return static_cast<std::uint8_t>(kFirstLetter + (language.latin ? 26 : 0) + at);
  }
  if (kTypographic.find(c) != std::u16string_view::npos) return kTypography;
  return u_isalpha(c) != 0 ? kForeign : kOther;
}

double inner_cost(std::uint8_t class_of_byte, char16_t c) {
  if (c == 0) return kOfNothing;
  if (c >= 0x80 && c < 0xA0) return kOfControl;
  if (c == u'¤') return kOfCurrency;
  switch (class_of_byte) {
    case kBoundary:
      return kOfBoundary;
    case kAsciiLetter:
      return kOfAsciiLetter;
    case kTypography:
      return kOfTypography;
    case kOther:
      return kOfOther;
    case kForeign:
      return kOfForeign;
    default:
      return 0;
  }
}

LetterKind kind_of(const SingleByteModel& model, std::size_t byte, char16_t c) {
  if (model.class_of[byte] >= kFirstLetter) return LetterKind::kOwn;
  if (model.class_of[byte] != kTypography) return LetterKind::kForeign;
  if (c == u'’' || (c == u'·' && model.language == "ca")) return LetterKind::kJoint;
  const bool sign = std::u16string_view(u"•·©®°§™ªº").find(c) != std::u16string_view::npos;
  return sign ? LetterKind::kSign : LetterKind::kMark;
}

SingleByteModel model_of(const LetterModel& language, const SingleByteEncoding& encoding) {
  SingleByteModel model;
  model.language = language.language.substr(0, 2);
  model.prior = encoding.prior;
  for (const Penalty& penalty : kLanguages) {
    if (penalty.name == model.language) model.prior += penalty.bits;
  }
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const char16_t c = byte < 0x80 ? static_cast<char16_t>(byte) : encoding.characters[byte];
    const bool nothing = c == 0 || (c >= 0x80 && c < 0xA0);
    model.class_of[byte] = byte >= 0x80 && nothing ? kOther : class_of(language, c);
    model.inner[byte] =
        steps(byte < 0x80 && c < 0x20 ? kOfBoundary : inner_cost(model.class_of[byte], c));
    model.kinds[byte] = kind_of(model, byte, c);
    if (u_tolower(c) != u_toupper(c)) model.cases[byte] = u_isupper(c) != 0 ? 2 : 1;
  }
  return model;
}

// Bits per byte of the pairs in text of the language itself.
double expected_bits(const std::uint8_t* single, const std::uint8_t* pairs, std::size_t classes) {
  double sum = 0;
  for (std::size_t before = 0; before < classes; ++before) {
    const double share = std::exp2(-single[before] * SingleByteModels::unit());
    for (std::size_t k = 0; k < classes; ++k) {
      const double bits = pairs[before * classes + k] * SingleByteModels::unit();
      sum += share * std::exp2(-bits) * bits;
    }
  }
  return sum;
}

using Words8 = std::uint16_t __attribute__((vector_size(16), aligned(2), may_alias));
constexpr std::size_t kVectors = 4;  // added up at once
constexpr std::size_t kRowStep = kVectors * 8;
constexpr std::size_t kSafeBytes = 128;  // 128 * 2 * 255 fits in 16 bits

}  // namespace

SingleByteModels::SingleByteModels() {
  for (const Penalty& encoding : kEncodings) {
    encodings_.push_back({encoding.name, encoding.bits, characters_of(encoding.name)});
  }
  for (std::size_t i = 0; i < std::size(kLetterModels); ++i) add_language(i);
  row_ = (models_.size() + kRowStep - 1) / kRowStep * kRowStep;
  rows_.resize(256 * row_);
  for (std::size_t m = 0; m < models_.size(); ++m) {
    models_[m].pairs = pairs_[m].data();
    models_[m].expected =
        expected_bits(single_letters_[m].data(), models_[m].pairs, models_[m].classes);
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint8_t single = single_letters_[m][models_[m].class_of[byte]];
      rows_[byte * row_ + m] = static_cast<std::uint16_t>(single + models_[m].inner[byte]);
    }
  }
}

void SingleByteModels::add_language(std::size_t number) {
  const LetterModel& language = kLetterModels[number];
  std::vector<std::uint8_t> costs;
  for (const char digit : language.costs) costs.push_back(cost_of_digit(digit));
  const std::size_t classes = kFirstLetter + (language.latin ? 26U : 0U) + language.letters.size();
  const auto first_row = costs.begin() + static_cast<std::ptrdiff_t>(classes);
  for (std::size_t e = 0; e < encodings_.size(); ++e) {
    const bool used = std::any_of(std::begin(kUses), std::end(kUses), [&](const Use& use) {
      return is_word(use.languages, language.language) &&
             is_word(use.encodings, encodings_[e].name);
    });
    if (!used) continue;
    SingleByteModel model = model_of(language, encodings_[e]);
    model.encoding = static_cast<int>(e);
    model.classes = static_cast<unsigned>(classes);
    model.latin = language.latin;
    models_.push_back(model);
    single_letters_.emplace_back(costs.begin(), first_row);
    pairs_.emplace_back(first_row, costs.end());
  }
}

const SingleByteModels& SingleByteModels::all() {
  // Never destroyed: threads may decode until the process ends.
  static const SingleByteModels* const models = new SingleByteModels;
  return *models;
}

void SingleByteModels::read_on(std::size_t number, std::string_view sample, std::size_t end,
                               SingleByteReading* reading) const {
  static const std::array<std::uint8_t, 9> cases = [] {
    std::array<std::uint8_t, 9> made = {};
    for (std::size_t i = 0; i < 9; ++i) made[i] = steps(kCases[i / 3][i % 3]);
    return made;
  }();
  const SingleByteModel& model = models_[number];
  std::uint32_t sum = 0;
  unsigned class_before = reading->class_before;
  unsigned case_before = reading->case_before;
  for (std::size_t i = reading->at; i < end; ++i) {
    const auto byte = static_cast<unsigned char>(sample[i]);
    const unsigned k = model.class_of[byte];
    const unsigned letter_case = model.cases[byte];
    sum += model.pairs[class_before * model.classes + k] + model.inner[byte] +
           cases[case_before * 3 + letter_case];
    class_before = k;
    case_before = letter_case;
  }
  reading->at = std::max(reading->at, end);
  reading->bits += sum * unit();
  reading->class_before = static_cast<std::uint8_t>(class_before);
  reading->case_before = static_cast<std::uint8_t>(case_before);
}

void SingleByteModels::add_single_letter_costs(std::string_view sample, std::size_t begin,
                                               std::size_t end,
                                               std::vector<std::uint32_t>* costs) const {
  for (std::size_t at = begin; at < end; at += kSafeBytes) {
    const std::size_t stop = std::min(end, at + kSafeBytes);
    for (std::size_t k = 0; k < row_; k += kRowStep) {
      Words8 a = {};  // named, so that they stay in registers
      Words8 b = {};
      Words8 c = {};
      Words8 d = {};
      const std::uint16_t* const column = rows_.data() + k;
      for (std::size_t i = at; i < stop; ++i) {
        const auto* const row =
            reinterpret_cast<const Words8*>(column + static_cast<unsigned char>(sample[i]) * row_);
        a += row[0];
        b += row[1];
        c += row[2];
        d += row[3];
      }
      const Words8 sums[] = {a, b, c, d};
      for (std::size_t m = 0; m < kRowStep && k + m < models_.size(); ++m) {
        (*costs)[k + m] += sums[m / 8][m % 8];
      }
    }
  }
}

}  // namespace headrace::normalize::internal
