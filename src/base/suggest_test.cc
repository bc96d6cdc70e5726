// SPDX-License-Identifier: Apache-2.0
#include "base/suggest.h"

#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(SuggestTest, NamesTheNearWord) {
  const std::vector<std::string> keys = {"sources", "normalize", "judge", "tokenize"};
  EXPECT_EQ(nearest("souces", keys), "sources");
  EXPECT_EQ(nearest("tokenise", keys), "tokenize");
  EXPECT_EQ(nearest("jugde", keys), "judge");
  EXPECT_EQ(nearest("colour", keys), "");
  EXPECT_EQ(suggestion("nomalize", keys), "; did you mean 'normalize'?");
  EXPECT_EQ(suggestion("x", keys), "; known: sources, normalize, judge, tokenize");
}

// Words and candidates may come from data.
TEST(SuggestTest, LongWordsCostNothingAndListsAreCut) {
  EXPECT_EQ(nearest(std::string(50'000'000, 'x'), {"sources"}), "");
  const std::vector<std::string> columns(100'000, std::string(1000, 'c'));
  EXPECT_LT(suggestion("x", columns).size(), 20'000U);
}

}  // namespace
}  // namespace headrace
