// SPDX-License-Identifier: Apache-2.0
#include "report/audit.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "io/file.h"
#include "io/test_folder.h"

namespace headrace::report {
namespace {

using Json = nlohmann::json;

AuditItem item(const std::string& id, const std::string& text) {
  AuditItem made;
  made.id = id;
  made.domain = "news";
  made.front = text;
  made.bytes = text.size();
  made.reasons = {"digit_share_above_max"};
  return made;
}

// Two rules that share the document 0:2.
AuditData sample() {
  AuditData data;
  data.name = "zh-en";
  data.by = "ann";
  AuditRule digits;
  digits.reason = "digit_share_above_max";
  digits.is_max = true;
  digits.documents = 70;
  digits.dropped = {item("0:1", "111"), item("0:2", "222"), item("0:3", "333")};
  digits.passed = {item("0:9", "nine")};
  AuditRule length;
  length.reason = "code_points_below_min";
  length.dropped = {item("0:2", "222")};
  data.rules = {digits, length};
  data.text_of = [](const std::string& id) -> Result<std::string> { return "the whole of " + id; };
  return data;
}

class AuditTest : public testing::Test {
 protected:
  std::unique_ptr<AuditSession> open(AuditData data = sample()) {
    auto session = AuditSession::open(std::move(data), labels_);
    EXPECT_TRUE(session) << session.error().message();
    return *std::move(session);
  }
  std::vector<Json> lines() const {
    std::vector<Json> all;
    std::ifstream file(labels_);
    for (std::string line; std::getline(file, line);) all.push_back(Json::parse(line));
    return all;
  }

  io::TestFolder folder_;
  std::string labels_ = folder_ / "labels.jsonl";
};

TEST(WilsonTest, KnownIntervals) {
  // Where |part / whole - p| = z * sqrt(p * (1 - p) / whole), found by halving.
  struct Case {
    std::uint64_t part, whole;
    double low, high;
  };
  for (const Case& c : {Case{0, 0, 0, 1},
                        {0, 10, 0, 0.2775327998628892},
                        {10, 10, 0.7224672001371107, 1},
                        {9, 10, 0.5958499732047615, 0.9821237869049271},
                        {15, 30, 0.3315412564053377, 0.6684587435946623},
                        {1, 1000, 0.00017654637062607803, 0.0056425585979579355}}) {
    const auto [low, high] = wilson_interval(c.part, c.whole);
    EXPECT_NEAR(low, c.low, 1e-12) << c.part << "/" << c.whole;
    EXPECT_NEAR(high, c.high, 1e-12) << c.part << "/" << c.whole;
  }
}

TEST_F(AuditTest, DecisionsBecomePrecisionAndLines) {
  const auto session = open();
  ASSERT_TRUE(session->decide(0, Group::kDropped, 0, Mark::kGarbage));
  ASSERT_TRUE(session->decide(0, Group::kDropped, 2, Mark::kWorthKeeping));
  ASSERT_TRUE(session->decide(0, Group::kPassed, 0, Mark::kUnsure));
  const AuditResult result = session->result();
  EXPECT_EQ(result.decisions, 3u);
  EXPECT_EQ(result.rules[0].dropped.garbage, 1u);
  EXPECT_EQ(result.rules[0].dropped.worth_keeping, 1u);
  EXPECT_EQ(result.rules[0].dropped.garbage_share, 0.5);
  EXPECT_EQ(result.rules[0].passed.unsure, 1u);
  EXPECT_FALSE(result.rules[0].passed.garbage_share);
  ASSERT_EQ(lines().size(), 3u);
  EXPECT_EQ(lines()[0].at("label"), 0);
  EXPECT_EQ(lines()[0].at("text"), "111");
  EXPECT_EQ(lines()[0].at("by"), "ann");
  EXPECT_EQ(lines()[1].at("label"), 1);
  EXPECT_TRUE(lines()[2].at("label").is_null());
}

TEST_F(AuditTest, ADocumentCountsInEverySampleThatHoldsIt) {
  const auto session = open();
  const Json change = Json::parse(*session->decide(1, Group::kDropped, 0, Mark::kGarbage));
  EXPECT_EQ(change.at("shares")[0].at("dropped").at("garbage"), 1);
  EXPECT_EQ(change.at("shares")[1].at("dropped").at("garbage"), 1);
  EXPECT_EQ(change.at("id"), "0:2");
}

TEST_F(AuditTest, TheLastDecisionWins) {
  const auto session = open();
  for (const Mark mark : {Mark::kGarbage, Mark::kUnsure, Mark::kWorthKeeping})
    ASSERT_TRUE(session->decide(0, Group::kDropped, 0, mark));
  EXPECT_EQ(session->result().rules[0].dropped.worth_keeping, 1u);
  EXPECT_EQ(session->result().rules[0].dropped.garbage, 0u);
  EXPECT_EQ(lines().size(), 3u);
}

TEST_F(AuditTest, UndoGoesBackStepByStep) {
  const auto session = open();
  ASSERT_TRUE(session->decide(0, Group::kDropped, 0, Mark::kGarbage));
  ASSERT_TRUE(session->decide(0, Group::kDropped, 0, Mark::kWorthKeeping));
  EXPECT_EQ(Json::parse(*session->undo()).at("mark"), "garbage");
  const Json last = Json::parse(*session->undo());
  EXPECT_EQ(last.at("mark"), "none");
  EXPECT_EQ(last.at("can_undo"), false);
  EXPECT_EQ(session->undo().error().code(), Code::kInvalidArgument);
  ASSERT_EQ(lines().size(), 4u);
  EXPECT_EQ(lines()[3].at("undo"), true);
  EXPECT_TRUE(lines()[3].at("label").is_null());
}

TEST_F(AuditTest, SurvivesARestart) {
  {
    const auto session = open();
    ASSERT_TRUE(session->decide(0, Group::kDropped, 0, Mark::kGarbage));
    ASSERT_TRUE(session->decide(0, Group::kDropped, 2, Mark::kGarbage));
    ASSERT_TRUE(session->decide(0, Group::kPassed, 0, Mark::kGarbage));
    ASSERT_TRUE(session->undo());
  }
  const auto session = open();
  EXPECT_EQ(session->result().rules[0].dropped.garbage, 2u);
  EXPECT_EQ(session->result().rules[0].passed.garbage, 0u);
  EXPECT_EQ(session->result().decisions, 0u);
  const Json change = Json::parse(*session->undo());  // what was undone is not undone twice
  EXPECT_EQ(change.at("id"), "0:3");
}

TEST_F(AuditTest, LabelsOfAnotherRunDoNotCount) {
  {
    AuditData other = sample();
    other.rules[0].dropped[0].front = "another text of the same id";
    other.rules[0].dropped[0].bytes = other.rules[0].dropped[0].front.size();
    other.rules[0].dropped.push_back(item("7:7", "elsewhere"));
    const auto session = open(std::move(other));
    ASSERT_TRUE(session->decide(0, Group::kDropped, 0, Mark::kGarbage));
    ASSERT_TRUE(session->decide(0, Group::kDropped, 3, Mark::kGarbage));
  }
  const auto session = open();
  EXPECT_EQ(session->result().foreign, 2u);
  EXPECT_EQ(session->result().rules[0].dropped.garbage, 0u);
  EXPECT_EQ(lines().size(), 2u);  // and stay where they are
}

TEST_F(AuditTest, LongTextsAreLabelledWhole) {
  AuditData data = sample();
  data.rules[0].dropped[0].front = "the wh";
  data.rules[0].dropped[0].bytes = 16;
  {
    const auto session = open(data);
    ASSERT_TRUE(session->decide(0, Group::kDropped, 0, Mark::kGarbage));
    EXPECT_EQ(lines()[0].at("text"), "the whole of 0:1");
    EXPECT_FALSE(lines()[0].contains("cut"));
    EXPECT_EQ(*session->whole_text("0:1"), "the whole of 0:1");
  }
  EXPECT_EQ(open(data)->result().rules[0].dropped.garbage, 1u);
}

TEST_F(AuditTest, EndlessTextsAreCutOnACharacterBorder) {
  AuditData data = sample();
  data.rules[0].dropped[0].front = "诗";
  data.rules[0].dropped[0].bytes = 3 << 20;
  data.text_of = [](const std::string&) -> Result<std::string> {
    std::string text;
    while (text.size() < 3 << 20) text += "诗";
    return text;
  };
  const auto session = open(data);
  ASSERT_TRUE(session->decide(0, Group::kDropped, 0, Mark::kGarbage));
  EXPECT_EQ(lines()[0].at("cut"), true);
  EXPECT_EQ(lines()[0].at("text").get<std::string>().size(), (1u << 20) - 1);
}

TEST_F(AuditTest, WhatCannotBeSavedIsNotDecided) {
  AuditData data = sample();
  data.rules[0].dropped[0].bytes = 100;
  data.text_of = [](const std::string&) -> Result<std::string> { return unavailable("gone"); };
  const auto session = open(data);
  EXPECT_FALSE(session->decide(0, Group::kDropped, 0, Mark::kGarbage));
  EXPECT_EQ(session->result().rules[0].dropped.garbage, 0u);
  EXPECT_TRUE(lines().empty());
}

TEST_F(AuditTest, PlacesThatAreNone) {
  const auto session = open();
  EXPECT_FALSE(session->decide(2, Group::kDropped, 0, Mark::kGarbage));
  EXPECT_FALSE(session->decide(1, Group::kPassed, 0, Mark::kGarbage));
  EXPECT_FALSE(session->decide(0, Group::kDropped, 0, Mark::kNone));
  EXPECT_EQ(session->text("9:9").error().code(), Code::kNotFound);
  EXPECT_EQ(session->whole_text("9:9").error().code(), Code::kNotFound);
}

TEST_F(AuditTest, ThePageGetsItAll) {
  const auto session = open();
  ASSERT_TRUE(session->decide(0, Group::kDropped, 1, Mark::kUnsure));
  const Json all = Json::parse(session->everything());
  EXPECT_EQ(all.at("rules").size(), 2u);
  EXPECT_EQ(all.at("rules")[0].at("side"), "max");
  EXPECT_EQ(all.at("marks").at("0:2"), "unsure");
  EXPECT_EQ(all.at("rules")[0].at("shares").at("dropped").at("unsure"), 1);
  EXPECT_EQ(Json::parse(*session->text("0:1")).at("text"), "111");
}

TEST_F(AuditTest, BytesThatAreNoUtf8DoNotBreakThePage) {
  AuditData data = sample();
  data.rules[0].dropped[0].front = "\xff</script>";
  data.rules[0].dropped[0].source = "raw/\xfe";
  const auto session = open(data);
  EXPECT_FALSE(Json::parse(session->everything(), nullptr, false).is_discarded());
  EXPECT_EQ(Json::parse(*session->text("0:1")).at("text"), "\ufffd</script>");
}

}  // namespace
}  // namespace headrace::report
