// SPDX-License-Identifier: Apache-2.0
// How many bits a character costs in a text of a language.
#pragma once

namespace headrace::normalize::internal {

enum class Language { kSimplified, kTraditional, kJapanese, kKorean };

// Bits that `c` costs in East Asian text of `language`: about -log2 of its share, so what is common
// there is cheap. ASCII too.
float character_bits(Language language, char32_t c);

// Bits of a non-ASCII character in UTF-8 text of any alphabet: living alphabets are cheap, their
// rare letters dear, a change of alphabet costs extra. `block` is the alphabet of the characters
// before it, 0 at the start of a word.
float alphabet_bits(int* block, char32_t c);

bool is_han(char32_t c);

}  // namespace headrace::normalize::internal
