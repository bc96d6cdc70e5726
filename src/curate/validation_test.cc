// SPDX-License-Identifier: Apache-2.0
#include "curate/validation.h"

#include <gtest/gtest.h>

namespace headrace::curate {
namespace {

TEST(NameBelowTest, IsThePathBelowWhereTheGlobStarts) {
  const auto name = [](const char* pattern, const char* path) {
    return name_below({pattern}, path);
  };
  EXPECT_EQ(name("raw/**/*.jsonl", "raw/news/1.jsonl"), "news/1.jsonl");
  EXPECT_EQ(name("/data/raw/*.jsonl", "/data/raw/1.jsonl"), "1.jsonl");
  EXPECT_EQ(name("*.jsonl", "1.jsonl"), "1.jsonl");
  EXPECT_EQ(name("raw/1.jsonl", "raw/1.jsonl"), "1.jsonl");
  EXPECT_EQ(name("raw", "raw/news/1.jsonl"), "news/1.jsonl");  // a folder
  EXPECT_EQ(name("raw/n*/x/*.txt", "raw/news/x/1.txt"), "news/x/1.txt");
  EXPECT_EQ(name("s3://bucket/raw/*.jsonl", "s3://bucket/raw/1.jsonl"), "1.jsonl");
  EXPECT_EQ(name("file:///data/raw/*.txt", "/data/raw/1.txt"), "1.txt");
}

TEST(NameBelowTest, OfSeveralPatternsTheDeepestStartCounts) {
  EXPECT_EQ(name_below({"raw/*/*.txt", "raw/news/*.txt"}, "raw/news/1.txt"), "1.txt");
  EXPECT_EQ(name_below({"other/*.txt", "raw/*/*.txt"}, "raw/news/1.txt"), "news/1.txt");
}

}  // namespace
}  // namespace headrace::curate
