// SPDX-License-Identifier: Apache-2.0
// Language: the label and probability that a fastText language model (lid.176.ftz) gives a text.
//
// Newlines are blanks to the model, so a text scores as its one-line form. A text of fewer letters
// than `min_letters` is undetermined: on two or three words the model guesses with confidence
// (a single Han character is "Tibetan"), and such a guess must never drop a document. The text is
// not cut: its first 1,000 bytes alone would change 20 of 2,600 labels, and whole texts go through
// at 100 MB/s and more.
//
// By paragraph: each stretch of lines that has min_letters is scored alone. The label is that of
// the most letters, and the value their mean probability, weighted by letters, with the letters of
// other languages counted as 0: a page that is half menu in English scores half in Chinese. Lines
// behind the last such stretch are not scored.
#include <algorithm>
#include <charconv>
#include <utility>

#include "base/error.h"
#include "score/fasttext_classifier.h"
#include "score/letters.h"
#include "score/score.h"

namespace headrace::score {
namespace {

struct Settings {
  std::size_t min_letters = 20;
  bool by_paragraph = false;
};

class LanguageSession final : public Session {
 public:
  LanguageSession(const FastTextClassifier& model, const Settings& settings)
      : model_(model), settings_(settings) {}

  Result<void> score(std::span<const std::string_view> texts, std::span<Score> scores) override {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      scores[i] = settings_.by_paragraph ? by_paragraph(texts[i]) : of(texts[i]);
    }
    return {};
  }

 private:
  Score of(std::string_view text) {
    if (count_letters(text, settings_.min_letters) < settings_.min_letters) return {};
    return predict(text);
  }

  Score predict(std::string_view text) {
    Prediction best;
    if (model_.predict(text, &scratch_, {&best, 1}) == 0) return {};
    // fastText reports up to 1e-5 per node more than the probability.
    return {.value = std::min(1.0, static_cast<double>(best.score)), .label = best.label};
  }

  Score by_paragraph(std::string_view text) {
    letters_.assign(model_.labels().size(), 0);
    sums_.assign(model_.labels().size(), 0);
    double all = 0;
    std::size_t begin = 0;
    std::size_t letters = 0;  // of text[begin, at)
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t line = at;
      at = std::min(text.find('\n', at), text.size() - 1) + 1;
      letters += count_letters(text.substr(line, at - line), at - line);
      if (letters < settings_.min_letters || letters == 0) continue;
      const std::string_view stretch = text.substr(begin, at - begin);
      const auto weight = static_cast<double>(std::exchange(letters, 0));
      begin = at;
      const Score score = predict(stretch);
      if (score.label == kNoLabel) continue;
      letters_[static_cast<std::size_t>(score.label)] += weight;
      sums_[static_cast<std::size_t>(score.label)] += weight * score.value;
      all += weight;
    }
    if (all == 0) return {};
    const auto most = std::max_element(letters_.begin(), letters_.end()) - letters_.begin();
    return {.value = sums_[static_cast<std::size_t>(most)] / all,
            .label = static_cast<std::int32_t>(most)};
  }

  const FastTextClassifier& model_;
  Settings settings_;
  FastTextClassifier::Scratch scratch_;
  std::vector<double> letters_;
  std::vector<double> sums_;
};

class Language final : public Scorer {
 public:
  Language(FastTextClassifier model, const Settings& settings)
      : model_(std::move(model)), settings_(settings) {}

  const std::vector<std::string>& labels() const override { return model_.labels(); }
  Hash128 fingerprint() const override {
    return hash128(fmt::format("language {} {} {}", to_hex(model_.fingerprint()),
                               settings_.min_letters, settings_.by_paragraph));
  }
  Result<std::unique_ptr<Session>> start() const override {
    return std::make_unique<LanguageSession>(model_, settings_);
  }

 private:
  FastTextClassifier model_;
  Settings settings_;
};

Result<std::unique_ptr<Scorer>> make(const OptionValues& options,
                                     const ScorerServices& /*services*/) {
  const auto model_path = options.find("model");
  if (model_path == options.end()) {
    return invalid_argument(
        "score language: 'model' is needed: the path of a fastText language "
        "model, like lid.176.ftz");
  }
  Settings settings;
  settings.by_paragraph = options.at("by") == "paragraph";
  const std::string& least = options.at("min_letters");
  const auto [end, error] =
      std::from_chars(least.data(), least.data() + least.size(), settings.min_letters);
  if (error != std::errc() || end != least.data() + least.size() || settings.min_letters > 100000) {
    return invalid_argument("score language: min_letters is '{}', it must be 0 to 100000", least);
  }
  HEADRACE_ASSIGN_OR_RETURN(FastTextClassifier model, FastTextClassifier::open(model_path->second));
  return std::make_unique<Language>(std::move(model), settings);
}

}  // namespace

void register_language(Registry& registry) {
  registry.add({"language",
                "the language of a text and how probable it is; undetermined below min_letters",
                {{"model", "", {}, "path of a fastText language model, like lid.176.ftz"},
                 {"min_letters",
                  "20",
                  {},
                  "letters and Han characters that a text must have to be determined, 0 to 100000"},
                 {"by",
                  "document",
                  {"document", "paragraph"},
                  "what is scored at once; by paragraph, the value is the share of the most "
                  "frequent language"}},
                make});
}

}  // namespace headrace::score
