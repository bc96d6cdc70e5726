// SPDX-License-Identifier: Apache-2.0
#include "curate/near_clusters.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace headrace::curate {
namespace {

NearEntry entry(std::uint64_t id, std::uint32_t group, std::uint32_t code_points = 100,
                float score = 0) {
  return {
      .id = id, .content = 1000 - id, .code_points = code_points, .score = score, .group = group};
}

std::vector<ClusterMember> clusters(std::vector<NearEntry> entries,
                                    const std::vector<dedup::NearEdge>& edges) {
  std::vector<ClusterMember> members = find_clusters(std::move(entries), edges);
  std::sort(members.begin(), members.end(),
            [](const ClusterMember& a, const ClusterMember& b) { return a.id < b.id; });
  return members;
}

std::vector<std::uint64_t> survivors(const std::vector<ClusterMember>& members) {
  std::vector<std::uint64_t> ids;
  for (const ClusterMember& member : members) ids.push_back(member.survivor);
  return ids;
}

using Ids = std::vector<std::uint64_t>;

TEST(NearClustersTest, NothingOfNothing) {
  EXPECT_TRUE(clusters({}, {}).empty());
  EXPECT_TRUE(clusters({entry(1, 1), entry(2, 2)}, {}).empty());
}

TEST(NearClustersTest, OneGroupIsOneCluster) {
  const auto members = clusters({entry(1, 7), entry(2, 7, 101), entry(3, 8)}, {});
  EXPECT_EQ(survivors(members), (Ids{2, 2}));
  EXPECT_EQ(members[0].linked_to, 2U);
  EXPECT_EQ(members[1].linked_to, 1U);
  EXPECT_EQ(members[0].similarity, 1.0F);
}

TEST(NearClustersTest, ChainsHold) {
  const auto members = clusters({entry(1, 1, 103), entry(2, 2, 102), entry(3, 3, 101)},
                                {{1, 2, 0.9F}, {2, 3, 0.8F}});
  EXPECT_EQ(survivors(members), (Ids{1, 1, 1}));
  EXPECT_EQ(members[2].linked_to, 2U);
  EXPECT_EQ(members[2].similarity, 0.8F);
  EXPECT_EQ(members[1].linked_to, 1U);  // the more similar of its two
}

// The middle of a chain that the rules dropped has no entry.
TEST(NearClustersTest, WhatIsNotKeptLinksNobody) {
  EXPECT_TRUE(clusters({entry(1, 1), entry(3, 3)}, {{1, 2, 0.9F}, {2, 3, 0.9F}}).empty());
}

TEST(NearClustersTest, SurvivorByScoreThenLengthThenContentThenId) {
  const std::vector<dedup::NearEdge> edge = {{1, 2, 0.9F}};
  EXPECT_EQ(survivors(clusters({entry(1, 1, 10, 0.9F), entry(2, 2, 99, 0.1F)}, edge)), (Ids{1, 1}));
  EXPECT_EQ(survivors(clusters({entry(1, 1, 10), entry(2, 2, 99)}, edge)), (Ids{2, 2}));
  EXPECT_EQ(survivors(clusters({entry(1, 1), entry(2, 2)}, edge)), (Ids{2, 2}));  // content
  NearEntry same = entry(2, 2);
  same.content = entry(1, 1).content;
  EXPECT_EQ(survivors(clusters({entry(1, 1), same}, edge)), (Ids{1, 1}));
  EXPECT_EQ(survivors(clusters({entry(1, 1, 10, NAN), entry(2, 2, 9, -5)}, edge)), (Ids{2, 2}));
}

TEST(NearClustersTest, ADocumentOfTwoGroupsHoldsThemTogether) {
  NearEntry both = entry(1, 1, 200);
  both.other = 9;
  const auto members = clusters({both, entry(2, 2), entry(3, 3)}, {{1, 2, 0.9F}, {3, 9, 0.85F}});
  EXPECT_EQ(survivors(members), (Ids{1, 1, 1}));
  EXPECT_EQ(members[0].similarity, 0.9F);
  EXPECT_EQ(members[2].linked_to, 1U);
}

TEST(NearClustersTest, OrderDoesNotMatter) {
  std::vector<NearEntry> entries;
  std::vector<dedup::NearEdge> edges;
  for (std::uint32_t i = 0; i < 200; ++i) {
    entries.push_back(entry(i, i % 150 + 1, i % 7));
    if (i % 3 == 0) edges.push_back({i % 150 + 1, (i * 7) % 150 + 1, 0.8F});
  }
  const auto expected = clusters(entries, edges);
  std::reverse(entries.begin(), entries.end());
  std::reverse(edges.begin(), edges.end());
  const auto same = clusters(entries, edges);
  ASSERT_EQ(same.size(), expected.size());
  for (std::size_t i = 0; i < same.size(); ++i) {
    EXPECT_EQ(same[i].survivor, expected[i].survivor);
    EXPECT_EQ(same[i].linked_to, expected[i].linked_to);
  }
}

}  // namespace
}  // namespace headrace::curate
