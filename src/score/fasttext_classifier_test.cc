// SPDX-License-Identifier: Apache-2.0
#include "score/fasttext_classifier.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace headrace::score {
namespace {

const char* data_folder() { return std::getenv("HEADRACE_DATA"); }

#define SKIP_WITHOUT_DATA() \
  if (data_folder() == nullptr) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set"

TEST(FastTextClassifierTest, GoldenLabelsAndScoresOfTheLanguageModel) {
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
    double worst = 0;
    while (std::getline(golden, line)) {
      std::vector<std::string> fields;
      std::istringstream row(line);
      for (std::string field; std::getline(row, field, '\t');) fields.push_back(field);
      ASSERT_GE(fields.size(), 6U) << line;
      Prediction best[3];
      const std::size_t count = model->predict(fields[3], &scratch, best);
      ASSERT_GE(count, 1U);
      for (std::size_t i = 0; i < count && 5 + 2 * i < fields.size(); ++i) {
        EXPECT_EQ(model->labels()[static_cast<std::size_t>(best[i].label)], fields[4 + 2 * i])
            << fields[3];
        const double wanted = std::stod(fields[5 + 2 * i]);
        worst = std::max(worst, std::abs(static_cast<double>(best[i].score) - wanted));
      }
      ++texts;
    }
    EXPECT_EQ(texts, 3750U);
    EXPECT_LT(worst, 1e-4);
    std::printf("worst %g\n", worst);
  }
}

}  // namespace
}  // namespace headrace::score
