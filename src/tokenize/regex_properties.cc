// SPDX-License-Identifier: Apache-2.0
// The tables behind \p{..}, \s, \d and \w: Unicode 16.0, as both engines have it.
//
// General categories come from our own table (unicode_classes.inc). ICU of Debian 12 knows Unicode
// 15.0: it is asked only for sets that have not changed since, or whose changes are written here.
#include <algorithm>
#include <string>

#include <unicode/uniset.h>

#include "base/error.h"
#include "tokenize/regex.h"
#include "tokenize/unicode_classes.h"

namespace headrace::tokenize {
namespace {

CodePointSet of_classes(ClassSet classes) {
  CodePointSet set;
  const std::uint8_t* table = char_classes();
  for (std::uint32_t c = 0; c <= kLastCodePoint;) {
    std::uint32_t end = c;
    while (end <= kLastCodePoint &&
           contains(classes, static_cast<CharClass>(table[end] & kClassMask))) {
      ++end;
    }
    if (end > c) set.add(c, end - 1);
    c = end + 1;
  }
  return set;
}

CodePointSet of_icu(const char16_t* pattern) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeSet found(pattern, status);
  HEADRACE_DCHECK(U_SUCCESS(status));
  CodePointSet set;
  for (std::int32_t i = 0; i < found.getRangeCount(); ++i) {
    set.add(static_cast<std::uint32_t>(found.getRangeStart(i)),
            static_cast<std::uint32_t>(found.getRangeEnd(i)));
  }
  return set;
}

struct ClassProperty {
  std::string_view name;
  ClassSet classes;
};
constexpr ClassProperty kClassProperties[] = {
    {"L", kLetters},           {"Lu", class_set(kUpper)},    {"Ll", class_set(kLower)},
    {"Lt", class_set(kTitle)}, {"Lm", class_set(kModifier)}, {"Lo", class_set(kOtherLetter)},
    {"M", class_set(kMark)},   {"N", class_set(kNumber)},    {"P", class_set(kPunctuation)},
    {"S", class_set(kSymbol)},
};

struct IcuProperty {
  std::string_view name;
  const char16_t* pattern;
};
// None of these has changed between 15.0 and 16.0.
constexpr IcuProperty kIcuProperties[] = {
    {"Nl", u"[:Nl:]"},
    {"No", u"[:No:]"},
    {"Pc", u"[:Pc:]"},
    {"Z", u"[:Z:]"},
    {"Zs", u"[:Zs:]"},
    {"Zl", u"[:Zl:]"},
    {"Zp", u"[:Zp:]"},
    {"Cc", u"[:Cc:]"},
    {"Hiragana", u"[:Script=Hiragana:]"},
    {"Katakana", u"[:Script=Katakana:]"},
    {"Hangul", u"[:Script=Hangul:]"},
};

CodePointSet digits() {  // \p{Nd}: what is a number and neither Nl nor No
  CodePointSet others = of_icu(u"[[:Nl:][:No:]]");
  return of_classes(class_set(kNumber)).intersected(others.inverted());
}

CodePointSet han() {
  CodePointSet set = of_icu(u"[:Script=Han:]");
  set.add(0x2EBF0, 0x2EE5D);  // extension I, of 15.1
  return set;
}

CodePointSet make_words(RegexDialect dialect, bool in_class) {
  CodePointSet set = of_classes(kLetters | class_set(kMark));
  set.add(digits());
  set.add(of_icu(u"[[:Nl:][:Pc:]]"));
  // Letters in circles and squares, which are symbols.
  for (const auto& [first, last] : {std::pair{0x24B6U, 0x24E9U},
                                    {0x1F130U, 0x1F149U},
                                    {0x1F150U, 0x1F169U},
                                    {0x1F170U, 0x1F189U}}) {
    set.add(first, last);
  }
  if (dialect == RegexDialect::kFancyRegex) {
    set.add(0x200C, 0x200D);
  } else if (!in_class) {  // it has a table of its own for Latin-1: digits above and fractions
    for (const auto& [first, last] : {std::pair{0xB2U, 0xB3U}, {0xB9U, 0xB9U}, {0xBCU, 0xBEU}}) {
      set.add(first, last);
    }
  }
  return set;
}

}  // namespace

const CodePointSet& space_set() {
  static const CodePointSet kSet = of_classes(kSpaces);
  return kSet;
}

const CodePointSet& word_set(RegexDialect dialect, bool in_class) {
  static const CodePointSet kOniguruma = make_words(RegexDialect::kOniguruma, false);
  static const CodePointSet kOnigurumaInClass = make_words(RegexDialect::kOniguruma, true);
  static const CodePointSet kFancyRegex = make_words(RegexDialect::kFancyRegex, true);
  if (dialect == RegexDialect::kFancyRegex) return kFancyRegex;
  return in_class ? kOnigurumaInClass : kOniguruma;
}

Result<CodePointSet> property_set(std::string_view name) {
  const auto* known = std::ranges::find(kClassProperties, name, &ClassProperty::name);
  if (known != std::end(kClassProperties)) return of_classes(known->classes);
  const auto* icu = std::ranges::find(kIcuProperties, name, &IcuProperty::name);
  if (icu != std::end(kIcuProperties)) return of_icu(icu->pattern);
  if (name == "Nd") return digits();
  if (name == "Han") return han();
  return unsupported("\\p{{{}}}: its table of Unicode 16.0 is not known here", name);
}

}  // namespace headrace::tokenize
