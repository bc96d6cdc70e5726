// SPDX-License-Identifier: Apache-2.0
// fastText's training as `headrace score train` offers it: options as text → FastTextTraining.
#include <charconv>

#include "base/error.h"
#include "score/letters.h"
#include "score/trainer.h"

namespace headrace::score {
namespace {

template <class Number>
Result<void> parse(const OptionValues& options, const char* name, Number* value) {
  const std::string& text = options.at(name);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  if (error == std::errc() && end == text.data() + text.size()) return {};
  return invalid_argument("fasttext: {} is '{}', which is no {}", name, text,
                          std::is_integral_v<Number> ? "whole number in range" : "number");
}

Result<FastTextTraining> parse(const OptionValues& options) {
  FastTextTraining made;
  HEADRACE_RETURN_IF_ERROR(parse(options, "dim", &made.dim));
  HEADRACE_RETURN_IF_ERROR(parse(options, "epochs", &made.epochs));
  HEADRACE_RETURN_IF_ERROR(parse(options, "rate", &made.rate));
  HEADRACE_RETURN_IF_ERROR(parse(options, "word_ngrams", &made.word_ngrams));
  HEADRACE_RETURN_IF_ERROR(parse(options, "buckets", &made.buckets));
  HEADRACE_RETURN_IF_ERROR(parse(options, "min_count", &made.min_count));
  HEADRACE_RETURN_IF_ERROR(parse(options, "min_gram", &made.min_gram));
  HEADRACE_RETURN_IF_ERROR(parse(options, "max_gram", &made.max_gram));
  HEADRACE_RETURN_IF_ERROR(parse(options, "seed", &made.seed));
  made.loss = options.at("loss") == "softmax" ? FastTextLoss::kSoftmax : FastTextLoss::kOneVsAll;
  return made;
}

Result<void> train(std::span<const LabelledText> texts, const OptionValues& options,
                   const std::string& path, std::stop_token stop) {
  HEADRACE_ASSIGN_OR_RETURN(const FastTextTraining training, parse(options));
  std::vector<LabelledText> taken(texts.begin(), texts.end());
  std::vector<std::string> split;
  if (options.at("han") == "split") {
    split.resize(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      split_han(texts[i].text, &split[i]);
      taken[i].text = split[i];
    }
  }
  HEADRACE_ASSIGN_OR_RETURN(FastTextModel model, train_fasttext(taken, training, stop));
  return write_fasttext_model(&model, path);
}

}  // namespace

TrainerInfo fasttext_trainer() {
  return {
      .name = "fasttext",
      .summary =
          "a linear model over words and their runs, as fastText trains it; seconds to "
          "minutes on one thread, and the same model each time",
      .options =
          {{"dim", "100", {}, "numbers in the row of a word, 1 to 4096"},
           {"epochs", "5", {}, "passes over the texts, 1 to 10,000"},
           {"rate", "0.1", {}, "learning rate at the start, above 0; it falls to 0"},
           {"word_ngrams", "2", {}, "longest run of words, 1 to 16"},
           {"buckets",
            "2000000",
            {},
            "rows for the runs, 4 * dim bytes each; fewer is a smaller file, and runs that share "
            "a row"},
           {"min_count", "1", {}, "a word that stands less often has no row of its own"},
           {"min_gram", "0", {}, "shortest run of characters inside words"},
           {"max_gram", "0", {}, "longest run of characters inside words, up to 32; 0: none"},
           {"han",
            "keep",
            {"keep", "split"},
            "split: each Han character is a word; a line of Chinese is one word otherwise"},
           {"loss", "softmax", {"softmax", "one_vs_all"}, "what is minimised"},
           {"seed", "1", {}, "of the first weights and of the order of texts"}},
      .extension = ".bin",
      .elsewhere = "",
      .train = train};
}

}  // namespace headrace::score
