// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/file.h"
#include "io/test_folder.h"

namespace headrace::io {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class GlobTest : public testing::Test {
 protected:
  GlobTest() {
    for (const char* name :
         {"b.txt", "a.txt", "a.jsonl", "sub/c.txt", "sub/deep/d.txt", "sub/deep/e.jsonl", ".hidden",
          ".dot/f.txt", "sub/.g.txt", "数据.txt", "part[1].txt", "B.txt"}) {
      folder_.put(name, "x");
    }
  }

  // Names below the folder that match.
  std::vector<std::string> match(const std::string& pattern) {
    auto found = glob(folder_ / pattern);
    EXPECT_TRUE(found) << found.error().message();
    for (std::string& path : *found) path.erase(0, folder_.path().size() + 1);
    return *found;
  }

  TestFolder folder_;
};

TEST_F(GlobTest, StarStaysInOneFolderAndSortsByBytes) {
  EXPECT_THAT(match("*.txt"), ElementsAre("B.txt", "a.txt", "b.txt", "part[1].txt", "数据.txt"));
  EXPECT_THAT(match("*/*.txt"), ElementsAre("sub/c.txt"));
  EXPECT_THAT(match("a*"), ElementsAre("a.jsonl", "a.txt"));
  EXPECT_THAT(match("*a*t*"), ElementsAre("a.txt", "part[1].txt"));
}

TEST_F(GlobTest, TwoStarsGoToAnyDepthButNotIntoHidden) {
  EXPECT_THAT(match("**/*.txt"), ElementsAre("B.txt", "a.txt", "b.txt", "part[1].txt", "sub/c.txt",
                                             "sub/deep/d.txt", "数据.txt"));
  EXPECT_THAT(match("sub/**"), ElementsAre("sub/c.txt", "sub/deep/d.txt", "sub/deep/e.jsonl"));
  EXPECT_THAT(match("**/deep/*"), ElementsAre("sub/deep/d.txt", "sub/deep/e.jsonl"));
  EXPECT_THAT(match("**/**/e.*"), ElementsAre("sub/deep/e.jsonl"));
}

TEST_F(GlobTest, QuestionMarkIsOneCharacter) {
  EXPECT_THAT(match("??.txt"), ElementsAre("数据.txt"));
  EXPECT_THAT(match("?.txt"), ElementsAre("B.txt", "a.txt", "b.txt"));
}

TEST_F(GlobTest, Sets) {
  EXPECT_THAT(match("[ab].txt"), ElementsAre("a.txt", "b.txt"));
  EXPECT_THAT(match("[a-c].txt"), ElementsAre("a.txt", "b.txt"));
  EXPECT_THAT(match("[!a].txt"), ElementsAre("B.txt", "b.txt"));
  EXPECT_THAT(match("[一-龥]据.txt"), ElementsAre("数据.txt"));
  EXPECT_THAT(match("[]a].txt"), ElementsAre("a.txt"));
  EXPECT_THAT(match("[a.txt"), IsEmpty());
}

TEST_F(GlobTest, NamesThatAreThereAreTakenAsTheyAre) {
  EXPECT_THAT(match("part[1].txt"), ElementsAre("part[1].txt"));
  EXPECT_THAT(match("part\\[1\\].*"), ElementsAre("part[1].txt"));
  EXPECT_THAT(match("part[1].tx?"), IsEmpty());
}

TEST_F(GlobTest, HiddenNeedsTheDotInThePattern) {
  EXPECT_THAT(match(".*"), ElementsAre(".hidden"));
  EXPECT_THAT(match(".dot/*"), ElementsAre(".dot/f.txt"));
  EXPECT_THAT(match("sub/.*"), ElementsAre("sub/.g.txt"));
}

TEST_F(GlobTest, FolderMeansAllBelowIt) {
  EXPECT_THAT(match("sub"), ElementsAre("sub/c.txt", "sub/deep/d.txt", "sub/deep/e.jsonl"));
  EXPECT_THAT(match("sub/"), ElementsAre("sub/c.txt", "sub/deep/d.txt", "sub/deep/e.jsonl"));
}

TEST_F(GlobTest, NothingIsAnEmptyList) {
  EXPECT_THAT(match("missing"), IsEmpty());
  EXPECT_THAT(match("missing/*.txt"), IsEmpty());
  EXPECT_THAT(match("a.txt/*"), IsEmpty());
}

TEST_F(GlobTest, LinksAreFollowedAndLoopsEnd) {
  ASSERT_EQ(::symlink("..", (folder_ / "sub/deep/up").c_str()), 0);
  ASSERT_EQ(::symlink("sub", (folder_ / "twin").c_str()), 0);
  EXPECT_THAT(match("**/d.txt"), ElementsAre("sub/deep/d.txt", "twin/deep/d.txt"));
}

TEST_F(GlobTest, UnreadableFolderIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "skipped: root may read every folder";
  std::filesystem::permissions(folder_ / "sub", std::filesystem::perms::none);
  const auto found = glob(folder_ / "**/*.txt");
  std::filesystem::permissions(folder_ / "sub", std::filesystem::perms::all);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message().find("sub"), std::string::npos);
}

TEST_F(GlobTest, WhatNobodyServesIsRefusedByName) {
  EXPECT_EQ(glob("gopher://host/*.parquet").error().code(), Code::kUnsupported);
  EXPECT_EQ(glob("http://host/*.parquet").error().code(), Code::kUnsupported);
  EXPECT_EQ(glob("s3:///a").error().code(), Code::kInvalidArgument);
  EXPECT_EQ(glob("").error().code(), Code::kInvalidArgument);
}

TEST_F(GlobTest, FileUriIsLocal) {
  EXPECT_THAT(*glob("file://" + folder_.path() + "/?.txt"),
              ElementsAre(folder_ / "B.txt", folder_ / "a.txt", folder_ / "b.txt"));
}

TEST_F(GlobTest, ManyStarsEndSoon) {
  folder_.put(std::string(200, 'a'), "");
  EXPECT_THAT(match("*a*a*a*a*a*a*a*a*a*a*a*a*b"), IsEmpty());
}

}  // namespace
}  // namespace headrace::io
