// SPDX-License-Identifier: Apache-2.0
// The loops behind FastTextClassifier, one set per instruction set. Plain types only: the units are
// compiled with flags of their own, and an inline function of a library that two units instantiate
// would be one function for everyone.
//
// Rows that are added up are fixed-point numbers: their sums do not depend on the order in which
// they are added, so every instruction set gives the same sums bit for bit. The floating-point
// loops add per lane, in one order, without contraction: they too are the same everywhere.
#pragma once

#include <cstdint>

namespace headrace::score::internal {

// Bytes behind a text that must be readable, and 0.
inline constexpr std::uint64_t kTextPadding = 128;
inline constexpr std::uint32_t kSmallRow = 16;   // numbers in a row of GramTables
inline constexpr std::uint32_t kShortWord = 16;  // bytes of a word that is found by its bytes
inline constexpr std::uint32_t kFirstHash = 2166136261u;
inline constexpr std::uint32_t kHashPrime = 16777619u;
inline constexpr std::int32_t kAbsentRow = INT32_MIN;  // in FoldTables::rows

// Bounds of the fixed-point numbers: the 384 n-grams of a piece fit in 32 bits, and so do 8 short
// words of at most 49 rows (48 n-grams and their own).
inline constexpr std::int32_t kMostOfRow = 1 << 22;
inline constexpr std::uint32_t kPiece = 128;  // characters
inline constexpr std::int32_t kMostOfFold = 1 << 30;

// All entries of the dictionary by the hash of the format. Word ids, then label ids.
struct WordIndex {
  const std::uint64_t* slots;  // hash << 32 | id + 1; 0 = free
  std::uint32_t mask;
  const std::uint32_t* begin;  // of each entry, and one more, in `bytes`
  const char* bytes;
  std::uint32_t words;
  std::uint32_t longest;  // bytes
};

// The first 16 bytes of a word, zeros behind it.
struct WordKey {
  std::uint64_t low, high;
};

struct ShortWordSlot {
  std::uint32_t next;  // 0: the last that hashes here
  std::uint32_t word;  // 0: none
};

// A model whose rows have up to 16 numbers and whose n-grams of 2 to 4 characters are all it needs
// (the language models).
struct GramTables {
  WordIndex index;
  const std::uint32_t* present;  // one bit per bucket: has it a row
  const std::uint64_t* ranked;   // per 32 buckets: rows before them << 32 | their bits
  const std::int32_t* rows;      // of the present buckets in order, then of the words
  const std::int32_t* word_rows;
  std::uint32_t buckets;     // at least kLeastBuckets
  float inverse;             // of buckets, rounded down
  std::uint32_t multiplier;  // 2^32 / buckets, rounded down
  std::uint32_t min_gram, max_gram;
  // Words of up to 16 bytes, numbered from 1, with the sum of their rows: own and n-grams.
  const ShortWordSlot* slots;
  std::uint64_t slot_mask;
  const WordKey* keys;
  const std::int32_t* word_sums;
  const std::uint32_t* word_counts;  // rows in the sum
};
// Below, the quotient by floating point could be off by more than one.
inline constexpr std::uint32_t kLeastBuckets = 4096;

struct GramSums {
  std::int64_t sum[kSmallRow];
  std::uint64_t count;
};

struct GramScratch {
  static constexpr std::uint32_t kChars = 8192;
  static constexpr std::uint32_t kWords = 64;
  std::uint32_t chars[kChars + 256];
  std::uint32_t hits[kPiece * 3 + 64];
  std::uint32_t words[kWords + 1];
};

struct FoldSlot {
  WordKey key;  // all zero: free
  std::uint32_t hash;
  std::int32_t row;
};

// A model of two classes from words and runs of words: each row is one number.
struct FoldTables {
  WordIndex index;
  const FoldSlot* slots;
  std::uint64_t slot_mask;
  const std::int32_t* rows;  // words, then buckets; kAbsentRow for buckets that were pruned
  std::uint64_t buckets;     // 0 when there are no runs
  std::uint64_t multiplier;  // (2^64 - 1) / buckets
  std::uint32_t word_ngrams;
  std::int32_t end_row;  // of </s>; kAbsentRow
};

struct FoldSums {
  std::int64_t sum;
  std::uint64_t count;
};

struct FoldScratch {
  static constexpr std::uint32_t kHashes = 2048;
  static constexpr std::uint32_t kMostNgrams = 16;
  std::uint32_t hashes[kHashes + kMostNgrams + 64];
  std::uint32_t buckets[1024];
};

struct FastTextKernels {
  // text: padded; it is read up to a token </s> or its end.
  void (*sum_grams)(const GramTables& tables, const unsigned char* text, std::uint64_t size,
                    GramScratch* scratch, GramSums* sums);
  void (*sum_folded)(const FoldTables& tables, const unsigned char* text, std::uint64_t size,
                     FoldScratch* scratch, FoldSums* sums);
  // sum[0, dim) += each of the rows, in their order.
  void (*add_rows)(const float* rows, std::uint64_t dim, const std::uint32_t* ids,
                   std::uint64_t count, float* sum);
  // weights: [block][dim][16]; out: 16 per block.
  void (*multiply)(const float* weights, const float* hidden, std::uint64_t dim,
                   std::uint64_t blocks, float* out);
  // In place: e^x, and 1 / (1 + e^-x); relative error below 3e-7.
  void (*exponential)(float* x, std::uint64_t count);
  void (*sigmoid)(float* x, std::uint64_t count);
};

extern const FastTextKernels kScalarFastTextKernels;
#if defined(__x86_64__)
extern const FastTextKernels kAvx2FastTextKernels;
extern const FastTextKernels kAvx512FastTextKernels;
#endif

}  // namespace headrace::score::internal
