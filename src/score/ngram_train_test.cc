// SPDX-License-Identifier: Apache-2.0
#include "score/ngram_train.h"

#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "score/ngram_model.h"
#include "score/testing/small_models.h"

namespace headrace::score {
namespace {

// Sentences of a language with few words, where what follows depends on the two before.
std::vector<std::string> sentences(int count, std::uint64_t seed) {
  const CounterRng rng(seed, purpose("ngram_train_test"));
  std::uint64_t drawn = 0;
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) {
    std::string text;
    std::uint64_t before = rng.below(drawn++, 40);
    std::uint64_t word = rng.below(drawn++, 40);
    for (std::uint64_t left = 1 + rng.below(drawn++, 12); left > 0; --left) {
      text += fmt::format("w{} ", word);
      const bool noise = rng.below(drawn++, 5) == 0;
      const std::uint64_t next = noise ? rng.below(drawn++, 40) : (before * 3 + word) % 40;
      before = std::exchange(word, next);
    }
    all.push_back(text);
  }
  return all;
}

struct Trained {
  NgramTrainingReport report;
  NgramModel model;
  std::string bytes;
};

Trained train(const std::vector<std::string>& texts, const NgramTraining& options,
              const std::string& extension) {
  const TestPath file;
  const std::string path = file.path() + extension;
  auto trainer = NgramTrainer::start(options);
  EXPECT_TRUE(trainer.has_value()) << trainer.error().message();
  for (const std::string& text : texts) EXPECT_TRUE(trainer->add(text).has_value());
  auto report = trainer->finish(path);
  EXPECT_TRUE(report.has_value()) << report.error().message();
  auto model = NgramModel::open(path);
  EXPECT_TRUE(model.has_value()) << model.error().message();
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::filesystem::remove(path);
  return {std::move(*report), std::move(*model), std::move(bytes)};
}

std::vector<float> scores(const NgramModel& model, const std::string& text) {
  NgramModel::Scratch scratch;
  std::vector<float> each;
  model.score(text, {}, &scratch, &each);
  return each;
}

double perplexity(const NgramModel& model, const std::vector<std::string>& texts) {
  NgramModel::Scratch scratch;
  double log10 = 0;
  double tokens = 0;
  for (const std::string& text : texts) {
    const auto sum = model.score(text, {}, &scratch);
    log10 += sum.log10;
    tokens += static_cast<double>(sum.tokens);
  }
  return std::pow(10, -log10 / tokens);
}

TEST(NgramTrainTest, ProbabilitiesOfEveryContextSumToOne) {
  const auto texts = sentences(400, 1);
  for (const std::vector<std::uint64_t>& prune : {std::vector<std::uint64_t>{0}, {0, 0, 1}}) {
    const Trained trained = train(texts, {.order = 4, .prune = prune}, ".arpa");
    std::set<std::string> contexts = {"", "unknown", "w1 unknown w2"};
    for (int i = 0; i < 40; ++i) contexts.insert(texts[static_cast<std::size_t>(i)]);
    for (const std::string& context : contexts) {
      double sum = std::pow(10, scores(trained.model, context).back());  // </s>
      for (int word = 0; word < 41; ++word) {
        const auto each = scores(trained.model, context + fmt::format(" w{}", word));
        sum += std::pow(10, each[each.size() - 2]);  // w40: <unk>
      }
      EXPECT_NEAR(sum, 1, 1e-5) << context;
    }
  }
}

TEST(NgramTrainTest, SmallCorpusByHand) {
  // Bigrams: <s> a 2, a b 1, a a 1, a </s> 1, b </s> 1. Unigrams by what is in front of them: a 2
  // (<s>, a), b 1, </s> 2 (a, b). The discounts are guessed: 0.5 of 1, 1 of 2.
  const Trained trained = train({"a b\na a\n"}, {.order = 2}, ".arpa");
  EXPECT_EQ(trained.report.sentences, 2u);
  EXPECT_EQ(trained.report.tokens, 6u);
  EXPECT_EQ(trained.report.ngrams, (std::vector<std::uint64_t>{5, 5}));
  EXPECT_TRUE(trained.report.discounts[0].guessed);
  const double each = (1 + 0.5 + 1) / 5.0 / 4;  // a, b, </s>, <unk>
  const double a = (2 - 1) / 5.0 + each;
  const double b = (1 - 0.5) / 5.0 + each;
  const auto found = scores(trained.model, "a b\nunknown");
  EXPECT_NEAR(found[0], std::log10((2 - 1) / 2.0 + 1 / 2.0 * a), 1e-6);
  EXPECT_NEAR(found[1], std::log10((1 - 0.5) / 3 + 1.5 / 3 * b), 1e-6);
  EXPECT_NEAR(found[3], std::log10(1 / 2.0 * each), 1e-6);
}

TEST(NgramTrainTest, BinaryAndTextAreTheSameModel) {
  const auto texts = sentences(300, 2);
  for (const int order : {2, 3, 5, 8}) {
    const Trained text = train(texts, {.order = order}, ".arpa");
    const Trained binary = train(texts, {.order = order}, ".bin");
    EXPECT_EQ(text.model.counts(), binary.model.counts());
    EXPECT_EQ(text.model.counts(), text.report.ngrams);
    for (const std::string& sample : sentences(50, 3)) {
      EXPECT_EQ(scores(text.model, sample), scores(binary.model, sample));
    }
    EXPECT_EQ(train(texts, {.order = order}, ".bin").bytes, binary.bytes);
  }
}

TEST(NgramTrainTest, LargeVocabularyIsSortedInSteps) {
  // 17 bits a word: three words in a key, so the order needs two steps.
  std::string names;
  for (int i = 0; i < 70'000; ++i) names += fmt::format("n{} ", i);
  auto texts = sentences(300, 2);
  const Trained small = train(texts, {.order = 5}, ".arpa");
  texts.push_back(names);
  const Trained large = train(texts, {.order = 5}, ".arpa");
  // The long line has no n-gram with the others in common: it adds its own.
  for (std::size_t n = 1; n < 5; ++n) {
    EXPECT_EQ(large.report.ngrams[n], small.report.ngrams[n] + 70'002 - n) << n;
  }
}

TEST(NgramTrainTest, LearnsWhatFollows) {
  const auto held_out = sentences(300, 5);
  const auto texts = sentences(4000, 4);
  const double longer = perplexity(train(texts, {.order = 3}, ".bin").model, held_out);
  const double shorter = perplexity(train(texts, {.order = 2}, ".bin").model, held_out);
  EXPECT_LT(longer, shorter * 0.7);
  EXPECT_LT(shorter, 41);  // words and </s>
}

TEST(NgramTrainTest, PruningLeavesOutRareNgrams) {
  const auto texts = sentences(500, 6);
  const Trained all = train(texts, {.order = 3}, ".bin");
  const Trained pruned = train(texts, {.order = 3, .prune = {0, 1, 2}}, ".bin");
  EXPECT_EQ(pruned.report.ngrams[0], all.report.ngrams[0]);
  EXPECT_LT(pruned.report.ngrams[1], all.report.ngrams[1]);
  EXPECT_LT(pruned.report.ngrams[2], all.report.ngrams[2] / 2);
  const auto held_out = sentences(300, 7);
  EXPECT_LT(perplexity(pruned.model, held_out), perplexity(all.model, held_out) * 2);
}

TEST(NgramTrainTest, SpecialTokensAreLeftOutAndHanSplit) {
  const Trained trained =
      train({"a <s> b </s> <unk>\n\n中国 a"}, {.order = 2, .split_han = true}, ".arpa");
  EXPECT_EQ(trained.report.skipped, 3u);
  EXPECT_EQ(trained.report.sentences, 2u);
  EXPECT_EQ(trained.report.tokens, 7u);
  EXPECT_NE(trained.bytes.find("\t中 国"), std::string::npos);
}

TEST(NgramTrainTest, RefusesWhatItCanNotDo) {
  const auto message = [](const NgramTraining& options) {
    const auto trainer = NgramTrainer::start(options);
    return trainer ? std::string("taken") : trainer.error().message();
  };
  EXPECT_NE(message({.order = 1}).find("order is 1"), std::string::npos);
  EXPECT_NE(message({.order = 9}).find("must be 2 to 8"), std::string::npos);
  EXPECT_NE(message({.prune = {1}}).find("the first 0"), std::string::npos);
  EXPECT_NE(message({.prune = {0, 2, 1}}).find("prune is '0 2 1'"), std::string::npos);
  EXPECT_NE(message({.order = 2, .prune = {0, 0, 0}}).find("1 to 2 numbers"), std::string::npos);
  auto small = NgramTrainer::start({.memory_bytes = 1000});
  const auto added = small->add("a b c d e f g h i j k l m n o p q r s t u v w x y z");
  ASSERT_FALSE(added.has_value());
  EXPECT_EQ(added.error().code(), Code::kResourceExhausted);
  auto empty = NgramTrainer::start({});
  EXPECT_EQ(empty->finish("/none").error().code(), Code::kInvalidArgument);
}

TEST(NgramTrainTest, StoppedItWritesNoFile) {
  auto trainer = NgramTrainer::start({});
  ASSERT_TRUE(trainer->add("a b a\nb a b").has_value());
  std::stop_source stop;
  stop.request_stop();
  const TestPath file;
  EXPECT_EQ(trainer->finish(file.path(), stop.get_token()).error().code(), Code::kCancelled);
  EXPECT_FALSE(std::filesystem::exists(file.path()));
}

}  // namespace
}  // namespace headrace::score
