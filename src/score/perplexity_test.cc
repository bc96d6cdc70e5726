// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "score/score.h"
#include "score/testing/small_models.h"

namespace headrace::score {
namespace {

constexpr const char* kModel =
    "\\data\\\nngram 1=5\nngram 2=2\n\n\\1-grams:\n-2\t<unk>\n-99\t<s>\t-0.5\n-1\t</s>\n"
    "-0.5\ta\t-0.25\n-0.75\t中\n\n\\2-grams:\n-0.25\t<s> a\n-0.125\ta </s>\n\n\\end\\\n";

std::vector<double> perplexities(const std::string& path, OptionValues options,
                                 const std::vector<std::string_view>& texts) {
  options["model"] = path;
  const auto scorer = make_scorer("perplexity", options);
  EXPECT_TRUE(scorer.has_value()) << scorer.error().message();
  auto session = (*scorer)->start();
  std::vector<Score> scores(texts.size());
  EXPECT_TRUE((*session)->score(texts, scores).has_value());
  std::vector<double> values;
  for (const Score& score : scores) {
    EXPECT_EQ(score.label, kNoLabel);
    values.push_back(score.value);
  }
  return values;
}

class PerplexityTest : public testing::Test {
 protected:
  PerplexityTest() { std::ofstream(file_.path()) << kModel; }
  const TestPath file_;
};

TEST_F(PerplexityTest, IsTenToTheMeanOfTokens) {
  const auto values = perplexities(file_.path(), {}, {"a", "a\n", "b a"});
  EXPECT_DOUBLE_EQ(values[0], std::pow(10, (0.25 + 0.125) / 2));
  EXPECT_DOUBLE_EQ(values[1], std::pow(10, (0.25 + 0.125 + 1.5) / 3));  // an empty line behind
  EXPECT_DOUBLE_EQ(values[2], std::pow(10, (2.5 + 0.5 + 0.125) / 3));
}

TEST_F(PerplexityTest, TextsWithoutATokenHaveNone) {
  for (const double value : perplexities(file_.path(), {}, {"", "\n\n", " \t"})) {
    EXPECT_TRUE(std::isnan(value));
  }
}

TEST_F(PerplexityTest, OptionsSayWhatIsASentenceAndAToken) {
  const auto skipped = perplexities(file_.path(), {{"empty_lines", "skip"}}, {"a", "\na\n\n"});
  EXPECT_EQ(skipped[0], skipped[1]);
  const auto document = perplexities(file_.path(), {{"sentences", "document"}}, {"a\na", "a a"});
  EXPECT_EQ(document[0], document[1]);
  const auto split = perplexities(file_.path(), {{"han", "split"}}, {"中a中", "中 a 中"});
  EXPECT_EQ(split[0], split[1]);
  EXPECT_NE(split[0], perplexities(file_.path(), {}, {"中a中"})[0]);
}

TEST_F(PerplexityTest, FingerprintTellsOptionsApart) {
  const auto print = [&](OptionValues options) {
    options["model"] = file_.path();
    return to_hex((*make_scorer("perplexity", options))->fingerprint());
  };
  const std::string base = print({});
  EXPECT_EQ(base, print({{"sentences", "lines"}}));
  EXPECT_NE(base, print({{"sentences", "document"}}));
  EXPECT_NE(base, print({{"empty_lines", "skip"}}));
  EXPECT_NE(base, print({{"han", "split"}}));
}

TEST_F(PerplexityTest, NeedsAModel) {
  EXPECT_NE(make_scorer("perplexity", {}).error().message().find("'model' is needed"),
            std::string::npos);
  EXPECT_EQ(make_scorer("perplexity", {{"model", "/none"}}).error().code(), Code::kNotFound);
}

}  // namespace
}  // namespace headrace::score
