// SPDX-License-Identifier: Apache-2.0
// The loops behind facts/words.cc and facts/word_ngrams.cc, one set per instruction set. Plain
// types only: the units that define them are compiled with flags of their own, and an inline
// function that two units emit could be linked from the wrong one.
#pragma once

#include <cstdint>

#include "record/simd_level.h"
#include "record/text_block.h"

namespace headrace::measure::internal {

// What masks alone tell of words and signs.
struct BlockSums {
  std::uint32_t digit_words = 0;  // without a letter
  std::uint32_t hash_signs = 0;
  std::uint32_t ellipses = 0;
};

// A word of hash h has its place at (h >> kWordSlotShift) modulo the table, or the next free one.
inline constexpr int kWordSlotShift = 20;

// Numbers distinct words in the order of their first occurrence. Open addressing over `slots`
// (a power of two) entries, each a hash (0: empty) and, at the same place, a number.
struct WordNumbering {
  std::uint64_t* keys;
  std::uint32_t* numbers;
  std::uint32_t slots;
  std::uint32_t most;      // distinct words that the table takes
  std::uint32_t distinct;  // found so far
  // By number. One more entry than `most`: the next is written before it is known to be needed.
  std::uint32_t* count;
  std::uint32_t* first;  // word that came first
  // By word.
  std::uint32_t* number_of;
};

// n-grams that may occur more than once, in text order.
struct Survivors {
  std::uint32_t* position;  // word that begins it; one more entry can be written
  std::uint64_t* key;       // equal for equal n-grams; one more entry can be read
  std::uint32_t* times;     // at least how often it occurs
};

struct WordKernels {
  void (*look)(const unsigned char* text, const TextBlock* blocks, std::uint64_t count,
               BlockSums* sums);

  // Words [from, words), until all are numbered or the table is full. Returns the next word.
  std::uint32_t (*number)(const std::uint64_t* hash, std::uint32_t from, std::uint32_t words,
                          WordNumbering* numbering);
  // Bit i: word i occurs more than once. Writes whole 64-bit words and one zero word behind.
  void (*mark_repeated)(const std::uint32_t* number_of, const std::uint32_t* count,
                        std::uint32_t words, std::uint64_t* repeated);
  // The words whose bit in `repeats` is 0, that is, which are the first of their kind: which[k] is
  // the k-th of them, and times[k] one more than its `copies`. Writes `repeated` as mark_repeated()
  // does. Returns how many there are.
  std::uint32_t (*firsts)(const std::uint64_t* repeats, const std::uint32_t* copies,
                          std::uint32_t words, std::uint32_t* which, std::uint32_t* times,
                          std::uint64_t* repeated);
  // Length in code points of each of the words `which`.
  void (*lengths)(const TextBlock* blocks, const std::uint32_t* begin, const std::uint32_t* end,
                  const std::uint32_t* which, std::uint32_t count, std::uint32_t* length);

  // Positions of the pairs of words that both occur more than once, and their keys.
  std::uint32_t (*pairs)(const std::uint64_t* repeated, const std::uint64_t* hash,
                         std::uint32_t words, const Survivors& survivors);
  // From n to n + 1: where a survivor begins right behind another. Returns how many.
  std::uint32_t (*extend)(const Survivors& survivors, std::uint32_t count);
  // Drops those whose counter stays below two. `counters`: `slots` (a power of two) entries, zero
  // before and after. Returns how many are kept, and the largest counter. count < 65536.
  std::uint32_t (*keep)(const Survivors& survivors, std::uint32_t count, std::uint16_t* counters,
                        std::uint32_t slots, std::uint32_t* largest);
  std::uint32_t (*count_equal)(const std::uint64_t* keys, std::uint32_t count, std::uint64_t key);
};

const WordKernels& word_kernels(SimdLevel level);

extern const WordKernels kScalarWordKernels;
#if defined(__x86_64__)
extern const WordKernels kAvx2WordKernels;
extern const WordKernels kAvx512WordKernels;
#endif

}  // namespace headrace::measure::internal
