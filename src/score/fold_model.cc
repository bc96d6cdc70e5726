// SPDX-License-Identifier: Apache-2.0
// Tables for models of two classes, the shape of most quality filters (dimension 100, runs of two
// words, 2,000,000 buckets).
//
// Taken as it is, such a model is bound by memory: each word and each run is a random row of 400
// bytes in 0.8 GB. But for two classes only the difference of two dot products matters, and that is
// a sum over rows: so each row becomes the one number row . (w1 - w0), 0.8 GB become 8 MB. The
// numbers are fixed-point, their sum is exact.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "score/internal/fasttext_tables.h"

namespace headrace::score::internal {
namespace {

#include "score/internal/fasttext_types.inl.h"

// What the output layer makes of each row. Nothing for weights that are not finite.
std::optional<std::vector<double>> fold_rows(const FastTextModel& model) {
  const auto dim = static_cast<std::size_t>(model.arguments.dim);
  std::vector<float> first(dim);
  std::vector<float> second(dim);
  std::vector<double> weights(dim);
  model.output.row(0, first.data());
  model.output.row(1, second.data());
  for (std::size_t d = 0; d < dim; ++d) {
    weights[d] = static_cast<double>(second[d]) - static_cast<double>(first[d]);
  }
  std::vector<float> row(dim);
  std::vector<double> folded(static_cast<std::size_t>(model.input.rows));
  for (std::size_t i = 0; i < folded.size(); ++i) {
    model.input.row(static_cast<std::int64_t>(i), row.data());
    double sum = 0;
    for (std::size_t d = 0; d < dim; ++d) sum += static_cast<double>(row[d]) * weights[d];
    if (!std::isfinite(sum)) return std::nullopt;
    folded[i] = sum;
  }
  return folded;
}

}  // namespace

bool FoldModel::fits(const FastTextModel& model) {
  const FastTextArguments& a = model.arguments;
  return model.labels.size() == 2 && a.loss == FastTextLoss::kSoftmax && a.max_gram <= 0 &&
         a.word_ngrams <= static_cast<std::int32_t>(FoldScratch::kMostNgrams);
}

std::optional<FoldModel> FoldModel::make(const FastTextModel& model, const WordIndexTable& index) {
  const auto folded = fold_rows(model);
  if (!folded) return std::nullopt;
  FoldModel made;
  double largest = 0;
  for (const double value : *folded) largest = std::max(largest, std::abs(value));
  const int exponent = scale_exponent(largest, kMostOfFold);
  made.unit_ = std::ldexp(1.0, -exponent);
  const auto fixed = [&](std::size_t row) {
    return static_cast<std::int32_t>(std::lrint(std::ldexp((*folded)[row], exponent)));
  };
  const std::size_t words = model.words.size();
  const bool runs = model.arguments.word_ngrams > 1;
  const std::size_t buckets = runs ? static_cast<std::size_t>(model.arguments.buckets) : 0;
  made.rows_ = BigTable<std::int32_t>(words + buckets);
  for (std::size_t i = 0; i < words; ++i) made.rows_[i] = fixed(i);
  if (model.pruned) {
    for (std::size_t i = words; i < words + buckets; ++i) made.rows_[i] = kAbsentRow;
    for (const auto& [bucket, row] : model.kept_buckets) {
      if (!runs) break;
      made.rows_[words + static_cast<std::size_t>(bucket)] =
          fixed(words + static_cast<std::size_t>(row));
    }
  } else {
    for (std::size_t i = words; i < words + buckets; ++i) made.rows_[i] = fixed(i);
  }

  const std::size_t table = std::bit_ceil(2 * words + 2);
  made.slots_ = BigTable<FoldSlot>(table);
  for (std::size_t i = 0; i < words; ++i) {
    const std::string& word = model.words[i];
    const bool is_short = !word.empty() && word.size() <= kShortWord;
    if (!is_short || index.find(word) != static_cast<std::int32_t>(i)) continue;
    WordKey key = {0, 0};
    std::memcpy(&key, word.data(), word.size());
    std::size_t at = hash_key(key) & (table - 1);
    while (made.slots_[at].key.low != 0) at = (at + 1) & (table - 1);
    made.slots_[at] = {key, fasttext_hash(word), made.rows_[i]};
  }
  const std::int32_t end = index.find(kEndOfLine);
  const bool has_end = end >= 0 && static_cast<std::size_t>(end) < words;
  made.tables_ = {
      .index = index.view(),
      .slots = made.slots_.data(),
      .slot_mask = table - 1,
      .rows = made.rows_.data(),
      .buckets = buckets,
      .multiplier = buckets == 0 ? 0 : ~std::uint64_t{0} / buckets,
      .word_ngrams = static_cast<std::uint32_t>(std::max(1, model.arguments.word_ngrams)),
      .end_row = has_end ? made.rows_[static_cast<std::size_t>(end)] : kAbsentRow};
  return made;
}

bool FoldModel::difference(FoldSums sums, float* out) const {
  if (sums.count == 0) return false;
  *out =
      static_cast<float>(static_cast<double>(sums.sum) * unit_ / static_cast<double>(sums.count));
  return true;
}

}  // namespace headrace::score::internal
