// SPDX-License-Identifier: Apache-2.0
// n-grams of words that occur more than once in a text, counted once for all measures of them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "record/text_view.h"

namespace headrace::measure {

inline constexpr unsigned kMostNgramWords = 10;

// A longer text is measured in pieces of as many words, a multiple of 64: what is counted is added
// up, and no n-gram reaches from one into the next.
inline constexpr std::uint32_t kNgramPieceWords = 16384;

// n-grams are sequences of words, not joined strings: "1 11" and "11 1" differ. Lengths are in code
// points. Entries of n above the number of words are 0.
struct WordNgrams {
  // top[n], n = 2 to 4: of the n-gram that occurs most often (the first of them in the text), its
  // length with one separator between words, times its count.
  std::array<std::uint64_t, 5> top = {};
  // duplicate[n], n = 5 to 10: code points of words inside the n-grams that a walk from the start
  // meets again; after each it goes on behind it.
  std::array<std::uint64_t, kMostNgramWords + 1> duplicate = {};
  // How many of the 10-grams (overlapping, first occurrences included) occur more than once.
  std::uint32_t repeated_10grams = 0;
};

// Keeps up to 2 MiB for the next text. One per thread.
class WordNgramCounter {
 public:
  WordNgramCounter();
  ~WordNgramCounter();

  // `repeated`: bit i % 64 of entry i / 64 says whether word i occurs more than once
  // (WordCounter::repeated()).
  WordNgrams count(const TextView& view, std::span<const std::uint64_t> repeated);

  struct Scratch;

 private:
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace headrace::measure
