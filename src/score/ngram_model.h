// SPDX-License-Identifier: Apache-2.0
// N-gram language models with backoff: ARPA files and the binary files of KenLM, and what they say
// of a text: the log10 probability of each token, bit for bit that of KenLM.
//
// A sentence is <s>, its tokens, </s>; tokens lie between the blanks of ASCII. A token that the
// model does not know is <unk>; a model without <unk> gives it -100.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "base/hash.h"
#include "score/internal/ngram_tables.h"

namespace headrace::score {

inline constexpr int kMaxNgramOrder = 8;

// Read-only: thread-safe.
class NgramModel {
 public:
  // By its first bytes an ARPA file (plain or compressed) or a binary of KenLM: probing, or trie
  // without quantised or compressed numbers. corrupt: damaged or cut. unsupported: other kinds and
  // versions.
  static Result<NgramModel> open(const std::string& path);
  // The same of bytes in memory, uncompressed; `name` stands in errors.
  static Result<NgramModel> parse(std::string_view bytes, std::string_view name);

  struct Sum {
    double log10 = 0;  // of all tokens, </s> among them
    std::uint64_t tokens = 0;
    std::uint64_t words = 0;    // tokens that are no </s>
    std::uint64_t unknown = 0;  // words that are <unk>
  };
  // One thread's buffers.
  class Scratch;
  struct Sentences {
    bool lines = true;              // each line is one; else the text is
    bool empty_lines_count = true;  // an empty line is the sentence of </s> alone; else none
  };
  // With `each`, the log10 of every token is appended to it.
  Sum score(std::string_view text, const Sentences& sentences, Scratch* scratch,
            std::vector<float>* each = nullptr) const;

  int order() const { return order_; }
  // n-grams of each order, <unk> and those that were filled in among them.
  std::vector<std::uint64_t> counts() const;
  // Of the file's bytes, uncompressed.
  Hash128 fingerprint() const { return fingerprint_; }

  // Writes a probing binary of KenLM (version 5) without the words' texts. Replaces `path` when
  // all is written.
  Result<void> write_binary(const std::string& path) const;

 private:
  friend class NgramModelBuilder;
  friend class NgramBinaryReader;
  friend class NgramTrieReader;
  using Middle = internal::ProbingTable<internal::Weights>;
  using Longest = internal::ProbingTable<float>;

  // False: <s> or </s> is not among the words.
  bool find_sentence_marks();
  void look_up(Scratch* s, std::size_t begin, std::size_t end) const;
  void add_up(const Scratch& s, std::size_t begin, std::size_t end, Sum* sum,
              std::vector<float>* each) const;

  int order_ = 0;
  Hash128 fingerprint_;
  float multiplier_ = 1.5f;  // buckets per entry, when written
  internal::ProbingTable<std::uint32_t> words_;
  std::vector<internal::Weights> unigrams_;
  std::vector<Middle> middle_;  // orders 2 to order - 1
  Longest longest_;
  std::uint32_t sentence_begin_ = 0;
  std::uint32_t sentence_end_ = 0;
};

// n-grams that come order by order → a model. An n-gram's context (all but its last word) must have
// come; a suffix that has not (models that were pruned may lack it) is filled in with the
// probability that backing off gives it, as KenLM does.
class NgramModelBuilder {
 public:
  // `counts` of the orders, from 1 on: room is made for as many; more may come.
  explicit NgramModelBuilder(const std::vector<std::uint64_t>& counts);

  // What an n-gram is refused for; empty when it is taken.
  using Fault = std::string;

  // The word's id, or kNone when it was there already. <unk> (and <UNK>) is 0.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t add_word(std::string_view word, float prob, float backoff);
  std::uint32_t find_word(std::string_view word) const;  // kNone: not there

  // `words` in the order of the text; two to order of them.
  Fault add(std::span<const std::uint32_t> words, float prob, float backoff);

  // Without <s> or </s> there is no model: the fault says so.
  Fault finish(NgramModel* model, Hash128 fingerprint);

 private:
  NgramModel model_;
  bool saw_unknown_ = false;
};

class NgramModel::Scratch {
 public:
  static constexpr std::size_t kChunk = 256;
  // What stands before the chunk: the end of the one before.
  static constexpr std::size_t kHistory = kMaxNgramOrder;
  static constexpr std::size_t kSize = kHistory + kChunk;

 private:
  friend class NgramModel;
  std::array<std::uint64_t, kSize> key;
  std::array<std::uint64_t, kSize> home;  // in the order of `open`
  std::array<std::uint32_t, kSize> word;
  std::array<std::uint32_t, kSize> open;   // places that a longer n-gram may end at
  std::array<std::uint8_t, kSize> before;  // words of its sentence before it, <s> too
  std::array<std::uint8_t, kSize> length;  // of the longest n-gram that ends here
  std::array<std::uint8_t, kSize> usable;  // of the longest that a longer one may begin with
  std::array<float, kSize> prob;
  std::array<std::array<float, kSize>, kMaxNgramOrder> backoff;  // [length - 1][place]
};

}  // namespace headrace::score
