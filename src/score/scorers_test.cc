// SPDX-License-Identifier: Apache-2.0
// The registry, and the kind fasttext.
#include <cmath>

#include "score/fasttext_classifier.h"
#include "score/letters.h"
#include "score/score.h"
#include "score/testing/small_models.h"

namespace headrace::score {
namespace {

const ModelShape kTwoClasses = {.word_ngrams = 2, .max_gram = 0, .labels = 2};

std::vector<Score> score_all(const Scorer& scorer, const std::vector<std::string_view>& texts) {
  auto session = scorer.start();
  EXPECT_TRUE(session.has_value());
  std::vector<Score> scores(texts.size());
  EXPECT_TRUE((*session)->score(texts, scores).has_value());
  return scores;
}

TEST(ScorersTest, RegistryHoldsTheKindsInOrder) {
  std::vector<std::string> names;
  for (const ScorerInfo& info : registry().all()) {
    names.push_back(info.name);
    EXPECT_FALSE(info.summary.empty()) << info.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"language", "fasttext", "perplexity", "transformer"}));
}

TEST(ScorersTest, UnknownKindsAndOptionsAreSuggested) {
  const struct {
    const char* kind;
    OptionValues options;
    const char* says;
  } kCases[] = {
      {"langauge", {}, "did you mean 'language'"},
      {"language", {{"modle", "x"}}, "did you mean 'model'"},
      {"language", {}, "'model' is needed"},
      {"fasttext", {}, "'model' is needed"},
      {"language", {{"model", "x"}, {"by", "line"}}, "paragraph"},
      {"language", {{"model", "x"}, {"min_letters", "-1"}}, "min_letters is '-1'"},
      {"language", {{"model", "x"}, {"min_letters", "2x"}}, "min_letters is '2x'"},
      {"fasttext", {{"model", "/no/such.bin"}}, "/no/such.bin"},
  };
  for (const auto& c : kCases) {
    const auto made = make_scorer(c.kind, c.options);
    ASSERT_FALSE(made.has_value()) << c.says;
    EXPECT_NE(made.error().message().find(c.says), std::string::npos) << made.error().message();
  }
}

TEST(ScorersTest, FastTextGivesTheScoreOfOneLabelOrTheBest) {
  const TestPath file;
  FastTextModel model = make_model(kTwoClasses);
  ASSERT_TRUE(write_fasttext_model(&model, file.path()).has_value());
  const auto best = make_scorer("fasttext", {{"model", file.path()}});
  const auto a = make_scorer("fasttext", {{"model", file.path()}, {"label", "A"}});
  const auto b = make_scorer("fasttext", {{"model", file.path()}, {"label", "B"}});
  ASSERT_TRUE(best && a && b);
  const std::vector<std::string_view> texts = {"the word", "of 北京 x", "é a a a", "</s>"};
  const auto best_scores = score_all(**best, texts);
  const auto a_scores = score_all(**a, texts);
  const auto b_scores = score_all(**b, texts);
  EXPECT_EQ((*best)->labels(), (std::vector<std::string>{"A", "B"}));
  EXPECT_TRUE((*a)->labels().empty());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto wanted = slow_scores(model, texts[i]);
    EXPECT_NEAR(a_scores[i].value, wanted[0], 2e-5);
    EXPECT_NEAR(b_scores[i].value, wanted[1], 2e-5);
    EXPECT_EQ(a_scores[i].label, kNoLabel);
    EXPECT_EQ(best_scores[i].value, std::max(a_scores[i].value, b_scores[i].value));
    EXPECT_EQ(best_scores[i].label, wanted[0] > wanted[1] ? 0 : 1);
  }
  const auto none = make_scorer("fasttext", {{"model", file.path()}, {"label", "C"}});
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().message().find("has no label 'C'; it has A, B"), std::string::npos);
}

TEST(ScorersTest, FastTextWithoutKnownWordsHasNoValue) {
  const TestPath file;
  ModelShape shape = kTwoClasses;
  shape.word_ngrams = 1;
  shape.end_of_line = false;
  FastTextModel model = make_model(shape);
  ASSERT_TRUE(write_fasttext_model(&model, file.path()).has_value());
  const auto scorer = make_scorer("fasttext", {{"model", file.path()}, {"label", "A"}});
  ASSERT_TRUE(scorer.has_value()) << scorer.error().message();
  const auto scores = score_all(**scorer, {"unknown", "the"});
  EXPECT_TRUE(std::isnan(scores[0].value));
  EXPECT_FALSE(std::isnan(scores[1].value));
}

// The model has a row for </s>, which ends every text of fastText: it alone is no text.
TEST(ScorersTest, FastTextHasNoValueForATextWithoutAWord) {
  const TestPath file;
  FastTextModel model = make_model(kTwoClasses);
  ASSERT_TRUE(write_fasttext_model(&model, file.path()).has_value());
  for (const OptionValues& options :
       {OptionValues{}, OptionValues{{"label", "A"}}, OptionValues{{"han", "split"}}}) {
    OptionValues all = options;
    all["model"] = file.path();
    const auto scorer = make_scorer("fasttext", all);
    ASSERT_TRUE(scorer.has_value()) << scorer.error().message();
    for (const std::string_view text : {"", " ", "\n\t \r\v\f"}) {
      const Score score = score_all(**scorer, {text})[0];
      EXPECT_TRUE(std::isnan(score.value));
      EXPECT_EQ(score.label, kNoLabel);
    }
    EXPECT_FALSE(std::isnan(score_all(**scorer, {"unknown"})[0].value));
  }
}

TEST(ScorersTest, SplitHanIsTheModelOnSplitText) {
  const TestPath file;
  FastTextModel model = make_model(kTwoClasses);
  ASSERT_TRUE(write_fasttext_model(&model, file.path()).has_value());
  const auto keep = make_scorer("fasttext", {{"model", file.path()}, {"label", "A"}});
  const auto split =
      make_scorer("fasttext", {{"model", file.path()}, {"label", "A"}, {"han", "split"}});
  ASSERT_TRUE(keep && split);
  std::string spaced;
  split_han("中国a中", &spaced);
  const double value = score_all(**split, {"中国a中"})[0].value;
  EXPECT_EQ(value, score_all(**keep, {spaced})[0].value);
  EXPECT_NE(value, score_all(**keep, {"中国a中"})[0].value);
}

TEST(ScorersTest, FingerprintTellsModelsAndOptionsApart) {
  const TestPath one;
  const TestPath two;
  FastTextModel first = make_model(kTwoClasses, 1);
  FastTextModel second = make_model(kTwoClasses, 2);
  ASSERT_TRUE(write_fasttext_model(&first, one.path()).has_value());
  ASSERT_TRUE(write_fasttext_model(&second, two.path()).has_value());
  const auto print = [](const OptionValues& options) {
    return to_hex((*make_scorer("fasttext", options))->fingerprint());
  };
  const std::string base = print({{"model", one.path()}});
  EXPECT_EQ(base, print({{"model", one.path()}, {"han", "keep"}}));
  EXPECT_NE(base, print({{"model", two.path()}}));
  EXPECT_NE(base, print({{"model", one.path()}, {"han", "split"}}));
  EXPECT_NE(base, print({{"model", one.path()}, {"label", "A"}}));
}

}  // namespace
}  // namespace headrace::score
