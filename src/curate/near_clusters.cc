// SPDX-License-Identifier: Apache-2.0
#include "curate/near_clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "dedup/union_find.h"

namespace headrace::curate {
namespace {

// The smaller survives.
auto survival(const NearEntry& entry) {
  const float score =
      std::isnan(entry.score) ? -std::numeric_limits<float>::infinity() : entry.score;
  return std::make_tuple(-score, ~entry.code_points, entry.content, entry.id);
}

constexpr std::size_t kNobody = ~std::size_t{0};

// Something similar to a group: another group, by its place.
struct Link {
  float similarity = -1;
  std::size_t to = kNobody;

  // The more similar one; of equal ones that whose first document survives the other.
  void offer(float other_similarity, std::size_t other) {
    if (other_similarity < similarity || (other_similarity == similarity && other >= to)) return;
    similarity = other_similarity;
    to = other;
  }
};

class ClusterFinder {
 public:
  // Entries stand in the order of survival from here on, so that of two places the smaller one
  // survives.
  ClusterFinder(std::vector<NearEntry> entries, const std::vector<dedup::NearEdge>& edges)
      : entries_(std::move(entries)), edges_(edges) {
    std::sort(entries_.begin(), entries_.end(),
              [](const NearEntry& a, const NearEntry& b) { return survival(a) < survival(b); });
  }

  std::vector<ClusterMember> run() {
    list_groups();
    unite();
    std::vector<std::size_t> members(entries_.size());  // by cluster
    std::vector<std::size_t> survivor(groups_.size(), kNobody);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const std::uint32_t cluster = clusters_.find(place_of(entries_[i].group));
      if (survivor[cluster] == kNobody) survivor[cluster] = i;
      ++members[survivor[cluster]];
    }
    std::vector<ClusterMember> found;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const std::size_t first = survivor[clusters_.find(place_of(entries_[i].group))];
      if (members[first] < 2) continue;
      const Link link = link_of(i);
      found.push_back({entries_[i].id, entries_[first].id, entries_[link.to].id, link.similarity});
    }
    return found;
  }

 private:
  void list_groups() {
    for (const NearEntry& entry : entries_) {
      groups_.push_back(entry.group);
      if (entry.other != 0) groups_.push_back(entry.other);
    }
    std::sort(groups_.begin(), groups_.end());
    groups_.erase(std::unique(groups_.begin(), groups_.end()), groups_.end());
    first_.assign(groups_.size(), kNobody);
    second_.assign(groups_.size(), kNobody);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      for (const std::uint32_t group : {entries_[i].group, entries_[i].other}) {
        if (group == 0) continue;
        const std::uint32_t place = place_of(group);
        if (first_[place] == kNobody) {
          first_[place] = i;
        } else if (second_[place] == kNobody) {
          second_[place] = i;
        }
      }
    }
  }

  void unite() {
    clusters_ = dedup::UnionFind(groups_.size());
    links_.resize(groups_.size());
    for (const NearEntry& entry : entries_) {
      if (entry.other != 0) clusters_.unite(place_of(entry.group), place_of(entry.other));
    }
    for (const dedup::NearEdge& edge : edges_) {
      const std::uint32_t a = place_of(edge.a);
      const std::uint32_t b = place_of(edge.b);
      if (a == kAbsent || b == kAbsent) continue;
      clusters_.unite(a, b);
      links_[a].offer(edge.similarity, first_[b]);
      links_[b].offer(edge.similarity, first_[a]);
    }
  }

  // The most similar other document: one of the same shingles, else the best along an edge.
  Link link_of(std::size_t i) const {
    Link best;
    for (const std::uint32_t group : {entries_[i].group, entries_[i].other}) {
      if (group == 0) continue;
      const std::uint32_t place = place_of(group);
      const std::size_t twin = first_[place] == i ? second_[place] : first_[place];
      if (twin != kNobody) best.offer(1, twin);
      if (links_[place].to != kNobody && links_[place].to != i)
        best.offer(links_[place].similarity, links_[place].to);
    }
    if (best.to == kNobody) best = {1, i};  // not reached: a member has a twin or an edge
    return best;
  }

  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};
  std::uint32_t place_of(std::uint32_t group) const {
    const auto found = std::lower_bound(groups_.begin(), groups_.end(), group);
    if (found == groups_.end() || *found != group) return kAbsent;
    return static_cast<std::uint32_t>(found - groups_.begin());
  }

  std::vector<NearEntry> entries_;
  const std::vector<dedup::NearEdge>& edges_;
  std::vector<std::uint32_t> groups_;  // sorted; the others go by place in it
  std::vector<std::size_t> first_;     // documents of a group, in the order of survival
  std::vector<std::size_t> second_;
  std::vector<Link> links_;
  dedup::UnionFind clusters_;
};

}  // namespace

std::vector<ClusterMember> find_clusters(std::vector<NearEntry> entries,
                                         const std::vector<dedup::NearEdge>& edges) {
  return ClusterFinder(std::move(entries), edges).run();
}

}  // namespace headrace::curate
