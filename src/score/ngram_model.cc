// SPDX-License-Identifier: Apache-2.0
// Scoring, order by order over a chunk of tokens: the buckets of all of them are asked for before
// the first is looked at, so that waits for memory overlap. An n-gram is looked for where its
// suffix stands and its context stands and can go on; what is found is what KenLM finds going from
// token to token, and its single precision sums are kept, so the scores are the same bits.
#include "score/ngram_model.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "io/input_stream.h"
#include "io/random_file.h"
#include "score/internal/ngram_readers.h"

namespace headrace::score {

using internal::extends_left;
using internal::extends_right;
using internal::kUnknownWord;
using internal::log_prob;
using internal::longer_key;
using internal::Weights;
using internal::word_key;

namespace {

constexpr float kNoExtension = -0.0f;
constexpr float kMissingUnknown = -100;  // as KenLM takes it
// Of gzip; other codecs pass it only on texts that are no model, and then tables grow.
constexpr std::uint64_t kMostCompressed = 1032;

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

void NgramModel::look_up(Scratch* s, std::size_t begin, std::size_t end) const {
  // Words to unigrams. `key` is the word's hash before, its n-gram's after.
  for (std::size_t i = begin; i < end; ++i) {
    if (s->before[i] == 0) continue;
    std::uint64_t id = s->word[i];
    if (id == ~std::uint32_t{0}) {
      const std::uint64_t bucket = words_.seek(s->key[i], s->home[i]);
      id = words_.key_at(bucket) == 0 ? kUnknownWord : words_.value_at(bucket);
      s->word[i] = static_cast<std::uint32_t>(id);
    }
    __builtin_prefetch(unigrams_.data() + id);
  }
  std::size_t open = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const Weights found = unigrams_[s->word[i]];
    s->key[i] = s->word[i];
    s->prob[i] = log_prob(found.prob);
    s->backoff[0][i] = found.backoff;
    s->length[i] = 1;
    s->usable[i] = extends_right(found.backoff) ? 1 : 0;
    s->open[open] = static_cast<std::uint32_t>(i);
    open += extends_left(found.prob);
  }
  for (int n = 2; n <= order_; ++n) {
    const auto shorter = static_cast<std::size_t>(n - 1);
    std::size_t asked = 0;
    for (std::size_t j = 0; j < open; ++j) {
      const std::size_t i = s->open[j];
      if (s->before[i] < shorter || s->usable[i - 1] < shorter) continue;
      s->key[i] = longer_key(s->key[i], s->word[i - shorter]);
      if (n == order_) {
        s->home[asked] = longest_.home(s->key[i]);
        longest_.prefetch(s->home[asked]);
      } else {
        const Middle& table = middle_[shorter - 1];
        s->home[asked] = table.home(s->key[i]);
        table.prefetch(s->home[asked]);
      }
      s->open[asked++] = static_cast<std::uint32_t>(i);
    }
    open = 0;
    for (std::size_t j = 0; j < asked; ++j) {
      const std::size_t i = s->open[j];
      if (n == order_) {
        const std::uint64_t bucket = longest_.seek(s->key[i], s->home[j]);
        if (longest_.key_at(bucket) == 0) continue;
        s->prob[i] = longest_.value_at(bucket);
        s->length[i] = static_cast<std::uint8_t>(n);
        continue;
      }
      const Middle& table = middle_[shorter - 1];
      const std::uint64_t bucket = table.seek(s->key[i], s->home[j]);
      if (table.key_at(bucket) == 0) continue;
      const Weights found = table.value_at(bucket);
      s->prob[i] = log_prob(found.prob);
      s->backoff[shorter][i] = found.backoff;
      s->length[i] = static_cast<std::uint8_t>(n);
      if (extends_right(found.backoff)) s->usable[i] = static_cast<std::uint8_t>(n);
      s->open[open] = static_cast<std::uint32_t>(i);
      open += extends_left(found.prob);
    }
  }
}

void NgramModel::add_up(const Scratch& s, std::size_t begin, std::size_t end, Sum* sum,
                        std::vector<float>* each) const {
  for (std::size_t i = begin; i < end; ++i) {
    if (s.before[i] == 0) continue;
    float log10 = s.prob[i];
    for (std::size_t n = s.length[i]; n <= s.usable[i - 1]; ++n) log10 += s.backoff[n - 1][i - 1];
    sum->log10 += static_cast<double>(log10);
    ++sum->tokens;
    sum->unknown += s.word[i] == kUnknownWord;
    if (each != nullptr) each->push_back(log10);
  }
}

NgramModel::Sum NgramModel::score(std::string_view text, const Sentences& sentences, Scratch* s,
                                  std::vector<float>* each) const {
  constexpr std::size_t kBegin = Scratch::kHistory;
  const auto most_before = static_cast<std::size_t>(order_ - 1);
  Sum sum;
  std::size_t at = kBegin;
  std::size_t in_sentence = 0;  // tokens, <s> too
  const auto flush = [&] {
    look_up(s, kBegin, at);
    add_up(*s, kBegin, at, &sum, each);
    for (std::size_t i = 0; i < Scratch::kHistory; ++i) {
      const std::size_t from = at - Scratch::kHistory + i;
      s->word[i] = s->word[from];
      s->usable[i] = s->usable[from];
    }
    for (std::size_t n = 0; n < most_before; ++n) s->backoff[n][kBegin - 1] = s->backoff[n][at - 1];
    at = kBegin;
  };
  const auto put = [&](std::uint32_t word) {
    if (at == Scratch::kSize) flush();
    s->word[at] = word;
    s->before[at] = static_cast<std::uint8_t>(std::min(in_sentence, most_before));
    ++at;
    ++in_sentence;
  };
  const auto open_sentence = [&] {
    in_sentence = 0;
    put(sentence_begin_);
  };
  std::fill_n(s->usable.begin(), kBegin, std::uint8_t{0});
  open_sentence();
  for (std::size_t begin = 0;;) {
    while (begin < text.size() && is_blank(text[begin]) &&
           !(text[begin] == '\n' && sentences.lines)) {
      ++begin;
    }
    if (begin == text.size() || text[begin] == '\n') {
      if (in_sentence > 1 || sentences.empty_lines_count) {
        put(sentence_end_);
        if (begin < text.size()) open_sentence();
      }
      if (begin == text.size()) break;
      ++begin;
      continue;
    }
    std::size_t end = begin + 1;
    while (end < text.size() && !is_blank(text[end])) ++end;
    put(~std::uint32_t{0});
    ++sum.words;
    s->key[at - 1] = word_key(text.substr(begin, end - begin));
    s->home[at - 1] = words_.home(s->key[at - 1]);
    words_.prefetch(s->home[at - 1]);
    begin = end;
  }
  flush();
  return sum;
}

Result<NgramModel> NgramModel::open(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const io::RandomFile file, io::RandomFile::open_in_order(path));
  std::string head(std::min<std::uint64_t>(file.bytes(), 64), 0);
  HEADRACE_RETURN_IF_ERROR(file.read(0, head));
  if (internal::is_ngram_binary(head)) {
    return internal::read_ngram_binary(
        path, file.bytes(),
        [&](std::uint64_t offset, std::span<char> buffer) { return file.read(offset, buffer); });
  }
  HEADRACE_ASSIGN_OR_RETURN(const auto stream, io::open_input(path));
  const auto read = [&](char* buffer, std::size_t size) -> Result<std::size_t> {
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, stream->read(buffer, size));
    if (got == 0 && stream->end() != io::StreamEnd::kWhole) {
      return corrupt("reading the ARPA model {}: {}", path, stream->end_detail());
    }
    return got;
  };
  const bool plain = stream->codec() == io::Codec::kNone;
  return internal::read_arpa(path, file.bytes() * (plain ? 1 : kMostCompressed), read);
}

Result<NgramModel> NgramModel::parse(std::string_view bytes, std::string_view name) {
  if (internal::is_ngram_binary(bytes)) {
    return internal::read_ngram_binary(
        name, bytes.size(), [&](std::uint64_t offset, std::span<char> buffer) -> Result<void> {
          std::copy_n(bytes.data() + offset, buffer.size(), buffer.data());
          return {};
        });
  }
  std::size_t at = 0;
  return internal::read_arpa(name, bytes.size(),
                             [&](char* buffer, std::size_t size) -> Result<std::size_t> {
                               const std::size_t got = bytes.substr(at).copy(buffer, size);
                               at += got;
                               return got;
                             });
}

bool NgramModel::find_sentence_marks() {
  const auto begin = words_.find(internal::word_key("<s>"));
  const auto end = words_.find(internal::word_key("</s>"));
  if (begin == words_.kNone || end == words_.kNone) return false;
  sentence_begin_ = words_.value_at(begin);
  sentence_end_ = words_.value_at(end);
  return true;
}

std::vector<std::uint64_t> NgramModel::counts() const {
  std::vector<std::uint64_t> counts = {unigrams_.size()};
  for (const Middle& table : middle_) counts.push_back(table.entries());
  counts.push_back(longest_.entries());
  return counts;
}

NgramModelBuilder::NgramModelBuilder(const std::vector<std::uint64_t>& counts) {
  const auto buckets = [&](std::uint64_t entries) {
    return NgramModel::Middle::buckets_for(entries, model_.multiplier_);
  };
  model_.order_ = static_cast<int>(counts.size());
  model_.words_ = internal::ProbingTable<std::uint32_t>(buckets(counts[0]));
  model_.unigrams_.reserve(counts[0] + 1);
  model_.unigrams_.push_back({kMissingUnknown, kNoExtension});
  for (std::size_t n = 1; n + 1 < counts.size(); ++n) {
    model_.middle_.emplace_back(buckets(counts[n]));
  }
  model_.longest_ = NgramModel::Longest(buckets(counts.back()));
}

std::uint32_t NgramModelBuilder::add_word(std::string_view word, float prob, float backoff) {
  const Weights weights = {log_prob(prob), backoff == 0 ? kNoExtension : backoff};
  if (word == "<unk>" || word == "<UNK>") {
    if (std::exchange(saw_unknown_, true)) return kNone;
    model_.unigrams_[kUnknownWord] = weights;
    return kUnknownWord;
  }
  const auto id = static_cast<std::uint32_t>(model_.unigrams_.size());
  if (!model_.words_.insert(word_key(word), id)) return kNone;
  model_.unigrams_.push_back(weights);
  return id;
}

std::uint32_t NgramModelBuilder::find_word(std::string_view word) const {
  if (word == "<unk>" || word == "<UNK>") return kUnknownWord;
  const std::uint64_t bucket = model_.words_.find(word_key(word));
  return bucket == model_.words_.kNone ? kNone : model_.words_.value_at(bucket);
}

NgramModelBuilder::Fault NgramModelBuilder::add(std::span<const std::uint32_t> words, float prob,
                                                float backoff) {
  const std::size_t n = words.size();
  auto& middle = model_.middle_;
  // Of the suffixes of each length, and of the contexts of these.
  std::array<std::uint64_t, kMaxNgramOrder + 1> suffix{};
  std::array<std::uint64_t, kMaxNgramOrder + 1> context{};
  suffix[1] = words[n - 1];
  context[1] = words[n - 2];
  for (std::size_t k = 2; k <= n; ++k) suffix[k] = longer_key(suffix[k - 1], words[n - k]);
  for (std::size_t k = 2; k < n; ++k) context[k] = longer_key(context[k - 1], words[n - 1 - k]);
  // Marks that the context of length k goes on; its backoff, or nothing when it is not there.
  const auto mark_context = [&](std::size_t k) -> std::optional<float> {
    if (k == 1) {
      float& there = model_.unigrams_[words[n - 2]].backoff;
      if (!extends_right(there)) there = 0;
      return there;
    }
    const std::uint64_t bucket = middle[k - 2].find(context[k]);
    if (bucket == NgramModel::Middle::kNone) return std::nullopt;
    Weights weights = middle[k - 2].value_at(bucket);
    if (!extends_right(weights.backoff)) weights.backoff = 0;
    middle[k - 2].set_value(bucket, weights);
    return weights.backoff;
  };
  std::size_t there = n - 1;  // the longest shorter suffix that stands in the model
  std::uint64_t bucket = 0;
  for (; there > 1; --there) {
    bucket = middle[there - 2].find(suffix[there]);
    if (bucket != NgramModel::Middle::kNone) break;
  }
  float filled;
  if (there == 1) {
    Weights& weights = model_.unigrams_[words[n - 1]];
    filled = log_prob(weights.prob);
    weights.prob = internal::marked_left(weights.prob);
  } else {
    Weights weights = middle[there - 2].value_at(bucket);
    filled = log_prob(weights.prob);
    weights.prob = internal::marked_left(weights.prob);
    middle[there - 2].set_value(bucket, weights);
  }
  for (std::size_t k = there + 1; k < n; ++k) {
    filled += mark_context(k - 1).value_or(0);
    middle[k - 2].insert(suffix[k], {internal::marked_left(filled), kNoExtension});
  }
  if (!mark_context(n - 1)) return "its context (all but the last word) is not there";
  const bool is_new = n == static_cast<std::size_t>(model_.order_)
                          ? model_.longest_.insert(suffix[n], prob)
                          : middle[n - 2].insert(
                                suffix[n], {log_prob(prob), backoff == 0 ? kNoExtension : backoff});
  return is_new ? "" : "it was there before";
}

NgramModelBuilder::Fault NgramModelBuilder::finish(NgramModel* model, Hash128 fingerprint) {
  const std::uint32_t begin = find_word("<s>");
  const std::uint32_t end = find_word("</s>");
  if (begin == kNone || end == kNone) return "no <s> or no </s> among the words";
  model_.sentence_begin_ = begin;
  model_.sentence_end_ = end;
  model_.fingerprint_ = fingerprint;
  *model = std::move(model_);
  return "";
}

}  // namespace headrace::score
