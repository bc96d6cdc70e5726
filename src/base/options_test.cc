// SPDX-License-Identifier: Apache-2.0
#include "base/options.h"

#include <gtest/gtest.h>

namespace headrace {
namespace {

const std::vector<OptionInfo> kKnown = {{"mode", "paragraphs", {"paragraphs", "single_line"}, ""},
                                        {"size", "", {}, ""}};

TEST(OptionsTest, DefaultsAreFilledIn) {
  const auto values = complete_options("whitespace", kKnown, {{"size", "3"}});
  ASSERT_TRUE(values);
  EXPECT_EQ(*values, (OptionValues{{"mode", "paragraphs"}, {"size", "3"}}));
}

TEST(OptionsTest, ListsAreJoinedByCommas) {
  const std::vector<OptionInfo> known = {{"mask", "email,ip", {"email", "ip", "phone"}, "", true}};
  EXPECT_EQ(complete_options("pii", known, {})->at("mask"), "email,ip");
  EXPECT_EQ(complete_options("pii", known, {{"mask", "phone,ip"}})->at("mask"), "phone,ip");
  EXPECT_EQ(complete_options("pii", known, {{"mask", "ip,phon"}}).error().message(),
            "'pii': mask cannot hold 'phon'; did you mean 'phone'?");
  EXPECT_FALSE(complete_options("pii", known, {{"mask", ""}}));
  EXPECT_EQ(split_list("a,b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(split_list("a"), (std::vector<std::string>{"a"}));
}

TEST(OptionsTest, MistakesAreNamed) {
  EXPECT_EQ(complete_options("whitespace", kKnown, {{"mdoe", "x"}}).error().message(),
            "'whitespace' has no option 'mdoe'; did you mean 'mode'?");
  EXPECT_EQ(complete_options("whitespace", kKnown, {{"mode", "single_lien"}}).error().message(),
            "'whitespace': mode cannot be 'single_lien'; did you mean 'single_line'?");
  EXPECT_EQ(complete_options("nfc", {}, {{"a", "b"}}).error().message(),
            "'nfc' takes no options, got 'a'");
}

}  // namespace
}  // namespace headrace
