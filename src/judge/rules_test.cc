// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/judge.h"

namespace headrace::judge {
namespace {

using testing::ElementsAre;

RuleSet rules(std::vector<Rule> list) { return {.rules = std::move(list), .buckets = {}}; }

TEST(OverrideRulesTest, ReplacesWholeRulesInPlaceAndAppends) {
  const RuleSet base =
      rules({{.column = "a", .min = 1, .max = 2}, {.column = "b", .max = 3, .drop_null = true}});
  const RuleSet over = rules({{.column = "c", .min = 7}, {.column = "a", .max = 9}});
  EXPECT_THAT(
      override_rules(base, over).rules,
      ElementsAre(Rule{.column = "a", .max = 9}, Rule{.column = "b", .max = 3, .drop_null = true},
                  Rule{.column = "c", .min = 7}));
  EXPECT_EQ(override_rules(base, {}), base);
  EXPECT_EQ(override_rules({}, over), over);
}

// Who writes a rule on a column means it, whatever buckets the preset has for it.
TEST(OverrideRulesTest, ARuleReplacesThoseInBucketsBelow) {
  RuleSet base;
  base.buckets = {{.when = {{.column = "length", .max = 9}},
                   .rules = {{.column = "a", .max = 1}, {.column = "b", .max = 2}}},
                  {.when = {{.column = "length", .max = 5}}, .rules = {{.column = "a", .max = 3}}}};
  RuleSet over = rules({{.column = "a", .max = 7}});
  over.buckets = {{.when = {{.column = "length", .max = 3}}, .rules = {{.column = "a", .max = 4}}}};
  const RuleSet both = override_rules(base, over);
  EXPECT_THAT(both.rules, ElementsAre(Rule{.column = "a", .max = 7}));
  EXPECT_THAT(both.buckets, ElementsAre(Bucket{.when = {{.column = "length", .max = 9}},
                                               .rules = {{.column = "b", .max = 2}}},
                                        over.buckets[0]));
}

TEST(NarrowTest, ConditionsAreJoined) {
  RuleSet set = rules({{.column = "a", .max = 1}});
  set.buckets = {{.when = {{.column = "length", .max = 9}}, .rules = {{.column = "a", .max = 2}}}};
  const std::vector<Condition> when = {{.column = "han_share", .min = 0.2}};
  EXPECT_THAT(narrow(set, when), ElementsAre(Bucket{when, {{.column = "a", .max = 1}}},
                                             Bucket{{when[0], {.column = "length", .max = 9}},
                                                    {{.column = "a", .max = 2}}}));
  EXPECT_TRUE(narrow({}, when).empty());
}

TEST(ColumnsOfTest, RulesAndConditionsEachOnce) {
  RuleSet set = rules({{.column = "a", .max = 1}});
  set.buckets = {
      {.when = {{.column = "length", .max = 9}}, .rules = {{.column = "a"}, {.column = "b"}}}};
  EXPECT_THAT(columns_of(set), ElementsAre("a", "length", "b"));
}

}  // namespace
}  // namespace headrace::judge
