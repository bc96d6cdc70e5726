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
// Trie (kind 2): ngram_trie.cc.
//
// internal/ngram_tables.h says what the numbers mean. Written from what is known of the layout and
// compared with KenLM both ways (tests/interop/kenlm). What is read is walked through once: a table
// without an empty bucket would never end a search, and an id beyond the unigrams would be read
// outside them.
#include <cmath>
#include <cstring>

#include "io/file.h"
#include "score/internal/ngram_file.h"

namespace headrace::score {

using internal::kNgramCountsAt;
using internal::Weights;

namespace {

constexpr std::string_view kAnyVersion = "mmap lm http://kheafield.com/code";
constexpr std::string_view kMagic = "mmap lm http://kheafield.com/code format version 5\n";
constexpr std::size_t kMagicBytes = 56;
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

std::uint64_t header_bytes(std::size_t order) { return (kNgramCountsAt + 8 * order + 7) / 8 * 8; }

}  // namespace

// A walk through the file that keeps its first error.
class NgramBinaryReader {
 public:
  NgramBinaryReader(std::string_view name, std::uint64_t bytes, internal::ReadAt read)
      : file_(name, bytes, std::move(read)) {}

  Result<NgramModel> read() {
    NgramModel model;
    Parameters parameters;
    std::vector<std::uint64_t> counts;
    HEADRACE_RETURN_IF_ERROR(header(&parameters, &counts));
    if (parameters.kind != kProbing && parameters.kind != kTrie) {
      const char* kind = parameters.kind < std::size(kKinds) ? kKinds[parameters.kind] : "unknown";
      return unsupported(
          "reading the model of KenLM {}: its kind is {} ({}), probing and trie are read; make one "
          "with 'build_binary probing', or give the ARPA file",
          file_.name(), parameters.kind, kind);
    }
    const bool is_trie = parameters.kind == kTrie;
    if (parameters.search_version != (is_trie ? 1 : 0)) {
      return file_.fault(kNgramCountsAt - 4,
                         fmt::format("search version {}", parameters.search_version));
    }
    if (is_trie) {
      HEADRACE_RETURN_IF_ERROR(internal::read_ngram_trie(&file_, counts, &model));
    } else {
      HEADRACE_RETURN_IF_ERROR(check_sizes(parameters, counts));
      HEADRACE_RETURN_IF_ERROR(probing(parameters, counts, &model));
    }
    HEADRACE_RETURN_IF_ERROR(texts());
    model.fingerprint_ = file_.digest();
    return model;
  }

 private:
  Result<void> header(Parameters* parameters, std::vector<std::uint64_t>* counts) {
    char magic[kMagicBytes];
    HEADRACE_RETURN_IF_ERROR(file_.take(magic, kMagicBytes, "the header"));
    if (std::string_view(magic, kMagic.size()) != kMagic) {
      return unsupported(
          "reading the model of KenLM {}: its version is not 5, or its writer was stopped; make it "
          "anew with build_binary",
          file_.name());
    }
    Fixed fixed;
    const Fixed wanted;
    HEADRACE_RETURN_IF_ERROR(file_.take(&fixed, sizeof(fixed), "the header"));
    if (std::memcmp(&fixed, &wanted, sizeof(fixed)) != 0) {
      return file_.fault(kMagicBytes, "the header's fixed numbers are others");
    }
    HEADRACE_RETURN_IF_ERROR(file_.take(parameters, sizeof(*parameters), "the header"));
    const std::size_t order = parameters->order & 0xFF;
    if (order < 2 || order > kMaxNgramOrder) {
      return file_.fault(kNgramCountsAt - 20, fmt::format("n-grams of {} words, known are 2 to {}",
                                                          order, kMaxNgramOrder));
    }
    counts->resize(order);
    HEADRACE_RETURN_IF_ERROR(file_.take(counts->data(), 8 * order, "the counts"));
    char padding[8];
    return file_.take(padding, header_bytes(order) - file_.offset(), "the header");
  }

  Result<void> check_sizes(const Parameters& parameters, const std::vector<std::uint64_t>& counts) {
    const float multiplier = parameters.multiplier;
    if (!(multiplier > 1 && multiplier <= kMostMultiplier)) {
      return file_.fault(kNgramCountsAt - 16, fmt::format("{} buckets per entry", multiplier));
    }
    double sum = static_cast<double>(file_.offset()) + 8;
    for (std::size_t n = 0; n < counts.size(); ++n) {
      if (counts[n] > file_.bytes() || counts[n] >= internal::ProbingTable<float>::kNone / 2) {
        return file_.fault(kNgramCountsAt + 8 * n, fmt::format("{} {}-grams in a file of {} bytes",
                                                               counts[n], n + 1, file_.bytes()));
      }
      const auto buckets =
          static_cast<double>(internal::ProbingTable<float>::buckets_for(counts[n], multiplier));
      if (n == 0) sum += 8.0 * static_cast<double>(counts[0] + 1);
      sum += buckets * (n == 0 || n + 1 == counts.size() ? 12 : 16);
    }
    if (sum > static_cast<double>(file_.bytes())) {
      return file_.fault(
          kNgramCountsAt,
          fmt::format("the counts need {:.0f} bytes, the file has {}", sum, file_.bytes()));
    }
    return {};
  }

  // Reads the table, counts its entries and asks `good` of each value.
  template <class Value, class Good>
  Result<void> table(internal::ProbingTable<Value>* table, std::uint64_t count, float multiplier,
                     std::string_view what, const Good& good) {
    *table = internal::ProbingTable<Value>(table->buckets_for(count, multiplier));
    const std::uint64_t at = file_.offset();
    HEADRACE_RETURN_IF_ERROR(file_.take(table->data(), table->bytes(), what));
    std::uint64_t entries = 0;
    for (std::uint64_t i = 0; i < table->buckets(); ++i) {
      if (table->key_at(i) == 0) continue;
      ++entries;
      if (!good(table->value_at(i))) {
        return file_.fault(at + i * table->kBucket,
                           fmt::format("a value among {} that is none", what));
      }
    }
    if (entries == table->buckets()) return file_.fault(at, fmt::format("no room among {}", what));
    table->set_entries(entries);
    return {};
  }

  Result<void> probing(const Parameters& parameters, const std::vector<std::uint64_t>& counts,
                       NgramModel* model) {
    model->order_ = static_cast<int>(counts.size());
    model->multiplier_ = parameters.multiplier;
    const std::uint64_t words_at = file_.offset();
    std::uint32_t words[2];
    HEADRACE_RETURN_IF_ERROR(file_.take(words, sizeof(words), "the words' header"));
    if (words[0] != 0 || words[1] < 1 || words[1] > counts[0] + 1) {
      return file_.fault(
          words_at, fmt::format("version {} of the words, {} of them for {} unigrams", words[0],
                                words[1], counts[0]));
    }
    HEADRACE_RETURN_IF_ERROR(table(&model->words_, counts[0], parameters.multiplier, "the words",
                                   [&](std::uint32_t id) { return id < words[1]; }));
    const std::uint64_t unigrams_at = file_.offset();
    model->unigrams_.resize(counts[0] + 1);
    HEADRACE_RETURN_IF_ERROR(file_.take(model->unigrams_.data(),
                                        model->unigrams_.size() * sizeof(Weights), "the unigrams"));
    model->unigrams_.resize(words[1]);
    const auto good = [](const Weights& weights) {
      return std::isfinite(weights.prob) && std::isfinite(weights.backoff);
    };
    for (std::size_t i = 0; i < model->unigrams_.size(); ++i) {
      if (!good(model->unigrams_[i])) {
        return file_.fault(unigrams_at + 8 * i, "a value among the unigrams that is none");
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
    if (model->find_sentence_marks()) return {};
    return file_.fault(words_at, "no <s> or no </s> among the words");
  }

  // The words' texts say nothing that scoring needs, but have part in the fingerprint.
  Result<void> texts() {
    std::vector<char> buffer(std::min<std::uint64_t>(file_.left(), 1 << 20));
    while (file_.offset() < file_.bytes()) {
      HEADRACE_RETURN_IF_ERROR(file_.take(
          buffer.data(), std::min<std::uint64_t>(file_.left(), buffer.size()), "the texts"));
    }
    return {};
  }

  internal::NgramFile file_;
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
