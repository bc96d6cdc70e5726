// SPDX-License-Identifier: Apache-2.0
#include "score/fasttext_train.h"

#include <algorithm>
#include <cmath>

#include "base/counter_rng.h"
#include "score/evaluate.h"
#include "score/fasttext_classifier.h"
#include "score/testing/small_models.h"

namespace headrace::score {
namespace {

struct Corpus {
  std::vector<std::string> texts;
  std::vector<LabelledText> labelled;
};

// "up" is when two given words follow each other: a model of single words can not tell.
Corpus ordered_words(std::size_t count, std::uint64_t seed) {
  const CounterRng rng(seed, purpose("train_test"));
  std::uint64_t drawn = 0;
  Corpus corpus;
  std::vector<bool> up;
  for (std::size_t i = 0; i < count; ++i) {
    up.push_back(i % 2 == 0);
    std::string text;
    for (int w = 0; w < 6; ++w) text += "w" + std::to_string(rng.below(drawn++, 50)) + " ";
    text += up.back() ? "first second" : "second first";
    for (int w = 0; w < 6; ++w) text += " w" + std::to_string(rng.below(drawn++, 50));
    corpus.texts.push_back(text);
  }
  for (std::size_t i = 0; i < count; ++i) {
    corpus.labelled.push_back({corpus.texts[i], up[i] ? "up" : "down"});
  }
  return corpus;
}

FastTextTraining small() {
  return {.dim = 8, .epochs = 10, .rate = 0.5, .word_ngrams = 2, .buckets = 5000};
}

double right_share(FastTextModel model, const Corpus& corpus) {
  const auto classifier = FastTextClassifier::make(std::move(model), "trained");
  EXPECT_TRUE(classifier.has_value());
  FastTextClassifier::Scratch scratch;
  double right = 0;
  for (const LabelledText& text : corpus.labelled) {
    Prediction best;
    if (classifier->predict(text.text, &scratch, {&best, 1}) == 0) continue;
    right += classifier->labels()[static_cast<std::size_t>(best.label)] == text.label;
  }
  return right / static_cast<double>(corpus.labelled.size());
}

TEST(FastTextTrainTest, LearnsTheOrderOfWordsFromRunsOfTwo) {
  const Corpus train = ordered_words(600, 1);
  const Corpus test = ordered_words(300, 2);
  for (const FastTextLoss loss : {FastTextLoss::kSoftmax, FastTextLoss::kOneVsAll}) {
    FastTextTraining options = small();
    options.loss = loss;
    const auto model = train_fasttext(train.labelled, options);
    ASSERT_TRUE(model.has_value()) << model.error().message();
    EXPECT_GT(right_share(*model, test), 0.97);
  }
  FastTextTraining words = small();
  words.word_ngrams = 1;
  EXPECT_LT(right_share(*train_fasttext(train.labelled, words), test), 0.7);
}

TEST(FastTextTrainTest, LearnsFromGramsOfCharacters) {
  Corpus train;
  Corpus test;
  for (int i = 0; i < 400; ++i) {
    for (Corpus* corpus : {&train, &test}) {
      const std::string stem = std::to_string(i * 7919 + (corpus == &test ? 1000000 : 0));
      corpus->texts.push_back("n" + stem + (i % 2 ? "ing" : "ed"));
    }
  }
  for (Corpus* corpus : {&train, &test}) {
    for (std::size_t i = 0; i < corpus->texts.size(); ++i) {
      corpus->labelled.push_back({corpus->texts[i], i % 2 ? "ing" : "ed"});
    }
  }
  FastTextTraining options = small();
  options.word_ngrams = 1;
  options.min_gram = 2;
  options.max_gram = 4;
  const auto model = train_fasttext(train.labelled, options);
  ASSERT_TRUE(model.has_value());
  EXPECT_GT(right_share(*model, test), 0.97);
}

// The order of the texts is the training's own: sorted by label it learns as well.
TEST(FastTextTrainTest, SortedTextsLearnAsWell) {
  Corpus train = ordered_words(600, 1);
  std::stable_sort(train.labelled.begin(), train.labelled.end(),
                   [](const auto& a, const auto& b) { return a.label < b.label; });
  EXPECT_GT(right_share(*train_fasttext(train.labelled, small()), ordered_words(300, 2)), 0.97);
}

TEST(FastTextTrainTest, SameTextsAndSeedGiveTheSameBytes) {
  const Corpus train = ordered_words(100, 1);
  const auto bytes = [&](std::uint64_t seed) {
    FastTextTraining options = small();
    options.seed = seed;
    return model_bytes(*train_fasttext(train.labelled, options));
  };
  EXPECT_EQ(bytes(1), bytes(1));
  EXPECT_NE(bytes(1), bytes(2));
}

// One text, one epoch, by hand: words </s> x, labels a b (b has no text of its own that moves it
// first, so its weights start at 0 as all do).
TEST(FastTextTrainTest, OneStepIsThatOfTheDefinition) {
  const std::vector<LabelledText> texts = {{"x", "a"}, {"x", "b"}};
  FastTextTraining options = {
      .dim = 1, .epochs = 1, .rate = 0.25, .word_ngrams = 1, .buckets = 1, .seed = 3};
  const auto model = train_fasttext(texts, options);
  ASSERT_TRUE(model.has_value());
  EXPECT_EQ(model->words, (std::vector<std::string>{"x", "</s>"}));
  EXPECT_EQ(model->labels, (std::vector<std::string>{"__label__a", "__label__b"}));
  EXPECT_EQ(model->arguments.buckets, 0);
  EXPECT_EQ(model->tokens, 6);

  const CounterRng weights(3, purpose("fasttext_weights"));
  const CounterRng order(3, purpose("fasttext_order"), 0);
  double input[2] = {2 * weights.unit(0) - 1, 2 * weights.unit(1) - 1};
  double output[2] = {0, 0};
  const int first = order.at(0) < order.at(1) ? 0 : 1;
  for (const int wanted : {first, 1 - first}) {
    const double hidden = (input[0] + input[1]) / 2;
    const double p1 = 1 / (1 + std::exp((output[0] - output[1]) * hidden));
    const double p[2] = {1 - p1, p1};
    double gradient = 0;
    for (int l = 0; l < 2; ++l) {
      const double move = 0.25 * ((l == wanted ? 1 : 0) - p[l]);
      gradient += move * output[l];
      output[l] += move * hidden;
    }
    for (double& weight : input) weight += gradient / 2;
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(model->input.dense[static_cast<std::size_t>(i)], input[i], 1e-6);
    EXPECT_NEAR(model->output.dense[static_cast<std::size_t>(i)], output[i], 1e-6);
  }
}

TEST(FastTextTrainTest, RareWordsHaveNoRow) {
  const std::vector<LabelledText> texts = {{"a a b", "x"}, {"a b c", "y"}, {"d", "y"}};
  FastTextTraining options = small();
  options.min_count = 2;
  const auto model = train_fasttext(texts, options);
  ASSERT_TRUE(model.has_value());
  EXPECT_EQ(model->words, (std::vector<std::string>{"a", "</s>", "b"}));
  EXPECT_EQ(model->word_counts, (std::vector<std::int64_t>{3, 3, 2}));
  EXPECT_EQ(model->labels, (std::vector<std::string>{"__label__y", "__label__x"}));
}

TEST(FastTextTrainTest, RefusesWhatCanNotBeTrained) {
  const auto refused = [](FastTextTraining options, std::vector<LabelledText> texts) {
    const auto model = train_fasttext(texts, options);
    EXPECT_FALSE(model.has_value());
    return model ? "" : model.error().message();
  };
  const std::vector<LabelledText> good = {{"a", "x"}, {"b", "y"}};
  EXPECT_NE(refused(small(), {}).find("at least two labels"), std::string::npos);
  EXPECT_NE(refused(small(), {{"a", "x"}, {"b", "x"}}).find("1 labels"), std::string::npos);
  EXPECT_NE(refused(small(), {{"a", "x y"}, {"b", "x"}}).find("'x y' is no label"),
            std::string::npos);
  EXPECT_NE(refused(small(), {{"a", ""}, {"b", "x"}}).find("'' is no label"), std::string::npos);
  FastTextTraining options = small();
  options.dim = 0;
  EXPECT_NE(refused(options, good).find("dim is 0"), std::string::npos);
  options = small();
  options.rate = std::nan("");
  EXPECT_NE(refused(options, good).find("rate is nan"), std::string::npos);
  options = small();
  options.loss = FastTextLoss::kHierarchicalSoftmax;
  EXPECT_NE(refused(options, good).find("only softmax"), std::string::npos);
  options = small();
  options.rate = 1e38;
  options.epochs = 50;
  EXPECT_NE(refused(options, good).find("diverged"), std::string::npos);
}

TEST(FastTextTrainTest, StoppedItGivesNoModel) {
  std::stop_source stop;
  stop.request_stop();
  const std::vector<LabelledText> texts = {{"a b", "x"}, {"c d", "y"}};
  const auto model = train_fasttext(texts, {.dim = 4, .buckets = 10}, stop.get_token());
  ASSERT_FALSE(model.has_value());
  EXPECT_EQ(model.error().code(), Code::kCancelled);
}

}  // namespace
}  // namespace headrace::score
