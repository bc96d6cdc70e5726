// SPDX-License-Identifier: Apache-2.0
// What FastTextClassifier makes of a model: tables for the kernels, for three kinds of models.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "base/big_table.h"
#include "record/simd_level.h"
#include "score/fasttext_model.h"
#include "score/internal/fasttext_kernels.h"

namespace headrace::score::internal {

// All entries of the dictionary by their hash; owns what a WordIndex points to. Of equal entries
// the last is found, as in libfasttext.
class WordIndexTable {
 public:
  explicit WordIndexTable(const FastTextModel& model);
  WordIndexTable(const WordIndexTable&) = delete;
  WordIndexTable& operator=(const WordIndexTable&) = delete;
  const WordIndex& view() const { return view_; }
  // The id, or -1.
  std::int32_t find(std::string_view word, std::uint32_t hash) const;
  std::int32_t find(std::string_view word) const { return find(word, fasttext_hash(word)); }

 private:
  std::vector<std::uint64_t> slots_;
  std::vector<std::uint32_t> begin_;
  std::string bytes_;
  WordIndex view_;
};

// Calls visit(hash) for each n-gram of characters of "<token>", as the format defines them.
template <class Visit>
void for_grams(std::string_view token, std::int32_t min_gram, std::int32_t max_gram, Visit visit) {
  const std::size_t total = token.size() + 2;
  const auto byte = [&](std::size_t i) {
    return i == 0 ? '<' : i < total - 1 ? token[i - 1] : '>';
  };
  const auto inside = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  for (std::size_t i = 0; i < total; ++i) {
    if (inside(i)) continue;
    std::uint32_t hash = kFirstHash;
    std::size_t j = i;
    for (std::int32_t n = 1; j < total && n <= max_gram; ++n) {
      do {
        hash =
            (hash ^ static_cast<std::uint32_t>(static_cast<signed char>(byte(j++)))) * kHashPrime;
      } while (j < total && inside(j));
      const bool edge_alone = n == 1 && (i == 0 || j == total);
      if (n >= min_gram && !edge_alone) visit(hash);
    }
  }
}

// The largest power of two that keeps `largest` times it within `bound`.
int scale_exponent(double largest, double bound);

// Rows of up to 16 numbers, n-grams of characters only.
class GramModel {
 public:
  static bool fits(const FastTextModel& model);
  // Nothing for weights that are not finite.
  static std::optional<GramModel> make(const FastTextModel& model, const WordIndexTable& index);
  const GramTables& tables() const { return tables_; }
  // The mean of the rows. False for none.
  bool hidden(GramSums sums, float* out) const;

 private:
  void add_buckets(const FastTextModel& model);
  void add_short_words(const FastTextModel& model, const WordIndexTable& index);

  GramTables tables_ = {};
  BigTable<std::uint32_t> present_;
  BigTable<std::uint64_t> ranked_;
  BigTable<std::int32_t> rows_;
  BigTable<ShortWordSlot> slots_;
  BigTable<WordKey> keys_;
  BigTable<std::int32_t> word_sums_;
  BigTable<std::uint32_t> word_counts_;
  double unit_ = 1;                        // what 1 in a row stands for
  const std::int32_t* end_row_ = nullptr;  // of </s>
};

// Two classes from words and runs of words: what the output layer makes of a row is one number, so
// the matrix becomes a column.
class FoldModel {
 public:
  static bool fits(const FastTextModel& model);
  static std::optional<FoldModel> make(const FastTextModel& model, const WordIndexTable& index);
  const FoldTables& tables() const { return tables_; }
  // score(label 1) - score(label 0) before the sigmoid. False for a text without rows.
  bool difference(FoldSums sums, float* out) const;

 private:
  FoldTables tables_ = {};
  BigTable<FoldSlot> slots_;
  BigTable<std::int32_t> rows_;
  double unit_ = 1;
};

// The rows of a text in any model: those of words and their n-grams, then those of runs of words,
// in the order of libfasttext.
class RowFinder {
 public:
  explicit RowFinder(const FastTextModel& model);
  void find(std::string_view text, const WordIndexTable& index, std::vector<std::uint32_t>* hashes,
            std::vector<std::uint32_t>* rows) const;

 private:
  void add_bucket(std::uint64_t bucket, std::vector<std::uint32_t>* rows) const;

  FastTextArguments arguments_;
  std::uint32_t words_ = 0;
  bool pruned_ = false;
  std::vector<std::int32_t> bucket_rows_;  // of a pruned model; -1 for none
};

// Calls visit(token) until it returns false; newlines are blanks.
template <class Visit>
void for_tokens(std::string_view text, Visit visit) {
  const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0'; };
  for (std::size_t i = 0; i < text.size();) {
    if (is_blank(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && !is_blank(text[i])) ++i;
    if (!visit(text.substr(begin, i - begin))) return;
  }
}

// All rows as numbers; takes those of a dense model. Nothing for weights that are not finite.
std::optional<std::vector<float>> take_rows(FastTextMatrix* input);

// The kernels of a level, or of the best one that the machine has.
const FastTextKernels& kernels_for(SimdLevel level);

// From the mean of the rows to the score of each label.
class OutputLayer {
 public:
  static std::optional<OutputLayer> make(const FastTextModel& model);
  // `out` has room for this many numbers; the first are the labels'.
  std::size_t room() const { return 3 * 16 * blocks_; }
  void scores(const FastTextKernels& kernels, const float* hidden, float* out) const;

 private:
  void make_tree(const std::vector<std::int64_t>& counts);
  // The nodes of the tree stand behind the labels.
  void tree_scores(const float* right, float* out) const;

  FastTextLoss loss_ = FastTextLoss::kSoftmax;
  std::size_t labels_ = 0;
  std::size_t dim_ = 0;
  std::size_t blocks_ = 0;
  BigTable<float> weights_;
  std::vector<std::int32_t> left_, right_;  // of the inner nodes; below labels_: a label
  std::vector<float> sigmoid_table_;
};

}  // namespace headrace::score::internal
