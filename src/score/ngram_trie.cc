// SPDX-License-Identifier: Apache-2.0
// Tries of KenLM (kind 2, search version 1), whose entries are put into probing tables:
//
//   u64 words without <unk>; u64 word keys, ascending: the first is of id 1; room for `count 1` of
//   them (count 1 + 2) unigrams by id: f32 prob, f32 backoff, u64 first bigram that ends in it for
//   each order between: (count + 1) entries of bits, lowest first: the word in front of what the
//   entry extends, 31 of prob without its sign, 32 of backoff, first entry of the order above
//   (count + 1) entries: word, 31 of prob. An array ends with its bits' last byte and 8 more
//   bytes; a number has as many bits as the greatest it may be: count 1, count of the order above
//
// What is read is walked through once: a search would otherwise follow a damaged number out of its
// array.
#include <bit>
#include <cmath>
#include <cstring>

#include "score/internal/ngram_file.h"

namespace headrace::score {

using internal::kNgramCountsAt;
using internal::log_prob;
using internal::longer_key;
using internal::Weights;

namespace {

// Numbers of some bits, one behind the other.
class Bits {
 public:
  Bits() = default;
  Bits(std::vector<char> bytes, int entry_bits) : bytes_(std::move(bytes)), entry_(entry_bits) {}

  static std::uint64_t bytes_for(std::uint64_t entries, int entry_bits) {
    return ((1 + entries) * static_cast<std::uint64_t>(entry_bits) + 7) / 8 + 8;
  }
  // At most 57 bits.
  std::uint64_t at(std::uint64_t entry, int from, int bits) const {
    const std::uint64_t bit =
        entry * static_cast<std::uint64_t>(entry_) + static_cast<std::uint64_t>(from);
    std::uint64_t word;
    std::memcpy(&word, bytes_.data() + bit / 8, 8);
    return word >> bit % 8 & ((std::uint64_t{1} << bits) - 1);
  }
  float float_at(std::uint64_t entry, int from, int bits) const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(at(entry, from, bits)));
  }

 private:
  std::vector<char> bytes_;
  int entry_ = 0;
};

}  // namespace

class NgramTrieReader {
 public:
  NgramTrieReader(internal::NgramFile* file, const std::vector<std::uint64_t>& counts,
                  NgramModel* model)
      : file_(*file), counts_(counts), model_(*model) {}

  // As many unigrams as words; entries of no n-gram are passed over.
  Result<void> read() {
    const std::uint64_t words_at = file_.offset();
    for (std::size_t n = 0; n < counts_.size(); ++n) {
      if (counts_[n] == 0 || counts_[n] > file_.bytes() || counts_[n] > ~std::uint32_t{0}) {
        return file_.fault(kNgramCountsAt + 8 * n, fmt::format("{} {}-grams in a file of {} bytes",
                                                               counts_[n], n + 1, file_.bytes()));
      }
    }
    if (counts_[0] > file_.left() / 24) {
      return file_.fault(kNgramCountsAt,
                         fmt::format("{} words in a file of {} bytes", counts_[0], file_.bytes()));
    }
    const std::size_t order = counts_.size();
    model_.order_ = static_cast<int>(order);
    std::vector<std::uint64_t> keys(counts_[0] + 1);
    HEADRACE_RETURN_IF_ERROR(file_.take(keys.data(), keys.size() * 8, "the words"));
    if (keys[0] + 1 != counts_[0]) {
      return file_.fault(words_at, fmt::format("{} words for {} unigrams", keys[0], counts_[0]));
    }
    model_.words_ = internal::ProbingTable<std::uint32_t>(
        NgramModel::Middle::buckets_for(counts_[0], model_.multiplier_));
    for (std::uint32_t id = 1; id < counts_[0]; ++id) {
      if (!model_.words_.put(keys[id], id)) {
        return file_.fault(words_at + 8 * id, "a word's key that was there before");
      }
    }
    struct Unigram {
      Weights weights;
      std::uint64_t next = 0;
    };
    const std::uint64_t level_at = file_.offset();
    std::vector<Unigram> unigrams(counts_[0] + 2);
    HEADRACE_RETURN_IF_ERROR(
        file_.take(unigrams.data(), unigrams.size() * sizeof(Unigram), "the unigrams"));
    Level level{std::vector<std::uint64_t>(counts_[0]), std::vector<std::uint64_t>(counts_[0] + 1)};
    for (std::uint64_t i = 0; i <= counts_[0]; ++i) {
      level.next[i] = unigrams[i].next;
      if (i == counts_[0]) break;
      level.keys[i] = i;
      if (!std::isfinite(unigrams[i].weights.prob) || !std::isfinite(unigrams[i].weights.backoff)) {
        return file_.fault(level_at + sizeof(Unigram) * i,
                           "a value among the unigrams that is none");
      }
      model_.unigrams_.push_back(
          marked(unigrams[i].weights, unigrams[i + 1].next > unigrams[i].next));
    }
    for (std::size_t n = 1; n < order; ++n) {
      HEADRACE_RETURN_IF_ERROR(read_level(n, &level));
    }
    if (model_.find_sentence_marks()) return {};
    return file_.fault(words_at, "no <s> or no </s> among the words");
  }

 private:
  // Of one order of a trie: the keys of its n-grams, and where the longer ones that end in them
  // begin.
  struct Level {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> next;
  };

  // The n-grams of n + 1 words; `level` is that of the order below, then theirs.
  Result<void> read_level(std::size_t n, Level* level) {
    const int word_bits = std::bit_width(counts_[0]);
    const auto buckets = NgramModel::Middle::buckets_for(counts_[n], model_.multiplier_);
    const bool highest = n + 1 == counts_.size();
    const int next_bits = highest ? 0 : std::bit_width(counts_[n + 1]);
    const int entry_bits = word_bits + (highest ? 31 : 63 + next_bits);
    const std::string name = fmt::format("the {}-grams", n + 1);
    const std::uint64_t level_at = file_.offset();
    const std::uint64_t size = Bits::bytes_for(counts_[n], entry_bits);
    HEADRACE_RETURN_IF_ERROR(file_.has(size, name));
    std::vector<char> bytes(size);
    HEADRACE_RETURN_IF_ERROR(file_.take(bytes.data(), size, name));
    const Bits bits(std::move(bytes), entry_bits);
    NgramModel::Middle* table = nullptr;
    if (highest) {
      model_.longest_ = NgramModel::Longest(buckets);
    } else {
      table = &model_.middle_.emplace_back(buckets);
    }
    Level longer;
    longer.keys.resize(highest ? 0 : counts_[n]);
    longer.next.resize(highest ? 0 : counts_[n] + 1);
    for (std::uint64_t i = 0; i < longer.next.size(); ++i) {
      longer.next[i] = bits.at(i, word_bits + 63, next_bits);
    }
    for (std::uint64_t i = 0; i + 1 < level->next.size(); ++i) {
      if (level->next[i] > level->next[i + 1] || level->next[i + 1] > counts_[n]) {
        return file_.fault(level_at,
                           fmt::format("{} of a shorter one lie from {} to {} of {}", name,
                                       level->next[i], level->next[i + 1], counts_[n]));
      }
      for (std::uint64_t j = level->next[i]; j < level->next[i + 1]; ++j) {
        const auto word = static_cast<std::uint32_t>(bits.at(j, 0, word_bits));
        const std::uint64_t key = longer_key(level->keys[i], word);
        const float prob = log_prob(bits.float_at(j, word_bits, 31));
        const float backoff = highest ? 0 : bits.float_at(j, word_bits + 31, 32);
        if (word >= counts_[0] || !std::isfinite(prob) || !std::isfinite(backoff)) {
          return file_.fault(level_at, fmt::format("entry {} of {} is none", j, name));
        }
        const bool is_new =
            highest ? model_.longest_.put(key, prob)
                    : table->put(key, marked({prob, backoff}, longer.next[j + 1] > longer.next[j]));
        if (!is_new)
          return file_.fault(level_at, fmt::format("entry {} of {} is there twice", j, name));
        if (!highest) longer.keys[j] = key;
      }
    }
    *level = std::move(longer);
    return {};
  }

  static Weights marked(Weights weights, bool left) {
    return {left ? internal::marked_left(weights.prob) : log_prob(weights.prob), weights.backoff};
  }

  internal::NgramFile& file_;
  const std::vector<std::uint64_t>& counts_;
  NgramModel& model_;
};

Result<void> internal::read_ngram_trie(NgramFile* file, const std::vector<std::uint64_t>& counts,
                                       NgramModel* model) {
  return NgramTrieReader(file, counts, model).read();
}

}  // namespace headrace::score
