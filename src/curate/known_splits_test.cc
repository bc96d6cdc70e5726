// SPDX-License-Identifier: Apache-2.0
#include "curate/known_splits.h"

#include <gtest/gtest.h>

#include "io/file.h"
#include "io/test_folder.h"

namespace headrace::curate {
namespace {

class KnownSplitsTest : public testing::Test {
 protected:
  KnownSplitsTest() : directory_(folder_.path()) { recipe_.sources.resize(1); }

  std::string key() const { return KnownSplits::key_of(recipe_, file_, 4 << 20); }

  io::TestFolder folder_;
  RunDirectory directory_;
  Recipe::Data recipe_;
  InputFile file_ = {.path = "a.jsonl.zst", .bytes = 1000, .modified_ns = 7, .format = "jsonl"};
  const std::vector<read::Split> splits_ = {
      {.path = "a.jsonl.zst",
       .file = 3,
       .begin = 0,
       .end = 400,
       .bytes = 400,
       .decompressed_end = 9000},
      {.path = "a.jsonl.zst",
       .file = 3,
       .begin = 400,
       .end = 1000,
       .bytes = 600,
       .decompressed_begin = 9000},
  };
};

TEST_F(KnownSplitsTest, ComeBackAsTheyWere) {
  KnownSplits known;
  known.keep(key(), file_, splits_);
  ASSERT_TRUE(known.write(directory_));
  const auto found = KnownSplits::read(directory_).find(key(), file_, 3);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), splits_.size());
  for (std::size_t i = 0; i < splits_.size(); ++i) {
    const read::Split& split = (*found)[i];
    EXPECT_EQ(split.path, splits_[i].path);
    EXPECT_EQ(split.file, 3u);
    EXPECT_EQ(split.begin, splits_[i].begin);
    EXPECT_EQ(split.end, splits_[i].end);
    EXPECT_EQ(split.bytes, splits_[i].bytes);
    EXPECT_EQ(split.decompressed_begin, splits_[i].decompressed_begin);
    EXPECT_EQ(split.decompressed_end, splits_[i].decompressed_end);
  }
}

TEST_F(KnownSplitsTest, AnythingThatMattersMakesAnotherKey) {
  const std::string before = key();
  EXPECT_NE(KnownSplits::key_of(recipe_, file_, 8 << 20), before);
  const auto changed = [&](auto change) {
    InputFile file = file_;
    Recipe::Data recipe = recipe_;
    change(file, recipe.sources[0]);
    return KnownSplits::key_of(recipe, file, 4 << 20) != before;
  };
  EXPECT_TRUE(changed([](InputFile& file, SourceSpec&) { file.path = "b"; }));
  EXPECT_TRUE(changed([](InputFile& file, SourceSpec&) { file.bytes = 1001; }));
  EXPECT_TRUE(changed([](InputFile& file, SourceSpec&) { file.modified_ns = 8; }));
  EXPECT_TRUE(changed([](InputFile& file, SourceSpec&) { file.format = "text"; }));
  EXPECT_TRUE(changed([](InputFile&, SourceSpec& source) { source.encoding = "utf-16le"; }));
  EXPECT_TRUE(changed([](InputFile&, SourceSpec& source) { source.documents = "line"; }));
  EXPECT_FALSE(changed([](InputFile&, SourceSpec& source) { source.domain = "web"; }));
}

TEST_F(KnownSplitsTest, DamageIsNothingKnown) {
  KnownSplits known;
  known.keep(key(), file_, splits_);
  ASSERT_TRUE(known.write(directory_));
  std::string text = io::read_file(folder_ / "splits.json").value();
  text.replace(text.find("9000"), 4, "9001");
  folder_.put("splits.json", text);
  EXPECT_FALSE(KnownSplits::read(directory_).find(key(), file_, 3));
  folder_.put("splits.json", "{");
  EXPECT_FALSE(KnownSplits::read(directory_).find(key(), file_, 3));
}

TEST_F(KnownSplitsTest, NothingLeavesNoFile) {
  folder_.put("splits.json", "old");
  ASSERT_TRUE(KnownSplits().write(directory_));
  EXPECT_FALSE(io::exists(folder_ / "splits.json"));
}

}  // namespace
}  // namespace headrace::curate
