// SPDX-License-Identifier: Apache-2.0
// Reading binary files of KenLM; internal/ngram_binary.h has the layout.
//
// internal/ngram_tables.h says what the numbers mean. Written from what is known of the layout and
// compared with KenLM both ways (tests/interop/kenlm). What is read is walked through once: a table
// without an empty bucket would never end a search, and an id beyond the unigrams would be read
// outside them.
#include "score/internal/ngram_binary.h"

#include <cmath>
#include <cstring>

#include "io/file.h"
#include "score/internal/ngram_file.h"

namespace headrace::score {

using internal::BinaryFixed;
using internal::BinaryParameters;
using internal::kNgramCountsAt;
using internal::kNgramMagic;
using internal::kNgramMagicBytes;
using internal::ngram_header_bytes;
using internal::Weights;

namespace {

constexpr std::string_view kAnyVersion = "mmap lm http://kheafield.com/code";
constexpr std::uint32_t kProbing = 0;
constexpr std::uint32_t kTrie = 2;
constexpr float kMostMultiplier = 1000;
const char* const kKinds[] = {
    "probing",        "probing with rest costs",       "trie",
    "quantised trie", "trie with compressed pointers", "quantised trie with compressed pointers"};

}  // namespace

// A walk through the file that keeps its first error.
class NgramBinaryReader {
 public:
  NgramBinaryReader(std::string_view name, std::uint64_t bytes, internal::ReadAt read)
      : file_(name, bytes, std::move(read)) {}

  Result<NgramModel> read() {
    NgramModel model;
    BinaryParameters parameters;
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
  Result<void> header(BinaryParameters* parameters, std::vector<std::uint64_t>* counts) {
    char magic[kNgramMagicBytes];
    HEADRACE_RETURN_IF_ERROR(file_.take(magic, kNgramMagicBytes, "the header"));
    if (std::string_view(magic, kNgramMagic.size()) != kNgramMagic) {
      return unsupported(
          "reading the model of KenLM {}: its version is not 5, or its writer was stopped; make it "
          "anew with build_binary",
          file_.name());
    }
    BinaryFixed fixed;
    const BinaryFixed wanted;
    HEADRACE_RETURN_IF_ERROR(file_.take(&fixed, sizeof(fixed), "the header"));
    if (std::memcmp(&fixed, &wanted, sizeof(fixed)) != 0) {
      return file_.fault(kNgramMagicBytes, "the header's fixed numbers are others");
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
    return file_.take(padding, ngram_header_bytes(order) - file_.offset(), "the header");
  }

  Result<void> check_sizes(const BinaryParameters& parameters,
                           const std::vector<std::uint64_t>& counts) {
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

  Result<void> probing(const BinaryParameters& parameters, const std::vector<std::uint64_t>& counts,
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

}  // namespace headrace::score
