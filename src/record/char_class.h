// SPDX-License-Identifier: Apache-2.0
// What a code point is, in eight bits: the alphabet of TextView's masks.
//
//   letter   categories L*, Mn, Mc (marks belong to the word they stand on: Indic and Arabic words
//            would fall apart otherwise), without Han and without variation selectors
//   digit    category Nd ("²", "①", "½" are not digits)
//   upper    category Lu, always with letter
//   space    property White_Space
//   punct    punctuation of prose: categories P* without the signs # @ * & % \ _ • ‣ ⁃ § ¶ † ‡ ※
//   and
//            their full-width and small forms; with ～; and every end mark and closer
//   han      script Han (also 々 〇 and radicals), all of planes 2 and 3
//   end      ends a sentence: property Sentence_Terminal, … and ；
//   closer   may follow an end mark: categories Pe, Pf, and the ASCII quotes
//
// End and closer together are neither of the two but a soft end: the full-width full stops ．﹒.
// They stand inside numbers and names as '.' does, and end a sentence where it would.
//
// What has no bit at all is a special symbol: mathematical signs, currency, emoji, box drawing,
// control and format characters, enclosed numbers, private use, unassigned.
// Letter, digit, space, punct and han exclude each other. Unicode 15.0, see
// tools/gen_char_classes.py.
#pragma once

#include <cstdint>

namespace headrace {

enum CharClass : std::uint8_t {
  kLetter = 1,
  kDigit = 2,
  kUpper = 4,
  kSpace = 8,
  kPunct = 16,
  kHan = 32,
  kEndMark = 64,
  kCloser = 128,
  kSoftEnd = kEndMark | kCloser,
};

constexpr bool is_closer(std::uint8_t classes) { return (classes & kSoftEnd) == kCloser; }

inline constexpr std::uint32_t kCharClassTableSize = 0x20000;

// Class bits of the code points below kCharClassTableSize.
extern const std::uint8_t* const kCharClassTable;

// Class bits of any code point; values beyond U+10FFFF have none.
inline std::uint8_t char_class(std::uint32_t code_point) {
  if (code_point < kCharClassTableSize) return kCharClassTable[code_point];
  return code_point < 0x40000 ? kHan : 0;
}

}  // namespace headrace
