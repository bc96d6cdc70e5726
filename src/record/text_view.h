// SPDX-License-Identifier: Apache-2.0
// The one shared tokenization of a document: class masks, words, lines, sentences.
//
// Every cheap measure, the deduplication and the leak check look at a text through this view, so
// that the bytes are classified once. All positions are byte offsets into `text`, 32 bits.
//
//   code point  a byte that does not continue another character (valid UTF-8 is assumed; on other
//               bytes every value is still defined, the same on every machine, and within bounds)
//   word        a run of letters and digits (record/char_class.h), or one Han character; all else
//               separates: "don't" is two words, "统计2024" is three
//   sentence    ends after a run of end marks. A run that ends in a non-ASCII mark (。！？；… ।)
//               ends a sentence by itself; one that ends in . ! or ? only if, behind any closing
//               marks, there follow white space, a Han character or the end of the text. Text
//               with a word behind the last end is one more sentence.
//   line        what lies between '\n' bytes
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "record/simd_level.h"
#include "record/text_block.h"

namespace headrace {

// Half-open range of bytes.
struct TextRange {
  std::uint32_t begin;
  std::uint32_t end;
};

// A text seen. Made by TextViewBuilder, whose memory it points into: valid until the builder builds
// the next view or dies. Read-only, so thread-safe.
struct TextView {
  // Bytes behind `text` that may be read; all zero.
  static constexpr std::size_t kPadding = 128;

  std::string_view text;  // a copy of the builder's input, padded
  TextCounts counts;
  std::span<const TextBlock> blocks;  // text.size() / 64 + 1: one more than full blocks, so that
                                      // every position up to text.size() has a block

  // Words in text order: bytes [word_begin[i], word_end[i]), and a 64-bit hash of them with ASCII
  // letters folded to lower case (so "The" and "the" are one word). Hashes are the same for every
  // SimdLevel and text; they are not stored anywhere, so they may change between versions.
  std::span<const std::uint32_t> word_begin;
  std::span<const std::uint32_t> word_end;
  std::span<const std::uint64_t> word_hash;

  std::span<const std::uint32_t> newlines;       // positions of '\n'
  std::span<const std::uint32_t> sentence_ends;  // ascending; one per sentence; the last may be
                                                 // text.size()
  // Lines that hold anything but white space, without the white space at both of their ends.
  std::span<const TextRange> lines;

  SimdLevel simd = SimdLevel::kScalar;  // what the builder used; kernels on the view follow it

  // Code points that begin before byte `position`, 0 to text.size().
  std::uint32_t code_points_before(std::uint32_t position) const {
    const TextBlock& block = blocks[position / 64];
    return block.code_points_before +
           static_cast<std::uint32_t>(std::popcount(block.lead & below(position)));
  }
  std::uint32_t code_points(TextRange range) const {
    return code_points_before(range.end) - code_points_before(range.begin);
  }
  // The same, counting only code points inside words: the length of an n-gram without separators.
  std::uint32_t word_code_points_before(std::uint32_t position) const {
    const TextBlock& block = blocks[position / 64];
    return block.word_code_points_before +
           static_cast<std::uint32_t>(std::popcount(block.lead & block.word & below(position)));
  }
  std::string_view bytes(TextRange range) const {
    return text.substr(range.begin, range.end - range.begin);
  }
  std::string_view word(std::size_t i) const { return bytes({word_begin[i], word_end[i]}); }

 private:
  static std::uint64_t below(std::uint32_t position) {
    return (std::uint64_t{1} << (position % 64)) - 1;
  }
};

// Makes views and keeps their memory for the next one. One per thread; single-threaded.
class TextViewBuilder {
 public:
  // Longer texts are cut here, at the start of a code point: positions have 32 bits.
  static constexpr std::size_t kMaxTextBytes = (std::size_t{1} << 32) - 4096;

  // `level` above what the machine has is lowered to it. Speed only.
  explicit TextViewBuilder(SimdLevel level = best_simd_level());
  ~TextViewBuilder();
  TextViewBuilder(const TextViewBuilder&) = delete;
  TextViewBuilder& operator=(const TextViewBuilder&) = delete;

  // Copies `text`, which needs no padding, and looks at it. Memory touched: about 6 times the text
  // in English, 9 times in Chinese; reserved (address space): 50 times. Memory for a text above 64
  // MiB is given back when a smaller one follows.
  const TextView& build(std::string_view text);

 private:
  struct Memory;
  void reserve(std::size_t bytes);
  void find_lines();

  std::unique_ptr<Memory> memory_;
  TextView view_;
};

}  // namespace headrace
