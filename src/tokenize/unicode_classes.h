// SPDX-License-Identifier: Apache-2.0
// The character classes that split patterns speak of, as tokenizers 0.22 sees them (Unicode 16.0).
#pragma once

#include <cstdint>

namespace headrace::tokenize {

// Disjoint. The order of the first eleven is part of unicode_classes.inc.
enum CharClass : std::uint8_t {
  kOther,        // control, format, private use, unassigned
  kUpper,        // \p{Lu}
  kLower,        // \p{Ll}
  kTitle,        // \p{Lt}
  kModifier,     // \p{Lm}
  kOtherLetter,  // \p{Lo}
  kMark,         // \p{M}
  kNumber,       // \p{N}
  kPunctuation,  // \p{P}
  kSymbol,       // \p{S}
  kSpace,        // \s but CR and LF
  kNewline,      // CR, LF
  kEnd,          // not a character: the end of what a pattern may see
};

// A set of classes, one bit each.
using ClassSet = std::uint32_t;

template <class... Classes>
constexpr ClassSet class_set(Classes... classes) {
  return ((ClassSet{1} << classes) | ...);
}
constexpr bool contains(ClassSet set, CharClass c) { return (set >> c & 1) != 0; }

inline constexpr ClassSet kLetters =
    class_set(kUpper, kLower, kTitle, kModifier, kOtherLetter);     // \p{L}
inline constexpr ClassSet kSpaces = class_set(kSpace, kNewline);    // \s
inline constexpr ClassSet kEveryClass = (ClassSet{1} << kEnd) - 1;  // any character
inline constexpr ClassSet kNotSpaceLetterNumber =
    kEveryClass & ~(kSpaces | kLetters | class_set(kNumber));  // [^\s\p{L}\p{N}]

// Entries of the table: the class in the low four bits, and this bit for characters that may change
// under NFC, or make others change.
inline constexpr std::uint8_t kClassMask = 0x0F;
inline constexpr std::uint8_t kMayChangeUnderNfc = 0x10;

// One entry per code point, 0x110000 in all. Built at the first call; thread-safe.
const std::uint8_t* char_classes();

}  // namespace headrace::tokenize
