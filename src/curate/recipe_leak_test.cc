// SPDX-License-Identifier: Apache-2.0
#include "curate/recipe_leak.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "curate/context.h"
#include "curate/recipe.h"

namespace headrace::curate {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSources = "sources: [{domain: a, paths: [x]}]\n";

Recipe::Data parsed(const std::string& yaml) {
  const auto recipe = Recipe::parse(kSources + yaml);
  EXPECT_TRUE(recipe) << recipe.error().message();
  return recipe ? recipe->data() : Recipe::Data();
}

std::string fault(const std::string& yaml) {
  const auto recipe = Recipe::parse(kSources + yaml);
  return recipe ? "" : recipe.error().message();
}

TEST(RecipeLeakTest, GlobsAndMaps) {
  const Recipe::Data recipe = parsed(R"(
leak:
  against:
    - eval/*.jsonl
    - {name: exam, paths: [a.csv, b.csv], question: q.stem, options: [A, B], answer: key, id: no, report_only: true}
  verdict: flag
)");
  ASSERT_TRUE(recipe.leak);
  const LeakSpec& leak = *recipe.leak;
  ASSERT_EQ(leak.against.size(), 2U);
  EXPECT_EQ(leak.against[0].paths, std::vector<std::string>{"eval/*.jsonl"});
  EXPECT_FALSE(leak.against[0].has_fields());
  EXPECT_EQ(leak.against[1].options, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(leak.against[1].question, "q.stem");
  EXPECT_EQ(leak.verdict, LeakVerdict::kFlag);
  EXPECT_TRUE(leak.is_report_only("exam"));
  EXPECT_FALSE(leak.is_report_only("other"));
  EXPECT_TRUE(recipe.rules_of("a").empty());
}

TEST(RecipeLeakTest, OneGlobIsEnoughAndDrops) {
  const Recipe::Data recipe = parsed("leak: {against: eval.jsonl, ngram: auto}\n");
  ASSERT_TRUE(recipe.leak);
  EXPECT_EQ(recipe.leak->against.at(0).paths, std::vector<std::string>{"eval.jsonl"});
  const judge::RuleSet rules = recipe.rules_of("a");
  ASSERT_EQ(rules.rules.size(), 1U);
  EXPECT_EQ(rules.rules[0].column, "leak");
  EXPECT_EQ(rules.rules[0].max, 0);
  EXPECT_FALSE(removes_spans(recipe));
}

TEST(RecipeLeakTest, ADomainMayLiftTheRule) {
  const Recipe::Data recipe =
      parsed("leak: {against: e}\njudge: {domains: {a: {rules: {leak: {}}}}}\n");
  ASSERT_EQ(recipe.rules_of("a").rules.size(), 1U);
  EXPECT_FALSE(recipe.rules_of("a").rules[0].max);
  EXPECT_THAT(fault("judge: {rules: {leak: {}}}\n"), HasSubstr("unknown measure"));
}

TEST(RecipeLeakTest, RemoveSpanAsksForSpans) {
  EXPECT_TRUE(removes_spans(parsed("leak: {against: e, verdict: remove_span}\n")));
}

TEST(RecipeLeakTest, Faults) {
  const std::pair<const char*, const char*> cases[] = {
      {"leak: {}\n", "'leak.against' is needed"},
      {"leak: {against: []}\n", "'leak.against' is needed"},
      {"leak: {agianst: [x]}\n", "unknown key 'leak.agianst'; did you mean 'against'?"},
      {"leak: {against: x, verdict: remove}\n", "'leak.verdict' cannot be 'remove'"},
      {"leak: {against: x, ngram: 13}\n", "'leak.ngram' cannot be '13'"},
      {"leak: {against: [{paths: [x], queston: q}]}\n", "did you mean 'question'?"},
      {"leak: {against: [{name: x}]}\n", "'leak.against[0].paths' is needed"},
      {"leak: {against: [{paths: [x], answer: a}]}\n", "'leak.against[0].question' is needed"},
      {"leak: {against: [{paths: [x], id: a}]}\n", "'leak.against[0].id' goes with"},
      {"leak: {against: [{paths: [x], report_only: true}]}\n", "'leak.against[0].name' is needed"},
      {"leak: {against: [{name: a, paths: [x]}, {name: a, paths: [y]}]}\n", "two sets"},
      {"leak: {against: x, sample: 0}\n", "'leak.sample' must be a whole number"},
      {"mix: {validation: {}}\n", "'mix.validation.share' is needed"},
      {"mix: {validation: {share: 1}}\n", "more than 0 and less than 1"},
      {"mix: {validation: {share: 0.1, by: field}}\n", "'mix.validation.field' is needed"},
      {"mix: {validation: {share: 0.1, field: x}}\n", "goes with by: field"},
      {"mix: {validation: {share: 0.1, leaks: keep}}\n", "'mix.validation.leaks' cannot be"},
  };
  for (const auto& [yaml, message] : cases) EXPECT_THAT(fault(yaml), HasSubstr(message)) << yaml;
}

TEST(RecipeLeakTest, Validation) {
  const std::string tokens = "tokenize: {tokenizer: t, end: e}\n";
  const Recipe::Data recipe =
      parsed("mix: {validation: {share: 0.01, by: field, field: book.id, leaks: flag}}\n" + tokens);
  ASSERT_TRUE(recipe.validation);
  EXPECT_EQ(recipe.validation->share, 0.01);
  EXPECT_EQ(recipe.validation->by, SourceDocument::kField);
  EXPECT_FALSE(recipe.validation->drop_leaks);
  EXPECT_TRUE(recipe.validation->check_leaks);
  EXPECT_FALSE(
      parsed("mix: {validation: {share: 0.01, leaks: ignore}}\n" + tokens).validation->check_leaks);
}

}  // namespace
}  // namespace headrace::curate
