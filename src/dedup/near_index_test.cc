// SPDX-License-Identifier: Apache-2.0
#include "dedup/near_index.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "base/error.h"
#include "dedup/signature_file.h"
#include "dedup/union_find.h"
#include "io/test_folder.h"

namespace headrace::dedup {
namespace {

// Texts of `words` words drawn from a seed, of which each has copies with some words replaced.
std::vector<std::string> make_texts(std::size_t families, std::size_t words) {
  const CounterRng rng(11, purpose("near_index_test"));
  std::vector<std::string> texts;
  for (std::uint64_t family = 0; family < families; ++family) {
    for (std::uint64_t copy = 0; copy < family % 4 + 1; ++copy) {
      std::string text;
      for (std::uint64_t i = 0; i < words; ++i) {
        const bool replaced = rng.below(family << 32 | copy << 20 | i, 40 * (copy + 1)) < copy;
        text += fmt::format("w{:x} ", rng.at((replaced ? copy + 1 : 0) << 50 | family << 20 | i));
      }
      texts.push_back(std::move(text));
    }
  }
  return texts;
}

struct Corpus {
  std::vector<std::vector<std::string>> parts;

  std::vector<std::string> sign(const io::TestFolder& folder, const SignatureSettings& settings,
                                const std::string& name = "part") const {
    std::vector<std::string> paths;
    Signer signer(settings);
    TextViewBuilder builder;
    for (const std::vector<std::string>& part : parts) {
      paths.push_back(folder / fmt::format("{}-{}.sig", name, paths.size()));
      auto writer = SignatureWriter::create(paths.back(), settings);
      EXPECT_TRUE(writer);
      for (const std::string& text : part)
        EXPECT_TRUE(writer->add(signer.sign(builder.build(text))));
      EXPECT_TRUE(writer->commit());
    }
    return paths;
  }

  TextReader reader() const {
    return [this](std::size_t part, const std::vector<bool>& rows,
                  const TextSink& sink) -> Result<void> {
      for (std::uint32_t row = 0; row < rows.size(); ++row) {
        if (rows[row]) HEADRACE_RETURN_IF_ERROR(sink(row, parts[part][row]));
      }
      return {};
    };
  }

  static Corpus of(const std::vector<std::string>& texts, std::size_t part_size) {
    Corpus corpus;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i % part_size == 0) corpus.parts.emplace_back();
      corpus.parts.back().push_back(texts[i]);
    }
    return corpus;
  }
};

NearOptions options_of(double threshold) {
  NearOptions options{.threshold = threshold};
  EXPECT_TRUE(complete(&options));
  return options;
}

struct Found {
  std::vector<NearEdge> edges;
  std::vector<std::uint32_t> components;  // by edge
  std::vector<NearPlace> places;          // by document
  NearCounts counts;
};

Found find(const Corpus& corpus, const NearOptions& options, NearLimits limits = {},
           const std::vector<EarlierPart>& earlier = {}) {
  const io::TestFolder folder;
  limits.folder = folder.path();
  const auto index = NearIndex::build(corpus.sign(folder, options.signature), earlier, options,
                                      limits, corpus.reader());
  EXPECT_TRUE(index) << (index ? "" : index.error().message());
  Found found;
  if (!index) return found;
  found.counts = index->counts();
  EXPECT_TRUE(
      index->for_each_edge([&](const NearEdge& edge, std::uint32_t component) -> Result<void> {
        found.edges.push_back(edge);
        found.components.push_back(component);
        return {};
      }));
  for (std::size_t part = 0; part < corpus.parts.size(); ++part) {
    EXPECT_TRUE(index->for_each_place(part, [&](const NearPlace& place) -> Result<void> {
      found.places.push_back(place);
      return {};
    }));
  }
  return found;
}

using Pairs = std::map<std::pair<std::size_t, std::size_t>, double>;

// All pairs of documents at the threshold, compared one by one.
Pairs true_pairs(const std::vector<std::string>& texts, double threshold) {
  TextViewBuilder builder;
  Shingler shingler;
  std::vector<std::vector<std::uint32_t>> sets(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const TextView& view = builder.build(texts[i]);
    shingle_set(shingler.shingles(view, choose_ngram(view).ngram), &sets[i]);
  }
  Pairs pairs;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      const double similarity = jaccard(sets[i], sets[j]);
      if (similarity >= threshold) pairs[{i, j}] = similarity;
    }
  }
  return pairs;
}

// Pairs of documents that edges and groups say are similar.
Pairs found_pairs(const Found& found) {
  std::map<std::uint32_t, std::vector<std::size_t>> documents;
  for (std::size_t i = 0; i < found.places.size(); ++i) {
    if (found.places[i].group != NearPlace::kNone) documents[found.places[i].group].push_back(i);
  }
  Pairs pairs;
  for (const auto& [group, members] : documents) {
    for (const std::size_t i : members) {
      for (const std::size_t j : members) {
        if (i < j) pairs[{i, j}] = 1;
      }
    }
  }
  for (const NearEdge& edge : found.edges) {
    for (const std::size_t i : documents[edge.a]) {
      for (const std::size_t j : documents[edge.b])
        pairs[std::minmax(i, j)] = static_cast<double>(edge.similarity);
    }
  }
  return pairs;
}

TEST(NearIndexTest, FindsWhatComparingAllPairsFinds) {
  const std::vector<std::string> texts = make_texts(120, 150);
  const Pairs truth = true_pairs(texts, 0.7);
  ASSERT_GT(truth.size(), 50U);
  const Found found = find(Corpus::of(texts, 40), options_of(0.7));
  const Pairs pairs = found_pairs(found);
  std::size_t missed = 0;
  for (const auto& [pair, similarity] : truth) {
    const auto same = pairs.find(pair);
    if (same == pairs.end()) {
      ++missed;
    } else {
      EXPECT_NEAR(same->second, similarity, 1e-6);
    }
  }
  EXPECT_LE(missed, truth.size() / 100);
  for (const auto& [pair, similarity] : pairs)
    EXPECT_TRUE(truth.contains(pair)) << pair.first << " " << pair.second;
}

TEST(NearIndexTest, EdgesDoNotDependOnThreadsBudgetPartsOrOrder) {
  std::vector<std::string> texts = make_texts(400, 60);
  const NearOptions options = options_of(0.7);
  const Found expected = find(Corpus::of(texts, texts.size()), options);
  ASSERT_GT(expected.edges.size(), 100U);
  const auto same = [&](const Found& other) {
    EXPECT_EQ(other.edges, expected.edges);
    EXPECT_EQ(other.components, expected.components);
    EXPECT_EQ(other.counts.candidates, expected.counts.candidates);
  };
  same(find(Corpus::of(texts, 37), options, {.threads = 4}));
  same(find(Corpus::of(texts, 200), options, {.memory_bytes = 17 << 20, .threads = 2}));
  std::reverse(texts.begin(), texts.end());
  same(find(Corpus::of(texts, 100), options, {.threads = 3}));
}

TEST(NearIndexTest, CopiesAreOneGroup) {
  std::vector<std::string> texts(5000, make_texts(1, 100).front());
  texts.push_back("something else that is in no way the same text");
  const Found found = find(Corpus::of(texts, 1000), options_of(0.8));
  EXPECT_EQ(found.counts.groups, 2U);
  EXPECT_EQ(found.counts.candidates, 0U);
  EXPECT_TRUE(std::all_of(found.places.begin(), found.places.end() - 1, [&](const auto& place) {
    return place.group != NearPlace::kNone && place.group == found.places[0].group;
  }));
  EXPECT_EQ(found.places.back().group, NearPlace::kNone);
}

TEST(NearIndexTest, TextsWithoutWordsAreNearNothing) {
  const Found found =
      find(Corpus::of({"", "...", "", "!!", "cat", "dog", "cat."}, 7), options_of(0.8));
  for (const std::size_t i : {0, 1, 2, 3, 5}) EXPECT_EQ(found.places[i].group, NearPlace::kNone);
  EXPECT_EQ(found.places[4].group, found.places[6].group);
}

// Pages made from one template: all pairs would be millions.
TEST(NearIndexTest, ACrowdIsFoundWithoutAllPairs) {
  std::string page;
  for (int i = 0; i < 200; ++i) page += fmt::format("template{} ", i);
  std::vector<std::string> texts;
  for (int i = 0; i < 3000; ++i) texts.push_back(page + fmt::format("page number {}", i));
  const Found found = find(Corpus::of(texts, 3000), options_of(0.8));
  EXPECT_GT(found.counts.left_out, 0U);
  EXPECT_LT(found.counts.candidates, 3000U * 100);
  std::set<std::uint32_t> components;
  for (const NearPlace& place : found.places) components.insert(place.component);
  EXPECT_EQ(components.size(), 1U);
  EXPECT_FALSE(components.contains(NearPlace::kNone));
}

std::string han(std::uint64_t from, std::uint64_t to) {
  std::string text;
  for (std::uint64_t i = from; i < to; ++i) {
    const std::uint64_t code = 0x4E00 + mix64(i) % 3000;
    text += static_cast<char>(0xE0 | code >> 12);
    text += static_cast<char>(0x80 | (code >> 6 & 63));
    text += static_cast<char>(0x80 | (code & 63));
  }
  return text;
}

// One text is short enough for n-grams of three, the other is not.
TEST(NearIndexTest, PairsAcrossTheBorderOfLengthsAreFound) {
  const std::string text = han(0, kShortHanWords - 5);
  const std::string longer = text + han(5000, 5020);
  const Found found = find(Corpus::of({text, longer, han(9000, 9400)}, 3), options_of(0.8));
  EXPECT_EQ(found.counts.candidates, 1U);
  EXPECT_EQ(found.counts.signatures, 5U);
  EXPECT_EQ(found.counts.edges, 1U);
  ASSERT_EQ(found.edges.size(), 1U);
  EXPECT_EQ(found.places[0].component, found.places[1].component);
  EXPECT_NE(found.places[1].other, NearPlace::kNone);
  EXPECT_EQ(found.places[2].group, NearPlace::kNone);
}

TEST(NearIndexTest, EarlierDocumentsAreFoundWithoutTheirTexts) {
  const std::vector<std::string> texts = make_texts(40, 200);
  const NearOptions options = options_of(0.8);
  const io::TestFolder folder;
  const Corpus old = Corpus::of({texts[0], texts[10], texts[20], texts[30]}, 2);
  const std::vector<std::string> signatures = old.sign(folder, options.signature, "old");
  const std::vector<EarlierPart> earlier = {{signatures[0], {true, true}},
                                            {signatures[1], {false, true}}};
  const Corpus own = Corpus::of(
      {texts[0], texts[10] + " and a little more", texts[20], texts[30], texts[31] + " unlike"}, 5);
  const Found found = find(own, options, {}, earlier);
  const auto link = [&](std::size_t i) {
    return std::pair(found.places[i].earlier_part, found.places[i].earlier_row);
  };
  constexpr std::uint32_t kNone = NearPlace::kNone;
  EXPECT_EQ(link(0), std::pair(0U, 0U));
  EXPECT_EQ(found.places[0].earlier_similarity, 1.0F);
  EXPECT_EQ(link(1), std::pair(0U, 1U));
  EXPECT_GT(found.places[1].earlier_similarity, 0.85F);
  EXPECT_EQ(link(2), std::pair(kNone, kNone));  // the earlier run did not keep it
  EXPECT_EQ(link(3), std::pair(1U, 1U));
}

TEST(NearIndexTest, SaysWhenTheBudgetIsTooSmall) {
  const io::TestFolder folder;
  const Corpus corpus = Corpus::of({"a b c d e f"}, 1);
  const NearOptions options = options_of(0.8);
  const auto index =
      NearIndex::build(corpus.sign(folder, options.signature), {}, options,
                       {.memory_bytes = 1 << 20, .folder = folder.path()}, corpus.reader());
  ASSERT_FALSE(index);
  EXPECT_EQ(index.error().code(), Code::kResourceExhausted);
  EXPECT_NE(index.error().message().find("limits.memory"), std::string::npos);
}

TEST(UnionFindTest, RootsAreTheSmallestWhateverTheOrder) {
  UnionFind sets(6);
  sets.unite(5, 3);
  sets.unite(3, 4);
  sets.unite(4, 1);
  sets.flatten();
  EXPECT_EQ(sets.root(0), 0U);
  for (const std::uint32_t x : {1, 3, 4, 5}) EXPECT_EQ(sets.root(x), 1U);
  EXPECT_EQ(sets.root(2), 2U);
}

}  // namespace
}  // namespace headrace::dedup
