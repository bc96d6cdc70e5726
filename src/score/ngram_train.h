// SPDX-License-Identifier: Apache-2.0
// N-gram models from texts: interpolated modified Kneser-Ney, the estimate of Chen and Goodman
// ("An Empirical Study of Smoothing Techniques for Language Modeling", 1998) as lmplz makes it
// (Heafield et al., "Scalable Modified Kneser-Ney Language Model Estimation", ACL 2013). The files
// are ones that KenLM reads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace::score {

struct NgramTraining {
  // Affects results.
  int order = 5;  // words of the longest n-gram, 2 to 8
  // prune[n - 1]: n-grams that stand in the texts at most so often are left out; the last value
  // holds for the orders behind it. Not decreasing, the first 0. lmplz: --prune.
  std::vector<std::uint64_t> prune = {0};
  bool split_han = false;  // each Han character is a token; scores need `han: split` then
  // Affects only what is refused: the training needs at most about this much.
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;
};

struct NgramTrainingReport {
  std::uint64_t sentences = 0;        // lines with a token
  std::uint64_t tokens = 0;           // </s> among them
  std::uint64_t skipped = 0;          // tokens <s>, </s>, <unk> in the texts, which are left out
  std::vector<std::uint64_t> ngrams;  // of each order, written
  // What is taken off counts of 1, 2, and 3 and more, per order. `guessed`: the counts gave none
  // (the texts are few, or made by a rule), and it is 0.5, 1, 1.5.
  struct Discount {
    std::array<double, 3> of{};
    bool guessed = false;
  };
  std::vector<Discount> discounts;
};

// Texts come one by one; each line is a sentence. All tokens are kept in memory: up to 160
// bytes each at the end, for order 5 (36 more for each order above), and about 100 a word. One
// thread; the same texts in the same order give the same file, byte for byte.
class NgramTrainer {
 public:
  // invalid_argument: options out of range.
  static Result<NgramTrainer> start(const NgramTraining& options);
  NgramTrainer(NgramTrainer&&) noexcept;
  ~NgramTrainer();

  // resource_exhausted: more than memory_bytes.
  Result<void> add(std::string_view text);

  // Estimates the model and writes it: as text when `path` ends in .arpa, else as a probing binary
  // of KenLM. invalid_argument: no text. cancelled: stopped,
  // and no file written. Once; the trainer is spent.
  Result<NgramTrainingReport> finish(const std::string& path, std::stop_token stop = {});

 private:
  struct State;
  explicit NgramTrainer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace headrace::score
