// SPDX-License-Identifier: Apache-2.0
#include "curate/audit_sample.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "headrace/run.h"

#include "base/counter_rng.h"
#include "curate/judge_columns.h"
#include "curate/passes.h"
#include "io/test_folder.h"
#include "record/document.h"

namespace headrace::curate {
namespace {

std::string line(int digits, int letters) {
  return "{\"text\": \"" + std::string(static_cast<std::size_t>(digits), '7') +
         std::string(static_cast<std::size_t>(letters), 'a') + "\"}\n";
}

// A run over two domains: lengths 1 to 100 in "a"; in "b" digits only, and 40 letters behind 0 to
// 60 digits. Bounds: code_points min 20, digit_share max 0.5 (in "b" 0.3).
class AuditSampleTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string a;
    std::string b;
    for (int i = 1; i <= 100; ++i) a += line(0, i);
    for (int i = 1; i <= 30; ++i) b += line(i, 0);
    for (int i = 0; i <= 60; ++i) b += line(i, 40);
    b += line(0, 40) + line(0, 40);
    folder_.put("a.jsonl", a);
    folder_.put("b.jsonl", b);
    judge(
        "rules: {code_points: {min: 20}, digit_share: {max: 0.5}}, "
        "domains: {b: {rules: {digit_share: {max: 0.3}}}}");
  }

  // A run by these rules.
  void judge(const std::string& rules) {
    const auto recipe =
        Recipe::parse("sources: [{domain: a, paths: [" + (folder_ / "a.jsonl") +
                      "]}, {domain: b, paths: [" + (folder_ / "b.jsonl") +
                      "]}]\njudge: {preset: none, " + rules + "}\ndedup: {exact: true}\n");
    ASSERT_TRUE(recipe) << recipe.error().message();
    const auto done = run(*recipe, {.output = folder_ / "run", .threads = 1});
    ASSERT_TRUE(done) << done.error().message();
    auto context = open_context(folder_ / "run");
    ASSERT_TRUE(context) << context.error().message();
    context_ = *std::move(context);
  }

  AuditSample sample(std::uint64_t seed, std::size_t per_rule) {
    const auto rules = resolve_rules(*context_);
    EXPECT_TRUE(rules);
    auto made = sample_for_audit(*context_, *rules, seed, per_rule);
    EXPECT_TRUE(made) << made.error().message();
    return *std::move(made);
  }

  static const report::AuditRule& rule(const AuditSample& sample, const std::string& reason) {
    const auto found = std::find_if(sample.rules.begin(), sample.rules.end(),
                                    [&](const auto& rule) { return rule.reason == reason; });
    EXPECT_NE(found, sample.rules.end()) << reason;
    return *found;
  }

  static std::vector<std::string> ids(const std::vector<report::AuditItem>& items) {
    std::vector<std::string> all;
    for (const report::AuditItem& item : items) all.push_back(item.id);
    return all;
  }

  io::TestFolder folder_;
  std::unique_ptr<Context> context_;
};

TEST_F(AuditSampleTest, AllThatBreakARuleWhateverElseTheyBreak) {
  const AuditSample all = sample(1, 1000);
  ASSERT_EQ(all.rules.size(), 2u);  // duplicates are no rule's
  const report::AuditRule& length = rule(all, "code_points_below_min");
  EXPECT_EQ(length.documents, 19u + 19u);  // 19 short ones in each domain
  EXPECT_EQ(length.dropped.size(), 38u);
  // 30 of digits only; and of those with 40 letters n / (n + 40) > 0.3 from 18 digits on.
  const report::AuditRule& digits = rule(all, "digit_share_above_max");
  EXPECT_EQ(digits.documents, 30u + 43u);
  for (const report::AuditItem& item : digits.dropped) {
    EXPECT_GT(item.value, 0.3);
    EXPECT_EQ(item.bound, "max 0.3");
    EXPECT_EQ(item.domain, "b");
    EXPECT_EQ(item.bytes, item.front.size());
  }
}

TEST_F(AuditSampleTest, UniformByKeyAndSharedByRules) {
  const AuditSample all = sample(7, 1000);
  const AuditSample some = sample(7, 10);
  for (const char* reason : {"code_points_below_min", "digit_share_above_max"}) {
    std::vector<std::string> first = ids(rule(all, reason).dropped);
    first.resize(10);
    EXPECT_EQ(ids(rule(some, reason).dropped), first);
  }
  // In the order of the keyed numbers, not of ids.
  const CounterRng rng(7, purpose("audit"));
  const auto key = [&](const report::AuditItem& item) {
    DocumentId id;
    EXPECT_TRUE(parse_document_id(item.id, &id));
    return rng.at(id.value);
  };
  const auto& dropped = rule(all, "digit_share_above_max").dropped;
  EXPECT_TRUE(std::is_sorted(dropped.begin(), dropped.end(),
                             [&](const auto& a, const auto& b) { return key(a) < key(b); }));
  EXPECT_EQ(ids(dropped), ids(rule(sample(7, 1000), "digit_share_above_max").dropped));
  EXPECT_NE(ids(dropped), ids(rule(sample(8, 1000), "digit_share_above_max").dropped));
}

TEST_F(AuditSampleTest, JustPassedAreTheClosestKeptOnes) {
  const AuditSample five = sample(1, 5);
  std::vector<double> values;
  for (const report::AuditItem& item : rule(five, "code_points_below_min").passed) {
    EXPECT_TRUE(item.reasons.empty());
    EXPECT_EQ(item.bound, "min 20");
    values.push_back(item.value);
  }
  EXPECT_EQ(values, (std::vector<double>{20, 21, 22, 23, 24}));
  // 17 digits of 57 are the largest share that passes in "b"; nothing in "a" has a digit.
  const report::AuditItem& closest = rule(five, "digit_share_above_max").passed.at(0);
  EXPECT_NEAR(closest.value, 17.0 / 57, 1e-12);
  EXPECT_EQ(closest.domain, "b");
}

TEST_F(AuditSampleTest, BucketsHaveBoundsOfTheirOwn) {
  judge(
      "rules: {code_points: {min: 20}}, buckets: "
      "[{when: {code_points: {max: 30}}, rules: {code_points: {min: 25}}}]");
  const report::AuditRule& length = rule(sample(1, 1000), "code_points_below_min");
  EXPECT_EQ(length.documents, 24u + 24u);
  for (const report::AuditItem& item : length.dropped) EXPECT_EQ(item.bound, "min 25");
  EXPECT_EQ(length.passed.at(0).value, 25);
  for (const report::AuditItem& item : length.passed)
    EXPECT_EQ(item.bound, item.value <= 30 ? "min 25" : "min 20") << item.value;
}

TEST_F(AuditSampleTest, WhatHasNoValueJustPassesNothing) {
  judge("rules: {dup_10gram_coverage: {null: drop}}");
  const AuditSample all = sample(1, 1000);
  const report::AuditRule& null = rule(all, "dup_10gram_coverage_null");
  EXPECT_EQ(null.documents, 9u + 9u);
  EXPECT_EQ(null.dropped.size(), 18u);
  EXPECT_TRUE(null.passed.empty());
  EXPECT_EQ(null.dropped.at(0).bound, "");
}

TEST_F(AuditSampleTest, EveryDocumentHasItsPlace) {
  const AuditSample all = sample(1, 1000);
  std::set<std::string> shown;
  for (const report::AuditRule& one : all.rules) {
    for (const auto* items : {&one.dropped, &one.passed}) {
      for (const report::AuditItem& item : *items) shown.insert(item.id);
    }
  }
  EXPECT_EQ(shown.size(), all.places.size());
  for (const std::string& id : shown) EXPECT_TRUE(all.places.contains(id)) << id;
}

}  // namespace
}  // namespace headrace::curate
