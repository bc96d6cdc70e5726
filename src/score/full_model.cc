// SPDX-License-Identifier: Apache-2.0
// Any supervised model: rows as they are, added in the order of libfasttext.
#include <algorithm>
#include <cmath>

#include "score/internal/fasttext_tables.h"

namespace headrace::score::internal {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0'; }

}  // namespace

std::optional<FullModel> FullModel::make(FastTextModel* model) {
  FullModel made;
  made.arguments_ = model->arguments;
  made.words_ = static_cast<std::uint32_t>(model->words.size());
  made.pruned_ = model->pruned;
  if (model->pruned) {
    made.bucket_rows_.assign(static_cast<std::size_t>(model->arguments.buckets), -1);
    for (const auto& [bucket, row] : model->kept_buckets) {
      made.bucket_rows_[static_cast<std::size_t>(bucket)] = row;
    }
  }
  FastTextMatrix& input = model->input;
  if (input.codes.empty()) {
    made.rows_ = std::move(input.dense);
  } else {
    made.rows_.resize(static_cast<std::size_t>(input.rows * input.columns));
    for (std::int64_t i = 0; i < input.rows; ++i) {
      input.row(i, made.rows_.data() + i * input.columns);
    }
  }
  const auto finite = [](float value) { return std::isfinite(value); };
  if (!std::all_of(made.rows_.begin(), made.rows_.end(), finite)) return std::nullopt;
  return made;
}

void FullModel::add_bucket(std::uint64_t bucket, std::vector<std::uint32_t>* rows) const {
  if (!pruned_) return rows->push_back(words_ + static_cast<std::uint32_t>(bucket));
  const std::int32_t row = bucket_rows_[bucket];
  if (row >= 0) rows->push_back(words_ + static_cast<std::uint32_t>(row));
}

void FullModel::find_rows(std::string_view text, const WordIndexTable& index,
                          std::vector<std::uint32_t>* hashes,
                          std::vector<std::uint32_t>* rows) const {
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
  for (std::size_t i = 0; i < text.size();) {
    if (is_blank(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && !is_blank(text[i])) ++i;
    const std::string_view token = text.substr(begin, i - begin);
    if (token == kEndOfLine) break;
    add_token(token);
  }
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

}  // namespace headrace::score::internal
