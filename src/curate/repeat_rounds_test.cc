// SPDX-License-Identifier: Apache-2.0
#include "curate/repeat_rounds.h"

#include <filesystem>
#include <mutex>

#include <gtest/gtest.h>

#include "base/counter_rng.h"

namespace headrace::curate {
namespace {

constexpr std::size_t kParts = 7;
constexpr std::uint64_t kDocuments = 4000;  // of a part
constexpr std::uint32_t kPieces = 10;       // of a document

// Some hashes occur once, some often, one in every document.
std::vector<dedup::Occurrence> occurrences_of(std::size_t part) {
  const CounterRng rng(1, purpose("test"));
  std::vector<dedup::Occurrence> all;
  for (std::uint64_t document = 0; document < kDocuments; ++document) {
    const std::uint64_t id = part * 1'000'000 + document;
    for (std::uint32_t piece = 0; piece < kPieces; ++piece) {
      const std::uint64_t draw = rng.at(id * kPieces + piece);
      const std::uint64_t kind = piece == 0 ? 0 : draw % 3 == 0 ? draw % 500 : draw;
      all.push_back(
          {.hash = {kind, kind * 3}, .id = id, .begin = 10 * piece, .end = 10 * piece + 9});
    }
  }
  return all;
}

struct Found {
  std::vector<dedup::Repeat> repeats;
  std::vector<dedup::Occurrence> rest;
};

Found found_in_rounds(const Context& context, const RoundSizes& sizes) {
  Found found;
  auto rounds = RepeatRounds<dedup::Occurrence>::make(context, sizes);
  EXPECT_TRUE(rounds) << rounds.error().message();
  std::vector<std::uint64_t> first;
  for (std::size_t part = 0; part < kParts; ++part) {
    RepeatRounds<dedup::Occurrence>::Collector collector(*rounds, part);
    for (const dedup::Occurrence& one : occurrences_of(part)) {
      collector.batch.push_back(one);
      EXPECT_TRUE(collector.next());
    }
    EXPECT_TRUE(collector.finish());
    first.push_back(part * 1'000'000);
  }
  std::mutex mutex;
  EXPECT_TRUE(rounds->last_round(context, PartsById(first),
                                 [&](std::span<const dedup::Occurrence> rest) -> Result<void> {
                                   const std::lock_guard lock(mutex);
                                   found.rest.insert(found.rest.end(), rest.begin(), rest.end());
                                   return {};
                                 }));
  for (std::size_t part = 0; part < kParts; ++part) {
    const auto some = rounds->of(part);
    EXPECT_TRUE(some);
    for (const dedup::Repeat& repeat : *some) EXPECT_EQ(repeat.id / 1'000'000, part);
    found.repeats.insert(found.repeats.end(), some->begin(), some->end());
  }
  return found;
}

TEST(RepeatRoundsTest, PartitionsAndRoundsFindWhatOneSortFinds) {
  Recipe::Data recipe;
  const std::string root =
      (std::filesystem::temp_directory_path() / "headrace_repeat_rounds_test").string();
  std::filesystem::create_directories(root + "/spans");
  Context context(recipe, root);
  std::vector<dedup::Occurrence> all;
  for (std::size_t part = 0; part < kParts; ++part) {
    const auto some = occurrences_of(part);
    all.insert(all.end(), some.begin(), some.end());
  }
  std::vector<dedup::Repeat> wanted;
  std::vector<dedup::Occurrence> rest;
  dedup::find_repeats(all, &wanted, &rest);
  dedup::resolve_chains(&wanted);
  ASSERT_GT(wanted.size(), 50'000U);
  // Many partitions; one that is sorted in several rounds; all at once; two threads.
  for (const RoundSizes& sizes : {RoundSizes{1, 100 << 20, kParts}, RoundSizes{1, 0, kParts},
                                  RoundSizes{1 << 30, 0, kParts}}) {
    for (const std::size_t threads : {1U, 2U}) {
      context.threads = threads;
      const Found found = found_in_rounds(context, sizes);
      EXPECT_EQ(found.repeats, wanted);
      EXPECT_EQ(found.rest.size(), rest.size());
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(root + "/spans"));
  std::filesystem::remove_all(root);
}

TEST(PartsByIdTest, PartsWithoutDocumentsAreNone) {
  const PartsById parts({5, 5, 20, ~std::uint64_t{0}});
  EXPECT_EQ(parts.of(5), 1U);
  EXPECT_EQ(parts.of(19), 1U);
  EXPECT_EQ(parts.of(20), 2U);
}

}  // namespace
}  // namespace headrace::curate
