// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "leak/leak.h"
#include "leak/own_split.h"

namespace headrace::leak {
namespace {

using testing::HasSubstr;

constexpr const char* kText =
    "Which of the following rivers flows through the largest number of European capitals?";

Index small_index() {
  IndexBuilder builder = *IndexBuilder::make();
  builder.add({.id = "rivers",
               .set = "geo",
               .question = kText,
               .options = {"Danube", "Rhine"},
               .answer = "Danube",
               .solution = "",
               .passage = ""});
  builder.add({.id = "河流",
               .set = "geo",
               .question = "下列河流中流经欧洲国家首都数量最多的是哪一条河流？",
               .options = {},
               .answer = "",
               .solution = "",
               .passage = ""});
  return *builder.finish();
}

SplitIndex small_split() {
  SplitBuilder builder = *SplitBuilder::make();
  builder.add("a", kText);
  builder.add("b", std::string(kText) + " It is a long river that rises in the Black Forest.");
  return *builder.finish();
}

TEST(IndexFileTest, ReadsWhatItWrote) {
  const std::string path = testing::TempDir() + "/items.hrl";
  const Index index = small_index();
  ASSERT_TRUE(index.save(path).has_value());
  const auto read = Index::open(path, {});
  ASSERT_TRUE(read.has_value()) << read.error().message();
  EXPECT_EQ(read->serialize(), index.serialize());
  EXPECT_EQ(read->stats(), index.stats());
  EXPECT_EQ(read->item(0), index.item(0));
  Scanner scanner = *Scanner::make(*read);
  EXPECT_EQ(scanner.scan(kText).size(), 1u);

  const SplitIndex split = small_split();
  ASSERT_TRUE(split.save(path).has_value());
  const auto split_read = SplitIndex::open(path, {});
  ASSERT_TRUE(split_read.has_value()) << split_read.error().message();
  EXPECT_EQ(split_read->serialize(), split.serialize());
  EXPECT_EQ(split_read->stats(), split.stats());
}

TEST(IndexFileTest, RefusesForeignFilesByName) {
  const auto refusal = [](std::string_view bytes, const IndexSettings& settings = {}) {
    const auto index = Index::parse(bytes, settings, "x.hrl");
    EXPECT_FALSE(index.has_value());
    return index.has_value() ? Status(Code::kInternal, "") : index.error();
  };
  const std::string good = small_index().serialize();
  EXPECT_EQ(refusal("").code(), Code::kCorrupt);
  EXPECT_THAT(refusal("PAR1 something else").message(), HasSubstr("x.hrl: not one"));
  std::string newer = good;
  newer[8] = 2;
  EXPECT_EQ(refusal(newer).code(), Code::kUnsupported);
  EXPECT_THAT(refusal(newer).message(), HasSubstr("version is 2"));
  EXPECT_THAT(refusal(good, {.seed_half_units = 16}).message(), HasSubstr("seed_half_units 16"));
  EXPECT_THAT(refusal(small_split().serialize()).message(),
              HasSubstr("holds validation documents"));
  const auto split = SplitIndex::parse(good, {}, "y.hrl");
  ASSERT_FALSE(split.has_value());
  EXPECT_THAT(split.error().message(), HasSubstr("holds evaluation items"));
  const auto other = SplitIndex::parse(small_split().serialize(), {.keep_one_in = 8}, "y.hrl");
  ASSERT_FALSE(other.has_value());
  EXPECT_THAT(other.error().message(), HasSubstr("keep_one_in 8"));
  EXPECT_EQ(Index::open(testing::TempDir() + "/none.hrl", {}).error().code(), Code::kNotFound);
}

TEST(IndexFileTest, RefusesEveryCutAndEveryFlippedByte) {
  for (const std::string& good : {small_index().serialize(), small_split().serialize()}) {
    const auto is_read = [](std::string_view bytes) {
      return Index::parse(bytes, {}, "x").has_value() ||
             SplitIndex::parse(bytes, {}, "x").has_value();
    };
    ASSERT_TRUE(is_read(good));
    for (std::size_t size = 0; size < good.size(); ++size) {
      EXPECT_FALSE(is_read(std::string_view(good).substr(0, size))) << size;
    }
    EXPECT_FALSE(is_read(good + "x"));
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x40);
      EXPECT_FALSE(is_read(bad)) << at;
    }
  }
}

}  // namespace
}  // namespace headrace::leak
