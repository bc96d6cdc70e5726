// SPDX-License-Identifier: Apache-2.0
// Published models and what libfasttext says by them. Needs HEADRACE_DATA.
#include <cmath>
#include <sstream>

#include "score/fasttext_classifier.h"
#include "score/internal/fasttext_tables.h"
#include "score/testing/small_models.h"

namespace headrace::score {
namespace {

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::istringstream row(line);
  for (std::string field; std::getline(row, field, separator);) fields.push_back(field);
  return fields;
}

TEST(FastTextGoldenTest, LanguageModelGivesThePublishedLabelsAndScores) {
  SKIP_WITHOUT_DATA();
  const std::string folder = std::string(data_folder()) + "/model-lid176/";
  for (const SimdLevel level : {SimdLevel::kScalar, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    const auto model = FastTextClassifier::open(folder + "lid.176.ftz", level);
    ASSERT_TRUE(model.has_value()) << model.error().message();
    EXPECT_EQ(model->way(), "rows of 16");
    FastTextClassifier::Scratch scratch;
    std::ifstream golden(folder + "golden_predict_prob_3.tsv");
    std::string line;
    std::getline(golden, line);
    std::size_t texts = 0;
    while (std::getline(golden, line)) {
      const auto fields = split(line, '\t');
      ASSERT_GE(fields.size(), 6U) << line;
      Prediction best[3];
      const std::size_t count = model->predict(fields[3], &scratch, best);
      ASSERT_EQ(count, (fields.size() - 4) / 2) << line;
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(model->labels()[static_cast<std::size_t>(best[i].label)], fields[4 + 2 * i])
            << line;
        ASSERT_NEAR(static_cast<double>(best[i].score), std::stod(fields[5 + 2 * i]), 1e-4) << line;
      }
      ++texts;
    }
    EXPECT_EQ(texts, 3750U);
  }
}

// The vectors that the authors' tool printed are the means of the rows of a word and its n-grams.
TEST(FastTextGoldenTest, RowsGiveThePublishedWordVectors) {
  SKIP_WITHOUT_DATA();
  const std::string folder = std::string(data_folder()) + "/model-fasttext-small/";
  const auto model = read_fasttext_model(folder + "crime-and-punishment.bin");
  ASSERT_TRUE(model.has_value()) << model.error().message();
  EXPECT_EQ(model->arguments.kind, 2);  // skip-gram
  const internal::WordIndexTable index(*model);
  std::ifstream vectors(folder + "crime-and-punishment.vec");
  std::string line;
  std::getline(vectors, line);
  const auto dim = static_cast<std::size_t>(model->arguments.dim);
  std::size_t words = 0;
  while (std::getline(vectors, line)) {
    const auto fields = split(line, ' ');
    ASSERT_GE(fields.size(), dim + 1) << line;
    const std::int32_t id = index.find(fields[0]);
    ASSERT_GE(id, 0) << line;
    std::vector<float> row(dim);
    std::vector<double> sum(dim);
    double count = 0;
    const auto add = [&](std::int64_t at) {
      model->input.row(at, row.data());
      for (std::size_t d = 0; d < dim; ++d) sum[d] += static_cast<double>(row[d]);
      ++count;
    };
    add(id);
    const auto buckets = static_cast<std::uint32_t>(model->arguments.buckets);
    if (fields[0] != kEndOfLine) {
      internal::for_grams(fields[0], model->arguments.min_gram, model->arguments.max_gram,
                          [&](std::uint32_t hash) {
                            add(static_cast<std::int64_t>(model->words.size() + hash % buckets));
                          });
    }
    for (std::size_t d = 0; d < dim; ++d) {
      ASSERT_NEAR(sum[d] / count, std::stod(fields[1 + d]), 1e-4) << line;
    }
    ++words;
  }
  EXPECT_EQ(words, model->words.size());
}

TEST(FastTextGoldenTest, SmallModelsOpenOrSayWhyNot) {
  SKIP_WITHOUT_DATA();
  const std::string folder = std::string(data_folder()) + "/model-fasttext-small/";
  const auto polarity = FastTextClassifier::open(folder + "pang_lee_polarity_fasttext.bin");
  ASSERT_TRUE(polarity.has_value()) << polarity.error().message();
  EXPECT_EQ(polarity->way(), "folded");
  EXPECT_EQ(polarity->labels(), (std::vector<std::string>{"pos", "neg"}));
  const struct {
    const char* file;
    const char* says;
  } kRefused[] = {
      {"lee_fasttext.bin", "magic number"},     {"non_ascii_fasttext.bin", "magic number"},
      {"lee_fasttext_new.bin", "word vectors"}, {"crime-and-punishment.bin", "word vectors"},
      {"lee_fasttext.vec", "magic number"},
  };
  for (const auto& refused : kRefused) {
    const auto made = FastTextClassifier::open(folder + refused.file);
    ASSERT_FALSE(made.has_value()) << refused.file;
    EXPECT_EQ(made.error().code(), Code::kUnsupported) << made.error().message();
    EXPECT_NE(made.error().message().find(refused.says), std::string::npos)
        << made.error().message();
  }
}

}  // namespace
}  // namespace headrace::score
