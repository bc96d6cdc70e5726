// SPDX-License-Identifier: Apache-2.0
#include "report/leak_review.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/file.h"
#include "report/audit.h"

namespace headrace::report {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

LeakFind find(const std::string& id, const std::string& item) {
  return {.id = id,
          .domain = "web",
          .source = "a.jsonl",
          .set = "exam",
          .item = item,
          .verdict = "drop",
          .became = "dropped",
          .view = "question",
          .ratio = 0.95,
          .mass = 20,
          .begin = 3,
          .end = 9};
}

LeakReviewData example() {
  LeakReviewData data{.name = "n", .run_directory = "r", .by = "ann", .items = 5, .documents = 90};
  data.groups = {{.set = "exam",
                  .verdict = "drop",
                  .finds = 40,
                  .shown = {find("0:1", "q1"), find("0:2", "q1"), find("0:2", "q2")}},
                 {.set = "exam", .verdict = "flag", .finds = 1, .shown = {find("0:9", "q3")}}};
  data.texts_of = [](const LeakFind& one) -> Result<LeakTexts> {
    LeakTexts texts;
    texts.item = {{"question", segments("水池有两个管", {{0, 6}})}};
    texts.document = segments("前水池后", {{3, 9}});
    texts.stretch = "水池";
    texts.bytes = one.item.size();
    return texts;
  };
  data.whole_document = [](const LeakFind& one) -> Result<std::string> { return one.id; };
  return data;
}

class LeakReviewTest : public ::testing::Test {
 protected:
  LeakReviewTest()
      : labels_(::testing::TempDir() + "leaks_" +
                ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".jsonl") {
    std::filesystem::remove(labels_);
  }
  ~LeakReviewTest() override { std::filesystem::remove(labels_); }

  std::unique_ptr<LeakReview> open() {
    auto review = LeakReview::open(example(), labels_);
    EXPECT_TRUE(review) << review.error().message();
    return review ? *std::move(review) : nullptr;
  }

  const std::string labels_;
};

TEST(SegmentsTest, CoverTheTextWhateverTheRanges) {
  const auto joined = [](const std::vector<Segment>& all) {
    std::string text;
    for (const Segment& segment : all)
      text += segment.marked ? "[" + segment.text + "]" : segment.text;
    return text;
  };
  EXPECT_EQ(joined(segments("abcdef", {})), "abcdef");
  EXPECT_EQ(joined(segments("abcdef", {{0, 2}, {4, 6}})), "[ab]cd[ef]");
  EXPECT_EQ(joined(segments("abcdef", {{1, 4}, {2, 3}, {5, 99}})), "a[bcd]e[f]");  // never twice
  EXPECT_EQ(joined(segments("", {{0, 5}})), "");
}

TEST_F(LeakReviewTest, DecisionsGiveThePrecisionByGroup) {
  const auto review = open();
  ASSERT_TRUE(review->decide(0, 0, LeakMark::kLeak));
  ASSERT_TRUE(review->decide(0, 1, LeakMark::kNotLeak));
  const Json change = Json::parse(*review->decide(0, 2, LeakMark::kUnsure));
  EXPECT_EQ(change.at("mark"), "unsure");
  EXPECT_EQ(change.at("shares").at(0).at("share"), 0.5);
  EXPECT_TRUE(change.at("shares").at(1).at("share").is_null());
  const std::vector<ReviewedLeaks> result = review->result();
  EXPECT_EQ(result[0].leak, 1U);
  EXPECT_EQ(result[0].not_leak, 1U);
  EXPECT_EQ(result[0].unsure, 1U);
  EXPECT_EQ(result[0].finds, 40U);
  EXPECT_EQ(std::pair(result[0].low, result[0].high), wilson_interval(1, 2));
}

TEST_F(LeakReviewTest, AreThereAfterARestartAndCanBeTakenBack) {
  {
    const auto review = open();
    ASSERT_TRUE(review->decide(0, 0, LeakMark::kNotLeak));
    ASSERT_TRUE(review->decide(0, 0, LeakMark::kLeak));
  }
  const auto review = open();
  EXPECT_EQ(review->result()[0].leak, 1U);
  ASSERT_TRUE(review->undo());
  EXPECT_EQ(review->result()[0].not_leak, 1U);
  ASSERT_TRUE(review->undo());
  EXPECT_FALSE(review->result()[0].precision);
  EXPECT_FALSE(review->undo());
  EXPECT_EQ(review->decisions(), 2U);
}

TEST_F(LeakReviewTest, TheFileSaysWhatWasDecidedOnWhat) {
  ASSERT_TRUE(open()->decide(0, 2, LeakMark::kNotLeak));
  std::ifstream file(labels_);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  const Json json = Json::parse(line);
  EXPECT_EQ(json.at("id"), "0:2");
  EXPECT_EQ(json.at("set"), "exam");
  EXPECT_EQ(json.at("item"), "q2");
  EXPECT_EQ(json.at("label"), 0);
  EXPECT_EQ(json.at("decision"), "not_leak");
  EXPECT_EQ(json.at("text"), "水池");
  EXPECT_EQ(json.at("by"), "ann");
}

TEST_F(LeakReviewTest, TextsComeWithTheirMarks) {
  const auto review = open();
  const Json json = Json::parse(*review->texts(0, 0));
  EXPECT_EQ(json.at("document"), Json::parse(R"([["前",false],["水池",true],["后",false]])"));
  EXPECT_EQ(json.at("item").at(0).at("text"), Json::parse(R"([["水池",true],["有两个管",false]])"));
  EXPECT_EQ(*review->whole_document(1, 0), "0:9");
}

TEST_F(LeakReviewTest, Refusals) {
  const auto review = open();
  EXPECT_FALSE(review->decide(2, 0, LeakMark::kLeak));
  EXPECT_FALSE(review->decide(0, 3, LeakMark::kLeak));
  EXPECT_FALSE(review->decide(0, 0, LeakMark::kNone));
  EXPECT_FALSE(review->texts(0, 99));
  EXPECT_FALSE(LeakReview::open(example(), labels_));  // one writer at a time
  std::ofstream(labels_ + ".bad") << "{\"id\": 3}\n";
  const auto bad = LeakReview::open(example(), labels_ + ".bad");
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message(), HasSubstr("line 1"));
  std::filesystem::remove(labels_ + ".bad");
}

}  // namespace
}  // namespace headrace::report
