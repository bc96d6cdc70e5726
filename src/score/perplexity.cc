// SPDX-License-Identifier: Apache-2.0
// Perplexity: how unlikely an n-gram model finds a text, per token; low is like what it was trained
// on. 10^(-(sum of log10 probabilities) / tokens), where each line is a sentence: <s>, its tokens,
// </s>, and </s> counts as a token. That is the number of CCNet (arXiv 1911.00359, perplexity.py),
// which counts an empty line as a sentence of </s> alone, and so is it here unless `empty_lines:
// skip`.
//
// Tokens lie between the blanks of ASCII, as KenLM takes a line. The pieces that CCNet's own models
// are made of (SentencePiece behind a normalization of its own) are not made here: a model must be
// of the tokens that it is given. Chinese has no blanks: `han: split` for models of characters.
#include <cmath>
#include <limits>

#include "base/error.h"
#include "score/letters.h"
#include "score/ngram_model.h"
#include "score/score.h"

namespace headrace::score {
namespace {

struct Settings {
  NgramModel::Sentences sentences;
  bool split_han = false;
};

class PerplexitySession final : public Session {
 public:
  PerplexitySession(const NgramModel& model, const Settings& settings)
      : model_(model), settings_(settings), scratch_(std::make_unique<NgramModel::Scratch>()) {}

  Result<void> score(std::span<const std::string_view> texts, std::span<Score> scores) override {
    for (std::size_t i = 0; i < texts.size(); ++i) scores[i] = of(texts[i]);
    return {};
  }

 private:
  Score of(std::string_view text) {
    if (settings_.split_han) {
      split_han(text, &split_);
      text = split_;
    }
    const NgramModel::Sum sum = model_.score(text, settings_.sentences, scratch_.get());
    if (sum.words == 0) return {};
    return {.value = finite_or_none(std::pow(10, -sum.log10 / static_cast<double>(sum.tokens)))};
  }

  const NgramModel& model_;
  Settings settings_;
  std::unique_ptr<NgramModel::Scratch> scratch_;
  std::string split_;
};

class Perplexity final : public Scorer {
 public:
  Perplexity(NgramModel model, const Settings& settings)
      : model_(std::move(model)), settings_(settings) {}

  const std::vector<std::string>& labels() const override {
    static const std::vector<std::string> none;
    return none;
  }
  Hash128 fingerprint() const override {
    return hash128(fmt::format("perplexity {} {} {} {}", to_hex(model_.fingerprint()),
                               settings_.split_han, settings_.sentences.lines,
                               settings_.sentences.empty_lines_count));
  }
  Result<std::unique_ptr<Session>> start() const override {
    return std::make_unique<PerplexitySession>(model_, settings_);
  }

 private:
  NgramModel model_;
  Settings settings_;
};

Result<std::unique_ptr<Scorer>> make(const OptionValues& options, const ScorerServices&) {
  const auto path = options.find("model");
  if (path == options.end()) {
    return invalid_argument(
        "score perplexity: 'model' is needed: the path of an n-gram model, ARPA or KenLM binary");
  }
  Settings settings;
  settings.split_han = options.at("han") == "split";
  settings.sentences.lines = options.at("sentences") == "lines";
  settings.sentences.empty_lines_count = options.at("empty_lines") == "count";
  HEADRACE_ASSIGN_OR_RETURN(NgramModel model, NgramModel::open(path->second));
  return std::make_unique<Perplexity>(std::move(model), settings);
}

}  // namespace

void register_perplexity(Registry& registry) {
  registry.add(
      {"perplexity",
       "the perplexity of a text per token by an n-gram model, low being good; none for a text "
       "without a token",
       {{"model",
         "",
         {},
         "path of an n-gram model, ARPA (plain or compressed) or a binary of KenLM"},
        {"han",
         "keep",
         {"keep", "split"},
         "whether each Han character is a token of its own, as in the training; else tokens lie "
         "between blanks"},
        {"sentences", "lines", {"lines", "document"}, "what stands between <s> and </s>"},
        {"empty_lines",
         "count",
         {"count", "skip"},
         "whether a line without a token is a sentence of </s> alone, as CCNet takes it"}},
       make,
       {.least = 0, .most = std::numeric_limits<double>::infinity(), .low_is_better = true}});
}

}  // namespace headrace::score
