// SPDX-License-Identifier: Apache-2.0
#include "curate/leak_files.h"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "curate/leak_verdict.h"
#include "io/file.h"

namespace headrace::curate {
namespace {

class LeakFilesTest : public ::testing::Test {
 protected:
  LeakFilesTest()
      : root_(::testing::TempDir() + "leak_files_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name()),
        directory_(root_) {
    for (const char* folder : {kLeakDocumentsFolder, kLeakHitsFolder})
      EXPECT_TRUE(io::make_directories(directory_.at(folder)));
  }
  ~LeakFilesTest() override { std::filesystem::remove_all(root_); }

  const std::string root_;
  const RunDirectory directory_;
};

LeakHit hit(std::uint64_t id, const std::string& set, leak::Verdict verdict, double ratio) {
  LeakHit found{id, set, "题 1", {}};
  found.hit.item = 7;
  found.hit.verdict = verdict;
  found.hit.view = leak::View::kQuestionOptions;
  found.hit.ratio = ratio;
  found.hit.mass = 12.5;
  found.hit.coverage = {0.5, 1, 0, 0.25};
  found.hit.span = {10, 90};
  found.hit.remove = {8, 91};
  found.hit.pieces = {{10, 40}, {55, 90}};
  found.hit.item_pieces = {{leak::Part::kQuestion, 0, {0, 30}}, {leak::Part::kOptions, 2, {1, 5}}};
  return found;
}

LeakPart example() {
  LeakPart part = LeakPart::unscanned({1, 2, 3, 4});
  part.scanned = {true, false, true, true};
  part.hits = {hit(1, "a", leak::Verdict::kDrop, 0.9), hit(1, "b", leak::Verdict::kFlag, 0.4),
               hit(3, "b", leak::Verdict::kDrop, 0.7)};
  return part;
}

TEST_F(LeakFilesTest, WhatWasWrittenIsRead) {
  const LeakPart part = example();
  ASSERT_TRUE(part.write(directory_, 3));
  const auto read = LeakPart::load(directory_, 3);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->ids, part.ids);
  EXPECT_EQ(read->scanned, part.scanned);
  ASSERT_EQ(read->hits.size(), 3U);
  const LeakHit& first = read->hits[0];
  EXPECT_EQ(first.id, 1U);
  EXPECT_EQ(first.set, "a");
  EXPECT_EQ(first.item, "题 1");
  EXPECT_EQ(first.hit.item, 7U);
  EXPECT_EQ(first.hit.verdict, leak::Verdict::kDrop);
  EXPECT_EQ(first.hit.view, leak::View::kQuestionOptions);
  EXPECT_EQ(first.hit.coverage[3], 0.25);
  EXPECT_EQ(first.hit.remove.end, 91U);
  EXPECT_EQ(format_ranges(first.hit.pieces), "10-40 55-90");
  ASSERT_EQ(first.hit.item_pieces.size(), 2U);
  EXPECT_EQ(first.hit.item_pieces[1].part, leak::Part::kOptions);
  EXPECT_EQ(first.hit.item_pieces[1].text, 2U);
  EXPECT_EQ(first.hit.item_pieces[1].bytes.end, 5U);
}

TEST_F(LeakFilesTest, RangesThatAreNoneAreRefused) {
  EXPECT_TRUE(parse_ranges("")->empty());
  for (const char* text : {"1", "1-", "5-2", "1-2,3-4", "x", "-1-2"})
    EXPECT_FALSE(parse_ranges(text)) << text;
}

TEST_F(LeakFilesTest, TheColumnIsTheLargestShareThatCounts) {
  LeakSpec spec;
  const std::vector<double> all = leak_column(spec, example());
  EXPECT_EQ(all[0], 0.9);
  EXPECT_TRUE(std::isnan(all[1]));  // nobody looked
  EXPECT_EQ(all[2], 0.7);
  EXPECT_EQ(all[3], 0);
  spec.against = {{.name = "b", .report_only = true}};
  EXPECT_EQ(leak_column(spec, example())[2], 0);
}

}  // namespace
}  // namespace headrace::curate
