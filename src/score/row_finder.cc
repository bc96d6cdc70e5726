// SPDX-License-Identifier: Apache-2.0
// Any supervised model, as libfasttext walks through a text.
#include <algorithm>
#include <cmath>

#include "score/internal/fasttext_tables.h"

namespace headrace::score::internal {

RowFinder::RowFinder(const FastTextModel& model)
    : arguments_(model.arguments),
      words_(static_cast<std::uint32_t>(model.words.size())),
      pruned_(model.pruned) {
  if (!pruned_) return;
  bucket_rows_.assign(static_cast<std::size_t>(arguments_.buckets), -1);
  for (const auto& [bucket, row] : model.kept_buckets) {
    bucket_rows_[static_cast<std::size_t>(bucket)] = row;
  }
}

void RowFinder::add_bucket(std::uint64_t bucket, std::vector<std::uint32_t>* rows) const {
  if (!pruned_) return rows->push_back(words_ + static_cast<std::uint32_t>(bucket));
  const std::int32_t row = bucket_rows_[bucket];
  if (row >= 0) rows->push_back(words_ + static_cast<std::uint32_t>(row));
}

void RowFinder::find(std::string_view text, const WordIndexTable& index,
                     std::vector<std::uint32_t>* hashes, std::vector<std::uint32_t>* rows) const {
  hashes->clear();
  rows->clear();
  const auto buckets = static_cast<std::uint32_t>(arguments_.buckets);
  const auto add_token = [&](std::string_view token) {
    const std::uint32_t hash = fasttext_hash(token);
    const std::int32_t id = index.find(token, hash);
    if (id >= static_cast<std::int32_t>(words_)) return;
    if (id < 0 && token.starts_with(kLabelPrefix)) return;
    if (id >= 0) rows->push_back(static_cast<std::uint32_t>(id));
    if (token != kEndOfLine && arguments_.max_gram > 0) {
      for_grams(token, arguments_.min_gram, arguments_.max_gram,
                [&](std::uint32_t gram) { add_bucket(gram % buckets, rows); });
    }
    hashes->push_back(hash);
  };
  for_tokens(text, [&](std::string_view token) {
    if (token == kEndOfLine) return false;
    add_token(token);
    return true;
  });
  add_token(kEndOfLine);
  const auto signed_hash = [&](std::size_t i) {
    return static_cast<std::uint64_t>(
        static_cast<std::int64_t>(static_cast<std::int32_t>((*hashes)[i])));
  };
  const auto runs = static_cast<std::size_t>(std::max(1, arguments_.word_ngrams));
  for (std::size_t i = 0; runs > 1 && i < hashes->size(); ++i) {
    std::uint64_t hash = signed_hash(i);
    for (std::size_t j = i + 1; j < hashes->size() && j < i + runs; ++j) {
      hash = hash * 116049371 + signed_hash(j);
      add_bucket(hash % buckets, rows);
    }
  }
}

std::optional<std::vector<float>> take_rows(FastTextMatrix* input) {
  std::vector<float> rows;
  if (input->codes.empty()) {
    rows = std::move(input->dense);
  } else {
    rows.resize(static_cast<std::size_t>(input->rows * input->columns));
    for (std::int64_t i = 0; i < input->rows; ++i) {
      input->row(i, rows.data() + i * input->columns);
    }
  }
  const auto finite = [](float value) { return std::isfinite(value); };
  if (!std::all_of(rows.begin(), rows.end(), finite)) return std::nullopt;
  return rows;
}

const FastTextKernels& kernels_for(SimdLevel level) {
  level = std::min(level, best_simd_level());
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return kAvx512FastTextKernels;
  if (level == SimdLevel::kAvx2) return kAvx2FastTextKernels;
#endif
  return kScalarFastTextKernels;
}

}  // namespace headrace::score::internal
