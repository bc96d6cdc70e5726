// SPDX-License-Identifier: Apache-2.0
// fastText: what a classifier of fastText says of a text, most often how much it reads like the
// texts that people chose (quality).
//
// With `label` the value is the score of that label, and every text has it; without, it is the best
// label's and the label is told. Newlines are blanks. `han: split` makes each Han character a word,
// for models that were trained so (a line of Chinese has no blanks and would be one word): it must
// be what the training had.
//
// fastText ends every text by </s>, so an empty one would have the score of </s> alone: a number of
// no text. It has none here.
#include <algorithm>

#include "base/error.h"
#include "score/fasttext_classifier.h"
#include "score/letters.h"
#include "score/score.h"

namespace headrace::score {
namespace {

constexpr std::string_view kBlanks(" \t\n\v\f\r\0", 7);  // between words

struct Settings {
  std::int32_t label = kNoLabel;  // whose score is the value
  bool split_han = false;
};

class FastTextSession final : public Session {
 public:
  FastTextSession(const FastTextClassifier& model, const Settings& settings)
      : model_(model),
        settings_(settings),
        best_(settings.label == kNoLabel ? 1 : model.labels().size()) {}

  Result<void> score(std::span<const std::string_view> texts, std::span<Score> scores) override {
    for (std::size_t i = 0; i < texts.size(); ++i) scores[i] = of(texts[i]);
    return {};
  }

 private:
  Score of(std::string_view text) {
    if (text.find_first_not_of(kBlanks) == text.npos) return {};
    if (settings_.split_han) {
      split_han(text, &split_);
      text = split_;
    }
    const std::size_t count = model_.predict(text, &scratch_, best_);
    if (count == 0) return {};
    const auto value = [](float score) { return std::min(1.0, static_cast<double>(score)); };
    if (settings_.label == kNoLabel) return {value(best_[0].score), best_[0].label};
    for (std::size_t i = 0; i < count; ++i) {
      if (best_[i].label == settings_.label) return {value(best_[i].score), kNoLabel};
    }
    return {0, kNoLabel};  // below what hierarchical softmax reports
  }

  const FastTextClassifier& model_;
  Settings settings_;
  FastTextClassifier::Scratch scratch_;
  std::vector<Prediction> best_;
  std::string split_;
};

class FastText final : public Scorer {
 public:
  FastText(FastTextClassifier model, const Settings& settings)
      : model_(std::move(model)), settings_(settings) {}

  const std::vector<std::string>& labels() const override {
    static const std::vector<std::string> none;
    return settings_.label == kNoLabel ? model_.labels() : none;
  }
  Hash128 fingerprint() const override {
    return hash128(fmt::format("fasttext 2 {} {} {}", to_hex(model_.fingerprint()), settings_.label,
                               settings_.split_han));
  }
  Result<std::unique_ptr<Session>> start() const override {
    return std::make_unique<FastTextSession>(model_, settings_);
  }

 private:
  FastTextClassifier model_;
  Settings settings_;
};

Result<std::unique_ptr<Scorer>> make(const OptionValues& options,
                                     const ScorerServices& /*services*/) {
  const auto model_path = options.find("model");
  if (model_path == options.end()) {
    return invalid_argument("score fasttext: 'model' is needed: the path of a fastText classifier");
  }
  HEADRACE_ASSIGN_OR_RETURN(FastTextClassifier model, FastTextClassifier::open(model_path->second));
  Settings settings;
  settings.split_han = options.at("han") == "split";
  if (const auto label = options.find("label"); label != options.end()) {
    const auto& labels = model.labels();
    const auto at = std::find(labels.begin(), labels.end(), label->second);
    if (at == labels.end()) {
      return invalid_argument("score fasttext: the model {} has no label '{}'; it has {}",
                              model_path->second, label->second, fmt::join(labels, ", "));
    }
    settings.label = static_cast<std::int32_t>(at - labels.begin());
  }
  return std::make_unique<FastText>(std::move(model), settings);
}

}  // namespace

void register_fasttext(Registry& registry) {
  registry.add(
      {"fasttext",
       "the score of a label by a fastText classifier; none for a text without a word, or of which "
       "the model knows nothing, be it the end of the line (</s>)",
       {{"model", "", {}, "path of a fastText classifier, .bin or .ftz"},
        {"label",
         "",
         {},
         "the label whose score is the value; without, the best label and its score"},
        {"han",
         "keep",
         {"keep", "split"},
         "whether each Han character is a word of its own, as in "
         "the training"}},
       make});
}

}  // namespace headrace::score
