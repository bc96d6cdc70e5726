// SPDX-License-Identifier: Apache-2.0
// The plain parts of a TextView: what its kernels, compiled once per instruction set, may include.
#pragma once

#include <cstdint>

namespace headrace {

// Classes of 64 bytes of text: bit i of each mask speaks of byte 64 * block + i. Class bits are set
// at the first byte of a code point; `word` and `non_ascii` at every byte. Bits at and beyond the
// end of the text are 0.
struct TextBlock {
  std::uint64_t lead;       // first byte of a code point
  std::uint64_t letter;     // without Han
  std::uint64_t digit;      // category Nd
  std::uint64_t upper;      // category Lu; a subset of letter
  std::uint64_t space;      // White_Space
  std::uint64_t punct;      // punctuation of prose, end marks and closers included
  std::uint64_t han;        // Han characters
  std::uint64_t symbol;     // lead, but none of letter, digit, space, punct, han
  std::uint64_t end_mark;   // may end a sentence
  std::uint64_t closer;     // closing quotes and brackets
  std::uint64_t newline;    // '\n'
  std::uint64_t non_ascii;  // bytes of 0x80 and above
  std::uint64_t word;       // all bytes of words
  std::uint64_t word_begin;
  std::uint64_t sentence_end;  // first byte behind a sentence (the end of the text has no bit)
  std::uint32_t code_points_before;       // in the text, before this block
  std::uint32_t word_code_points_before;  // the same, inside words
};

// How many code points of each kind, and how many of everything else, the text has.
struct TextCounts {
  std::uint32_t code_points = 0;
  std::uint32_t letters = 0;
  std::uint32_t digits = 0;
  std::uint32_t upper = 0;
  std::uint32_t spaces = 0;
  std::uint32_t punct = 0;
  std::uint32_t han = 0;
  std::uint32_t symbols = 0;
  std::uint32_t word_code_points = 0;
  std::uint32_t words = 0;
  std::uint32_t sentences = 0;
  std::uint32_t newlines = 0;
};

}  // namespace headrace
