// SPDX-License-Identifier: Apache-2.0
// Binary files of KenLM, version 5, little-endian:
//
//   52 bytes  "mmap lm http://kheafield.com/code format version 5\n", zeros to 56
//   f32 0, f32 1, f32 -0.5, u32 1, u32 2^32-1, u32 0, u64 1     what the writer's machine made of
//   them u8 order, 3 bytes, f32 buckets per entry, u32 kind, u8 has texts, 3 bytes, u32 search
//   version u64 counts of the orders; zeros to a multiple of 8
//
// Probing (kind 0, search version 0):
//   u32 0, u32 words with <unk>; buckets of 12 bytes: u64 word key, u32 id
//   (count 1 + 1) unigrams by id: f32 prob, f32 backoff
//   for each order between: buckets of 16 bytes: u64 key, f32 prob, f32 backoff
//   buckets of 12 bytes: u64 key, f32 prob
//   with texts: the words by id, each ended by a zero
//
// Trie (kind 2, search version 1), whose entries are put into probing tables:
//   u64 words without <unk>; u64 word keys, ascending: the first is of id 1; room for `count 1` of
//   them (count 1 + 2) unigrams by id: f32 prob, f32 backoff, u64 first bigram that ends in it for
//   each order between: (count + 1) entries of bits, lowest first: the word in front of what the
//   entry extends, 31 of prob without its sign, 32 of backoff, first entry of the order above
//   (count + 1) entries: word, 31 of prob. An array ends with its bits' last byte and 8 more
//   bytes; a number has as many bits as the greatest it may be: count 1, count of the order above
//
// internal/ngram_tables.h says what the numbers mean. Written from what is known of the layout and
// compared with KenLM both ways (tests/interop/kenlm). What is read is walked through once: a table
// without an empty bucket would never end a search, and an id beyond the unigrams would be read
// outside them.
#include <cmath>
#include <optional>

#include "base/error.h"
#include "io/file.h"
#include "score/internal/ngram_readers.h"
#include "score/ngram_model.h"

namespace headrace::score {

using internal::log_prob;
using internal::longer_key;
using internal::Weights;

namespace {

constexpr std::string_view kAnyVersion = "mmap lm http://kheafield.com/code";
constexpr std::string_view kMagic = "mmap lm http://kheafield.com/code format version 5\n";
constexpr std::size_t kMagicBytes = 56;
constexpr std::size_t kFixedBytes = 108;
constexpr std::uint32_t kProbing = 0;
constexpr std::uint32_t kTrie = 2;
constexpr float kMostMultiplier = 1000;
const char* const kKinds[] = {
    "probing",        "probing with rest costs",       "trie",
    "quantised trie", "trie with compressed pointers", "quantised trie with compressed pointers"};

struct Fixed {
  float zero = 0, one = 1, minus_half = -0.5f;
  std::uint32_t one_word = 1, most = ~std::uint32_t{0}, padding = 0;
  std::uint64_t one_long = 1;
};
static_assert(sizeof(Fixed) == 32);

struct Parameters {
  std::uint32_t order = 0;
  float multiplier = 0;
  std::uint32_t kind = 0;
  std::uint32_t has_texts = 0;
  std::uint32_t search_version = 0;
};
static_assert(sizeof(Parameters) == 20);

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

std::uint64_t header_bytes(std::size_t order) { return (kFixedBytes + 8 * order + 7) / 8 * 8; }

}  // namespace

// A walk through the file that keeps its first error.
class NgramBinaryReader {
 public:
  NgramBinaryReader(std::string_view name, std::uint64_t bytes, internal::ReadAt read)
      : name_(name), bytes_(bytes), read_(std::move(read)) {}

  Result<NgramModel> read() {
    NgramModel model;
    Parameters parameters;
    std::vector<std::uint64_t> counts;
    HEADRACE_RETURN_IF_ERROR(header(&parameters, &counts));
    if (parameters.kind != kProbing && parameters.kind != kTrie) {
      const char* kind = parameters.kind < std::size(kKinds) ? kKinds[parameters.kind] : "unknown";
      return unsupported(
          "reading the model of KenLM {}: its kind is {} ({}), probing and trie are read; make one "
          "with "
          "'build_binary probing', or give the ARPA file",
          name_, parameters.kind, kind);
    }
    const bool is_trie = parameters.kind == kTrie;
    if (parameters.search_version != (is_trie ? 1 : 0)) {
      return fault(kFixedBytes - 4, fmt::format("search version {}", parameters.search_version));
    }
    if (is_trie) {
      HEADRACE_RETURN_IF_ERROR(trie(counts, &model));
    } else {
      HEADRACE_RETURN_IF_ERROR(check_sizes(parameters, counts));
      HEADRACE_RETURN_IF_ERROR(probing(parameters, counts, &model));
    }
    HEADRACE_RETURN_IF_ERROR(texts());
    model.fingerprint_ = hasher_.digest();
    return model;
  }

 private:
  Status fault(std::uint64_t at, std::string_view what) const {
    return corrupt(
        "reading the model of KenLM {}: offset {}: {}; the file is damaged or cut, get it again",
        name_, at, what);
  }

  Result<void> take(void* out, std::uint64_t size, std::string_view what) {
    if (size > bytes_ - offset_) {
      return fault(offset_,
                   fmt::format("{} of {} bytes, but {} are left", what, size, bytes_ - offset_));
    }
    HEADRACE_RETURN_IF_ERROR(read_(offset_, {static_cast<char*>(out), size}));
    hasher_.update({static_cast<const char*>(out), size});
    offset_ += size;
    return {};
  }

  Result<void> header(Parameters* parameters, std::vector<std::uint64_t>* counts) {
    char magic[kMagicBytes];
    HEADRACE_RETURN_IF_ERROR(take(magic, kMagicBytes, "the header"));
    if (std::string_view(magic, kMagic.size()) != kMagic) {
      return unsupported(
          "reading the model of KenLM {}: its version is not 5, or its writer was stopped; make it "
          "anew with build_binary",
          name_);
    }
    Fixed fixed;
    const Fixed wanted;
    HEADRACE_RETURN_IF_ERROR(take(&fixed, sizeof(fixed), "the header"));
    if (std::memcmp(&fixed, &wanted, sizeof(fixed)) != 0) {
      return fault(kMagicBytes, "the header's fixed numbers are others");
    }
    HEADRACE_RETURN_IF_ERROR(take(parameters, sizeof(*parameters), "the header"));
    const std::size_t order = parameters->order & 0xFF;
    if (order < 2 || order > kMaxNgramOrder) {
      return fault(kFixedBytes - 20,
                   fmt::format("n-grams of {} words, known are 2 to {}", order, kMaxNgramOrder));
    }
    counts->resize(order);
    HEADRACE_RETURN_IF_ERROR(take(counts->data(), 8 * order, "the counts"));
    char padding[8];
    return take(padding, header_bytes(order) - offset_, "the header");
  }

  Result<void> check_sizes(const Parameters& parameters, const std::vector<std::uint64_t>& counts) {
    const float multiplier = parameters.multiplier;
    if (!(multiplier > 1 && multiplier <= kMostMultiplier)) {
      return fault(kFixedBytes - 16, fmt::format("{} buckets per entry", multiplier));
    }
    double sum = static_cast<double>(offset_) + 8;
    for (std::size_t n = 0; n < counts.size(); ++n) {
      if (counts[n] > bytes_ || counts[n] >= internal::ProbingTable<float>::kNone / 2) {
        return fault(kFixedBytes + 8 * n,
                     fmt::format("{} {}-grams in a file of {} bytes", counts[n], n + 1, bytes_));
      }
      const auto buckets =
          static_cast<double>(internal::ProbingTable<float>::buckets_for(counts[n], multiplier));
      if (n == 0) sum += 8.0 * static_cast<double>(counts[0] + 1);
      sum += buckets * (n == 0 || n + 1 == counts.size() ? 12 : 16);
    }
    if (sum > static_cast<double>(bytes_)) {
      return fault(kFixedBytes,
                   fmt::format("the counts need {:.0f} bytes, the file has {}", sum, bytes_));
    }
    return {};
  }

  // Reads the table, counts its entries and asks `good` of each value.
  template <class Value, class Good>
  Result<void> table(internal::ProbingTable<Value>* table, std::uint64_t count, float multiplier,
                     std::string_view what, const Good& good) {
    *table = internal::ProbingTable<Value>(table->buckets_for(count, multiplier));
    const std::uint64_t at = offset_;
    HEADRACE_RETURN_IF_ERROR(take(table->data(), table->bytes(), what));
    std::uint64_t entries = 0;
    for (std::uint64_t i = 0; i < table->buckets(); ++i) {
      if (table->key_at(i) == 0) continue;
      ++entries;
      if (!good(table->value_at(i))) {
        return fault(at + i * table->kBucket, fmt::format("a value among {} that is none", what));
      }
    }
    if (entries == table->buckets()) return fault(at, fmt::format("no room among {}", what));
    table->set_entries(entries);
    return {};
  }

  Result<void> probing(const Parameters& parameters, const std::vector<std::uint64_t>& counts,
                       NgramModel* model) {
    model->order_ = static_cast<int>(counts.size());
    model->multiplier_ = parameters.multiplier;
    const std::uint64_t words_at = offset_;
    std::uint32_t words[2];
    HEADRACE_RETURN_IF_ERROR(take(words, sizeof(words), "the words' header"));
    if (words[0] != 0 || words[1] < 1 || words[1] > counts[0] + 1) {
      return fault(words_at, fmt::format("version {} of the words, {} of them for {} unigrams",
                                         words[0], words[1], counts[0]));
    }
    HEADRACE_RETURN_IF_ERROR(table(&model->words_, counts[0], parameters.multiplier, "the words",
                                   [&](std::uint32_t id) { return id < words[1]; }));
    const std::uint64_t unigrams_at = offset_;
    model->unigrams_.resize(counts[0] + 1);
    HEADRACE_RETURN_IF_ERROR(
        take(model->unigrams_.data(), model->unigrams_.size() * sizeof(Weights), "the unigrams"));
    model->unigrams_.resize(words[1]);
    const auto good = [](const Weights& weights) {
      return std::isfinite(weights.prob) && std::isfinite(weights.backoff);
    };
    for (std::size_t i = 0; i < model->unigrams_.size(); ++i) {
      if (!good(model->unigrams_[i])) {
        return fault(unigrams_at + 8 * i, "a value among the unigrams that is none");
      }
    }
    for (std::size_t n = 1; n + 1 < counts.size(); ++n) {
      HEADRACE_RETURN_IF_ERROR(table(&model->middle_.emplace_back(), counts[n],
                                     parameters.multiplier, fmt::format("the {}-grams", n + 1),
                                     good));
    }
    HEADRACE_RETURN_IF_ERROR(table(&model->longest_, counts.back(), parameters.multiplier,
                                   fmt::format("the {}-grams", counts.size()),
                                   [](float prob) { return std::isfinite(prob) && prob <= 0; }));
    return sentence_marks(words_at, model);
  }

  Result<void> sentence_marks(std::uint64_t words_at, NgramModel* model) const {
    const auto begin = model->words_.find(internal::word_key("<s>"));
    const auto end = model->words_.find(internal::word_key("</s>"));
    if (begin == model->words_.kNone || end == model->words_.kNone) {
      return fault(words_at, "no <s> or no </s> among the words");
    }
    model->sentence_begin_ = model->words_.value_at(begin);
    model->sentence_end_ = model->words_.value_at(end);
    return {};
  }

  // Of one order of a trie: the keys of its n-grams, and where the longer ones that end in them
  // begin.
  struct Level {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> next;
  };

  // As many unigrams as words; entries of no n-gram are passed over.
  Result<void> trie(const std::vector<std::uint64_t>& counts, NgramModel* model) {
    const std::uint64_t words_at = offset_;
    for (std::size_t n = 0; n < counts.size(); ++n) {
      if (counts[n] == 0 || counts[n] > bytes_ || counts[n] > ~std::uint32_t{0}) {
        return fault(kFixedBytes + 8 * n,
                     fmt::format("{} {}-grams in a file of {} bytes", counts[n], n + 1, bytes_));
      }
    }
    if (counts[0] > (bytes_ - offset_) / 24) {
      return fault(kFixedBytes, fmt::format("{} words in a file of {} bytes", counts[0], bytes_));
    }
    const std::size_t order = counts.size();
    model->order_ = static_cast<int>(order);
    std::vector<std::uint64_t> keys(counts[0] + 1);
    HEADRACE_RETURN_IF_ERROR(take(keys.data(), keys.size() * 8, "the words"));
    if (keys[0] + 1 != counts[0]) {
      return fault(words_at, fmt::format("{} words for {} unigrams", keys[0], counts[0]));
    }
    model->words_ = internal::ProbingTable<std::uint32_t>(
        NgramModel::Middle::buckets_for(counts[0], model->multiplier_));
    for (std::uint32_t id = 1; id < counts[0]; ++id) {
      if (!model->words_.put(keys[id], id)) {
        return fault(words_at + 8 * id, "a word's key that was there before");
      }
    }
    struct Unigram {
      Weights weights;
      std::uint64_t next = 0;
    };
    const std::uint64_t level_at = offset_;
    std::vector<Unigram> unigrams(counts[0] + 2);
    HEADRACE_RETURN_IF_ERROR(
        take(unigrams.data(), unigrams.size() * sizeof(Unigram), "the unigrams"));
    Level level{std::vector<std::uint64_t>(counts[0]), std::vector<std::uint64_t>(counts[0] + 1)};
    for (std::uint64_t i = 0; i <= counts[0]; ++i) {
      level.next[i] = unigrams[i].next;
      if (i == counts[0]) break;
      level.keys[i] = i;
      if (!std::isfinite(unigrams[i].weights.prob) || !std::isfinite(unigrams[i].weights.backoff)) {
        return fault(level_at + sizeof(Unigram) * i, "a value among the unigrams that is none");
      }
      model->unigrams_.push_back(
          marked(unigrams[i].weights, unigrams[i + 1].next > unigrams[i].next));
    }
    for (std::size_t n = 1; n < order; ++n) {
      HEADRACE_RETURN_IF_ERROR(trie_level(n, counts, &level, model));
    }
    return sentence_marks(words_at, model);
  }

  // The n-grams of n + 1 words; `level` is that of the order below, then theirs.
  Result<void> trie_level(std::size_t n, const std::vector<std::uint64_t>& counts, Level* level,
                          NgramModel* model) {
    const int word_bits = std::bit_width(counts[0]);
    const auto buckets = NgramModel::Middle::buckets_for(counts[n], model->multiplier_);
    const bool highest = n + 1 == counts.size();
    const int next_bits = highest ? 0 : std::bit_width(counts[n + 1]);
    const int entry_bits = word_bits + (highest ? 31 : 63 + next_bits);
    const std::string name = fmt::format("the {}-grams", n + 1);
    const std::uint64_t level_at = offset_;
    const std::uint64_t size = Bits::bytes_for(counts[n], entry_bits);
    if (size > bytes_ - offset_) {
      return fault(offset_,
                   fmt::format("{} of {} bytes, but {} are left", name, size, bytes_ - offset_));
    }
    std::vector<char> bytes(size);
    HEADRACE_RETURN_IF_ERROR(take(bytes.data(), size, name));
    const Bits bits(std::move(bytes), entry_bits);
    NgramModel::Middle* table = nullptr;
    if (highest) {
      model->longest_ = NgramModel::Longest(buckets);
    } else {
      table = &model->middle_.emplace_back(buckets);
    }
    Level longer;
    longer.keys.resize(highest ? 0 : counts[n]);
    longer.next.resize(highest ? 0 : counts[n] + 1);
    for (std::uint64_t i = 0; i < longer.next.size(); ++i) {
      longer.next[i] = bits.at(i, word_bits + 63, next_bits);
    }
    for (std::uint64_t i = 0; i + 1 < level->next.size(); ++i) {
      if (level->next[i] > level->next[i + 1] || level->next[i + 1] > counts[n]) {
        return fault(level_at, fmt::format("{} of a shorter one lie from {} to {} of {}", name,
                                           level->next[i], level->next[i + 1], counts[n]));
      }
      for (std::uint64_t j = level->next[i]; j < level->next[i + 1]; ++j) {
        const auto word = static_cast<std::uint32_t>(bits.at(j, 0, word_bits));
        const std::uint64_t key = longer_key(level->keys[i], word);
        const float prob = log_prob(bits.float_at(j, word_bits, 31));
        const float backoff = highest ? 0 : bits.float_at(j, word_bits + 31, 32);
        if (word >= counts[0] || !std::isfinite(prob) || !std::isfinite(backoff)) {
          return fault(level_at, fmt::format("entry {} of {} is none", j, name));
        }
        const bool is_new =
            highest ? model->longest_.put(key, prob)
                    : table->put(key, marked({prob, backoff}, longer.next[j + 1] > longer.next[j]));
        if (!is_new) return fault(level_at, fmt::format("entry {} of {} is there twice", j, name));
        if (!highest) longer.keys[j] = key;
      }
    }
    *level = std::move(longer);
    return {};
  }

  static Weights marked(Weights weights, bool left) {
    return {left ? internal::marked_left(weights.prob) : log_prob(weights.prob), weights.backoff};
  }

  // The words' texts say nothing that scoring needs, but have part in the fingerprint.
  Result<void> texts() {
    std::vector<char> buffer(std::min<std::uint64_t>(bytes_ - offset_, 1 << 20));
    while (offset_ < bytes_) {
      HEADRACE_RETURN_IF_ERROR(take(
          buffer.data(), std::min<std::uint64_t>(bytes_ - offset_, buffer.size()), "the texts"));
    }
    return {};
  }

  std::string name_;
  std::uint64_t bytes_;
  internal::ReadAt read_;
  std::uint64_t offset_ = 0;
  Hasher hasher_;
};

namespace internal {

Result<NgramModel> read_ngram_binary(std::string_view name, std::uint64_t bytes, ReadAt read) {
  return NgramBinaryReader(name, bytes, std::move(read)).read();
}

bool is_ngram_binary(std::string_view head) { return head.starts_with(kAnyVersion); }

}  // namespace internal

Result<void> NgramModel::write_binary(const std::string& path) const {
  HEADRACE_ASSIGN_OR_RETURN(io::AtomicFile file, io::AtomicFile::create(path));
  const auto write = [&](const void* data, std::size_t size) {
    return file.write({static_cast<const char*>(data), size});
  };
  std::string header(kMagic);
  header.resize(kMagicBytes);
  const auto append = [&](const auto& value) {
    header.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  append(Fixed{});
  append(Parameters{.order = static_cast<std::uint32_t>(order_), .multiplier = multiplier_});
  const std::vector<std::uint64_t> all = counts();
  for (const std::uint64_t count : all) append(count);
  header.resize(header_bytes(all.size()));
  append(std::uint32_t{0});
  append(static_cast<std::uint32_t>(unigrams_.size()));
  HEADRACE_RETURN_IF_ERROR(file.write(header));
  // Tables that grew, or were made for more, are laid out again as the counts say.
  const auto write_table = [&]<class Value>(const internal::ProbingTable<Value>& table,
                                            std::uint64_t count) -> Result<void> {
    const std::uint64_t buckets = table.buckets_for(count, multiplier_);
    if (buckets == table.buckets()) return write(table.data(), table.bytes());
    internal::ProbingTable<Value> other(buckets);
    for (std::uint64_t i = 0; i < table.buckets(); ++i) {
      if (table.key_at(i) != 0) other.put(table.key_at(i), table.value_at(i));
    }
    return write(other.data(), other.bytes());
  };
  HEADRACE_RETURN_IF_ERROR(write_table(words_, unigrams_.size()));
  HEADRACE_RETURN_IF_ERROR(write(unigrams_.data(), unigrams_.size() * sizeof(Weights)));
  const Weights none;  // the format has one more unigram, for an <unk> that was not counted
  HEADRACE_RETURN_IF_ERROR(write(&none, sizeof(none)));
  for (std::size_t n = 0; n < middle_.size(); ++n) {
    HEADRACE_RETURN_IF_ERROR(write_table(middle_[n], all[n + 1]));
  }
  HEADRACE_RETURN_IF_ERROR(write_table(longest_, all.back()));
  return file.commit();
}

}  // namespace headrace::score
