// SPDX-License-Identifier: Apache-2.0
#include "curate/recipe_dedup.h"

#include <gtest/gtest.h>

#include "curate/recipe.h"

namespace headrace::curate {
namespace {

constexpr const char* kSources = "sources: [{domain: x, paths: ['*.jsonl']}]\n";

DedupSpec parsed(const std::string& dedup) {
  const auto recipe = Recipe::parse(kSources + dedup, "recipe.yaml");
  EXPECT_TRUE(recipe) << (recipe ? "" : recipe.error().message());
  return recipe ? recipe->data().dedup : DedupSpec();
}

std::string fault(const std::string& dedup) {
  const auto recipe = Recipe::parse(kSources + dedup, "recipe.yaml");
  return recipe ? "" : recipe.error().message();
}

TEST(RecipeDedupTest, NothingUnlessAsked) {
  EXPECT_FALSE(parsed("").needs_hashes());
  EXPECT_FALSE(parsed("dedup: {exact: false, near: false}").needs_hashes());
}

TEST(RecipeDedupTest, NearHasDefaults) {
  for (const char* yaml : {"dedup: {near: true}", "dedup: {near: {}}"}) {
    const DedupSpec spec = parsed(yaml);
    ASSERT_TRUE(spec.near) << yaml;
    EXPECT_EQ(*spec.near, (dedup::NearOptions{.threshold = 0.8, .bands = {21, 6}}));
    EXPECT_FALSE(spec.exact_view);
  }
}

TEST(RecipeDedupTest, AllKeys) {
  const DedupSpec spec = parsed(
      "dedup:\n"
      "  exact: true\n"
      "  near: {ngram: 3, permutations: 256, threshold: 0.7, bands: 32, rows: 8, method: minhash}\n"
      "  against: runs/before\n"
      "limits: {memory: 512MiB}\n");
  ASSERT_TRUE(spec.near);
  EXPECT_EQ(spec.near->signature,
            (dedup::SignatureSettings{dedup::SignatureMethod::kMinHash, 256, 3}));
  EXPECT_EQ(spec.near->threshold, 0.7);
  EXPECT_EQ(spec.near->bands, (dedup::Bands{32, 8}));
  EXPECT_EQ(spec.against, "runs/before");
  EXPECT_EQ(
      Recipe::parse(std::string(kSources) + "limits: {memory: 512MiB}", "r")->data().memory_bytes,
      512ULL << 20);
}

TEST(RecipeDedupTest, FaultsAreNamed) {
  EXPECT_NE(fault("dedup: {near: {bands: 40, rows: 8}}").find("320 permutations"),
            std::string::npos);
  EXPECT_NE(fault("dedup: {near: {permutations: 100}}").find("multiple of 16"), std::string::npos);
  EXPECT_NE(fault("dedup: {near: {threshold: 2}}").find("dedup.near.threshold"), std::string::npos);
  EXPECT_NE(fault("dedup: {near: {ngram: 0}}").find("dedup.near.ngram"), std::string::npos);
  EXPECT_NE(fault("dedup: {near: {method: skech}}").find("sketch"), std::string::npos);
  EXPECT_NE(fault("dedup: {against: runs/a}").find("needs 'dedup.exact'"), std::string::npos);
  EXPECT_NE(fault("limits: {memory: 1MiB}").find("at least 64MiB"), std::string::npos);
}

}  // namespace
}  // namespace headrace::curate
