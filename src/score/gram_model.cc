// SPDX-License-Identifier: Apache-2.0
// Tables for language models, lid.176 above all: 2,000,000 buckets of which 2 in 100 have a row.
//
// A bit per bucket and a count of the bits before each 32 replace the hash map of the file: 0.75 MB
// that answer "has it a row, and which" by one load and one popcount, and stay in the second-level
// cache beside the rows that text meets. Rows are fixed-point numbers of 23 bits, so that sums do
// not depend on their order; the quantised rows of the file are coarser than that by far. Each
// word of the vocabulary has the sum of its row and its n-grams ready.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "score/internal/fasttext_tables.h"

namespace headrace::score::internal {
namespace {

#include "score/internal/fasttext_types.inl.h"

WordKey key_of(std::string_view word) {
  WordKey key = {0, 0};
  std::memcpy(&key, word.data(), word.size());
  return key;
}

bool is_short(std::string_view word) { return !word.empty() && word.size() <= kShortWord; }

}  // namespace

bool GramModel::fits(const FastTextModel& model) {
  const FastTextArguments& a = model.arguments;
  return a.dim <= static_cast<std::int32_t>(kSmallRow) && a.word_ngrams <= 1 && a.min_gram >= 2 &&
         a.max_gram >= a.min_gram && a.max_gram <= 4 &&
         a.buckets >= static_cast<std::int32_t>(kLeastBuckets);
}

std::optional<GramModel> GramModel::make(const FastTextModel& model, const WordIndexTable& index) {
  GramModel made;
  made.add_buckets(model);
  // The file's rows in our order: buckets that have one, words.
  const auto words = static_cast<std::int64_t>(model.words.size());
  const std::int64_t grams =
      model.pruned ? static_cast<std::int64_t>(model.kept_buckets.size()) : model.arguments.buckets;
  std::vector<float> rows(static_cast<std::size_t>(grams + words) * kSmallRow);
  for (std::int64_t i = 0; i < grams + words; ++i) {
    std::int64_t source = i - grams;
    if (i < grams) {
      source = words + (model.pruned ? model.kept_buckets[static_cast<std::size_t>(i)].second : i);
    }
    model.input.row(source, rows.data() + i * kSmallRow);
  }
  double largest = 0;
  for (const float value : rows) {
    if (!std::isfinite(value)) return std::nullopt;
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  const int exponent = scale_exponent(largest, kMostOfRow);
  made.unit_ = std::ldexp(1.0, -exponent);
  made.rows_ = BigTable<std::int32_t>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    made.rows_[i] =
        static_cast<std::int32_t>(std::lrint(std::ldexp(static_cast<double>(rows[i]), exponent)));
  }
  made.tables_.index = index.view();
  made.tables_.rows = made.rows_.data();
  made.tables_.word_rows = made.rows_.data() + grams * kSmallRow;
  const std::int32_t end = index.find(kEndOfLine);
  if (end >= 0 && end < words) made.end_row_ = made.tables_.word_rows + end * kSmallRow;
  made.add_short_words(model, index);
  return made;
}

void GramModel::add_buckets(const FastTextModel& model) {
  const auto buckets = static_cast<std::size_t>(model.arguments.buckets);
  const std::size_t groups = (buckets + 31) / 32;
  present_ = BigTable<std::uint32_t>(groups + 16);
  ranked_ = BigTable<std::uint64_t>(groups + 16);
  const auto add = [&](std::size_t bucket) { present_[bucket / 32] |= 1u << (bucket % 32); };
  if (model.pruned) {
    for (const auto& kept : model.kept_buckets) add(static_cast<std::size_t>(kept.first));
  } else {
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) add(bucket);
  }
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < groups; ++i) {
    ranked_[i] = before << 32 | present_[i];
    before += static_cast<std::uint64_t>(std::popcount(present_[i]));
  }
  tables_.present = present_.data();
  tables_.ranked = ranked_.data();
  tables_.buckets = static_cast<std::uint32_t>(buckets);
  tables_.inverse = std::nextafter(1.0f / static_cast<float>(buckets), 0.0f);
  tables_.multiplier = static_cast<std::uint32_t>((std::uint64_t{1} << 32) / buckets);
  tables_.min_gram = static_cast<std::uint32_t>(model.arguments.min_gram);
  tables_.max_gram = static_cast<std::uint32_t>(model.arguments.max_gram);
}

// The words hash to a quarter of the slots; those that meet another lie behind the table.
void GramModel::add_short_words(const FastTextModel& model, const WordIndexTable& index) {
  const std::size_t words = model.words.size();
  const std::size_t table = std::bit_ceil(4 * words + 4);
  std::vector<ShortWordSlot> slots(table);
  tables_.slot_mask = table - 1;
  keys_ = BigTable<WordKey>(words + 1);
  word_sums_ = BigTable<std::int32_t>((words + 1) * kSmallRow);
  word_counts_ = BigTable<std::uint32_t>(words + 1);
  for (std::uint32_t i = 0; i < words; ++i) {
    const std::string& word = model.words[i];
    if (!is_short(word) || index.find(word) != static_cast<std::int32_t>(i)) continue;
    const std::uint32_t id = i + 1;
    keys_[id] = key_of(word);
    std::int32_t* sum = &word_sums_[std::size_t{id} * kSmallRow];
    const auto add = [&](const std::int32_t* row) {
      for (std::uint32_t d = 0; d < kSmallRow; ++d) sum[d] += row[d];
      ++word_counts_[id];
    };
    add(tables_.word_rows + std::size_t{i} * kSmallRow);
    for_grams(word, model.arguments.min_gram, model.arguments.max_gram, [&](std::uint32_t hash) {
      const std::uint32_t bucket = hash % tables_.buckets;
      const std::uint32_t bits = present_[bucket / 32];
      const std::uint32_t bit = 1u << (bucket % 32);
      if ((bits & bit) == 0) return;
      const std::uint64_t rank = (ranked_[bucket / 32] >> 32) +
                                 static_cast<std::uint64_t>(std::popcount(bits & (bit - 1)));
      add(rows_.data() + rank * kSmallRow);
    });
    ShortWordSlot* slot = &slots[hash_key(keys_[id]) & tables_.slot_mask];
    if (slot->word != 0) {
      slots.push_back({slot->next, id});
      slots[hash_key(keys_[id]) & tables_.slot_mask].next =
          static_cast<std::uint32_t>(slots.size() - 1);
    } else {
      slot->word = id;
    }
  }
  slots_ = BigTable<ShortWordSlot>(slots.size());
  std::copy(slots.begin(), slots.end(), slots_.data());
  tables_.slots = slots_.data();
  tables_.keys = keys_.data();
  tables_.word_sums = word_sums_.data();
  tables_.word_counts = word_counts_.data();
}

bool GramModel::hidden(GramSums sums, float* out) const {
  if (end_row_ != nullptr) {
    for (std::uint32_t d = 0; d < kSmallRow; ++d) sums.sum[d] += end_row_[d];
    ++sums.count;
  }
  if (sums.count == 0) return false;
  const double unit = unit_ / static_cast<double>(sums.count);
  for (std::uint32_t d = 0; d < kSmallRow; ++d) {
    out[d] = static_cast<float>(static_cast<double>(sums.sum[d]) * unit);
  }
  return true;
}

}  // namespace headrace::score::internal
