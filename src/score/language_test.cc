// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "score/score.h"
#include "score/testing/small_models.h"

namespace headrace::score {
namespace {

const std::string kEnglish =
    "The river was quiet that morning and the boats had not yet left the harbour.";
const std::string kChinese =
    "春天来了，河边的柳树长出了新芽，孩子们在草地上放风筝，老人坐在长椅上晒太阳。";

class LanguageTest : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_DATA();
    path_ = std::string(data_folder()) + "/model-lid176/lid.176.ftz";
  }

  void open(OptionValues options) {
    options["model"] = path_;
    auto made = make_scorer("language", options);
    ASSERT_TRUE(made.has_value()) << made.error().message();
    scorer_ = std::move(*made);
  }

  Score of(std::string_view text) {
    Score score;
    auto session = scorer_->start();
    EXPECT_TRUE((*session)->score({&text, 1}, {&score, 1}).has_value());
    return score;
  }

  std::string label(const Score& score) const {
    if (score.label == kNoLabel) {
      EXPECT_TRUE(std::isnan(score.value));
      return "undetermined";
    }
    EXPECT_GT(score.value, 0);
    EXPECT_LE(score.value, 1);
    return scorer_->labels()[static_cast<std::size_t>(score.label)];
  }
  std::string label(std::string_view text) { return label(of(text)); }

  std::string path_;
  std::unique_ptr<Scorer> scorer_;
};

// Case B021: short texts got labels such as Tibetan, and a newline was an error.
TEST_F(LanguageTest, ShortTextsAreUndeterminedAndNewlinesAreBlanks) {
  open({});
  std::map<std::string, std::string> texts;
  const std::string folder = std::string(data_folder()) + "/../cases/B021/";
  std::ifstream input(folder + "in.jsonl");
  ASSERT_TRUE(input.good());
  for (std::string line; std::getline(input, line);) {
    const auto row = nlohmann::json::parse(line);
    texts[row["id"]] = row["text"];
  }
  const auto expected = nlohmann::json::parse(std::ifstream(folder + "expected.json"));
  ASSERT_EQ(expected["label"].size(), 4U);
  for (const auto& [id, wanted] : expected["label"].items()) {
    EXPECT_EQ(label(texts.at(id)), wanted) << id;
  }
  const auto& undetermined = expected["undetermined(under 20 letters)"];
  ASSERT_EQ(undetermined.size(), 6U);
  for (const auto& id : undetermined) EXPECT_EQ(label(texts.at(id)), "undetermined") << id;
  std::string one_line = texts.at("zhlines");
  ASSERT_NE(one_line.find('\n'), std::string::npos);
  for (char& c : one_line) c = c == '\n' ? ' ' : c;
  EXPECT_EQ(of(texts.at("zhlines")).value, of(one_line).value);
  EXPECT_EQ(of(texts.at("enlines")).value, of(texts.at("enlong")).value);
}

TEST_F(LanguageTest, LeastLettersDecide) {
  open({{"min_letters", "0"}});
  EXPECT_NE(label("音楽会"), "undetermined");
  open({{"min_letters", "3"}});
  EXPECT_NE(label("音楽会"), "undetermined");
  open({{"min_letters", "4"}});
  EXPECT_EQ(label("音楽会"), "undetermined");
  EXPECT_EQ(label("1234567890 !?"), "undetermined");
  EXPECT_EQ(label(""), "undetermined");
}

TEST_F(LanguageTest, ByParagraphTheMostLettersWinAndTheOthersCount) {
  open({{"by", "paragraph"}});
  EXPECT_EQ(label(kEnglish), "en");
  EXPECT_EQ(label(kEnglish + "\n" + kChinese + "\n" + kEnglish), "en");
  const Score mixed = of(kChinese + "\n\n" + kChinese + "\r\n" + kEnglish + "\n" + kChinese);
  EXPECT_EQ(label(mixed), "zh");
  EXPECT_GT(mixed.value, 0.5);
  EXPECT_LT(mixed.value, 0.8);  // the English sentence has 60 of 170 letters
  EXPECT_EQ(label("北京\n花园"), "undetermined");
}

// Lines that are too short alone, as in a poem, are scored together.
TEST_F(LanguageTest, ByParagraphShortLinesAreJoined) {
  open({{"by", "paragraph"}});
  EXPECT_EQ(label("白日依山尽\n黄河入海流\n欲穷千里目\n更上一层楼\n"), "zh");
  open({{"by", "document"}});
  EXPECT_EQ(label("白日依山尽\n黄河入海流\n欲穷千里目\n更上一层楼\n"), "zh");
}

TEST_F(LanguageTest, ABatchScoresAsItsTextsAlone) {
  open({});
  const std::vector<std::string_view> texts = {kEnglish, "x", kChinese, kEnglish};
  std::vector<Score> scores(4);
  auto session = scorer_->start();
  ASSERT_TRUE((*session)->score(texts, scores).has_value());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(label(scores[i]), label(texts[i]));
    EXPECT_TRUE(i == 1 || scores[i].value == of(texts[i]).value) << i;
  }
}

TEST_F(LanguageTest, OptionsAreInTheFingerprint) {
  open({});
  const Hash128 base = scorer_->fingerprint();
  open({{"min_letters", "20"}, {"by", "document"}});
  EXPECT_EQ(base, scorer_->fingerprint());
  open({{"min_letters", "21"}});
  EXPECT_NE(base, scorer_->fingerprint());
  open({{"by", "paragraph"}});
  EXPECT_NE(base, scorer_->fingerprint());
}

}  // namespace
}  // namespace headrace::score
