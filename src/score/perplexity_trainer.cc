// SPDX-License-Identifier: Apache-2.0
// N-gram training as `headrace score train` offers it: options as text → NgramTraining, and the
// perplexity of held-out texts, as the scorer counts it.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "score/letters.h"
#include "score/ngram_model.h"
#include "score/ngram_train.h"
#include "score/trainer.h"

namespace headrace::score {
namespace {

constexpr double kQuantiles[] = {0.5, 0.9, 0.99};

Result<std::uint64_t> whole_number(std::string_view name, std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  return invalid_argument("perplexity: {} is '{}', which is no whole number in range", name, text);
}

Result<NgramTraining> parse(const OptionValues& options) {
  NgramTraining made;
  HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t order, whole_number("order", options.at("order")));
  made.order = static_cast<int>(std::min<std::uint64_t>(order, 1000));
  made.prune.clear();
  for (const std::string& part : split_list(options.at("prune"))) {
    HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t most, whole_number("prune", part));
    made.prune.push_back(most);
  }
  made.split_han = options.at("han") == "split";
  HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t megabytes,
                            whole_number("memory_mb", options.at("memory_mb")));
  constexpr std::uint64_t kMost = ~std::uint64_t{0} >> 20;
  made.memory_bytes = std::min(megabytes, kMost) << 20;
  return made;
}

Result<void> train(const EachText& texts, const OptionValues& options, const std::string& path,
                   std::stop_token stop) {
  HEADRACE_ASSIGN_OR_RETURN(const NgramTraining training, parse(options));
  HEADRACE_ASSIGN_OR_RETURN(NgramTrainer trainer, NgramTrainer::start(training));
  HEADRACE_RETURN_IF_ERROR(texts([&](std::string_view text) { return trainer.add(text); }));
  HEADRACE_RETURN_IF_ERROR(trainer.finish(path, stop));
  return {};
}

double perplexity(double log10, std::uint64_t tokens) {
  return std::pow(10, -log10 / static_cast<double>(tokens));
}

Result<std::map<std::string, double>> measure(const EachText& texts, const OptionValues& options,
                                              const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const NgramModel model, NgramModel::open(path));
  const auto scratch = std::make_unique<NgramModel::Scratch>();
  NgramModel::Sum all;
  std::vector<double> each;
  std::string split;
  HEADRACE_RETURN_IF_ERROR(texts([&](std::string_view text) -> Result<void> {
    if (options.at("han") == "split") {
      split_han(text, &split);
      text = split;
    }
    const NgramModel::Sum sum = model.score(text, {}, scratch.get());
    if (sum.words == 0) return {};
    all.log10 += sum.log10;
    all.tokens += sum.tokens;
    each.push_back(perplexity(sum.log10, sum.tokens));
    return {};
  }));
  std::map<std::string, double> measured;
  if (each.empty()) return measured;
  measured["perplexity"] = perplexity(all.log10, all.tokens);
  std::sort(each.begin(), each.end());
  for (const double quantile : kQuantiles) {
    const auto place = std::ceil(quantile * static_cast<double>(each.size()));
    measured[fmt::format("document_p{:.0f}", 100 * quantile)] =
        each[static_cast<std::size_t>(place) - 1];
  }
  return measured;
}

}  // namespace

TrainerInfo perplexity_trainer() {
  return {
      .name = "perplexity",
      .summary =
          "an n-gram model of texts by modified Kneser-Ney, which KenLM reads; needs no labels, "
          "one "
          "thread, and the same model each time",
      .options =
          {{"order", "5", {}, "words of the longest n-gram, 2 to 8"},
           {"prune",
            "0",
            {},
            "by order, joined by commas, the first 0: n-grams that stand in the texts at most so "
            "often are left out; the last holds for the orders behind it: 0,0,1"},
           {"han",
            "keep",
            {"keep", "split"},
            "split: each Han character is a word; a line of Chinese is one word otherwise"},
           {"memory_mb",
            "8192",
            {},
            "texts that need more memory for the training are refused, in MiB: about 160 bytes a "
            "word of text"}},
      .extension = ".bin",
      .elsewhere = "",
      .train_texts = train,
      .measure_texts = measure};
}

}  // namespace headrace::score
