// SPDX-License-Identifier: Apache-2.0
// Shingles: hashes of runs of n words of the shared tokenization (record/text_view.h), in which a
// Han character is a word. Punctuation and white space only separate words, and case of ASCII
// letters does not count. A text of fewer than n words is one shingle of all its words; a text
// without words has none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "record/text_view.h"

namespace headrace::dedup {

inline constexpr std::uint32_t kMostNgram = 32;

// The n-gram lengths of a text where the recipe says `auto`.
inline constexpr std::uint32_t kLongNgram = 5;
inline constexpr std::uint32_t kShortHanNgram = 3;
// Texts of mostly Han characters are short below this many words. One changed character touches
// five shingles of five and three of three; in a text of a hundred characters that decides.
inline constexpr std::uint32_t kShortHanWords = 256;

// Changes whenever the same text and n would give other hashes. Signature files are bound to it.
inline constexpr std::uint32_t kShingleVersion = 1;

struct NgramChoice {
  std::uint32_t ngram = kLongNgram;
  std::uint32_t other = 0;  // also looked at, because the text lies near the border; 0 = none
};

// By script and length: 3 for short texts of mostly Han characters, 5 for all others; the other one
// too for texts that a near duplicate on the other side of the border could have.
NgramChoice choose_ngram(const TextView& view);

// Makes shingles. One per thread; single-threaded.
class Shingler {
 public:
  // In text order, with repeats. Valid until the next call.
  std::span<const std::uint64_t> shingles(const TextView& view, std::uint32_t ngram);

 private:
  std::vector<std::uint64_t> shingles_;
};

// The set of shingles for exact comparison: their upper 32 bits, sorted, without repeats. Two
// different shingles of n and m have equal bits n m / 2^32 times: once in ten thousand pairs of
// 700.
void shingle_set(std::span<const std::uint64_t> shingles, std::vector<std::uint32_t>* set);

// |A ∩ B| of two sorted sets without repeats.
std::uint64_t intersection_size(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

// |A ∩ B| / |A ∪ B|; 0 where both are empty.
double jaccard(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

}  // namespace headrace::dedup
