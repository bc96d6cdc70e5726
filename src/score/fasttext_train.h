// SPDX-License-Identifier: Apache-2.0
// Supervised training as fastText does it: a line of words, the mean of their rows, a linear layer,
// stochastic gradient descent with a rate that falls to 0. The model is one that libfasttext reads.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>

#include "headrace/result.h"

#include "score/fasttext_model.h"

namespace headrace::score {

struct LabelledText {
  std::string_view text;   // newlines are blanks; a token </s> ends it
  std::string_view label;  // without __label__; no blanks
};

// All affect results.
struct FastTextTraining {
  std::int32_t dim = 100;            // numbers in a row, 1 to 4096
  std::int32_t epochs = 5;           // 1 to 10,000
  double rate = 0.1;                 // at the start; above 0
  std::int32_t word_ngrams = 2;      // longest run of words, 1 to 16
  std::int32_t buckets = 2'000'000;  // for the n-grams; 4 * dim bytes each
  std::int32_t min_count = 1;        // a word that stands less often has no row of its own
  std::int32_t min_gram = 0;  // characters of the n-grams inside words; max_gram up to 32, 0: none
  std::int32_t max_gram = 0;
  FastTextLoss loss = FastTextLoss::kSoftmax;  // or kOneVsAll
  std::uint64_t seed = 1;                      // of the first weights and of the order of texts
};

// One thread, and the same model byte for byte from the same texts and options. The texts come in
// an order of their own in each epoch, drawn from the seed: their order in `texts` need not be
// random. Memory: 4 * dim * (words + buckets) bytes, 0.8 GB with the defaults.
// invalid_argument: options out of range, a label with blanks, fewer than two labels, a rate so
// high that the weights leave the finite numbers. cancelled: stopped, soon after.
Result<FastTextModel> train_fasttext(std::span<const LabelledText> texts,
                                     const FastTextTraining& options, std::stop_token stop = {});

}  // namespace headrace::score
