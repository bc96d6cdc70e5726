// SPDX-License-Identifier: Apache-2.0
// Each way a model can take, each instruction set, against the definition. Against libfasttext
// itself: tests/interop/fasttext.
#include "score/fasttext_classifier.h"

#include <cmath>
#include <limits>

#include "score/testing/small_models.h"

namespace headrace::score {
namespace {

struct Case {
  const char* name;
  const char* way;
  ModelShape shape;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case kCases[] = {
    {"language", "rows of 16", {.loss = FastTextLoss::kHierarchicalSoftmax, .labels = 20}},
    {"pruned",
     "rows of 16",
     {.loss = FastTextLoss::kHierarchicalSoftmax, .labels = 20, .pruned = true}},
    {"small rows", "rows of 16", {.dim = 5, .min_gram = 3, .max_gram = 3}},
    {"no end of line", "rows of 16", {.pruned = true, .end_of_line = false}},
    {"two classes", "folded", {.dim = 20, .word_ngrams = 2, .max_gram = 0, .labels = 2}},
    {"runs of four",
     "folded",
     {.dim = 3, .word_ngrams = 4, .buckets = 977, .max_gram = 0, .labels = 2}},
    {"words alone", "folded", {.max_gram = 0, .labels = 2, .end_of_line = false}},
    {"two classes, pruned",
     "folded",
     {.word_ngrams = 2, .max_gram = 0, .labels = 2, .pruned = true}},
    {"many classes", "full rows", {.dim = 19, .word_ngrams = 3, .max_gram = 0, .labels = 18}},
    {"grams of one", "full rows", {.dim = 7, .word_ngrams = 2, .min_gram = 1, .max_gram = 5}},
    {"few buckets", "full rows", {.buckets = 100, .pruned = true}},
    {"one-vs-all",
     "full rows",
     {.dim = 33, .max_gram = 0, .loss = FastTextLoss::kOneVsAll, .labels = 3}},
    {"two classes by a tree",
     "full rows",
     {.max_gram = 0, .loss = FastTextLoss::kHierarchicalSoftmax, .labels = 2}},
};

constexpr SimdLevel kLevels[] = {SimdLevel::kScalar, SimdLevel::kAvx2, SimdLevel::kAvx512};

class FastTextClassifierWaysTest : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Ways, FastTextClassifierWaysTest, testing::ValuesIn(kCases),
                         [](const auto& way) {
                           std::string name = way.param.name;
                           for (char& c : name) c = std::isalnum(c) ? c : '_';
                           return name;
                         });

TEST_P(FastTextClassifierWaysTest, ScoresAreThoseOfTheDefinitionOnEveryLevel) {
  const FastTextModel model = make_model(GetParam().shape);
  const auto labels = static_cast<std::size_t>(GetParam().shape.labels);
  // Full rows are added in single precision, as libfasttext does, which shows in long texts. With
  // one-vs-all a rounding difference may reach the next step of the sigmoid table: 1/128 at most.
  const bool steps = model.arguments.loss == FastTextLoss::kOneVsAll;
  const bool full = std::string_view(GetParam().way) == "full rows";
  const double tolerance = steps ? 8e-3 : full ? 1e-4 : 5e-6;
  std::vector<std::vector<Prediction>> first;
  for (const SimdLevel level : kLevels) {
    const auto classifier = FastTextClassifier::make(model, "test", level);
    ASSERT_TRUE(classifier.has_value()) << classifier.error().message();
    EXPECT_EQ(classifier->way(), GetParam().way);
    FastTextClassifier::Scratch scratch;
    std::size_t at = 0;
    for (const std::string& text : odd_texts(1500)) {
      SCOPED_TRACE(testing::Message()
                   << name_of(level) << " text " << at << ": " << text.substr(0, 80));
      std::vector<Prediction> best(labels);
      best.resize(classifier->predict(text, &scratch, best));
      if (level == SimdLevel::kScalar) {
        const auto wanted = slow_scores(model, text);
        ASSERT_EQ(best.empty(), wanted.empty());
        for (std::size_t i = 0; i < best.size(); ++i) {
          const double score = static_cast<double>(best[i].score);
          ASSERT_NEAR(score, wanted[static_cast<std::size_t>(best[i].label)], tolerance);
          ASSERT_GE(best[i == 0 ? 0 : i - 1].score, best[i].score);
        }
        if (model.arguments.loss != FastTextLoss::kHierarchicalSoftmax) {
          ASSERT_EQ(best.size(), wanted.size());
        }
        first.push_back(std::move(best));
      } else {
        ASSERT_EQ(best.size(), first[at].size());
        for (std::size_t i = 0; i < best.size(); ++i) {
          ASSERT_EQ(best[i].label, first[at][i].label);
          ASSERT_EQ(best[i].score, first[at][i].score);
        }
      }
      ++at;
    }
  }
}

TEST(FastTextClassifierTest, ScoresDoNotDependOnWhatWasScoredBefore) {
  const auto model = FastTextClassifier::make(make_model({}), "test");
  ASSERT_TRUE(model.has_value());
  FastTextClassifier::Scratch used;
  for (const std::string& text : odd_texts(300)) {
    FastTextClassifier::Scratch fresh;
    Prediction a;
    Prediction b;
    ASSERT_EQ(model->predict(text, &used, {&a, 1}), model->predict(text, &fresh, {&b, 1}));
    ASSERT_EQ(a.label, b.label);
    ASSERT_EQ(a.score, b.score);
  }
}

TEST(FastTextClassifierTest, NewlinesAreBlanks) {
  const auto model =
      FastTextClassifier::make(make_model({.word_ngrams = 2, .max_gram = 0, .labels = 2}), "test");
  ASSERT_TRUE(model.has_value());
  FastTextClassifier::Scratch scratch;
  Prediction lines;
  Prediction one_line;
  model->predict("the word\nof 北京\r\n\nword\n", &scratch, {&lines, 1});
  model->predict("the word of 北京   word ", &scratch, {&one_line, 1});
  EXPECT_EQ(lines.label, one_line.label);
  EXPECT_EQ(lines.score, one_line.score);
}

TEST(FastTextClassifierTest, LabelsComeWithoutTheirPrefix) {
  FastTextModel model = make_model({.labels = 2});
  model.labels[1] = "plain";
  const auto made = FastTextClassifier::make(model, "test");
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->labels(), (std::vector<std::string>{"A", "plain"}));
}

TEST(FastTextClassifierTest, NoPredictionForATextWithoutRows) {
  const auto model = FastTextClassifier::make(
      make_model({.max_gram = 0, .labels = 2, .end_of_line = false}), "test");
  ASSERT_TRUE(model.has_value());
  FastTextClassifier::Scratch scratch;
  Prediction best;
  EXPECT_EQ(model->predict("unknown tokens", &scratch, {&best, 1}), 0U);
  EXPECT_EQ(model->predict("unknown the", &scratch, {&best, 1}), 1U);
  EXPECT_EQ(model->predict("the", &scratch, {}), 0U);
}

TEST(FastTextClassifierTest, RefusesWhatIsNoClassifier) {
  FastTextModel vectors = make_model({});
  vectors.arguments.kind = 2;
  const auto no_labels = FastTextClassifier::make(vectors, "cc.zh.300.bin");
  ASSERT_FALSE(no_labels.has_value());
  EXPECT_EQ(no_labels.error().code(), Code::kUnsupported);
  EXPECT_NE(no_labels.error().message().find("cc.zh.300.bin gives word vectors"),
            std::string::npos);

  const auto too_long =
      FastTextClassifier::make(make_model({.dim = 2, .max_gram = 33}), "long.bin");
  ASSERT_FALSE(too_long.has_value());
  EXPECT_EQ(too_long.error().code(), Code::kUnsupported);
  EXPECT_NE(too_long.error().message().find("33 characters"), std::string::npos);

  for (const ModelShape& shape :
       {ModelShape{}, ModelShape{.word_ngrams = 2, .max_gram = 0, .labels = 2},
        ModelShape{.dim = 17}}) {
    FastTextModel broken = make_model(shape);
    broken.input.dense[40] = std::numeric_limits<float>::quiet_NaN();
    const auto made = FastTextClassifier::make(broken, "broken.bin");
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error().code(), Code::kCorrupt);
    EXPECT_NE(made.error().message().find("broken.bin"), std::string::npos);
  }
}

}  // namespace
}  // namespace headrace::score
