// SPDX-License-Identifier: Apache-2.0
// Kept documents and the edges between their groups → clusters and their survivors.
#pragma once

#include <cstdint>
#include <vector>

#include "curate/near_files.h"

namespace headrace::curate {

struct NearEntry {
  std::uint64_t id = 0;
  std::uint64_t content = 0;
  std::uint32_t code_points = 0;
  float score = 0;          // NaN is lowest
  std::uint32_t group = 0;  // from 1
  std::uint32_t other = 0;  // 0 = none
};

// Documents of one group are one cluster, as are those of two groups that an edge links, as long as
// both have a document here: what the rules dropped links nobody. Chains hold: where A is near B
// and B near C, all three are one cluster, whatever A and C have in common. The survivor has the
// higher score, then more code points, then the smaller content hash, then the smaller id. Clusters
// of one document are left out. The result does not depend on the order of entries and edges.
std::vector<ClusterMember> find_clusters(std::vector<NearEntry> entries,
                                         const std::vector<dedup::NearEdge>& edges);

}  // namespace headrace::curate
