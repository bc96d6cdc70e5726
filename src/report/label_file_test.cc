// SPDX-License-Identifier: Apache-2.0
#include "report/label_file.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>
#include <sys/resource.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/file.h"
#include "io/test_folder.h"

namespace headrace::report {
namespace {

Decision sample() {
  Decision decision;
  decision.id = "3:1024";
  decision.text = "白日依山尽\n</script>\x01";
  decision.mark = Mark::kGarbage;
  decision.rule = "digit_share_above_max";
  decision.group = "dropped";
  decision.value = 0.52;
  decision.bound = "max 0.3";
  decision.domain = "诗词";
  decision.source = "raw/a.jsonl";
  decision.time = "2026-01-31T09:30:00Z";
  decision.by = "ann";
  return decision;
}

std::string lines_of(const std::string& path) { return *io::read_file(path); }

TEST(DecisionTest, OneLineThatReadsBack) {
  const std::string line = format_decision(sample());
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  const auto back = parse_decision(line);
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(format_decision(*back), line);
}

TEST(DecisionTest, LabelIsWhatTrainingReads) {
  const std::pair<Mark, const char*> kCases[] = {{Mark::kGarbage, "0"},
                                                 {Mark::kWorthKeeping, "1"},
                                                 {Mark::kUnsure, "null"},
                                                 {Mark::kNone, "null"}};
  for (const auto& [mark, label] : kCases) {
    Decision decision = sample();
    decision.mark = mark;
    const auto json = nlohmann::json::parse(format_decision(decision));
    EXPECT_EQ(json.at("label").dump(), label);
    EXPECT_EQ(json.at("text"), decision.text);
  }
}

TEST(DecisionTest, NoValueIsNull) {
  Decision decision = sample();
  decision.value = std::numeric_limits<double>::quiet_NaN();
  const std::string line = format_decision(decision);
  EXPECT_NE(line.find("\"value\":null"), std::string::npos);
  EXPECT_TRUE(std::isnan(parse_decision(line)->value));
}

TEST(DecisionTest, NotADecision) {
  for (const char* line : {"", "{", "[]", "{}", R"({"id": 7, "text": "", "decision": "keep"})",
                           R"({"id": "1:2", "text": "", "decision": "perhaps"})"})
    EXPECT_FALSE(parse_decision(line)) << line;
}

TEST(LabelFileTest, AppendsAndReadsBack) {
  const io::TestFolder folder;
  const std::string path = folder / "labels.jsonl";
  for (int round = 0; round < 2; ++round) {
    std::vector<Decision> decisions;
    auto file = LabelFile::open(path, &decisions);
    ASSERT_TRUE(file) << file.error().message();
    EXPECT_EQ(decisions.size(), static_cast<std::size_t>(round));
    ASSERT_TRUE(file->append(sample()));
  }
  EXPECT_EQ(lines_of(path), format_decision(sample()) + format_decision(sample()));
}

TEST(LabelFileTest, ALineWithoutItsEndIsCutOffByTheNext) {
  const io::TestFolder folder;
  const std::string path = folder / "labels.jsonl";
  std::ofstream(path) << format_decision(sample()) << R"({"id": "3:1)";
  std::vector<Decision> decisions;
  auto file = LabelFile::open(path, &decisions);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(decisions.size(), 1u);
  ASSERT_TRUE(file->append(sample()));
  EXPECT_EQ(lines_of(path), format_decision(sample()) + format_decision(sample()));
}

TEST(LabelFileTest, ABadLineIsNamedAndNothingIsTouched) {
  const io::TestFolder folder;
  const std::string path = folder / "labels.jsonl";
  const std::string content = format_decision(sample()) + "not json\n";
  std::ofstream(path) << content;
  std::vector<Decision> decisions;
  const auto file = LabelFile::open(path, &decisions);
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().message().find("line 2"), std::string::npos) << file.error().message();
  EXPECT_EQ(lines_of(path), content);
}

TEST(LabelFileTest, OneWriterAtATime) {
  const io::TestFolder folder;
  std::vector<Decision> decisions;
  const auto first = LabelFile::open(folder / "labels.jsonl", &decisions);
  ASSERT_TRUE(first);
  const auto second = LabelFile::open(folder / "labels.jsonl", &decisions);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), Code::kUnavailable);
}

// The disk is full in the middle of a line: a limit on the size of files is the same error.
TEST(LabelFileTest, AFullDiskLeavesNothingOfADecision) {
  const io::TestFolder folder;
  const std::string path = folder / "labels.jsonl";
  std::vector<Decision> decisions;
  auto file = LabelFile::open(path, &decisions);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append(sample()));
  const std::string before = lines_of(path);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit full{before.size() + 20, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  const auto refused = file->append(sample());
  const std::string after = lines_of(path);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find(path), std::string::npos);
  EXPECT_EQ(after, before);
  EXPECT_TRUE(file->append(sample()));
  EXPECT_EQ(lines_of(path), before + before);
}

TEST(LabelFileTest, NoPlaceForIt) {
  const io::TestFolder folder;
  std::vector<Decision> decisions;
  const auto device = LabelFile::open("/dev/full", &decisions);
  ASSERT_FALSE(device);
  EXPECT_NE(device.error().message().find("no regular file"), std::string::npos);
  EXPECT_EQ(LabelFile::open(folder / "no/such/labels.jsonl", &decisions).error().code(),
            Code::kNotFound);
}

}  // namespace
}  // namespace headrace::report
