// SPDX-License-Identifier: Apache-2.0
#include "record/reasons.h"

#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(ReasonsTest, EachNameStandsOnceForAKindAndSaysWhatItIs) {
  std::set<std::pair<std::string_view, ReasonKind>> seen;
  for (const ReasonInfo& reason : reasons()) {
    EXPECT_TRUE(seen.emplace(reason.name, reason.kind).second) << reason.name;
    EXPECT_FALSE(reason.meaning.empty()) << reason.name;
    EXPECT_FALSE(reason.where.empty()) << reason.name;
    // Names are names of folders, too.
    EXPECT_EQ(reason.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
              std::string_view::npos)
        << reason.name;
  }
}

TEST(ReasonsTest, AreFoundByNameAndKind) {
  ASSERT_NE(find_reason("truncated", ReasonKind::kNote), nullptr);
  EXPECT_EQ(find_reason("truncated", ReasonKind::kNote)->kind, ReasonKind::kNote);
  EXPECT_EQ(find_reason("truncated", ReasonKind::kDrop), nullptr);
  EXPECT_EQ(find_reason("no_such_reason", ReasonKind::kDrop), nullptr);
}

}  // namespace
}  // namespace headrace
